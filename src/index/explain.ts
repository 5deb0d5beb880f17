import { partsIn } from './parts.ts'
import type { Place, Places, Session } from './places.ts'
import type { MatchedTerm, RankedPassage, RankedSession } from './query.ts'
import type { CountedTerm, Summed } from './ranking.ts'
import { rarityOf } from './rarity.ts'
import type { Scores } from './scores.ts'

/** Passages told of each session, and terms told of each of them. */
const passagesTold = 5
const termsTold = 64

interface Scored {
  /** Rarest first. */
  terms: readonly CountedTerm[]
  pairs: Int32Array
  scores: Scores
  places: Places
}

interface Told {
  session: Session
  passages: Map<number, { place: Place; terms: MatchedTerm[] }>
  terms: MatchedTerm[]
}

/** The best passages of each session that have a word of the query themselves. */
function bestOf(ranked: readonly Summed[], { scores, places }: Scored): Map<number, Told> {
  const told = new Map<number, Told>()
  const best = new Map<number, number[]>()
  for (const { session } of ranked) {
    told.set(session.number, { session, passages: new Map(), terms: [] })
    best.set(session.number, [])
  }
  for (const document of scores.documents.subarray(0, scores.documentCount)) {
    const into = best.get(places.sessionNumber[document] ?? -1)
    if (into !== undefined && scores.ownOf(document) > 0) into.push(document)
  }
  for (const [number, met] of best) {
    met.sort((a, b) => scores.scoreOf(b) - scores.scoreOf(a) || b - a)
    for (const document of met.slice(0, passagesTold)) {
      const place = places.placeOf(document)
      if (place !== undefined) told.get(number)?.passages.set(document, { place, terms: [] })
    }
  }
  return told
}

const byRarity = (terms: MatchedTerm[]): MatchedTerm[] => terms.sort((a, b) => b.rarity - a.rarity).slice(0, termsTold)

/** What the best sessions matched, and where: one more pass over the postings that were scored. */
export function explained(ranked: readonly Summed[], scored: Scored, all: number): RankedSession[] {
  const { pairs, places, scores } = scored
  const told = bestOf(ranked, scored)
  for (const term of scored.terms) {
    const match = (packed: number): MatchedTerm => ({
      term: term.term,
      written: term.written,
      rarity: rarityOf(term.term, term.passages, all),
      isIdentifier: term.isIdentifier,
      via: term.via,
      passages: term.passages,
      within: all,
      parts: partsIn(packed),
    })
    // counts laid over one another still say which parts there are
    const anywhere = new Map<Told, number>()
    for (let i = term.from; i < term.to; i += 2) {
      const document = pairs[i] ?? 0
      const into = told.get(places.sessionNumber[document] ?? -1)
      if (into === undefined) continue
      const packed = pairs[i + 1] ?? 0
      anywhere.set(into, (anywhere.get(into) ?? 0) | packed)
      into.passages.get(document)?.terms.push(match(packed))
    }
    for (const [into, packed] of anywhere) into.terms.push(match(packed))
  }
  return ranked.map(({ session, parts, score: total }): RankedSession => {
    const into = told.get(session.number)
    const passages = [...(into?.passages.values() ?? [])].map(
      ({ place: { id, n, at, document }, terms }): RankedPassage => ({
        id,
        n,
        at,
        score: scores.scoreOf(document),
        terms: byRarity(terms),
      }),
    )
    return { session: session.head, score: total, parts, passages, terms: byRarity(into?.terms ?? []) }
  })
}
