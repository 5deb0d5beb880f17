import { datesIn, fitOf, type DateSpan } from './dates.ts'
import { timeOf, type Entry, type SessionEntry } from './entries.ts'
import { frequencyOf, partsIn } from './parts.ts'
import type { PostingList, Postings } from './postings.ts'
import type { IndexQuery, MatchedTerm, Part, RankedPassage, RankedSession, Scope } from './query.ts'
import { glossaryTerms, nearTerms, ownTerms, type QueryTerm } from './query-terms.ts'
import { rarityOf, shareOf } from './rarity.ts'

/** What a score is made of. Each can be set to 0 to see what it is good for. */
export interface Weights {
  /** BM25's saturation and length, for passages. */
  saturation: number
  length: number
  /** How much of a neighbour's words a passage has itself, per step; and the length (terms) at which it needs half of that. */
  neighbour: number
  needsNone: number
  /** The whole session's own score, beside its best passage's. */
  whole: number
  title: number
  date: number
  /** What stands for the person's own words: another language's, another spelling's. */
  glossary: number
  near: number
  /** A word of an identifier whose whole is known. */
  inWhole: number
  /** Chinese bigrams overlap: each counts less than a word. */
  bigram: number
  /** Exponent of a term's weight: below 1, several fair words beat one rare one. */
  evenness: number
  /** Priors, as shares of the score: things settled; things new (halved every `halfLife` days). */
  settled: number
  recency: number
  halfLife: number
}

const defaults: Weights = {
  saturation: 0.9,
  length: 0.6,
  neighbour: 0.5,
  needsNone: 60,
  whole: 0.4,
  title: 0.5,
  date: 4,
  glossary: 0.4,
  near: 0.5,
  inWhole: 0.3,
  bigram: 0.6,
  evenness: 1,
  settled: 0.08,
  recency: 0.08,
  halfLife: 60,
}

/** Postings that may be scored; four times as many may be looked at for counting. */
const budgets = { hook: 5_000, person: 20_000 } as const
const lookedAt = 4
const listed = 5
const explained = 64
const day = 86_400_000

interface Counted extends QueryTerm {
  list: PostingList
  /** Within the scope. */
  found: { entry: Entry; packed: number }[]
  weight: number
}

/** The scoring of queries, within a budget of postings. Holds scratch in the entries: one query at a time. */
export class Ranking {
  readonly #postings: Postings<Entry>
  readonly #sessions: ReadonlyMap<number, SessionEntry>
  readonly #weights: Weights
  readonly #budgets: Readonly<Record<IndexQuery['mode'], number>>
  #query = 0
  #term = 0

  constructor(
    postings: Postings<Entry>,
    sessions: ReadonlyMap<number, SessionEntry>,
    weights: Partial<Weights>,
    budget?: number,
  ) {
    this.#postings = postings
    this.#sessions = sessions
    this.#weights = { ...defaults, ...weights }
    this.#budgets = budget === undefined ? budgets : { hook: budget, person: budget }
  }

