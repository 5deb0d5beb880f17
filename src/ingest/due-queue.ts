/** A due time further ahead than this was set before the clock went back. */
const furthestMs = 60_000

/** Paths to be looked at, each when its time has come. */
export class DueQueue {
  readonly #due = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** The first call sets the time: a file that is written all the time is read all the time. */
  put(path: string, ms: number): void {
    const due = this.#now() + ms
    const known = this.#due.get(path)
    if (known === undefined || known > due) this.#due.set(path, due)
  }

  /** Sets the time anew. */
  postpone(path: string, ms: number): void {
    this.#due.set(path, this.#now() + ms)
  }

  delete(path: string): void {
    this.#due.delete(path)
  }

  has(path: string): boolean {
    return this.#due.has(path)
  }

  /** A path whose time has come. */
  first(): string | null {
    const now = this.#now()
    for (const [path, due] of this.#due) if (due <= now || due - now > furthestMs) return path
    return null
  }

  /** When the next one is due; `Infinity`: nothing is. */
  next(): number {
    let next = Infinity
    for (const due of this.#due.values()) next = Math.min(next, due)
    return next
  }

  paths(): IterableIterator<string> {
    return this.#due.keys()
  }
}
