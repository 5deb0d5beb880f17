/** Of the passages, what goes at once: a vacuum and a collection follow, which are not to come every second. */
const SHED_SHARE = 0.15
/** Time for memory to come back before more is shed. */
const PAUSE_MS = 20_000
/** With so few left the index isn't what takes the room. */
const FEWEST = 1000
/** Below this share of the ceiling in use, the rest is pages that the collector has yet to give back: shedding wouldn't help. */
const IN_USE_SHARE = 0.6

interface Shedding {
  readonly stats: { passages: number }
  shed(n: number): number
}

export interface MemoryInUse {
  rss: number
  heapUsed: number
  external: number
}

/** Keeps resident memory below the setting: the index sheds its oldest passages. They stay in the archive, where search finds them. */
export class MemoryCeiling {
  readonly #index: Shedding
  readonly #ceilingBytes: number
  #pausedUntil = 0

  constructor(index: Shedding, ceilingMb: number) {
    this.#index = index
    this.#ceilingBytes = ceilingMb * 1024 * 1024
  }

  /** To be called every few seconds; `now` in milliseconds of a clock that only runs forward. Gives how many passages went. */
  check({ rss, heapUsed, external }: MemoryInUse, now: number): number {
    const { passages } = this.#index.stats
    const isOver = rss > this.#ceilingBytes && heapUsed + external > this.#ceilingBytes * IN_USE_SHARE
    if (!isOver || passages <= FEWEST || now < this.#pausedUntil) return 0
    this.#pausedUntil = now + PAUSE_MS
    return this.#index.shed(Math.min(Math.ceil(passages * SHED_SHARE), passages - FEWEST))
  }
}
