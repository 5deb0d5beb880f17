import { wider } from './glossary.ts'
import type { Postings } from './postings.ts'
import type { MatchedTerm } from './query.ts'
import { stemOf } from './stem.ts'
import { analyse, type TokenKind } from './tokens.ts'

/** What a query asks for, one term. */
export interface QueryTerm {
  term: string
  written: string
  kind: TokenKind
  isIdentifier: boolean
  via: MatchedTerm['via']
  /** Only stands beside what the query says, by the glossary. */
  related: boolean
  /** How often the query says it. */
  count: number
  /** A word inside an identifier or path that the query has as a whole: the whole counts, this hardly. */
  inWhole: boolean
}

/** Longer prompts are read at their beginning and their end, in characters. */
const readAtMost = 16_000
const termsAtMost = 600

const bounded = (text: string): string =>
  text.length <= readAtMost ? text : `${text.slice(0, (readAtMost * 3) / 4)}\n${text.slice(-readAtMost / 4)}`

/** The query's own terms, once each. */
export function ownTerms(text: string, isKnown: (term: string) => boolean): QueryTerm[] {
  const terms = new Map<string, QueryTerm>()
  // the parts of a whole follow it at once
  let wholeKnown = false
  for (const token of analyse(bounded(text))) {
    if (token.kind === 'whole') wholeKnown = isKnown(token.term)
    else if (token.kind === 'word') wholeKnown = false
    const inWhole = token.kind === 'part' && wholeKnown
    const before = terms.get(token.term)
    if (before !== undefined) {
      before.count += 1
      before.isIdentifier ||= token.identifier
      before.inWhole &&= inWhole
    } else if (terms.size < termsAtMost) {
      terms.set(token.term, {
        term: token.term,
        written: token.written,
        kind: token.kind,
        isIdentifier: token.identifier,
        via: 'own',
        related: false,
        count: 1,
        inWhole,
      })
    }
  }
  return [...terms.values()]
}

/** What stands for the query's terms in other languages and spellings, without those that are there already. */
export function glossaryTerms(own: readonly QueryTerm[]): QueryTerm[] {
  const there = new Set(own.map(({ term }) => term))
  const more: QueryTerm[] = []
  for (const { term, written, related } of wider(own.map(({ term }) => term))) {
    if (there.has(term)) continue
    there.add(term)
    const kind = /\p{Script=Han}/u.test(term) ? 'cjk' : 'word'
    more.push({ term, written, kind, isIdentifier: false, via: 'glossary', related, count: 1, inWhole: false })
  }
  return more
}

/** A longer question is understood without guessing at what it misspells, and guessing costs a millisecond a word. */
const guessedUpTo = 24
/** How many unknown terms are looked up by their spelling, how many candidates each may bring, how many edits are tried. */
const near = {
  hook: { terms: 1, candidates: 3, distance: 1 },
  person: { terms: 6, candidates: 8, distance: 2 },
} as const

type Spellings = Pick<Postings, 'listOf' | 'count' | 'beginningWith' | 'spelledLike'>

/** Known terms that an unknown one may be a misspelling or the beginning of. */
export function nearTerms(own: readonly QueryTerm[], postings: Spellings, mode: 'hook' | 'person'): QueryTerm[] {
  const countOf = (term: string) => {
    const list = postings.listOf(term)
    return list === undefined ? 0 : postings.count(list)
  }
  if (own.length > guessedUpTo) return []
  const more: QueryTerm[] = []
  const unknown = own.filter(
    ({ term, kind, inWhole }) =>
      !inWhole && (kind === 'word' || kind === 'whole') && term.length >= 5 && postings.listOf(term) === undefined,
  )
  for (const from of unknown.slice(0, near[mode].terms)) {
    const { candidates } = near[mode]
    const found = new Set(postings.beginningWith(from.term, candidates))
    if (found.size < candidates && !/\d/.test(from.term)) {
      for (const term of swapped(from))
        if (found.size < candidates && postings.listOf(term) !== undefined) found.add(term)
      // a stem is shorter than what was mistyped
      const distance = Math.min(near[mode].distance, from.written.length >= 9 ? 2 : 1)
      const spelled = postings.spelledLike(from.term, distance, distance === 1 ? 1 : 2)
      spelled.sort((a, b) => countOf(b) - countOf(a))
      for (const term of spelled) if (found.size < candidates) found.add(term)
    }
    for (const term of found) more.push({ ...from, term, written: term, via: 'near' })
  }
  return more
}

/** Two letters that changed places, the commonest slip, are two edits of a stem or change the stem itself. */
function swapped({ written }: QueryTerm): string[] {
  const terms: string[] = []
  for (let at = 0; at + 1 < written.length && written.length <= 24; at++)
    terms.push(stemOf(`${written.slice(0, at)}${written[at + 1] ?? ''}${written[at] ?? ''}${written.slice(at + 2)}`))
  return terms
}
