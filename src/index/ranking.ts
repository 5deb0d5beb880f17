import { datesIn, type DateSpan } from './dates.ts'
import { explained } from './explain.ts'
import { frequencyOf } from './parts.ts'
import { dateScores } from './date-scores.ts'
import { timeOf, timeOfPlace, type Places, type Session } from './places.ts'
import type { Postings } from './postings.ts'
import type { IndexQuery, RankedSession, Scope } from './query.ts'
import { glossaryTerms, nearTerms, ownTerms, type QueryTerm } from './query-terms.ts'
import { shareOf } from './rarity.ts'
import { defaultWeights, type Weights } from './weights.ts'

/** Postings that a query may score, by who waits for it. */
const budgets = { hook: 5_000, person: 20_000 } as const
/** Postings that may be looked at to count a term within the scope, for each that may be scored. */
const looksFor = { hook: 30, person: 15 } as const
/** How far a passage's words carry to its neighbours, in passages. */
const reach = 2
const day = 86_400_000

/** A term with the postings that it has within the scope: pairs in `Ranking`'s scratch. */
export interface CountedTerm extends QueryTerm {
  from: number
  to: number
  /** Passages (and titles) within the scope that have it. */
  passages: number
  weight: number
}

interface Within {
  sessions: Session[]
  passages: number
  length: number
}

export interface Summed {
  session: Session
  parts: Record<string, number>
  score: number
}

/**
 * Scores a query within a budget of postings: the scope first, then the terms' frequencies in it, then the rarest terms
 * until the budget is spent. Scores are BM25 over windows: a passage has its own words and, the shorter it is the more, a
 * share of its neighbours'. A session has its best passage's score and a share of its own as a whole.
 * Scratch is kept between queries and marked by their number; nothing is cleared, and one query runs at a time.
 */
export class Ranking {
  readonly #postings: Postings
  readonly #places: Places
  readonly #sessions: ReadonlyMap<number, Session>
  readonly #weights: Weights
  readonly #budget: number | undefined
  #queries = 0
  #terms = 0

  /** The pairs of all counted terms. */
  #pairs = new Int32Array(1 << 16)
  // by document: the query and the term that met it, and what they have counted so far
  #query = new Int32Array(0)
  #term = new Int32Array(0)
  #frequency = new Float64Array(0)
  #around = new Float64Array(0)
  #window = new Float64Array(0)
  #own = new Float64Array(0)
  #score = new Float64Array(0)

  constructor(
    postings: Postings,
    places: Places,
    sessions: ReadonlyMap<number, Session>,
    options: { weights?: Partial<Weights>; budget?: number },
  ) {
    this.#postings = postings
    this.#places = places
    this.#sessions = sessions
    this.#weights = { ...defaultWeights, ...options.weights }
    this.#budget = options.budget
  }

