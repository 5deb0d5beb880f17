import type { MatchedTerm, Part, RankedPassage, RankedSession } from '../index/query.ts'
import { everydayShare } from '../index/rarity.ts'
import { analyse } from '../index/tokens.ts'

/** Why a candidate was not shown. */
export type Gate =
  | 'own'
  | 'kin'
  | 'maybe-own'
  | 'other-project'
  | 'not-said'
  | 'too-common'
  | 'off-subject'
  | 'given'
  | 'nothing-settled'
  | 'superseded'
  | 'alike'
  | 'weaker'
  | 'no-room'

/** What a question is about: how much its words tell, matched or not. */
export interface Subject {
  /** Sum of what its words tell. */
  total: number
  words: number
}

/** How a passage bears on a question. */
export interface Bearing {
  /** What the shared words tell, where the passage says them. */
  told: number
  /** Share of the question's. */
  share: number
  /** Words that tell something together with others. */
  some: number
  /** Words that tell something by themselves. */
  rare: number
  /** The best single word, 0 to 1. */
  best: number
  identifiers: number
}

/** A word that is this telling can make two words enough. */
const telling = 0.5
const pointed = 0.85

/** What a word tells by the shipped table: in every sixteenth passage and oftener nothing, in every 256th and more seldom all. */
const byTable = (term: string): number => clamp(-Math.log2(everydayShare(term)) / 4 - 1)

/**
 * What a word tells by how many passages of the project have it. A small project says little about its words: there only
 * what is in most of it counts as vocabulary; in one of thousands of passages what is in a few hundred does.
 */
function byProject(passages: number, within: number): number {
  if (within === 0) return 1
  const share = (passages - 0.5) / (within + 40)
  const size = clamp((Math.log10(within) - 1.7) / 1.3)
  const all = 0.02 * 0.25 ** size
  const nothing = 0.3 * 0.2 ** size
  return clamp(1 - Math.log10(share / all) / Math.log10(nothing / all))
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value))

/** What a matched word tells, 0 to 1: the lower of both. */
const tellingOf = (term: MatchedTerm): number => Math.min(byTable(term.term), byProject(term.passages, term.within))

/** Bigrams overlap; another language's or another spelling's word is a guess; a name names more than a word does. */
function worthOf(tells: number, term: { term: string; via: MatchedTerm['via']; isIdentifier: boolean }): number {
  let worth = tells
  if (isBigram(term.term)) worth *= 0.6
  if (term.via === 'glossary') worth *= 0.7
  if (term.via === 'near') worth *= 0.8
  return term.isIdentifier ? worth * 1.5 : worth
}

const isBigram = (term: string): boolean => /^\p{Script=Han}{2}$/u.test(term)

/** @param matched the terms that anything in the project has: what is vocabulary there tells less */
export function subjectOf(text: string, matched: readonly MatchedTerm[] = []): Subject {
  const known = new Map(matched.map(term => [term.term, tellingOf(term)]))
  let total = 0
  let words = 0
  const seen = new Set<string>()
  for (const token of analyse(text)) {
    if (seen.has(token.term) || token.kind === 'part') continue
    seen.add(token.term)
    const tells = known.get(token.term) ?? byTable(token.term)
    const worth = worthOf(tells, { term: token.term, via: 'own', isIdentifier: token.identifier })
    if (worth > 0) words++
    total += worth
  }
  return { total, words }
}

/** Said by the person or the agent. */
const said: readonly Part[] = ['prompt', 'answer', 'summary']
/** Done: names a thing only by an identifier. */
const done: readonly Part[] = ['paths', 'commands', 'errors']

/** How much of its worth a term has by where the passage has it: in an output, none. */
function placeWorth(term: MatchedTerm): number {
  if (term.parts.some(part => said.includes(part))) return 1
  if (term.isIdentifier && term.parts.some(part => done.includes(part))) return 0.9
  if (term.parts.includes('errors')) return 0.6
  return term.parts.includes('title') ? 0.6 : 0
}

export function bearingOf(passage: RankedPassage, ranked: RankedSession, subject: Subject): Bearing {
  const terms = new Map<string, { term: MatchedTerm; worth: number }>()
  const take = (term: MatchedTerm, factor: number): void => {
    const worth = worthOf(tellingOf(term), term) * placeWorth(term) * factor
    const known = terms.get(term.term)
    if (worth > 0 && (!known || known.worth < worth)) terms.set(term.term, { term, worth })
  }
  for (const term of passage.terms) take(term, 1)
  // a question's words may stand in one turn and the answer's in the next
  for (const other of ranked.passages)
    if (Math.abs(other.n - passage.n) === 1) for (const term of other.terms) take(term, 0.8)
  for (const term of ranked.terms) if (term.parts.includes('title')) take({ ...term, parts: ['title'] }, 1)
  const worths = counted([...terms.values()], subject)
  const told = worths.reduce((sum, { worth }) => sum + worth, 0)
  return {
    told,
    share: subject.total === 0 ? 0 : Math.min(1, told / subject.total),
    some: worths.filter(({ worth }) => worth >= telling / 2).length,
    rare: worths.filter(({ term, worth }) => worth >= (isBigram(term.term) ? telling * 0.6 : telling)).length,
    best: Math.max(0, ...worths.map(({ term }) => tellingOf(term))),
    identifiers: worths.filter(({ term, worth }) => term.isIdentifier && worth >= telling).length,
  }
}

/** What stands for the question's words (another language's word, a like one) counts for those that nothing else meets. */
function counted<T extends { term: MatchedTerm; worth: number }>(worths: T[], subject: Subject): T[] {
  const own = worths.filter(({ term }) => term.via === 'own')
  const others = worths.filter(({ term }) => term.via !== 'own').sort((a, b) => b.worth - a.worth)
  let left = subject.total - own.reduce((sum, { worth }) => sum + worth, 0)
  return own.concat(
    others.slice(0, Math.max(0, subject.words - own.length)).filter(({ worth }) => {
      const counts = left > 0
      left -= worth
      return counts
    }),
  )
}

/** Whether a bearing is enough to speak up; else the gate that it doesn't pass. */
export function gateOf(bearing: Bearing, subject: Subject, aggressive: boolean): Gate | null {
  if (bearing.told === 0) return 'not-said'
  const ease = aggressive ? 0.6 : 1
  // a long prompt shares some words with anything
  const share = (subject.words > 12 ? 4 / subject.total : 0.34) * ease
  if (bearing.identifiers > 0 && bearing.share >= Math.min(share, 0.2)) return null
  if (bearing.rare >= (aggressive ? 1 : 2) && bearing.best >= pointed)
    return bearing.share >= share ? null : 'off-subject'
  // one rare word, and most of what else the question says
  if (bearing.rare >= 1 && bearing.some >= 2 && bearing.best >= pointed && bearing.share >= 0.6 * ease) return null
  // plain words, but nearly all of them
  if (bearing.some >= 3 && bearing.told >= 1.4 * ease && bearing.share >= 0.75 * ease) return null
  return bearing.rare === 0 ? 'too-common' : 'off-subject'
}
