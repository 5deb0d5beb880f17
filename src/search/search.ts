import type { ArchiveReader } from '../archive/read/archive-reader.ts'
import type { SessionJson } from '../archive/read/session-reader.ts'
import { fitOf } from '../index/dates.ts'
import type { PassageIndex } from '../index/passage-index.ts'
import { analyse } from '../index/tokens.ts'
import type { Time } from '../shared/model.ts'
import { Candidates, type Candidate } from './candidates.ts'
import { notesWith, type NoteHit } from './notes.ts'
import { questionOf, type Question } from './question.ts'
import { reasonsOf, shownOf } from './shown-hit.ts'
import type { Snippet } from './snippet.ts'

export type Role = 'user' | 'assistant' | 'tool'

export interface SearchRequest {
  query: string
  harness?: string
  project?: string
  /** The session's row id. */
  session?: number
  role?: Role
  /** Bounds as `whenOf` gives them. */
  since?: string
  until?: string
  /** Sessions (row ids) that are left out. */
  except?: ReadonlySet<number>
  limit: number
}

export interface SearchHit {
  session: SessionJson
  /** Higher is better; comparable within one answer. */
  score: number
  /** Sentences: what was found, and what only resembles. */
  why: string[]
  snippets: Snippet[]
  /** What was taken for words that stand nowhere: a typing error's right form, another language's word. */
  standIns: string[]
}

export interface SearchAnswer {
  /** Sessions that fit; `hits` are the best of them. */
  total: number
  hits: SearchHit[]
  /** What was noted on purpose and has the words: it comes from no session. */
  notes: NoteHit[]
  /** Why there is nothing, or what was taken instead of the words. */
  note: string | null
}

export interface SearchPlaces {
  archive: ArchiveReader
  index: PassageIndex
  now: Date
}

/** A session that has less than this share of the words' weight, or of what the best has, isn't worth a line. */
const least = { coverage: 0.34, ofBest: 0.5, ofLong: 0.15 } as const
/** Words above which a question is long: nothing has most of it. */
const longFrom = 16
/** What the parts of a score are worth beside the words' own weight, which is at most 1. */
const worth = { coverage: 2, together: 0.6, sameError: 1, date: 0.9, relevance: 0.5 } as const

/** A candidate with its score. */
export interface Scored extends Candidate {
  score: number
  /** How well it fits the dates that were asked for; 0 to 1. */
  fit: number
}

/**
 * Searches everything kept, tool output and deleted sessions included. Exact words come first (full text), then what
 * resembles them (the index: inflections, word parts, other languages' words, typing errors), and `why` says so.
 */
export function search(places: SearchPlaces, request: SearchRequest): SearchAnswer {
  const { archive, index, now } = places
  const question = questionOf(request.query, now.getTime())
  if (question.words.length === 0 && question.phrases.length === 0 && question.dates.length === 0)
    return { total: 0, hits: [], notes: [], note: 'There is no word in it that could be searched for.' }
  const candidates = new Candidates(archive, request, question)
  candidates.gather(index, now)
  const scored = scoredOf(question, [...candidates.all.values()])
  const hits = scored.slice(0, request.limit).flatMap(session => {
    const json = archive.sessions.json(session.key)
    if (!json) return []
    const { snippets, written } = shownOf(archive, session, question, request)
    const score = Math.round(session.score * 1000) / 1000
    const standIns = [...new Set(session.standIns.map(each => each.written))]
    return [{ session: json, score, why: reasonsOf(session, question, written), snippets, standIns }]
  })
  const notes = notesFor(archive, question, request)
  const isEmpty = scored.length === 0 && notes.length === 0
  return { total: scored.length, hits, notes, note: isEmpty ? nothing(places, request, candidates.cutShort) : null }
}

/** Nobody said a note, no agent and in no session: who asks for one of these wants none. */
function notesFor({ notes }: ArchiveReader, question: Question, request: SearchRequest): NoteHit[] {
  const { harness, role, session } = request
  return [harness, role, session].some(filter => filter !== undefined) ? [] : notesWith(notes, question, request)
}

function scoredOf(question: Question, found: readonly Candidate[]): Scored[] {
  const weights = weightsOf(question, found)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const bestRank = Math.max(1e-9, ...found.map(({ ranked }) => ranked?.score ?? 0))
  const relevanceOf = ({ places }: Candidate) => places.reduce((best, { score }) => Math.max(best, score), 0)
  const bestRelevance = found.reduce((best, each) => Math.max(best, relevanceOf(each)), 1e-9)
  const covered = found.map(session => {
    const had = weights.reduce((sum, weight, word) => sum + weight * (session.has.get(word) ?? 0), 0)
    return { session, coverage: all === 0 ? 1 : had / all }
  })
  const best = covered.reduce((most, { coverage }) => Math.max(most, coverage), 0)
  const gate = Math.max(question.words.length > longFrom ? least.ofLong : least.coverage, least.ofBest * best)
  const scored = covered.flatMap(({ session, coverage }): Scored[] => {
    if (coverage < gate && session.sameError === null) return []
    const fit = fitOfCandidate(session, question)
    if (all === 0 && question.phrases.length === 0 && fit === 0 && !session.together) return []
    const score =
      worth.coverage * coverage +
      (session.together ? worth.together : 0) +
      (session.sameError === null ? 0 : worth.sameError) +
      worth.date * fit +
      Math.max((session.ranked?.score ?? 0) / bestRank, (worth.relevance * relevanceOf(session)) / bestRelevance)
    return [{ ...session, score, fit }]
  })
  return scored.sort((a, b) => b.score - a.score || b.key - a.key)
}

/** What each word tells: the rarer the more. A word that nothing has tells nothing of those that have the others. */
function weightsOf({ words }: Question, found: readonly Candidate[]): number[] {
  const rarity = new Map<string, number>()
  for (const { ranked } of found) for (const term of ranked?.terms ?? []) rarity.set(term.written, term.rarity)
  return words.map(word => {
    const tokens = analyse(word)
    if (tokens.length === 0) return 0
    return Math.max(0.05, ...tokens.map(({ written }) => rarity.get(written) ?? (rarity.size === 0 ? 1 : 0.5)))
  })
}

function fitOfCandidate({ places, ranked }: Candidate, { dates }: Question): number {
  if (dates.length === 0) return 0
  const head = ranked?.session
  const times: Time[] = [
    ...places.map(({ at }) => at),
    ...(ranked?.passages ?? []).map(({ at }) => at),
    ...(head === undefined || (ranked?.passages.length ?? 0) > 0 ? [] : [head.startedAt, head.updatedAt]),
  ]
  return times.reduce((best, at) => {
    const time = at === null ? NaN : Date.parse(at)
    return Number.isNaN(time) ? best : Math.max(best, fitOf(dates, time))
  }, 0)
}

function nothing({ archive }: SearchPlaces, request: SearchRequest, cutShort: boolean): string {
  if (archive.counts().sessions === 0) return 'Nothing is kept yet: `deja doctor` tells where sessions were looked for.'
  if (cutShort)
    return 'Too many records have these words to look in all of them for where they stand side by side; a filter narrows it.'
  const { harness, project, since, until, role, session } = request
  const narrowed = [harness, project, since, until, role, session].some(filter => filter !== undefined)
  return narrowed ? 'Nothing fits; without the filters there may be more.' : 'Nothing that is kept has these words.'
}
