import { dateScores } from './date-scores.ts'
import { datesIn, type DateSpan } from './dates.ts'
import { explained } from './explain.ts'
import { timeOf, timeOfPlace, type Places, type Session } from './places.ts'
import type { Postings } from './postings.ts'
import type { IndexQuery, RankedSession, Scope } from './query.ts'
import { glossaryTerms, nearTerms, ownTerms, type QueryTerm } from './query-terms.ts'
import { shareOf } from './rarity.ts'
import { meanWindow, Scores } from './scores.ts'
import type { Sessions } from './sessions.ts'
import { defaultWeights, type Weights } from './weights.ts'

/** Postings that a query may score, by who waits for it. */
const budgets = { hook: 5_000, person: 20_000 } as const
/** Postings that may be looked at to count terms within the scope, for each that may be scored. */
const looksFor = { hook: 5, person: 8 } as const
const day = 86_400_000

/** A term with its postings within the scope: pairs from `from` to `to`. */
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

/** Of two that score alike, the newer. */
const isBetter = (a: Summed, b: Summed | undefined): boolean =>
  b === undefined || a.score > b.score || (a.score === b.score && a.session.head.key > b.session.head.key)

/**
 * Scores a query within a budget of postings: the scope first, then the terms' frequencies in it, then the rarest terms
 * until the budget is spent. Scores are BM25 over windows: a passage has its own words and, the shorter it is the more, a
 * share of its neighbours'. A session has its best passage's score and a share of its own as a whole.
 */
export class Ranking {
  readonly #postings: Postings
  readonly #places: Places
  readonly #sessions: Sessions
  readonly #weights: Weights
  readonly #budget: number | undefined
  readonly #scores: Scores
  /** The pairs of all counted terms of the running query. */
  #pairs = new Int32Array(1 << 16)

  constructor(
    postings: Postings,
    places: Places,
    sessions: Sessions,
    options: { weights?: Partial<Weights>; budget?: number },
  ) {
    this.#postings = postings
    this.#places = places
    this.#sessions = sessions
    this.#weights = { ...defaultWeights, ...options.weights }
    this.#budget = options.budget
    this.#scores = new Scores(places, this.#weights)
  }