  rank(query: IndexQuery): RankedSession[] {
    this.#queries += 1
    this.#reserve()
    const within = this.#within(query.scope)
    if (within.passages === 0) return []
    const dates = this.#weights.date === 0 ? [] : this.#dates(query, within.sessions)
    const counted = this.#count(this.#asked(query, dates), within, query.mode)
    const met: Session[] = []
    const documents: number[] = []
    const mean = {
      window: meanWindow(within, this.#weights),
      session: Math.max(1, within.length / Math.max(1, within.sessions.length)),
    }
    for (const term of counted) this.#scoreTerm(term, mean, met, documents)
    for (const document of documents) {
      const session = this.#places.sessionOf(document)
      const score = this.#score[document] ?? 0
      if (session === undefined || score <= session.bestScore) continue
      session.bestScore = score
      session.best = document
    }
    const dated = dateScores(dates, within.sessions, this.#weights.date)
    for (const session of dated.keys()) if (session.query !== this.#queries) this.#begin(session, met)
    const ranked = met.map(session => this.#sum(session, dated.get(session) ?? 0, query.now))
    ranked.sort((a, b) => b.score - a.score || b.session.head.key - a.session.head.key)
    const scored = { terms: counted, pairs: this.#pairs, own: this.#own, score: this.#score, places: this.#places }
    return explained(ranked.slice(0, query.limit), scored, within.passages)
  }

  #within(scope: Scope): Within {
    const within: Within = { sessions: [], passages: 0, length: 0 }
    for (const session of this.#sessions.values()) {
      const { head } = session
      if (scope.projects !== undefined && !head.projects.some(one => scope.projects?.includes(one))) continue
      if (scope.accepts !== undefined && !scope.accepts(head)) continue
      session.scope = this.#queries
      within.sessions.push(session)
      within.passages += session.passages.length
      within.length += session.length
    }
    return within
  }

  #dates(query: IndexQuery, sessions: readonly Session[]): DateSpan[][] {
    const years = new Set<number>()
    for (const { head } of sessions)
      for (const time of [head.startedAt, head.updatedAt]) if (time !== null) years.add(Number(time.slice(0, 4)))
    return datesIn(query.text, [...years], query.now)
  }

  #asked(query: IndexQuery, dates: readonly DateSpan[][]): QueryTerm[] {
    // a date's numbers are no terms: they would meet any text with a 25 in it
    let { text } = query
    for (const spans of dates) for (const { written } of spans) text = text.replace(written, ' ')
    const own = ownTerms(text, term => this.#postings.listOf(term) !== undefined)
    const more = this.#weights.glossary > 0 ? glossaryTerms(own) : []
    const near = this.#weights.near > 0 ? nearTerms(own, this.#postings, query.mode) : []
    return [...own, ...more, ...near]
  }

  /** Counts terms within the scope, shortest lists first while the looks last; gives the rarest that the budget affords. */
  #count(asked: readonly QueryTerm[], within: Within, mode: IndexQuery['mode']): CountedTerm[] {
    const budget = this.#budget ?? budgets[mode]
    let looks = budget * looksFor[mode]
    const lists = asked.flatMap(term => {
      const list = this.#postings.listOf(term.term)
      return list === undefined ? [] : [{ term, list, count: this.#postings.count(list) }]
    })
    lists.sort((a, b) => a.count - b.count)
    const counted: CountedTerm[] = []
    let from = 0
    for (const { term, list, count } of lists) {
      if (count > looks && counted.length > 0) break
      looks -= count
      const to = this.#take(list, count, from)
      if (to === from) continue
      const passages = (to - from) / 2
      counted.push({ ...term, from, to, passages, weight: this.#weigh(term, passages, within.passages) })
      from = to
    }
    // of two terms that are as rare, the person's own
    counted.sort((a, b) => a.passages - b.passages || Number(a.via !== 'own') - Number(b.via !== 'own'))
    let left = budget
    const affordable = counted.filter(({ passages }, i) => (left -= passages) >= 0 || i === 0)
    const [first] = affordable
    // a lone word that is everywhere: those added last speak for it
    if (first !== undefined && first.passages > budget) first.from = first.to - 2 * budget
    return affordable
  }

  /** Copies a list's pairs to `from`, only those within the scope, and gives the index behind them. */
  #take(list: number, count: number, from: number): number {
    if (from + 2 * count > this.#pairs.length) {
      const larger = new Int32Array(Math.max(2 * this.#pairs.length, from + 2 * count))
      larger.set(this.#pairs)
      this.#pairs = larger
    }
    const pairs = this.#pairs
    const end = this.#postings.copy(list, pairs, from)
    let to = from
    for (let i = from; i < end; i += 2) {
      const document = pairs[i] ?? 0
      if (this.#places.sessionOf(document)?.scope !== this.#queries) continue
      pairs[to] = document
      pairs[to + 1] = pairs[i + 1] ?? 0
      to += 2
    }
    return to
  }

  #weigh(term: QueryTerm, passages: number, all: number): number {
    const weights = this.#weights
    const share = shareOf(term.term, passages, all, weights.table)
    let weight = Math.log(1 + (1 - share) / share) ** weights.evenness
    if (term.via === 'glossary') weight *= weights.glossary
    if (term.via === 'near') weight *= weights.near
    if (term.inWhole) weight *= weights.inWhole
    if (term.kind === 'cjk') weight *= weights.bigram
    return weight * (1 + weights.repeated * Math.log(term.count))
  }

  #scoreTerm(term: CountedTerm, mean: { window: number; session: number }, met: Session[], documents: number[]): void {
    const { neighbour, needsNone, length: lengths, saturation: k, title } = this.#weights
    const id = ++this.#terms
    const { length, previous, next } = this.#places
    const touched: number[] = []
    const sessions: Session[] = []
    const touch = (document: number) => {
      if (this.#term[document] === id) return
      this.#term[document] = id
      this.#frequency[document] = 0
      this.#around[document] = 0
      touched.push(document)
    }
    for (let i = term.from; i < term.to; i += 2) {
      const document = this.#pairs[i] ?? 0
      const session = this.#places.sessionOf(document)
      if (session === undefined) continue
      if (session.query !== this.#queries) this.#begin(session, met)
      if (document === session.title) {
        session.titled += title * term.weight
        continue
      }
      const frequency = frequencyOf(this.#pairs[i + 1] ?? 0)
      if (session.term !== id) {
        session.term = id
        session.frequency = 0
        sessions.push(session)
      }
      session.frequency += frequency
      touch(document)
      this.#frequency[document] = (this.#frequency[document] ?? 0) + frequency
      let before = document
      let behind = document
      let share = neighbour * frequency
      for (let step = 0; step < reach && share > 0; step++, share *= neighbour) {
        before = before < 0 ? -1 : (previous[before] ?? -1)
        behind = behind < 0 ? -1 : (next[behind] ?? -1)
        for (const other of [before, behind]) {
          if (other < 0) continue
          touch(other)
          this.#around[other] = (this.#around[other] ?? 0) + share
        }
      }
    }
    for (const document of touched) {
      const own = length[document] ?? 0
      const need = 1 / (1 + own / needsNone)
      if (this.#query[document] !== this.#queries) {
        this.#query[document] = this.#queries
        this.#own[document] = 0
        this.#score[document] = 0
        this.#window[document] = own + need * this.#lengthAround(document)
        documents.push(document)
      }
      const long = k * (1 - lengths + (lengths * (this.#window[document] ?? 0)) / mean.window)
      const frequency = this.#frequency[document] ?? 0
      const all = frequency + need * (this.#around[document] ?? 0)
      this.#own[document] = (this.#own[document] ?? 0) + (term.weight * frequency * (k + 1)) / (frequency + long)
      this.#score[document] = (this.#score[document] ?? 0) + (term.weight * all * (k + 1)) / (all + long)
    }
    for (const session of sessions) {
      const long = 1.2 * (0.3 + (0.7 * session.length) / mean.session)
      session.whole += (term.weight * session.frequency * 2.2) / (session.frequency + long)
    }
  }

  #lengthAround(document: number): number {
    const { length, previous, next } = this.#places
    const { neighbour } = this.#weights
    let before = document
    let behind = document
    let around = 0
    let share = neighbour
    for (let step = 0; step < reach && share > 0; step++, share *= neighbour) {
      before = before < 0 ? -1 : (previous[before] ?? -1)
      behind = behind < 0 ? -1 : (next[behind] ?? -1)
      if (before >= 0) around += share * (length[before] ?? 0)
      if (behind >= 0) around += share * (length[behind] ?? 0)
    }
    return around
  }

  #begin(session: Session, met: Session[]): void {
    session.query = this.#queries
    session.whole = 0
    session.titled = 0
    session.bestScore = 0
    session.best = -1
    met.push(session)
  }

  #sum(session: Session, date: number, now: number | undefined): Summed {
    const weights = this.#weights
    const place = this.#places.placeOf(session.best)
    const own = place === undefined ? 0 : (this.#own[session.best] ?? 0)
    const parts: Record<string, number> = {
      passage: own,
      neighbours: session.bestScore - own,
      session: weights.whole * session.whole,
      title: session.titled,
      date,
    }
    const matched = Object.values(parts).reduce((sum, part) => sum + part, 0)
    parts['settled'] = matched * weights.settled * (place?.settled ?? 0)
    const time = place === undefined ? timeOf(session.head.updatedAt) : timeOfPlace(place)
    const age = now === undefined || time === 0 ? undefined : Math.max(0, now - time) / day
    parts['recency'] = age === undefined ? 0 : matched * weights.recency * 2 ** (-age / weights.halfLife)
    return { session, parts, score: Object.values(parts).reduce((sum, part) => sum + part, 0) }
  }

  #reserve(): void {
    const { room } = this.#places
    if (this.#query.length >= room) return
    this.#query = new Int32Array(room)
    this.#term = new Int32Array(room)
    this.#frequency = new Float64Array(room)
    this.#around = new Float64Array(room)
    this.#window = new Float64Array(room)
    this.#own = new Float64Array(room)
    this.#score = new Float64Array(room)
  }
}

function meanWindow(within: Within, { neighbour, needsNone }: Weights): number {
  const length = Math.max(1, within.length / within.passages)
  return length + (2 * (neighbour + neighbour ** 2) * length) / (1 + length / needsNone)
}
