import { partsIn } from './parts.ts'
import type { Place, Places, Session } from './places.ts'
import type { MatchedTerm, RankedPassage, RankedSession } from './query.ts'
import type { CountedTerm, Summed } from './ranking.ts'
import { rarityOf } from './rarity.ts'

/** Passages told of each session, and terms told of each passage. */
const passagesTold = 5
const termsTold = 64

interface Scored {
  /** Rarest first. */
  terms: readonly CountedTerm[]
  pairs: Int32Array
  own: Float64Array
  score: Float64Array
  places: Places
}

interface Met {
  place: Place
  terms: MatchedTerm[]
}

interface Told {
  passages: Map<number, Met>
  terms: Map<CountedTerm, MatchedTerm>
}

/** What the best sessions matched, and where. One more pass over the postings that were scored. */
export function explained(ranked: readonly Summed[], scored: Scored, all: number): RankedSession[] {
  const told = new Map<Session, Told>(ranked.map(({ session }) => [session, { passages: new Map(), terms: new Map() }]))
  for (const term of scored.terms) {
    const base = {
      term: term.term,
      written: term.written,
      rarity: rarityOf(term.term, term.passages, all),
      isIdentifier: term.isIdentifier,
      via: term.via,
      passages: term.passages,
    }
    for (let i = term.from; i < term.to; i += 2) {
      const document = scored.pairs[i] ?? 0
      const session = scored.places.sessionOf(document)
      const into = session === undefined ? undefined : told.get(session)
      if (into === undefined) continue
      const parts = partsIn(scored.pairs[i + 1] ?? 0)
      const before = into.terms.get(term)
      if (before === undefined) into.terms.set(term, { ...base, parts })
      else for (const part of parts) if (!before.parts.includes(part)) before.parts.push(part)
      const place = scored.places.placeOf(document)
      if (place === undefined) continue
      const met = into.passages.get(document)
      if (met === undefined) into.passages.set(document, { place, terms: [{ ...base, parts }] })
      else met.terms.push({ ...base, parts })
    }
  }
  return ranked.map(({ session, parts, score }): RankedSession => {
    const into = told.get(session)
    const passages = [...(into?.passages.values() ?? [])].map(({ place, terms }): RankedPassage => ({
      id: place.id,
      n: place.n,
      at: place.at,
      score: scored.score[place.document] ?? 0,
      terms: rarest(terms),
    }))
    passages.sort((a, b) => b.score - a.score || b.n - a.n)
    return {
      session: session.head,
      score,
      parts,
      passages: passages.slice(0, passagesTold),
      terms: rarest([...(into?.terms.values() ?? [])]),
    }
  })
}

const rarest = (terms: MatchedTerm[]): MatchedTerm[] => terms.sort((a, b) => b.rarity - a.rarity).slice(0, termsTold)
