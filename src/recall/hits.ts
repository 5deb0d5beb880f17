import type { RankedPassage, RankedSession } from '../index/query.ts'
import { errorLines } from '../index/errors.ts'
import type { Asker } from './asker.ts'
import { asksOfMending, type Asking } from './asking.ts'
import { evidenceOf, hasConclusion, type Evidence, type Weights } from './evidence.ts'
import { bearingOf, gateOf, sharedBy, type Bearing, type Gate } from './gates.ts'
import type { HintSources } from './hint.ts'
import { isConclusion, isReversal, sentencesOf } from './settled.ts'
import { scriptOf, type Subject } from './subject.ts'

/** What the ledger says, so that asking "why" changes nothing. */
export interface AlreadyGiven {
  has(item: string): boolean
  /** Sessions of which something was given lately. */
  lately: ReadonlyMap<number, number>
}

export interface Question {
  words: string
  subject: Subject
  asking: Asking
  asker: Asker
  given: AlreadyGiven
}

/** A passage that may be shown for a question. */
export interface Hit {
  ranked: RankedSession
  passage: RankedPassage
  evidence: Evidence
  settled: boolean
  bearing: Bearing
  weights: Weights
  score: number
}

/** What became of a session that was thought of: the passage to be shown, or the gate that its best one doesn't pass. */
export interface Found {
  ranked: RankedSession
  found: Hit | Gate
}

/** A session as the index alone knows it, its texts unread. */
interface Prospect {
  ranked: RankedSession
  /** Its passages that may pass the gates, as the ranking has them. */
  passages: readonly { passage: RankedPassage; bearing: Bearing }[]
  /** The best share of the question among them. */
  share: number
  /** Why the others may not. */
  gate: Gate
}

/** Of the best hit's score and telling: what is less is noise beside it. */
export const fairShare = 0.55
/** A session that was shown a moment ago lets others speak first. */
const stepBack = 0.5
/** What a passage counts for that mentions, and settles nothing. */
const unsettled = 0.6
/** Share of the best passage's telling from which a later one may take it back. */
const alikeTold = 0.7

/** Which passages may be shown for a question: the gates by what the index knows first, as reading texts is what costs. */
export class HitFinder {
  readonly #question: Question
  readonly #sources: HintSources
  readonly #mending: boolean
  readonly #pasted: boolean

  constructor(question: Question, sources: HintSources) {
    this.#question = question
    this.#sources = sources
    this.#mending = asksOfMending(question.words)
    this.#pasted = question.words.length > 60 && errorLines(question.words).length > 0
  }

  /** Those first that may come to most: of sessions that would be left out beside the best one the texts aren't read. */
  find(ranked: readonly RankedSession[]): Found[] {
    const { fair } = this.#sources.checks
    let best = 0
    const isBeaten = (most: number) => fair && most < fairShare * best
    const promising = ranked.map(each => ({ ranked: each, most: this.#scoreOf(each, 1, true) }))
    promising.sort((a, b) => b.most - a.most)
    return promising.map(({ ranked: session, most }): Found => {
      if (isBeaten(most)) return { ranked: session, found: 'weaker' }
      const prospect = this.#prospect(session)
      const beaten = prospect.passages.length > 0 && isBeaten(this.#scoreOf(session, prospect.share, true))
      const found = beaten ? 'weaker' : this.#hitIn(prospect)
      if (typeof found !== 'string') best = Math.max(best, found.score)
      return { ranked: session, found }
    })
  }

  #prospect(ranked: RankedSession): Prospect {
    const { subject, given } = this.#question
    const { language } = this.#sources.checks
    const passages: { passage: RankedPassage; bearing: Bearing }[] = []
    let gate: Gate = 'not-said'
    let share = 0
    for (const passage of ranked.passages) {
      const bearing = bearingOf(passage, ranked, subject)
      // at best: it settles something, in another language
      const shared = sharedBy(bearing, subject, language)
      const refused = this.#gateOf(shared, true, this.#mending)
      if (refused !== null) {
        if (gate === 'not-said') gate = refused
      } else if (given.has(`passage:${passage.id}`)) gate = 'given'
      else {
        passages.push({ passage, bearing })
        share = Math.max(share, shared.share)
      }
    }
    return { ranked, passages, share, gate }
  }

  #hitIn(prospect: Prospect): Hit | Gate {
    let { gate } = prospect
    const read = new Map<RankedPassage, Hit>()
    const weights = new Map(prospect.ranked.terms.map(term => [term.term, term.rarity]))
    let first: Hit | undefined
    for (const { passage, bearing } of prospect.passages) {
      if (first !== undefined && bearing.told <= worthOf(first)) continue
      const hit = this.#read(prospect.ranked, passage, bearing, weights)
      if (typeof hit === 'string') {
        if (gate !== 'given') gate = hit
        continue
      }
      read.set(passage, hit)
      if (first === undefined || worthOf(hit) > worthOf(first)) first = hit
    }
    if (first === undefined) return gate
    // the same session may have taken it back later
    for (const { passage, bearing } of prospect.passages) {
      if (passage.n <= first.passage.n || bearing.told < alikeTold * first.bearing.told) continue
      const later = read.get(passage) ?? this.#read(prospect.ranked, passage, bearing, weights)
      if (typeof later !== 'string' && takesBack(later.evidence)) return later
    }
    return first
  }

  #read(ranked: RankedSession, passage: RankedPassage, bearing: Bearing, weights: Weights): Hit | Gate {
    const { subject, words } = this.#question
    const { queries, checks } = this.#sources
    const evidence = evidenceOf(queries.outline(passage.id))
    if (!hasConclusion(evidence)) return 'nothing-settled'
    const settled = settles(evidence)
    const shared = sharedBy(bearing, subject, checks.language && scriptOf(saidIn(evidence)) !== scriptOf(words))
    const unfit = this.#gateOf(shared, settled, this.#mending && evidence.mended)
    if (unfit !== null) return settled ? unfit : 'nothing-settled'
    return {
      ranked,
      passage,
      evidence,
      settled,
      bearing: shared,
      weights,
      score: this.#scoreOf(ranked, shared.share, settled),
    }
  }

  #scoreOf(ranked: RankedSession, share: number, settled: boolean): number {
    const lately = this.#question.given.lately.has(ranked.session.key) ? stepBack : 1
    return ranked.score * lately * (settled ? 1 : unsettled) * (0.4 + 0.6 * share)
  }

  #gateOf(bearing: Bearing, settled: boolean, mended: boolean): Gate | null {
    const { subject, asking, asker } = this.#question
    const { checks } = this.#sources
    return gateOf(bearing, subject, {
      asking,
      settled,
      mended,
      pasted: this.#pasted,
      aggressive: asker.aggressive,
      checks,
    })
  }
}

/** Of a session's passages the one that bears most on the question, what settles something before what doesn't. */
const worthOf = ({ bearing, settled }: Hit): number => bearing.told * (settled ? 1 : unsettled)

const saidIn = ({ prompt, answers, summaries }: Evidence): string => [prompt, ...answers, ...summaries].join('\n')

const settles = (evidence: Evidence): boolean =>
  evidence.mended || [...evidence.summaries, ...evidence.answers].some(text => sentencesOf(text).some(isConclusion))

/** Whether what is said there takes something earlier back. */
export const takesBack = (evidence: Evidence): boolean =>
  [evidence.prompt, ...evidence.answers].some(text => sentencesOf(text).some(isReversal))
