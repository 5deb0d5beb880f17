import type { MatchedTerm, Part, RankedPassage, RankedSession } from '../index/query.ts'
import type { Asking } from './asking.ts'
import { tellingOf, type Idea, type Subject } from './subject.ts'

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

/** What a prompt's recall is checked by. Each can be switched off, to see what it is good for. */
export interface Checks {
  /** Machine-made prompts and chatter are told before anything is looked up. */
  silence: boolean
  /** This project's sessions alone. */
  project: boolean
  /** Rare words tell more than common ones. */
  rarity: boolean
  /** A name that the question has must be in the passage. */
  names: boolean
  /** Besides a name, most of what else the question says must be. */
  subject: boolean
  /** A weak bearing needs a passage that settles something. */
  settled: boolean
  /** An order needs more than a question about what was. */
  asking: boolean
  /** In another language not every word can be met. */
  language: boolean
  /** Much weaker hits are left out beside the best one. */
  fair: boolean
  /** What was taken back later is left out. */
  superseded: boolean
}

export const allChecks: Checks = {
  silence: true,
  project: true,
  rarity: true,
  names: true,
  subject: true,
  settled: true,
  asking: true,
  language: true,
  fair: true,
  superseded: true,
}

/** How a passage bears on a question. */
export interface Bearing {
  /** What the shared ideas tell, where the passage says them. */
  told: number
  /** Share of the question's. */
  share: number
  /** Ideas that tell something together with others. */
  some: number
  /** Ideas that tell something by themselves. */
  rare: number
  /** The best single word, 0 to 1. */
  best: number
  identifiers: number
  /** One of them is in hardly a passage. */
  seldom: boolean
  /** A compound name that hardly a passage has, written out. */
  exact: boolean
  /** What the best name tells that both have. */
  named: number
  /** How many of the question's words it has, the common ones too, and the share of all. */
  words: number
  cover: number
  /** What of the question can't be expected in another language: words that nothing stands for. */
  foreign: { told: number; words: number }
  /** What the best name tells that the question has and this doesn't. */
  missing: number
  /** What plain words tell: those that both have, those that this lacks, and those of them that could be translated. */
  plain: { has: number; lacks: number; translatable: number }
}

/** A word that is this telling can make two words enough. */
const telling = 0.5
const pointed = 0.85
/** What the words beside a name tell at least, unless all of them are met: any project formats, stores and loads. */
const leastBeside = 0.3
/** Passages in which an identifier is that names one thing, and not where everything happens. */
const few = 3
/** The share of an idea that is as good as all of it: what another language's word has. */
const whole = 0.75
/** How much of a question's words need not be met in another language. */
const translated = 0.5

/** Said by the person or the agent. */
const said: readonly Part[] = ['prompt', 'answer', 'summary']
/** Done: names a thing only by an identifier. */
const done: readonly Part[] = ['paths', 'commands', 'errors']

/** How much of its worth a term has by where the passage has it. */
function placeWorth(term: MatchedTerm): number {
  if (term.parts.some(part => said.includes(part))) return 1
  if (term.isIdentifier && term.parts.some(part => done.includes(part))) return 0.9
  if (term.parts.includes('errors') || term.parts.includes('title')) return 0.6
  return term.parts.some(part => done.includes(part)) ? 0.4 : 0.3
}

export function bearingOf(passage: RankedPassage, ranked: RankedSession, subject: Subject): Bearing {
  const places = new Map<string, { tells: number; place: number }>()
  const take = (term: MatchedTerm, factor: number): void => {
    const place = placeWorth(term) * factor * (term.via === 'near' ? 0.8 : 1)
    const known = places.get(term.term)
    if (place > 0 && (!known || known.place < place)) places.set(term.term, { tells: tellingOf(term), place })
  }
  for (const term of passage.terms) take(term, 1)
  // a question's words may stand in one turn and the answer's in the next
  for (const other of ranked.passages)
    if (Math.abs(other.n - passage.n) === 1) for (const term of other.terms) take(term, 0.8)
  for (const term of ranked.terms) if (term.parts.includes('title')) take({ ...term, parts: ['title'] }, 1)
  const met: { idea: Idea; share: number }[] = []
  for (const idea of subject.ideas) {
    let share = 0
    for (const [term, factor] of idea.terms) {
      const place = places.get(term)
      if (place) share = Math.max(share, factor * place.place)
    }
    if (share > 0) met.push({ idea, share })
  }
  return weighed(met, subject)
}

