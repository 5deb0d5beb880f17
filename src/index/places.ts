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

/** A session with its passages in order. */
export class Session {
  head: SessionHead
  /** Small and its own while it is there: the place of its figures in a query's scratch. */
  readonly number: number
  /** The document of its title's terms. */
  title: number | undefined
  /** Ordered by `n`; there may be gaps. */
  readonly passages: Place[] = []
  /** Terms of all its passages. */
  length = 0

  constructor(head: SessionHead, number: number) {
    this.head = head
    this.number = number
  }
}

const gone = -1
/** In `length`, for the document of a title. */
export const titleLength = -1

/** What scoring needs of a posting's document without touching an object: arrays by document. */
export class Places {
  readonly #places: (Place | undefined)[] = []
  readonly #sessions: (Session | undefined)[] = []
  readonly #freeNumbers: number[] = []
  /** The number of a document's session; -1 where the document is gone. */
  sessionNumber = new Int32Array(1024).fill(gone)
  /** Terms, those of each part by the part's weight. */
  length = new Float32Array(1024)
  /** The documents before and behind in the session; -1 for none. */
  previous = new Int32Array(1024).fill(gone)
  next = new Int32Array(1024).fill(gone)

  openSession(head: SessionHead): Session {
    const session = new Session(head, this.#freeNumbers.pop() ?? this.#sessions.length)
    this.#sessions[session.number] = session
    return session
  }

  closeSession({ number }: Session): void {
    this.#sessions[number] = undefined
    this.#freeNumbers.push(number)
  }

  add(place: Place, length: number): void {
    const { document, session } = place
    this.#reserve(document)
    this.#places[document] = place
    this.sessionNumber[document] = session.number
    this.length[document] = length
    this.previous[document] = gone
    this.next[document] = gone
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
    this.sessionNumber[document] = session.number
    this.length[document] = titleLength
    session.title = document
  }

  remove(place: Place): void {
    const { document, session } = place
    const at = session.passages.indexOf(place)
    if (at < 0) return
    session.passages.splice(at, 1)
    session.length -= this.length[document] ?? 0
    const before = session.passages[at - 1]
    const behind = session.passages[at]
    if (before !== undefined) this.next[before.document] = behind?.document ?? gone
    if (behind !== undefined) this.previous[behind.document] = before?.document ?? gone
    this.#places[document] = undefined
    this.sessionNumber[document] = gone
  }

  removeTitle(session: Session): void {
    if (session.title !== undefined) this.sessionNumber[session.title] = gone
    session.title = undefined
  }

  placeOf(document: number): Place | undefined {
    return this.#places[document]
  }

  sessionOf(document: number): Session | undefined {
    return this.#sessions[this.sessionNumber[document] ?? gone]
  }

  sessionAt(number: number): Session | undefined {
    return this.#sessions[number]
  }

  /** How many documents the arrays have room for, and how many sessions there are numbers for. */
  get room(): number {
    return this.length.length
  }

  get sessionNumbers(): number {
    return this.#sessions.length
  }

  #link(before: Place | undefined, behind: Place | undefined): void {
    if (before === undefined || behind === undefined) return
    this.next[before.document] = behind.document
    this.previous[behind.document] = before.document
  }

  #reserve(document: number): void {
    if (document < this.room) return
    const room = this.room * 2
    const ints = (from: Int32Array) => {
      const to = new Int32Array(room).fill(gone)
      to.set(from)
      return to
    }
    const length = new Float32Array(room)
    length.set(this.length)
    this.length = length
    this.sessionNumber = ints(this.sessionNumber)
    this.previous = ints(this.previous)
    this.next = ints(this.next)
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
