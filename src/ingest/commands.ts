/** What others asked the river for, one after the other, each between two pieces of its work. */
export class Commands {
  readonly #waiting: (() => Promise<void>)[] = []
  readonly #rung: () => void

  /** `rung` is called when there is one to be run. */
  constructor(rung: () => void) {
    this.#rung = rung
  }

  /** Resolves or rejects as `run` does, when its turn has come. */
  put<T>(run: () => T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(async () => {
        await Promise.resolve().then(run).then(resolve, reject)
      })
      this.#rung()
    })
  }

  /** Runs the next one. False: there is none. */
  async next(): Promise<boolean> {
    const command = this.#waiting.shift()
    await command?.()
    return command !== undefined
  }
}