/** An identifier names more closely than a word does. */
const nameWorth = ({ tells, identifier }: Idea): number => tells * (identifier ? 1.5 : 1)

/** @param met the ideas that something shares, and how much of each (0 to 1) */
export function weighed(met: readonly { idea: Idea; share: number }[], subject: Subject): Bearing {
  const worths = met.map(({ idea, share }) => ({ idea, worth: idea.counts * share }))
  const told = worths.reduce((sum, { worth }) => sum + worth, 0)
  const covered = sum(met, ({ idea, share }) => idea.word * Math.min(1, share / whole))
  const foreign = subject.ideas.filter(
    idea => !idea.name && idea.terms.size === 1 && !met.some(each => each.idea === idea),
  )
  // what only something beside it stands for is lacking in part
  const lacking = subject.ideas.flatMap(idea => {
    if (idea.name || idea.word === 0) return []
    const share = met.find(each => each.idea === idea)?.share ?? 0
    return [{ idea, lacks: idea.counts * Math.max(0, 1 - share / whole) }]
  })
  const most = (values: number[]): number => Math.max(0, ...values)
  return {
    told,
    share: subject.total === 0 ? 0 : Math.min(1, told / subject.total),
    some: worths.filter(({ worth }) => worth >= telling / 2).length,
    rare: worths.filter(({ worth }) => worth >= telling).length,
    best: most(met.map(({ idea }) => idea.tells)),
    identifiers: met.filter(({ idea, share }) => idea.identifier && share >= 0.6 && idea.counts >= telling).length,
    seldom: met.some(({ idea, share }) => idea.identifier && share >= 0.6 && idea.passages <= few),
    exact: met.some(({ idea, share }) => idea.exact && share >= 0.6 && idea.passages <= few),
    words: covered,
    cover:
      covered /
      Math.max(
        1,
        sum(subject.ideas, idea => idea.word),
      ),
    missing: most(
      subject.ideas
        .filter(idea => idea.name && !met.some(each => each.idea === idea && each.share >= 0.6))
        .map(idea => Math.max(nameWorth(idea), idea.known ? telling : 0)),
    ),
    plain: {
      has: sum(met, ({ idea, share }) => (idea.name ? 0 : idea.counts * share)),
      lacks: sum(lacking, each => each.lacks),
      translatable: sum(lacking, ({ idea, lacks }) => (idea.terms.size > 1 ? lacks : 0)),
    },
    foreign: { told: sum(foreign, idea => idea.counts), words: sum(foreign, idea => idea.word) },
    named: most(met.filter(({ idea, share }) => idea.name && share >= 0.6).map(({ idea }) => nameWorth(idea))),
  }
}

/** The bearing of what was said in another language: it can share names, and what the glossary knows. */
export const sharedBy = (bearing: Bearing, subject: Subject, otherLanguage: boolean): Bearing =>
  otherLanguage
    ? {
        ...bearing,
        plain: { ...bearing.plain, lacks: bearing.plain.has > 0 ? bearing.plain.translatable : bearing.plain.lacks },
        share: Math.min(1, bearing.told / Math.max(0.01, subject.total - translated * bearing.foreign.told)),
        cover: Math.min(
          1,
          bearing.words / Math.max(1, sum(subject.ideas, idea => idea.word) - translated * bearing.foreign.words),
        ),
      }
    : bearing

const sum = <T>(list: readonly T[], of: (each: T) => number): number => list.reduce((all, each) => all + of(each), 0)

