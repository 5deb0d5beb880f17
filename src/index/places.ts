import type { SessionHead } from './passage.ts'
import type { Time } from '../shared/model.ts'

/** What is known of a passage besides its terms. */
export interface Place {
  readonly id: number
  readonly n: number
  readonly at: Time
  /** `at` in epoch milliseconds, 0 where it is null. */
  readonly ms: number
  /** 0 to 1: whether something was decided, found or mended in it. */
  readonly settled: number
  readonly session: Session
  /** Its number in the postings. */
  readonly document: number
}

/** A session with its passages in order. The fields behind `length` are a running query's scratch (see `Ranking`). */
export class Session {
  head: SessionHead
  /** The document of its title's terms. */
  title: number | undefined
  /** Ordered by `n`; there may be gaps. */
  readonly passages: Place[] = []
  /** Terms of all its passages. */
  length = 0

  /** The query whose scope it is in, the one that met it, and the term. */
  scope = 0
  query = 0
  term = 0
  frequency = 0
  whole = 0
  titled = 0
  bestScore = 0
  best = -1

  constructor(head: SessionHead) {
    this.head = head
  }
}

/** By document, in arrays: what scoring needs of a posting's document without touching an object. */
export class Places {
  /** By document; undefined where it is gone, or a title. */
  readonly #places: (Place | undefined)[] = []
  readonly #sessions: (Session | undefined)[] = []
  /** Terms, those of each part by the part's weight. */
  length = new Float32Array(1024)
  /** The documents before and behind in the session, -1 for none. */
  previous = new Int32Array(1024).fill(-1)
  next = new Int32Array(1024).fill(-1)

  add(place: Place, length: number): void {
    const { document, session } = place
    this.#reserve(document)
    this.#places[document] = place
    this.#sessions[document] = session
    this.length[document] = length
    const { passages } = session
    let at = passages.length
    while (at > 0 && (passages[at - 1]?.n ?? -1) > place.n) at -= 1
    passages.splice(at, 0, place)
    session.length += length
    this.#link(passages[at - 1], place)
    this.#link(place, passages[at + 1])
  }

  addTitle(document: number, session: Session): void {
    this.#reserve(document)
    this.#sessions[document] = session
    session.title = document
  }

  remove(place: Place): void {
    const { document, session } = place
    const at = session.passages.indexOf(place)
    if (at < 0) return
    session.passages.splice(at, 1)
    session.length -= this.length[document] ?? 0
    this.#link(session.passages[at - 1], session.passages[at])
    this.#places[document] = undefined
    this.#sessions[document] = undefined
  }

  removeTitle(session: Session): void {
    if (session.title !== undefined) this.#sessions[session.title] = undefined
    session.title = undefined
  }

  placeOf(document: number): Place | undefined {
    return this.#places[document]
  }

  sessionOf(document: number): Session | undefined {
    return this.#sessions[document]
  }

  /** How many documents the arrays have room for. */
  get room(): number {
    return this.length.length
  }

  #link(before: Place | undefined, behind: Place | undefined): void {
    if (before !== undefined) this.next[before.document] = behind?.document ?? -1
    if (behind !== undefined) this.previous[behind.document] = before?.document ?? -1
  }

  #reserve(document: number): void {
    if (document < this.room) return
    const room = this.room * 2
    const length = new Float32Array(room)
    length.set(this.length)
    this.length = length
    const previous = new Int32Array(room).fill(-1)
    previous.set(this.previous)
    this.previous = previous
    const next = new Int32Array(room).fill(-1)
    next.set(this.next)
    this.next = next
  }
}

export function timeOf(time: Time): number {
  if (time === null) return 0
  const ms = Date.parse(time)
  return Number.isNaN(ms) ? 0 : ms
}

/** Epoch milliseconds of a passage's own time, else of its session's newest; 0 where nothing is known. */
export const timeOfPlace = ({ ms, session: { head } }: Place): number =>
  ms > 0 ? ms : timeOf(head.updatedAt ?? head.startedAt)
