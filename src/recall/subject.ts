import { wider, type Wider } from '../index/glossary.ts'
import type { MatchedTerm } from '../index/query.ts'
import { everydayShare } from '../index/rarity.ts'
import { analyse, type Token } from '../index/tokens.ts'
import { isFraming } from './asking.ts'

/** One of the things that a question names: a word, an identifier with its parts, and what stands for it elsewhere. */
export interface Idea {
  /** As the question has it. */
  written: string
  /** What may meet it, and how much of its worth each then has. */
  terms: ReadonlyMap<string, number>
  /** What it tells, 0 to 1; of two the lower: everybody's table and this project. */
  tells: number
  /** How much it is counted for in the whole question: what can't be told from grammar counts little. */
  counts: number
  /** Whether it is a word: of what may be a piece of two, a part. */
  word: number
  identifier: boolean
  /** Names something: an identifier, or a word that no table has. */
  name: boolean
  /** Something in the project has it. */
  known: boolean
  /** Of three words or more as one: nothing else is called that. */
  exact: boolean
  /** How many passages of the project have it as the question writes it. */
  passages: number
}

/** What a question is about. */
export interface Subject {
  ideas: readonly Idea[]
  /** Sum of what they tell. */
  total: number
  /** How many tell anything. */
  words: number
}

/** What a word tells by the shipped table: in every sixteenth passage and oftener nothing, in every 256th and more seldom all. */
const byTable = (term: string): number => clamp(-Math.log2(everydayShare(term)) / 4 - 1)

/**
 * What a word tells by how many passages of the project have it. A small project says little about its words: there only
 * what is in most of it counts as vocabulary; in one of thousands of passages what is in a few hundred does.
 */
function byProject(passages: number, within: number, name = false): number {
  if (within === 0) return 1
  const share = (passages - 0.5) / (within + 40)
  const size = clamp((Math.log10(within) - 1.7) / 1.3)
  // a name is said again and again where its thing is spoken of, and still names it
  const all = name ? 0.07 * 0.3 ** size : 0.02 * 0.25 ** size
  const nothing = name ? 0.45 * 0.3 ** size : 0.3 * 0.2 ** size
  return clamp(1 - Math.log10(share / all) / Math.log10(nothing / all))
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value))

/** What a matched word tells, 0 to 1: the lower of both. */
export const tellingOf = (term: MatchedTerm): number =>
  Math.min(
    byTable(term.term),
    byProject(term.passages, term.within, term.isIdentifier || (isLatin(term.term) && byTable(term.term) === 1)),
  )

const isHan = (term: string): boolean => /\p{Script=Han}/u.test(term)
const isLatin = (term: string): boolean => /^[\p{Script=Latin}\p{N}\p{P}\p{S}]+$/u.test(term)

/** Bigrams overlap. */
const bigramWorth = 0.6
/** A name names more than a word does. */
const identifierWorth = 1.5
/** Another language's word is a guess, a part of an identifier a piece of it. */
const standsFor = { word: 0.75, bigram: 0.55, related: 0.5, part: 0.3 } as const
/** A word that tells nothing by itself still is one that the answer would share. */
const leastCounts = 0.2

interface Draft {
  own: Token[]
  terms: Map<string, number>
}

function draftsOf(text: string): Draft[] {
  const drafts = new Map<string, Draft>()
  let whole: Draft | undefined
  const tokens = analyse(text)
  tokens.forEach((token, n) => {
    if (token.kind === 'part') {
      // parts follow their whole at once
      if (whole && !whole.terms.has(token.term)) whole.terms.set(token.term, standsFor.part)
      return
    }
    const known = drafts.get(token.term)
    if (known) {
      whole = token.kind === 'whole' ? known : undefined
      return
    }
    if (isFraming(token.term)) {
      whole = undefined
      return
    }
    if (straddlesWords(tokens, n)) {
      whole = undefined
      return
    }
    const draft: Draft = { own: [token], terms: new Map([[token.term, 1]]) }
    drafts.set(token.term, draft)
    whole = token.kind === 'whole' ? draft : undefined
    if (whole) return
    const single = wider([token.term])
    widen(draft, single)
    // a word of three or four characters, or of two words, is known to the glossary as several terms
    for (const window of [tokens.slice(n - 1, n + 1), tokens.slice(n - 2, n + 1)]) {
      if (window.length < 2 || window.some(each => each.kind !== token.kind)) continue
      const apart = new Set(window.flatMap(each => wider([each.term])).map(({ term }) => term))
      widen(
        draft,
        wider(window.map(each => each.term)).filter(({ term }) => !apart.has(term)),
      )
    }
  })
  return [...drafts.values()]
}