/** What else is known where a bearing is judged. */
export interface Judged {
  asking: Asking
  /** The passage settles something: a weak bearing needs that. */
  settled: boolean
  /** It is asked how something was mended, and the passage mended something. */
  mended: boolean
  /** The prompt shows an error: its words are a program's, many of them new each time. */
  pasted: boolean
  aggressive: boolean
  checks: Checks
}

/** Whether a bearing is enough to speak up; else the gate that it doesn't pass. */
export function gateOf(
  bearing: Bearing,
  subject: Subject,
  { asking, settled: settles, mended, pasted, aggressive, checks }: Judged,
): Gate | null {
  const settled = settles || !checks.settled
  const { told, share, some, rare, best, identifiers, seldom, exact, named, words, cover, missing, plain } = bearing
  if (told === 0) return 'not-said'
  const ease = aggressive ? 0.6 : 1
  const asks = !checks.asking || (asking !== 'order' && asking !== 'general' && asking !== 'mention')
  const least = asking === 'question' ? 0.55 : 0.35
  // besides the name, more of what else the question says than not
  const subjectToo =
    !checks.subject ||
    (named < telling && identifiers === 0) ||
    (plain.has >= 1.2 * plain.lacks && (plain.has >= leastBeside || plain.lacks < 0.05))
  // a long prompt shares some words with anything
  const long = subject.words > 12
  if (
    identifiers > 0 &&
    (settled || asking !== 'order') &&
    share >= (long ? Math.min(0.2, 4 / subject.total) : 0.2) * ease
  )
    if (
      long ||
      (seldom && subjectToo && (asking !== 'order' || (cover >= 0.5 && some >= 3))) ||
      (some >= 2 && share >= 0.5 * ease && subjectToo) ||
      (some >= 3 && asking !== 'order' && share >= 0.35)
    )
      return null
  // whoever writes such a name out asks for nothing else, in whatever words
  if (exact && settled && asking !== 'order') return null
  // a name is everywhere where its thing is worked on: what is asked of it must be there as well
  if (!subjectToo && !long && !pasted && !mended) return 'off-subject'
  // what the question names is not known here: its other words are vocabulary
  if (
    checks.names &&
    !long &&
    !pasted &&
    missing >= telling &&
    missing > named &&
    !(named >= telling && subjectToo) &&
    !(told >= 3 * ease && share >= 0.75 * ease)
  )
    return 'off-subject'
  if (long && rare >= 2 && best >= pointed && share >= (4 / subject.total) * ease) return null
  if (pasted && settled && some >= 3 && rare >= 1 && share >= 0.25 * ease) return null
  if (asks && settled) {
    if (mended && named >= telling && share >= 0.3 * ease) return null
    if (subjectToo && named >= telling && share >= 0.65 * ease && cover >= 0.65 * ease) return null
    if (subjectToo && words >= 1.7 && told >= least * ease && share >= 0.45 * ease && cover >= 0.6 * ease) return null
    // no name at all: asked in other words than it was told in
    if (
      named === 0 &&
      (missing < telling || !checks.names) &&
      subject.words >= 2 &&
      told >= 0.45 * ease &&
      share >= 0.26 * ease &&
      cover >= 0.3 * ease
    )
      return null
    if (subjectToo && best >= pointed && share >= 0.8 * ease && cover >= 0.6 * ease) return null
  }
  // to an order only what was settled has something to say
  if (asking === 'order' && !settled && !aggressive) return 'nothing-settled'
  if (rare >= (aggressive ? 1 : 2) && best >= pointed && share >= 0.6 * ease) return null
  // one rare word, and most of what else the question says
  if (rare >= (asking === 'order' ? 2 : 1) && some >= 2 && best >= pointed && share >= 0.65 * ease) return null
  // plain words, but nearly all of them
  if (some >= 3 && told >= 1.4 * ease && share >= 0.75 * ease) return null
  return rare === 0 ? 'too-common' : 'off-subject'
}