  rank(query: IndexQuery): RankedSession[] {
    const scores = this.#scores
    scores.begin()
    const within = this.#within(query.scope)
    if (within.passages === 0) return []
    const dates = this.#weights.date === 0 ? [] : this.#dates(query, within.sessions)
    const terms = this.#count(this.#asked(query, dates), within, query.mode)
    const means = {
      window: meanWindow(Math.max(1, within.length / within.passages), this.#weights),
      session: Math.max(1, within.length / within.sessions.length),
    }
    for (const term of terms) scores.add(term, this.#pairs, means)
    const dated = dateScores(dates, within.sessions, this.#weights.date)
    for (const { number } of dated.keys()) scores.meet(number)
    scores.close()
    if (dated.size > 0) this.#dateByWords(dated)
    const best = this.#best(dated, query)
    return explained(best, { terms, pairs: this.#pairs, scores, places: this.#places }, within.passages)
  }

  /** A day on which nothing was said of the subject answers less than one on which something was. */
  #dateByWords(dated: Map<Session, number>): void {
    const { best, whole, titled, sessions, sessionCount } = this.#scores
    const bestOf = (document = -1) => (document < 0 ? 0 : this.#scores.scoreOf(document))
    const matched = (number: number) =>
      bestOf(best[number]) + this.#weights.whole * (whole[number] ?? 0) + (titled[number] ?? 0)
    let most = 0
    for (let i = 0; i < sessionCount; i++) most = Math.max(most, matched(sessions[i] ?? -1))
    if (most === 0) return
    for (const [session, worth] of dated) dated.set(session, worth * (0.5 + (0.5 * matched(session.number)) / most))
  }

  /** The best of the sessions that were met; all of them are summed up, only those are laid out. */
  #best(dated: ReadonlyMap<Session, number>, query: IndexQuery): Summed[] {
    const best: Summed[] = []
    for (let i = 0; i < this.#scores.sessionCount; i++) {
      const session = this.#places.sessionAt(this.#scores.sessions[i] ?? -1)
      if (session === undefined) continue
      const summed = this.#sum(session, dated.get(session) ?? 0, query.now)
      if (best.length >= query.limit && !isBetter(summed, best.at(-1))) continue
      let at = best.length
      while (at > 0 && isBetter(summed, best[at - 1])) at -= 1
      best.splice(at, 0, summed)
      if (best.length > query.limit) best.pop()
    }
    return best
  }

  #within(scope: Scope): Within {
    const within: Within = { sessions: [], passages: 0, length: 0 }
    for (const session of this.#sessions.in(scope.projects)) {
      if (scope.accepts !== undefined && !scope.accepts(session.head)) continue
      this.#scores.allow(session.number)
      within.sessions.push(session)
      within.passages += session.passages.length
      within.length += session.length
    }
    return within
  }

  #dates(query: IndexQuery, sessions: readonly Session[]): DateSpan[][] {
    const years = () => {
      const found = new Set<number>()
      for (const { head } of sessions)
        for (const time of [head.startedAt, head.updatedAt]) if (time !== null) found.add(Number(time.slice(0, 4)))
      return [...found]
    }
    return datesIn(query.text, years, query.now)
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
    const lists: { term: QueryTerm; list: number; count: number }[] = []
    for (const term of asked) {
      const list = this.#postings.listOf(term.term)
      if (list !== undefined) lists.push({ term, list, count: this.#postings.count(list) })
    }
    lists.sort((a, b) => a.count - b.count)
    const counted: CountedTerm[] = []
    let from = 0
    for (const { term, list, count } of lists) {
      if (count > looks && counted.length > 0) break
      looks -= count
      this.#reserve(from + 2 * count)
      const to = this.#scores.narrow(this.#pairs, from, this.#postings.copy(list, this.#pairs, from))
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

  #weigh(term: QueryTerm, passages: number, all: number): number {
    const weights = this.#weights
    const share = shareOf(term.term, passages, all, weights.table)
    let weight = Math.log(1 + (1 - share) / share) ** weights.evenness
    if (term.via === 'glossary') weight *= term.related ? weights.related : weights.glossary
    if (term.via === 'near') weight *= weights.near
    if (term.inWhole) weight *= weights.inWhole
    if (term.kind === 'cjk') weight *= weights.bigram
    return weight * (1 + weights.repeated * Math.log(term.count))
  }

  #sum(session: Session, date: number, now: number | undefined): Summed {
    const { settled, recency, halfLife, whole } = this.#weights
    const document = this.#scores.best[session.number] ?? -1
    const place = this.#places.placeOf(document)
    const passage = place === undefined ? 0 : this.#scores.ownOf(document)
    const neighbours = place === undefined ? 0 : this.#scores.scoreOf(document) - passage
    const inSession = whole * (this.#scores.whole[session.number] ?? 0)
    const title = this.#scores.titled[session.number] ?? 0
    const matched = passage + neighbours + inSession + title + date
    const time = place === undefined ? timeOf(session.head.updatedAt) : timeOfPlace(place)
    const age = now === undefined || time === 0 ? Infinity : Math.max(0, now - time) / day
    const parts = {
      passage,
      neighbours,
      session: inSession,
      title,
      date,
      settled: matched * settled * (place?.settled ?? 0),
      recency: matched * recency * 2 ** (-age / halfLife),
    }
    return { session, parts, score: matched + parts.settled + parts.recency }
  }

  #reserve(pairs: number): void {
    if (pairs <= this.#pairs.length) return
    const larger = new Int32Array(Math.max(2 * this.#pairs.length, pairs))
    larger.set(this.#pairs)
    this.#pairs = larger
  }
}