const isListed = (term: string): boolean => byTable(term) < 1 || wider([term]).length > 0

/** Whether a bigram that no list has joins the end of a listed word to the beginning of another: 键生 in 主键生成. */
function straddlesWords(tokens: readonly Token[], n: number): boolean {
  const [before, token, behind] = [tokens[n - 1], tokens[n], tokens[n + 1]]
  if (token?.kind !== 'cjk' || before?.kind !== 'cjk' || behind?.kind !== 'cjk' || isListed(token.term)) return false
  const [first = '', second = ''] = Array.from(token.term)
  return before.term.endsWith(first) && behind.term.startsWith(second) && isListed(before.term) && isListed(behind.term)
}

function widen(draft: Draft, more: readonly Wider[]): void {
  for (const { term, related } of more)
    if (!draft.terms.has(term))
      draft.terms.set(term, related ? standsFor.related : isHan(term) ? standsFor.bigram : standsFor.word)
}

/** What a word tells by the table, its own or that of the English word which it stands for. */
function tableOf(terms: ReadonlyMap<string, number>, own: string): number {
  const table = byTable(own)
  if (isLatin(own)) return table
  const others = [...terms.keys()].filter(term => term !== own && isLatin(term)).map(byTable)
  return others.length === 0 ? table : Math.min(table, Math.max(...others))
}

/**
 * What a text is about, to be weighed against what is known here.
 * @returns a function of `matched`, the terms that anything in the project has (what is vocabulary there tells less), and
 *   of `byRarity` (false: every word tells as much as any other)
 */
export function aboutOf(text: string): (matched?: readonly MatchedTerm[], byRarity?: boolean) => Subject {
  const drafts = draftsOf(text)
  const foreign = /[\p{Script=Han}\p{Script=Cyrillic}]/u.test(text)
  return (matched = [], byRarity = true) => {
    const met = new Map(matched.map(term => [term.term, term]))
    const ideas = drafts.map(draft => {
      const idea = ideaOf(draft, met, foreign)
      return byRarity ? idea : { ...idea, tells: 1, counts: idea.word }
    })
    return {
      ideas,
      total: ideas.reduce((sum, idea) => sum + idea.counts, 0),
      words: ideas.filter(idea => idea.counts >= 0.1).length,
    }
  }
}

function ideaOf({ own: [token], terms }: Draft, met: ReadonlyMap<string, MatchedTerm>, foreign: boolean): Idea {
  const term = token?.term ?? ''
  const identifier = token?.identifier === true || met.get(term)?.isIdentifier === true
  const han = isHan(term)
  const whole = [...terms].filter(([, factor]) => factor > standsFor.part)
  const matches = whole.flatMap(([each]) => {
    const match = met.get(each)
    return match ? [tellingOf(match)] : []
  })
  let tells = Math.min(tableOf(terms, term), ...(matches.length > 0 ? [Math.max(...matches)] : []))
  const known = matches.length > 0
  // what the glossary knows is a word
  const bigram = han && terms.size === 1
  if (/^\d+$/.test(term)) tells = Math.min(tells, 0.3)
  const worth = (bigram ? bigramWorth : 1) * (identifier ? identifierWorth : 1)
  // a bigram that neither a table nor the project knows joins two words that stand side by side
  const grammar = bigram && !known && byTable(term) === 1
  // a word that the glossary knows is a developer's, not a name
  const name =
    identifier || (isLatin(term) && /\p{L}{4}/u.test(term) && terms.size === 1 && byTable(term) >= (foreign ? 0.75 : 1))
  const counts = grammar ? 0.06 : Math.max(bigram ? 0 : leastCounts, tells * worth)
  const word = grammar ? 0 : bigram ? 0.3 : 1
  const passages = met.get(term)?.passages ?? 0
  const exact = identifier && [...terms.values()].filter(factor => factor === standsFor.part).length >= 3
  return { written: token?.written ?? '', terms, tells, counts, word, identifier, exact, name, known, passages }
}

/** Which script a text is mostly written in. */
export function scriptOf(text: string): 'han' | 'cyrillic' | 'latin' {
  const plain = text.replaceAll(/`[^`]*`/g, ' ')
  const count = (pattern: RegExp): number => plain.match(pattern)?.length ?? 0
  const han = count(/\p{Script=Han}/gu)
  const cyrillic = count(/\p{Script=Cyrillic}/gu)
  const latin = count(/\p{Script=Latin}/gu)
  // a Chinese word is two characters, and names stay Latin everywhere
  if (3 * han >= cyrillic && 4 * han >= latin && han > 0) return 'han'
  return cyrillic > 0 && 2 * cyrillic >= latin ? 'cyrillic' : 'latin'
}
