import type { Statement } from 'better-sqlite3'
import type { ItemKind, Moment } from '../harness/hooks.ts'
import type { Agent } from './agents.ts'
import type { Because, Note } from './note.ts'
import type { Candidate } from './prompt-recall.ts'
import { numbersOf, type RecallDb } from './recall-db.ts'

/** What was injected, when, where: a line of `deja log`. */
export interface Injection {
  /** Its number, for `deja why N`. */
  n: number
  /** ISO 8601 UTC. */
  at: string
  harness: string
  /** The asker: its transcript's id where that is known, else its hooks' own id. */
  session: string
  moment: Moment['type']
  kinds: ItemKind[]
  /** `harness:id` of the sessions that the text was taken from. */
  sources: string[]
  /** Characters, frame included. */
  chars: number
}

/** A candidate as `deja why` tells it. */
export interface WhyCandidate {
  session: { harness: string; id: string; title: string | null; updatedAt: string | null }
  score: number
  parts: Record<string, number>
  terms: string[]
  /** What stopped it; null: it was shown. */
  gate: string | null
}

/** Kept: the newest. */
const mostKept = 5_000

interface InjectionRow {
  n: number
  at_ms: number
  harness: string
  agent: string
  transcript: string | null
  moment: string
  kinds: string
  chars: number
  sources: string
  why: string
  keys: string
}

export class Injections {
  readonly #db: RecallDb
  readonly #add: Statement<[number, string, string, string | null, string, string, number, string, string, string]>
  readonly #newest: Statement<[number], InjectionRow>
  readonly #one: Statement<[number], InjectionRow>
  readonly #trim: Statement<[number]>
  readonly #since: Statement<[number], { count: number; chars: number | null; last: number | null }>

  constructor(db: RecallDb) {
    this.#db = db
    this.#add = db.prepare(
      'INSERT INTO injections (at_ms, harness, agent, transcript, moment, kinds, chars, sources, why, keys) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#newest = db.prepare('SELECT * FROM injections ORDER BY n DESC LIMIT ?')
    this.#one = db.prepare('SELECT * FROM injections WHERE n = ?')
    this.#trim = db.prepare('DELETE FROM injections WHERE n <= ?')
    this.#since = db.prepare(
      'SELECT count(*) AS count, sum(chars) AS chars, max(at_ms) AS last FROM injections WHERE at_ms >= ?',
    )
  }

  add(
    agent: Agent,
    moment: Moment['type'],
    what: {
      kinds: ItemKind[]
      notes: readonly Note[]
      candidates: readonly Candidate[]
      sources: ReadonlyMap<number, string>
    },
    chars: number,
    now: number,
  ): void {
    const { notes, candidates, kinds, sources } = what
    const keys = new Set([
      ...notes.map(note => note.sessionKey),
      ...sources.keys(),
      ...candidates.map(each => each.session.key),
    ])
    const named = [...new Set([...notes.map(note => note.source), ...sources.values()])]
    const row = this.#add.run(
      now,
      agent.harness,
      agent.id,
      agent.transcript?.id ?? null,
      moment,
      JSON.stringify(kinds),
      chars,
      JSON.stringify(named),
      JSON.stringify(whyOf(notes, candidates, sources)),
      JSON.stringify([...keys]),
    )
    const n = Number(row.lastInsertRowid)
    if (n % 200 === 0) this.#trim.run(n - mostKept)
  }

  /** Newest first. */
  list(limit: number): Injection[] {
    return this.#newest.all(limit).map(injectionOf)
  }

  /** An injection with its candidates; the newest where `n` isn't given. Null: there is none of that number. */
  find(n?: number): { injection: Injection; candidates: WhyCandidate[] } | null {
    const row = n === undefined ? this.#newest.get(1) : this.#one.get(n)
    if (!row) return null
    const value = parsed(row.why)
    return { injection: injectionOf(row), candidates: Array.isArray(value) ? value.filter(isWhy) : [] }
  }

  since(ms: number): { count: number; chars: number; lastAt: string | null } {
    const row = this.#since.get(ms)
    return {
      count: row?.count ?? 0,
      chars: row?.chars ?? 0,
      lastAt: row?.last ? new Date(row.last).toISOString() : null,
    }
  }

  forget(keys: ReadonlySet<number>): void {
    const remove = this.#db.prepare<[number]>('DELETE FROM injections WHERE n = ?')
    for (const row of this.#db.prepare<[], { n: number; keys: string }>('SELECT n, keys FROM injections').all())
      if (numbersOf(row.keys).some(key => keys.has(key))) remove.run(row.n)
  }
}

export const whyCandidate = ({ session, score, parts, terms, gate }: Candidate): WhyCandidate => ({
  session: { harness: session.harness, id: session.id, title: session.title, updatedAt: session.updatedAt },
  score: round(score),
  parts: rounded(parts),
  terms,
  gate,
})

function whyOf(
  notes: readonly Note[],
  candidates: readonly Candidate[],
  sources: ReadonlyMap<number, string>,
): WhyCandidate[] {
  const told = new Set(candidates.map(each => each.session.key))
  const others = notes.filter(note => !told.has(note.sessionKey)).map(note => fromNote(note.source, note.because))
  const listed = [...sources]
    .filter(([key]) => !told.has(key))
    .map(([, source]) => fromNote(source, { score: 0, parts: {}, terms: [] }))
  return [...candidates.map(whyCandidate), ...others, ...listed].slice(0, 24)
}

function fromNote(source: string, { score, parts, terms }: Because): WhyCandidate {
  const at = source.indexOf(':')
  return {
    session: { harness: source.slice(0, at), id: source.slice(at + 1), title: null, updatedAt: null },
    score: round(score),
    parts: rounded(parts),
    terms,
    gate: null,
  }
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000
const rounded = (parts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, round(value)]))

const momentTypes: readonly string[] = [
  'session-start',
  'prompt',
  'before-tool',
  'after-tool',
  'compaction',
  'session-end',
] satisfies Moment['type'][]
const isMomentType = (text: string): text is Moment['type'] => momentTypes.includes(text)
const itemKinds: readonly string[] = ['digest', 'recall', 'hint', 'fix', 'packet'] satisfies ItemKind[]
const isItemKind = (value: unknown): value is ItemKind => typeof value === 'string' && itemKinds.includes(value)

function injectionOf(row: InjectionRow): Injection {
  return {
    n: row.n,
    at: new Date(row.at_ms).toISOString(),
    harness: row.harness,
    session: row.transcript ?? row.agent,
    moment: isMomentType(row.moment) ? row.moment : 'prompt',
    kinds: listOf(row.kinds).filter(isItemKind),
    sources: listOf(row.sources).filter(each => typeof each === 'string'),
    chars: row.chars,
  }
}

function listOf(json: string): unknown[] {
  const value = parsed(json)
  return Array.isArray(value) ? value : []
}

function isWhy(value: unknown): value is WhyCandidate {
  return (
    typeof value === 'object' &&
    value !== null &&
    'session' in value &&
    'score' in value &&
    'parts' in value &&
    'gate' in value &&
    'terms' in value
  )
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
