import type { ArchiveReader } from '../archive/read/archive-reader.ts'
import type { FullTextHit, FullTextQuery } from '../archive/read/full-text-reader.ts'
import type { SessionJson } from '../archive/read/session-reader.ts'
import type { ShownRecord } from '../archive/read/shown.ts'
import { errorSignatures } from '../index/errors.ts'
import type { PassageIndex } from '../index/passage-index.ts'
import type { SessionHead } from '../index/passage.ts'
import type { RankedSession } from '../index/query.ts'
import { analyse } from '../index/tokens.ts'
import type { RecordKind } from '../shared/model.ts'
import { nearest } from '../shared/nearest.ts'
import { allMatch, phraseMatch, questionOf, type Question } from './question.ts'
import { cutAround, placeOf, textOf, type Snippet } from './snippet.ts'

type Role = 'user' | 'assistant' | 'tool'

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
}

export interface SearchAnswer {
  /** Sessions that fit; `hits` are the best of them. */
  total: number
  hits: SearchHit[]
  /** Why there is nothing, or what was taken instead of the words. */
  note: string | null
}

export interface SearchPlaces {
  archive: ArchiveReader
  index: PassageIndex
  now: Date
}

const kindsOf: Readonly<Record<Role, readonly RecordKind[]>> = {
  user: ['prompt'],
  assistant: ['answer', 'summary'],
  tool: ['command', 'read', 'edit', 'write', 'output'],
}
/** Sessions that ranking looks at, and records that full text gives. */
const rankedSessions = 100
const foundRecords = 200
/** Above so many records relevance costs too much; then the newest are taken. */
const commonWord = 4_000
/** A session that has less than this share of the words' weight isn't worth a line. */
const leastCoverage = 0.34
const snippetsShown = 3
const snippetRoom = 240

/** What is known of a session that might answer. */
interface Candidate {
  key: number
  ranked: RankedSession | null
  records: FullTextHit[]
  /** Words of the question that it has. */
  has: Set<string>
  /** All of the question stands in one record. */
  together: boolean
  sameError: boolean
}

/**
 * Searches everything kept, tool output and deleted sessions included. Exact words come first (full text), then what
 * resembles them (the index: inflections, word parts, other languages' words, typing errors), and `why` says so.
 */
export function search(places: SearchPlaces, request: SearchRequest): SearchAnswer {
  const question = questionOf(request.query)
  const all = allMatch(question)
  if (all === null) return { total: 0, hits: [], note: 'There is no word in it that could be searched for.' }
  const found = new Map<number, Candidate>()
  const candidate = (key: number): Candidate => {
    let known = found.get(key)
    if (!known)
      found.set(key, (known = { key, ranked: null, records: [], has: new Set(), together: false, sameError: false }))
    return known
  }
  for (const hit of fullText(places.archive, request, all)) {
    const session = candidate(hit.record.session)
    session.records.push(hit)
    session.together = true
    for (const word of question.words) session.has.add(word)
  }
  if (request.role === undefined && request.session === undefined) {
    rankByIndex(places, request, question, candidate)
    sameErrors(places, request, candidate)
  }
  rareWords(places, request, question, found, candidate)
  keepPhrases(places, request, question, found)
  for (const key of request.except ?? []) found.delete(key)
  return answer(places, request, question, [...found.values()])
}

function fullText(archive: ArchiveReader, request: SearchRequest, match: string): FullTextHit[] {
  const common = archive.fullText.frequency(match, commonWord) >= commonWord
  const query: FullTextQuery = { match, order: common ? 'newest' : 'relevance', limit: foundRecords }
  if (request.harness !== undefined) query.harness = request.harness
  if (request.project !== undefined) query.project = request.project
  if (request.session !== undefined) query.session = request.session
  if (request.since !== undefined) query.since = request.since
  if (request.until !== undefined) query.until = request.until
  if (request.role !== undefined) query.kinds = kindsOf[request.role]
  return archive.fullText.search(query)
}

function rankByIndex(
  { index, now }: SearchPlaces,
  request: SearchRequest,
  question: Question,
  candidate: (key: number) => Candidate,
): void {
  const scope = {
    ...(request.project === undefined ? {} : { projects: [request.project] }),
    accepts: (session: SessionHead) => accepts(session, request),
  }
  const ranked = index.search({
    text: question.text,
    mode: 'person',
    scope,
    limit: rankedSessions,
    now: now.getTime(),
  })
  for (const session of ranked) {
    const known = candidate(session.session.key)
    known.ranked = session
    const written = new Set(session.terms.filter(term => term.via === 'own').map(term => term.written))
    for (const word of question.words) {
      if (analyse(word).some(token => written.has(token.written))) known.has.add(word)
    }
  }
}

function accepts(session: SessionHead, { harness, since, until, except }: SearchRequest): boolean {
  if (except?.has(session.key) === true) return false
  if (harness !== undefined && session.harness !== harness) return false
  const last = session.updatedAt ?? session.startedAt
  const first = session.startedAt ?? session.updatedAt
  if (since !== undefined && (last === null || last < since)) return false
  return until === undefined || (first !== null && first < until)
}

/** An error message that was pasted in finds sessions that met the same, whatever its numbers and paths. */
function sameErrors({ archive }: SearchPlaces, request: SearchRequest, candidate: (key: number) => Candidate): void {
  const { harness, project } = request
  for (const signature of errorSignatures(request.query)) {
    const scope = { limit: 20, ...(project === undefined ? {} : { project }) }
    for (const record of archive.errors.commands(signature, scope)) {
      const head = archive.sessions.head(record.session)
      if (!head || !accepts(head, request) || (harness !== undefined && head.harness !== harness)) continue
      candidate(record.session).sameError = true
    }
  }
}

