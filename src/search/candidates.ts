import type { ArchiveReader } from '../archive/read/archive-reader.ts'
import type { FullTextPlace, FullTextQuery } from '../archive/read/full-text-reader.ts'
import { errorSignatures } from '../index/errors.ts'
import { wider } from '../index/glossary.ts'
import type { PassageIndex } from '../index/passage-index.ts'
import type { SessionHead } from '../index/passage.ts'
import type { MatchedTerm, RankedSession } from '../index/query.ts'
import { longestTerm, searchText } from '../index/full-text.ts'
import { analyse } from '../index/tokens.ts'
import { nearest } from '../shared/nearest.ts'
import type { RecordKind } from '../shared/model.ts'
import { allMatch, matchOf, type Match, type Question } from './question.ts'
import type { SearchRequest, Role } from './search.ts'

/** What is known of a session that might answer. */
export interface Candidate {
  /** The session's row id. */
  key: number
  ranked: RankedSession | null
  /** Records that full text found. */
  places: FullTextPlace[]
  /** How well it has each word of the question (by its index): 1 as it is, less what only resembles. */
  has: Map<number, number>
  /** What stands for a word there (both as written). */
  standIns: { written: string; word: number }[]
  /** All of the question stands in one record. */
  together: boolean
  /** A command that failed in the same way: its record's row id. */
  sameError: number | null
}

const kindsOf: Readonly<Record<Role, readonly RecordKind[]>> = {
  user: ['prompt'],
  assistant: ['answer', 'summary'],
  tool: ['command', 'read', 'edit', 'write', 'output'],
}
/** Sessions that ranking looks at, and records that full text gives. */
const rankedSessions = 200
const foundRecords = 1_000
/** Above so many records relevance costs too much; then those kept last are taken. */
const commonWord = 1_000
/** Characters of records that are read to see whether words stand there side by side. */
const readCharacters = 3_000_000
/** Words that are looked up by themselves when nothing has them. */
const lookedUp = 6
/** What a word is worth that is there in another form. */
const worth = { near: 0.6, glossary: 0.45, part: 0.7, beginning: 0.7, joined: 0.8 } as const

/** Gathers the sessions that might answer: by full text, by the index, by what failed alike. */
export class Candidates {
  readonly all = new Map<number, Candidate>()
  readonly #archive: ArchiveReader
  readonly #request: SearchRequest
  readonly #question: Question
  readonly #budget = { characters: readCharacters, cutShort: false }

  constructor(archive: ArchiveReader, request: SearchRequest, question: Question) {
    this.#archive = archive
    this.#request = request
    this.#question = question
  }

  gather(index: PassageIndex, now: Date): void {
    const { role, session, except } = this.#request
    this.#allTogether()
    if (role === undefined && session === undefined) {
      this.#rank(index, now)
      this.#sameErrors()
    }
    this.#elsewhere()
    this.#keepPhrases()
    for (const key of except ?? []) this.all.delete(key)
  }

