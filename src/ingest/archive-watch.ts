import { identityOf } from '../archive/database.ts'
import { DejaError } from '../shared/errors.ts'

const everyMs = 1000

/** Looks now and then whether the archive is still the file that was opened: what is written to another goes nowhere. */
export class ArchiveWatch {
  readonly #path: string
  readonly #now: () => number
  readonly #identity: string
  /** When the next look is due; epoch milliseconds. */
  next = 0

  /** Made when the archive has been opened. */
  constructor(path: string, now: () => number) {
    this.#path = path
    this.#now = now
    this.#identity = identityOf(path) ?? ''
  }

  /** Throws `archive` when it was deleted or replaced. */
  check(): void {
    const now = this.#now()
    // a clock that was set back must not put the next look off
    if (now < this.next && this.next - now <= everyMs) return
    this.next = now + everyMs
    if (identityOf(this.#path) === this.#identity) return
    throw new DejaError('archive', 'The archive was deleted or replaced while it was in use.', { path: this.#path })
  }
}