/** A word that the index doesn't have may still stand deep in some output: full text has everything. */
function rareWords(
  { archive }: SearchPlaces,
  request: SearchRequest,
  question: Question,
  found: ReadonlyMap<number, Candidate>,
  candidate: (key: number) => Candidate,
): void {
  const sessions = [...found.values()]
  for (const word of question.words) {
    if (analyse(word).length === 0 || sessions.some(({ has }) => has.has(word))) continue
    for (const hit of fullText(archive, request, phraseMatch(word))) {
      const known = candidate(hit.record.session)
      known.records.push(hit)
      known.has.add(word)
    }
  }
}

/** What was quoted must stand there word for word, if not in the same record as the rest. */
function keepPhrases(
  { archive }: SearchPlaces,
  request: SearchRequest,
  { phrases }: Question,
  found: Map<number, Candidate>,
): void {
  for (const phrase of phrases) {
    const having = new Set(fullText(archive, request, phraseMatch(phrase)).map(hit => hit.record.session))
    for (const key of found.keys()) if (!having.has(key)) found.delete(key)
  }
}

function answer(places: SearchPlaces, request: SearchRequest, question: Question, found: Candidate[]): SearchAnswer {
  const telling = question.words.filter(word => analyse(word).length > 0)
  const rarity = rarities(found)
  const weightOf = (word: string) => Math.max(0.05, ...analyse(word).map(token => rarity.get(token.written) ?? 1))
  const all = telling.reduce((sum, word) => sum + weightOf(word), 0)
  const bestRank = Math.max(1e-9, ...found.map(({ ranked }) => ranked?.score ?? 0))
  const scored = found.flatMap(session => {
    const had = telling.filter(word => session.has.has(word))
    const exact = all === 0 ? 1 : had.reduce((sum, word) => sum + weightOf(word), 0) / all
    const near = session.ranked?.terms.some(term => term.via !== 'own') === true ? 0.5 : 0
    const coverage = Math.max(exact, near)
    if (coverage < leastCoverage && !session.sameError) return []
    const rank = (session.ranked?.score ?? 0) / bestRank
    return [
      { ...session, score: 2 * coverage + (session.together ? 0.5 : 0) + (session.sameError ? 1 : 0) + rank, had },
    ]
  })
  scored.sort((a, b) => b.score - a.score || b.key - a.key)
  const hits = scored.slice(0, request.limit).flatMap(session => {
    const json = places.archive.sessions.json(session.key)
    if (!json) return []
    return [
      {
        session: json,
        score: Math.round(session.score * 1000) / 1000,
        why: reasons(session, session.had, telling),
        snippets: snippetsOf(places, session, question, request),
      },
    ]
  })
  return { total: scored.length, hits, note: scored.length === 0 ? nothing(places, request) : null }
}

function rarities(found: Candidate[]): Map<string, number> {
  const rarity = new Map<string, number>()
  for (const { ranked } of found) for (const term of ranked?.terms ?? []) rarity.set(term.written, term.rarity)
  return rarity
}

function reasons(session: Candidate, had: string[], telling: string[]): string[] {
  const why: string[] = []
  if (session.sameError) why.push('met the same error')
  if (session.together && telling.length > 1) why.push('all of it in one place')
  else if (had.length > 0) why.push(`has ${had.join(', ')}`)
  const missing = telling.filter(word => !session.has.has(word))
  const stand = [...new Set((session.ranked?.terms ?? []).filter(term => term.via !== 'own').map(term => term.written))]
  for (const written of stand) why.push(`${written} for ${nearest(written, missing) ?? missing.join(' ')}`)
  if (had.length > 0 && missing.length > stand.length) why.push(`without ${missing.join(', ')}`)
  return why
}

function snippetsOf(
  { archive }: SearchPlaces,
  session: Candidate,
  question: Question,
  request: SearchRequest,
): Snippet[] {
  const most = request.session === undefined ? snippetsShown : request.limit
  const sought = [...question.phrases, ...question.words, ...(session.ranked?.terms ?? []).map(term => term.term)]
  const records = new Map<number, ShownRecord>()
  for (const hit of session.records) records.set(hit.record.id, hit.record)
  for (const passage of session.ranked?.passages.slice(0, 2) ?? []) {
    for (const record of archive.records.ofPassage(passage.id)) records.set(record.id, record)
  }
  const weighed = [...records.values()].flatMap(record => {
    const text = textOf(record)
    const hits = sought.filter(word => placeOf(text, [word]) >= 0).length
    return hits === 0 ? [] : [{ record, text, hits: hits + (spoken.has(record.kind) ? 0.5 : 0) }]
  })
  weighed.sort((a, b) => b.hits - a.hits || b.record.id - a.record.id)
  return weighed.slice(0, most).map(({ record, text }) => ({
    n: archive.records.rankOf(record.id),
    kind: record.kind,
    at: record.at,
    text: cutAround(text, sought, snippetRoom),
  }))
}

const spoken: ReadonlySet<RecordKind> = new Set(['prompt', 'answer', 'summary'])

function nothing({ archive }: SearchPlaces, request: SearchRequest): string {
  if (archive.counts().sessions === 0) return 'Nothing is kept yet: `deja doctor` tells where sessions were looked for.'
  const { harness, project, since, until, role, session } = request
  const narrowed = [harness, project, since, until, role, session].some(filter => filter !== undefined)
  return narrowed ? 'Nothing fits; without the filters there may be more.' : 'Nothing that is kept has these words.'
}
