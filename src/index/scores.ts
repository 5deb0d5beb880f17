import { frequencyOf } from './parts.ts'
import { titleLength, type Places } from './places.ts'
import type { Weights } from './weights.ts'

/** How far a passage's words carry to its neighbours, in passages. */
const reach = 2

/** The figures of a document's cell. */
const cell = {
  /** The query and the term that met it last. */
  met: 0,
  term: 1,
  /** How often it has the term, and how often its neighbours have, by their distance. */
  frequency: 2,
  around: 3,
  /** Its length with its share of its neighbours'. */
  window: 4,
  /** By its own words, and with its neighbours'. */
  own: 5,
  score: 6,
} as const
const cellBits = 3

/** A term's postings: pairs of document and packed counts in `pairs` from `from` to `to`. */
interface TermPostings {
  from: number
  to: number
  weight: number
}

interface Means {
  /** Terms of a passage with its share of its neighbours', and of a session. */
  window: number
  session: number
}

/**
 * What a query has scored so far, by document and by session number. The arrays stay from query to query and are marked by
 * the query's number, so that nothing has to be cleared.
 */
export class Scores {
  readonly #places: Places
  readonly #weights: Weights
  #number = 0
  #terms = 0

  /** By document, a cache line each (see `cell`): what is touched together lies together. */
  #cells = new Float64Array(0)

  // by session number
  #scope = new Int32Array(0)
  #sessionMet = new Int32Array(0)
  #sessionTerm = new Int32Array(0)
  #sessionFrequency = new Float64Array(0)
  whole = new Float64Array(0)
  titled = new Float64Array(0)
  /** The document with the best score, -1 for none. */
  best = new Int32Array(0)

  /** Documents, and numbers of sessions, that this query has met; the lists' heads as far as the counts say. */
  documents = new Int32Array(0)
  documentCount = 0
  sessions = new Int32Array(0)
  sessionCount = 0
  #touched = new Int32Array(0)
  #touchedSessions = new Int32Array(0)

  constructor(places: Places, weights: Weights) {
    this.#places = places
    this.#weights = weights
  }

  begin(): void {
    this.#number += 1
    this.documentCount = 0
    this.sessionCount = 0
    const { room, sessionNumbers } = this.#places
    if (this.documents.length < room) {
      this.#cells = new Float64Array(room << cellBits)
      this.documents = new Int32Array(room)
      this.#touched = new Int32Array(room)
    }
    if (this.#scope.length < sessionNumbers) {
      const more = 2 * sessionNumbers
      this.#scope = new Int32Array(more)
      this.#sessionMet = new Int32Array(more)
      this.#sessionTerm = new Int32Array(more)
      this.#sessionFrequency = new Float64Array(more)
      this.whole = new Float64Array(more)
      this.titled = new Float64Array(more)
      this.best = new Int32Array(more)
      this.sessions = new Int32Array(more)
      this.#touchedSessions = new Int32Array(more)
    }
  }

  /** Lets the query meet a session. */
  allow(session: number): void {
    this.#scope[session] = this.#number
  }

  /** Leaves of the pairs from `from` to `end` those of allowed sessions, moved up; gives the index behind them. */
  narrow(pairs: Int32Array, from: number, end: number): number {
    const { sessionNumber } = this.#places
    const scope = this.#scope
    const number = this.#number
    let to = from
    for (let i = from; i < end; i += 2) {
      const document = pairs[i] ?? 0
      if (scope[sessionNumber[document] ?? -1] !== number) continue
      pairs[to] = document
      pairs[to + 1] = pairs[i + 1] ?? 0
      to += 2
    }
    return to
  }

