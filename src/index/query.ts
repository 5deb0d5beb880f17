import type { SessionHead } from './passage.ts'
import type { Time } from '../shared/model.ts'

/** Which passages a query may meet. Everything left out allows all. Applied before anything is counted or scored. */
export interface Scope {
  /** Sessions that worked in, or changed files of, at least one of these. */
  projects?: readonly string[]
  /** Asked once a session: harness, times, the asker and its kin, what is excluded. */
  accepts?: (session: SessionHead) => boolean
}

export interface IndexQuery {
  text: string
  /** What may be spent: `hook` scores at most 5,000 postings, `person` 20,000. */
  mode: 'hook' | 'person'
  scope: Scope
  /** Sessions at most. */
  limit: number
  /** Epoch milliseconds, for the recency prior. Absent: age says nothing. */
  now?: number
}

/** Where in a passage a term stands. `title` and `date` are of the session or the passage as a whole. */
export type Part = 'prompt' | 'answer' | 'commands' | 'paths' | 'errors' | 'outputs' | 'summary' | 'title' | 'date'

/** A term of the query that a passage has. */
export interface MatchedTerm {
  /** As the index has it (stemmed, folded). */
  term: string
  /** As the query has it (folded, lower case): the word to look for when an excerpt is cut. */
  written: string
  /** 0 (everybody's word) to 1 (once in a lifetime): the lower of this archive's and the shipped table's. */
  rarity: number
  /** An identifier, a path, a version, an error's code. */
  isIdentifier: boolean
  /** How it came to be asked for: the person's own word, or something that stands for it. */
  via: 'own' | 'glossary' | 'near'
  /** Passages within the scope that have it. */
  passages: number
  /** Passages within the scope in all. */
  within: number
  parts: Part[]
}

export interface RankedPassage {
  id: number
  /** Its place in its session. */
  n: number
  at: Time
  score: number
  /** Rarest first. */
  terms: MatchedTerm[]
}

export interface RankedSession {
  session: SessionHead
  score: number
  /** The score by what it is made of; they add up to it. For `deja why`. */
  parts: Record<string, number>
  /** Best first, at most five. */
  passages: RankedPassage[]
  /** Every term of the query that one of its passages, or its title, has; rarest first. */
  terms: MatchedTerm[]
}
