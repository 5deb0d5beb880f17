import type { SessionHead } from './passage.ts'
import type { Time } from '../shared/model.ts'

/** A passage as the index keeps it, without its text. What follows `place` is a running query's scratch. */
export class Entry {
  readonly id: number
  readonly n: number
  readonly at: Time
  /** `at` in epoch milliseconds, 0 where it is null. */
  readonly ms: number
  /** Terms, those of each part by the part's weight. */
  readonly length: number
  /** 0 to 1: whether something was decided, found or mended in it. */
  readonly settled: number
  readonly session: SessionEntry
  /** The postings' own number for it. */
  short = -1
  /** Its place in `session.entries`. */
  place = -1

  /** The query that met it last: what follows is valid for that one only. */
  query = 0
  /** By its own terms, and with its neighbours' share. */
  own = 0
  score = 0
  window = 0
  /** The term that met it last, and how often it has that term itself and about itself. */
  term = 0
  frequency = 0
  around = 0

  constructor(passage: { id: number; n: number; at: Time; length: number; settled: number }, session: SessionEntry) {
    this.id = passage.id
    this.n = passage.n
    this.at = passage.at
    this.ms = timeOf(passage.at)
    this.length = passage.length
    this.settled = passage.settled
    this.session = session
  }

  /** Epoch milliseconds of its own time, else of its session's newest; 0 where nothing is known. */
  get time(): number {
    return this.ms > 0 ? this.ms : timeOf(this.session.head.updatedAt ?? this.session.head.startedAt)
  }
}

/** A session with its passages in order. Scratch as in `Entry`. */
export class SessionEntry {
  head: SessionHead
  title: Entry | undefined
  /** Ordered by `n`; there may be gaps. */
  readonly entries: Entry[] = []
  /** Of all its passages. */
  length = 0

  /** The query whose scope it is in. */
  scope = 0
  query = 0
  whole = 0
  titled = 0
  term = 0
  frequency = 0

  constructor(head: SessionHead) {
    this.head = head
  }

  insert(entry: Entry): void {
    let place = this.entries.length
    while (place > 0 && (this.entries[place - 1]?.n ?? -1) > entry.n) place -= 1
    this.entries.splice(place, 0, entry)
    this.length += entry.length
    this.#number(place)
  }

  delete(entry: Entry): void {
    this.entries.splice(entry.place, 1)
    this.length -= entry.length
    this.#number(entry.place)
  }

  #number(from: number): void {
    for (let place = from; place < this.entries.length; place++) {
      const entry = this.entries[place]
      if (entry !== undefined) entry.place = place
    }
  }
}

export function timeOf(time: Time): number {
  if (time === null) return 0
  const ms = Date.parse(time)
  return Number.isNaN(ms) ? 0 : ms
}
