/** Why a text can't be edited without risk. Becomes a refusal that names the file, line and column. */
export class Unsafe extends Error {
  /** In UTF-16 units; null: the file as a whole. */
  readonly offset: number | null

  constructor(message: string, offset: number | null) {
    super(message)
    this.name = 'Unsafe'
    this.offset = offset
  }
}