  rank(query: IndexQuery): RankedSession[] {
    const now = ++this.#query
    const within = this.#scope(query.scope)
    if (within.passages === 0) return []
    const dates = this.#dates(query, within.sessions)
    const terms = this.#count(this.#terms(query, dates), within, this.#budgets[query.mode])
    const met: SessionEntry[] = []
    const mean = meanOf(within, this.#weights)
    for (const term of terms) this.#score(term, mean, met, now)
    const best = new Map<SessionEntry, Entry>()
    for (const session of met)
      for (const entry of session.entries) if (entry.query === now) keepBest(best, session, entry)
    const dated = this.#dateScores(dates, within)
    for (const session of dated.keys()) if (session.query !== now) begin(session, now, met)
    const ranked = met.map(session => this.#sum(session, best.get(session), dated.get(session) ?? 0, query.now))
    ranked.sort((a, b) => b.score - a.score || b.session.head.key - a.session.head.key)
    return ranked.slice(0, query.limit).map(one => this.#explain(one, terms, within.passages, now))
  }

  #scope(scope: Scope): Within {
    const sessions: SessionEntry[] = []
    let passages = 0
    let length = 0
    for (const session of this.#sessions.values()) {
      if (scope.projects !== undefined && !session.head.projects.some(project => scope.projects?.includes(project)))
        continue
      if (scope.accepts !== undefined && !scope.accepts(session.head)) continue
      session.scope = this.#query
      sessions.push(session)
      passages += session.entries.length
      length += session.length
    }
    return { sessions, passages, length }
  }

  #dates(query: IndexQuery, sessions: readonly SessionEntry[]): DateSpan[][] {
    if (this.#weights.date === 0) return []
    const years = new Set<number>()
    for (const { head } of sessions) {
      for (const time of [head.startedAt, head.updatedAt]) if (time !== null) years.add(Number(time.slice(0, 4)))
    }
    return datesIn(query.text, [...years], query.now)
  }

  #terms(query: IndexQuery, dates: readonly DateSpan[][]): QueryTerm[] {
    // a date's numbers are no terms: they would meet any text with a 25 in it
    let text = query.text
    for (const spans of dates) for (const { written } of spans) text = text.replace(written, ' ')
    const own = ownTerms(text, term => this.#postings.listOf(term) !== undefined)
    const terms = [...own]
    if (this.#weights.glossary > 0) terms.push(...glossaryTerms(own))
    if (this.#weights.near > 0) terms.push(...nearTerms(own, this.#postings, query.mode))
    return terms
  }

  /** Counts terms within the scope, cheapest first while the looking lasts, and keeps the rarest for the budget. */
  #count(terms: readonly QueryTerm[], within: Within, budget: number): Counted[] {
    const lists = terms.flatMap(term => {
      const list = this.#postings.listOf(term.term)
      return list === undefined ? [] : [{ term, list, cost: Math.min(list.size, 2 * within.passages) }]
    })
    lists.sort((a, b) => a.cost - b.cost || a.list.size - b.list.size)
    const counted: Counted[] = []
    let looks = budget * lookedAt
    for (const { term, list, cost } of lists) {
      if (cost > looks && counted.length > 0) break
      looks -= cost
      const found = this.#within(list, within)
      if (found.length > 0)
        counted.push({ ...term, list, found, weight: this.#weigh(term, found.length, within.passages) })
    }
    counted.sort((a, b) => a.found.length - b.found.length)
    let left = budget
    const affordable = counted.filter(({ found }, i) => (left -= found.length) >= 0 || i === 0)
    const first = affordable[0]
    // a lone word that is everywhere: the newest speak for it
    if (first !== undefined && first.found.length > budget) first.found = first.found.slice(-budget)
    return affordable
  }

  #within(list: PostingList, within: Within): Counted['found'] {
    const found: Counted['found'] = []
    if (list.size <= 2 * within.passages) {
      for (const [short, packed] of list) {
        const entry = this.#postings.documentAt(short)
        if (entry !== undefined && entry.session.scope === this.#query) found.push({ entry, packed })
      }
    } else {
      for (const { entries, title } of within.sessions) {
        for (const entry of entries) {
          const packed = list.get(entry.short)
          if (packed !== undefined) found.push({ entry, packed })
        }
        const packed = title === undefined ? undefined : list.get(title.short)
        if (title !== undefined && packed !== undefined) found.push({ entry: title, packed })
      }
    }
    return found
  }

  #weigh(term: QueryTerm, passages: number, all: number): number {
    const weights = this.#weights
    const share = shareOf(term.term, passages, all)
    let weight = Math.log(1 + (1 - share) / share) ** weights.evenness
    if (term.via === 'glossary') weight *= weights.glossary
    if (term.via === 'near') weight *= weights.near
    if (term.inWhole) weight *= weights.inWhole
    if (term.kind === 'cjk') weight *= weights.bigram
    return weight * (1 + 0.3 * Math.log(term.count))
  }

  #score(term: Counted, mean: Mean, met: SessionEntry[], now: number): void {
    const weights = this.#weights
    const id = ++this.#term
    const touched: Entry[] = []
    const sessions: SessionEntry[] = []
    const touch = (entry: Entry) => {
      if (entry.term === id) return
      entry.term = id
      entry.frequency = 0
      entry.around = 0
      touched.push(entry)
    }
    for (const { entry, packed } of term.found) {
      const { session } = entry
      if (session.query !== now) begin(session, now, met)
      if (entry === session.title) {
        session.titled += weights.title * term.weight
        continue
      }
      const frequency = frequencyOf(packed)
      if (session.term !== id) {
        session.term = id
        session.frequency = 0
        sessions.push(session)
      }
      session.frequency += frequency
      touch(entry)
      entry.frequency += frequency
      let share = weights.neighbour
      for (let step = 1; step <= reach && share > 0; step++, share *= weights.neighbour) {
        for (const place of [entry.place - step, entry.place + step]) {
          const other = session.entries[place]
          if (other === undefined) continue
          touch(other)
          other.around += share * frequency
        }
      }
    }
    for (const entry of touched) {
      if (entry.query !== now) {
        entry.query = now
        entry.own = 0
        entry.score = 0
        entry.window = windowOf(entry, weights)
      }
      const long = 1 - weights.length + (weights.length * entry.window) / mean.window
      const k = weights.saturation
      const all = entry.frequency + entry.around * need(entry.length, weights)
      entry.score += (term.weight * all * (k + 1)) / (all + k * long)
      entry.own += (term.weight * entry.frequency * (k + 1)) / (entry.frequency + k * long)
    }
    for (const session of sessions) {
      const long = 0.3 + (0.7 * session.length) / mean.session
      session.whole += (term.weight * session.frequency * 2.2) / (session.frequency + 1.2 * long)
    }
  }

  #dateScores(dates: readonly DateSpan[][], within: Within): Map<SessionEntry, number> {
    const scores = new Map<SessionEntry, number>()
    for (const spans of dates) {
      const fits = within.sessions.map(session => ({ session, fit: fitOfSession(session, spans) }))
      const mass = fits.reduce((sum, { fit }) => sum + fit, 0)
      if (mass === 0) continue
      const weight = this.#weights.date * Math.log(1 + within.sessions.length / mass)
      for (const { session, fit } of fits) if (fit > 0) scores.set(session, (scores.get(session) ?? 0) + weight * fit)
    }
    return scores
  }

  #sum(session: SessionEntry, best: Entry | undefined, date: number, now: number | undefined): Summed {
    const weights = this.#weights
    const parts: Record<string, number> = {
      passage: best?.own ?? 0,
      neighbours: best === undefined ? 0 : best.score - best.own,
      session: weights.whole * session.whole,
      title: session.titled,
      date,
    }
    const matched = Object.values(parts).reduce((sum, part) => sum + part, 0)
    parts['settled'] = matched * weights.settled * (best?.settled ?? 0)
    const time = best?.time ?? timeOf(session.head.updatedAt)
    if (now !== undefined && time > 0) {
      parts['recency'] = matched * weights.recency * 2 ** (-Math.max(0, now - time) / day / weights.halfLife)
    }
    return { session, parts, score: Object.values(parts).reduce((sum, part) => sum + part, 0) }
  }

  #explain({ session, parts, score }: Summed, terms: readonly Counted[], all: number, now: number): RankedSession {
    const told = terms.slice(0, explained)
    const met = session.entries.filter(entry => entry.query === now && entry.own > 0)
    met.sort((a, b) => b.score - a.score || b.n - a.n)
    const passages = met.slice(0, listed).map((entry): RankedPassage => {
      const matched = told.flatMap(term => matchOf(term, [entry], all))
      return { id: entry.id, n: entry.n, at: entry.at, score: entry.score, terms: matched }
    })
    const everywhere = session.title === undefined ? met : [session.title, ...met]
    const matched = told.flatMap(term => matchOf(term, everywhere, all))
    return { session: session.head, score, parts, passages, terms: matched }
  }
}