  #of(key: number): Candidate {
    let known = this.all.get(key)
    if (known === undefined) {
      known = { key, ranked: null, places: [], has: new Map(), standIns: [], together: false, sameError: null }
      this.all.set(key, known)
    }
    return known
  }

  #allTogether(): void {
    const match = allMatch(this.#question)
    if (match === null) return
    for (const place of this.#fullText(match)) {
      const session = this.#of(place.session)
      session.places.push(place)
      session.together = true
      this.#question.words.forEach((_, word) => session.has.set(word, 1))
    }
  }

  /** Records were left unread, as there are too many that have the words, side by side or not. */
  get cutShort(): boolean {
    return this.#budget.cutShort
  }

  /** What was found for a match: a lone phrase is asked for more than once. */
  readonly #found = new Map<string, FullTextPlace[]>()

  #fullText(match: Match): FullTextPlace[] {
    const known = this.#found.get(match.key)
    if (known) return known
    const places = this.#look(match)
    this.#found.set(match.key, places)
    return places
  }

  #look({ match, accepts }: Match): FullTextPlace[] {
    const { harness, project, session, since, until, role } = this.#request
    const common = this.#archive.fullText.frequency(match, commonWord) >= commonWord
    const query: FullTextQuery = { match, order: common ? 'newest' : 'relevance', limit: foundRecords }
    if (accepts !== null) query.check = { accepts, budget: this.#budget }
    if (harness !== undefined) query.harness = harness
    if (project !== undefined) query.project = project
    if (session !== undefined) query.session = session
    if (since !== undefined) query.since = since
    if (until !== undefined) query.until = until
    if (role !== undefined) query.kinds = kindsOf[role]
    return this.#archive.fullText.places(query)
  }

  #rank(index: PassageIndex, now: Date): void {
    const { project } = this.#request
    const ranked = index.search({
      text: this.#question.text,
      mode: 'person',
      scope: {
        ...(project === undefined ? {} : { projects: [project] }),
        accepts: session => this.#accepts(session),
      },
      limit: rankedSessions,
      now: now.getTime(),
    })
    for (const session of ranked) {
      const known = this.#of(session.session.key)
      known.ranked = session
      this.#weigh(known, session.terms)
    }
  }

  /** How well the index's terms make up the question's words. */
  #weigh(session: Candidate, terms: readonly MatchedTerm[]): void {
    const { words } = this.#question
    const own = new Set(terms.filter(({ via }) => via === 'own').map(({ written }) => written))
    const better = (word: number, value: number) => {
      if (value > (session.has.get(word) ?? 0)) session.has.set(word, value)
    }
    words.forEach((_, word) => {
      better(word, this.#share(word, own))
    })
    for (const { via, term, written } of terms) {
      if (via === 'own') continue
      const missing = words.filter((_, word) => (session.has.get(word) ?? 0) < worth.glossary)
      const meant = via === 'near' ? misspelt(written, missing) : missing.find(word => this.#widerOf(word).has(term))
      if (meant === undefined) continue
      const word = words.indexOf(meant)
      better(word, worth[via])
      session.standIns.push({ written, word })
    }
  }

  readonly #tokens = new Map<number, ReturnType<typeof analyse>>()
  #share(word: number, own: ReadonlySet<string>): number {
    let tokens = this.#tokens.get(word)
    if (tokens === undefined) this.#tokens.set(word, (tokens = analyse(this.#question.words[word] ?? '')))
    if (tokens.length === 0) return 0
    if (tokens.some(({ kind, written }) => kind === 'whole' && own.has(written))) return 1
    const pieces = tokens.filter(({ kind }) => kind !== 'whole')
    const had = pieces.filter(({ written }) => own.has(written)).length
    return had === pieces.length && pieces.length === 1
      ? 1
      : (had / Math.max(1, pieces.length)) * (tokens.some(({ kind }) => kind === 'whole') ? worth.part : 1)
  }

  readonly #wider = new Map<string, ReadonlySet<string>>()
  #widerOf(word: string): ReadonlySet<string> {
    let known = this.#wider.get(word)
    if (known === undefined) {
      known = new Set(wider(analyse(word).map(({ term }) => term)).map(({ term }) => term))
      this.#wider.set(word, known)
    }
    return known
  }

  #accepts(session: SessionHead): boolean {
    const { harness, since, until, except } = this.#request
    if (except?.has(session.key) === true) return false
    if (harness !== undefined && session.harness !== harness) return false
    const last = session.updatedAt ?? session.startedAt
    const first = session.startedAt ?? session.updatedAt
    if (since !== undefined && (last === null || last < since)) return false
    return until === undefined || (first !== null && first < until)
  }

  /** An error message that was pasted in finds sessions that met the same, whatever its numbers and paths. */
  #sameErrors(): void {
    const { query, harness, project } = this.#request
    for (const signature of errorSignatures(query)) {
      const scope = { limit: 20, ...(project === undefined ? {} : { project }) }
      for (const record of this.#archive.errors.commands(signature, scope)) {
        const head = this.#archive.sessions.head(record.session)
        if (!head || !this.#accepts(head) || (harness !== undefined && head.harness !== harness)) continue
        this.#of(record.session).sameError ??= record.id
      }
    }
  }

  /** A word that no session has yet may stand deep in some output, be the beginning of one, or two that are written as one. */
  #elsewhere(): void {
    const sessions = [...this.all.values()]
    const missing = this.#question.words.flatMap((text, word) =>
      sessions.some(({ has }) => (has.get(word) ?? 0) >= 0.9) ? [] : [{ text, word }],
    )
    for (const { text, word } of missing.slice(0, lookedUp)) {
      const asked = searchText(text)
      const match = matchOf([text])
      if (match === null || this.#take(word, match, 1)) continue
      if (sessions.some(({ has }) => (has.get(word) ?? 0) > 0) || !/^[\p{L}\p{N}]{3,}$/u.test(asked)) continue
      const beginning = `"${asked.slice(0, longestTerm)}"*`
      if (this.#take(word, { key: beginning, match: beginning, accepts: null }, worth.beginning)) continue
      for (let at = 3; at + 3 <= asked.length && asked.length <= 40; at++) {
        const joined = matchOf([`${asked.slice(0, at)} ${asked.slice(at)}`])
        if (joined !== null && this.#take(word, joined, worth.joined)) break
      }
    }
  }

  #take(word: number, match: Match, value: number): boolean {
    const places = this.#fullText(match)
    for (const place of places) {
      const session = this.#of(place.session)
      session.places.push(place)
      if (value > (session.has.get(word) ?? 0)) session.has.set(word, value)
    }
    return places.length > 0
  }

  /** What was quoted must stand there word for word, if not in the same record as the rest. */
  #keepPhrases(): void {
    for (const phrase of this.#question.phrases) {
      const match = matchOf([phrase])
      if (match === null) continue
      const having = new Set(this.#fullText(match).map(({ session }) => session))
      for (const key of this.all.keys()) if (!having.has(key)) this.all.delete(key)
    }
  }
}

/** Which of the words a term was taken for: by their stems, as terms are, or because it begins so. */
function misspelt(term: string, words: readonly string[]): string | undefined {
  const stems = new Map(words.map(word => [analyse(word)[0]?.term ?? word, word]))
  const beginning = [...stems.keys()].find(stem => term.startsWith(stem))
  const stem = beginning ?? nearest(term, stems.keys())
  return stem === null ? undefined : stems.get(stem)
}