  /** A session that is met by something else than its passages' words. */
  meet(session: number): void {
    if (this.#sessionMet[session] === this.#number) return
    this.#sessionMet[session] = this.#number
    this.whole[session] = 0
    this.titled[session] = 0
    this.best[session] = -1
    this.sessions[this.sessionCount++] = session
  }

  /** Adds one term's postings to the scores. */
  add(term: TermPostings, pairs: Int32Array, means: Means): void {
    this.#terms += 1
    const { touched, sessions } = this.#gather(term, pairs)
    this.#scorePassages(term.weight, touched, means)
    this.#scoreSessions(term.weight, sessions, means)
  }

  /** Finds each met session's best passage. */
  close(): void {
    const { sessionNumber } = this.#places
    for (let i = 0; i < this.documentCount; i++) {
      const document = this.documents[i] ?? 0
      const session = sessionNumber[document] ?? 0
      const best = this.best[session] ?? -1
      if (best < 0 || this.scoreOf(document) > this.scoreOf(best)) this.best[session] = document
    }
  }

  /** What a document has by its own words; only for those in `documents`. */
  ownOf(document: number): number {
    return this.#cells[(document << cellBits) + cell.own] ?? 0
  }

  /** What it has with its neighbours'. */
  scoreOf(document: number): number {
    return this.#cells[(document << cellBits) + cell.score] ?? 0
  }

  /** How often each passage and each session has the term; a passage's neighbours hear of it. */
  #gather({ from, to, weight }: TermPostings, pairs: Int32Array): { touched: number; sessions: number } {
    const { sessionNumber, length, previous, next } = this.#places
    const { neighbour, title } = this.#weights
    const cells = this.#cells
    const id = this.#terms
    let touched = 0
    let sessions = 0
    for (let i = from; i < to; i += 2) {
      const document = pairs[i] ?? 0
      const session = sessionNumber[document] ?? 0
      this.meet(session)
      if (length[document] === titleLength) {
        this.titled[session] = (this.titled[session] ?? 0) + title * weight
        continue
      }
      const frequency = frequencyOf(pairs[i + 1] ?? 0)
      if (this.#sessionTerm[session] !== id) {
        this.#sessionTerm[session] = id
        this.#sessionFrequency[session] = 0
        this.#touchedSessions[sessions++] = session
      }
      this.#sessionFrequency[session] = (this.#sessionFrequency[session] ?? 0) + frequency
      touched = this.#touch(document, id, touched)
      add(cells, (document << cellBits) + cell.frequency, frequency)
      if (neighbour === 0) continue
      let before = previous[document] ?? -1
      let behind = next[document] ?? -1
      let share = neighbour * frequency
      for (let step = 1; ; step++) {
        if (before >= 0) {
          touched = this.#touch(before, id, touched)
          add(cells, (before << cellBits) + cell.around, share)
        }
        if (behind >= 0) {
          touched = this.#touch(behind, id, touched)
          add(cells, (behind << cellBits) + cell.around, share)
        }
        if (step === reach) break
        share *= neighbour
        if (before >= 0) before = previous[before] ?? -1
        if (behind >= 0) behind = next[behind] ?? -1
      }
    }
    return { touched, sessions }
  }

  #touch(document: number, id: number, touched: number): number {
    const cells = this.#cells
    const at = document << cellBits
    if (cells[at + cell.term] === id) return touched
    cells[at + cell.term] = id
    cells[at + cell.frequency] = 0
    cells[at + cell.around] = 0
    this.#touched[touched] = document
    return touched + 1
  }

  #scorePassages(weight: number, touched: number, means: Means): void {
    const { needsNone, length: lengths, saturation: k } = this.#weights
    const { length } = this.#places
    const cells = this.#cells
    const fixed = k * (1 - lengths)
    const byLength = (k * lengths) / means.window
    for (let i = 0; i < touched; i++) {
      const document = this.#touched[i] ?? 0
      const at = document << cellBits
      const words = length[document] ?? 0
      const need = needsNone / (needsNone + words)
      if (cells[at + cell.met] !== this.#number) {
        cells[at + cell.met] = this.#number
        cells[at + cell.own] = 0
        cells[at + cell.score] = 0
        cells[at + cell.window] = words + need * this.#lengthAround(document)
        this.documents[this.documentCount++] = document
      }
      const long = fixed + byLength * (cells[at + cell.window] ?? 0)
      const frequency = cells[at + cell.frequency] ?? 0
      const all = frequency + need * (cells[at + cell.around] ?? 0)
      if (frequency > 0) add(cells, at + cell.own, (weight * frequency * (k + 1)) / (frequency + long))
      add(cells, at + cell.score, (weight * all * (k + 1)) / (all + long))
    }
  }

  #scoreSessions(weight: number, sessions: number, means: Means): void {
    for (let i = 0; i < sessions; i++) {
      const session = this.#touchedSessions[i] ?? 0
      const long = 1.2 * (0.3 + (0.7 * (this.#places.sessionAt(session)?.length ?? 0)) / means.session)
      const frequency = this.#sessionFrequency[session] ?? 0
      this.whole[session] = (this.whole[session] ?? 0) + (weight * frequency * 2.2) / (frequency + long)
    }
  }

  #lengthAround(document: number): number {
    const { length, previous, next } = this.#places
    const { neighbour } = this.#weights
    let before = document
    let behind = document
    let around = 0
    let share = neighbour
    for (let step = 0; step < reach; step++, share *= neighbour) {
      if (before >= 0) before = previous[before] ?? -1
      if (behind >= 0) behind = next[behind] ?? -1
      if (before >= 0) around += share * (length[before] ?? 0)
      if (behind >= 0) around += share * (length[behind] ?? 0)
    }
    return around
  }
}

function add(to: Float64Array, at: number, more: number): void {
  to[at] = (to[at] ?? 0) + more
}

/** The mean length of a passage with its share of its neighbours', for passages of `length` terms. */
export function meanWindow(length: number, { neighbour, needsNone }: Weights): number {
  return length + (2 * (neighbour + neighbour ** 2) * length) / (1 + length / needsNone)
}