/** How far a neighbour's words carry, in passages. */
const reach = 2

interface Within {
  sessions: SessionEntry[]
  passages: number
  length: number
}

interface Mean {
  window: number
  session: number
}

interface Summed {
  session: SessionEntry
  parts: Record<string, number>
  score: number
}

function begin(session: SessionEntry, now: number, met: SessionEntry[]): void {
  session.query = now
  session.whole = 0
  session.titled = 0
  met.push(session)
}

function keepBest(best: Map<SessionEntry, Entry>, session: SessionEntry, entry: Entry): void {
  const before = best.get(session)
  if (before === undefined || entry.score > before.score) best.set(session, entry)
}

/** A short passage needs its neighbours to be understood; a long one stands by itself. */
const need = (length: number, weights: Weights): number => 1 / (1 + length / weights.needsNone)

function windowOf(entry: Entry, weights: Weights): number {
  let around = 0
  let share = weights.neighbour
  for (let step = 1; step <= reach && share > 0; step++, share *= weights.neighbour) {
    around += share * (entry.session.entries[entry.place - step]?.length ?? 0)
    around += share * (entry.session.entries[entry.place + step]?.length ?? 0)
  }
  return entry.length + around * need(entry.length, weights)
}

function meanOf(within: Within, weights: Weights): Mean {
  const length = Math.max(1, within.length / within.passages)
  const around = 2 * (weights.neighbour + weights.neighbour ** 2)
  return {
    window: length * (1 + around * need(length, weights)),
    session: Math.max(1, within.length / Math.max(1, within.sessions.length)),
  }
}

/** By its passages' own times where they have any: a long session is not all of one day. */
function fitOfSession(session: SessionEntry, spans: readonly DateSpan[]): number {
  const { startedAt, updatedAt } = session.head
  const first = timeOf(startedAt ?? updatedAt)
  const last = timeOf(updatedAt ?? startedAt)
  let best = first === 0 ? 0 : Math.max(fitOf(spans, first), fitOf(spans, last))
  if (best === 1 || (first > 0 && spans.every(({ from, to }) => to < first || from > last))) return best
  for (const { ms } of session.entries) if (ms > 0) best = Math.max(best, fitOf(spans, ms))
  return best
}

function matchOf(term: Counted, entries: readonly Entry[], all: number): MatchedTerm[] {
  const parts = new Set<Part>()
  for (const entry of entries) for (const part of partsIn(term.list.get(entry.short) ?? 0)) parts.add(part)
  if (parts.size === 0) return []
  return [
    {
      term: term.term,
      written: term.written,
      rarity: rarityOf(term.term, term.found.length, all),
      isIdentifier: term.isIdentifier,
      via: term.via,
      passages: term.found.length,
      parts: [...parts],
    },
  ]
}
