import type { Statement } from 'better-sqlite3'
import type { ItemKind } from '../harness/hooks.ts'
import { isNote, type Note } from './note.ts'
import { numbersOf, type RecallDb } from './recall-db.ts'

/** What could not be given at its moment and waits for the next. */
export interface Parked {
  id: number
  kind: ItemKind
  note: Note
}

/** Later nobody remembers what it was about. */
const keptMs = 6 * 3_600_000
const most = 3

interface ParkedRow {
  id: number
  kind: string
  note: string
  keys: string
  at_ms: number
}

interface CallRow {
  command: string | null
  notes: string
}

/** Notes that wait for their conversation's next event, and what was said at tool calls that are still running. */
export class ParkedNotes {
  readonly #db: RecallDb
  readonly #add: Statement<[string, string, string | null, string, string, number]>
  readonly #of: Statement<[string, number], ParkedRow>
  readonly #remove: Statement<[number]>
  readonly #forms: Statement<[string], { form: string | null }>
  readonly #solved: Statement<[string, string]>
  readonly #move: Statement<[string, string]>
  readonly #call: Statement<[string, string, string | null, string, number]>
  readonly #called: Statement<[string, string], CallRow>

  constructor(db: RecallDb, now: number) {
    this.#db = db
    this.#add = db.prepare('INSERT INTO parked (scope, kind, form, note, keys, at_ms) VALUES (?, ?, ?, ?, ?, ?)')
    this.#of = db.prepare(
      'SELECT id, kind, note, keys, at_ms FROM parked WHERE scope = ? AND at_ms > ? ORDER BY id DESC LIMIT 8',
    )
    this.#remove = db.prepare('DELETE FROM parked WHERE id = ?')
    this.#forms = db.prepare('SELECT form FROM parked WHERE scope = ? LIMIT 16')
    this.#solved = db.prepare('DELETE FROM parked WHERE scope = ? AND form = ?')
    this.#move = db.prepare('UPDATE parked SET scope = ? WHERE scope = ?')
    this.#call = db.prepare('INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?)')
    this.#called = db.prepare('SELECT command, notes FROM calls WHERE scope = ? AND call = ?')
    this.sweep(now)
  }

  sweep(now: number): void {
    for (const table of ['parked', 'calls']) this.#db.prepare(`DELETE FROM ${table} WHERE at_ms < ?`).run(now - keptMs)
  }

  park(scope: string, kind: ItemKind, note: Note, form: string | null, now: number): void {
    const waiting = this.waiting(scope, now)
    if (waiting.some(each => each.note.name === note.name)) return
    for (const old of waiting.slice(most - 1)) this.#remove.run(old.id)
    this.#add.run(scope, kind, form, JSON.stringify(note), JSON.stringify([note.sessionKey]), now)
  }

  /** Newest first. */
  waiting(scope: string, now: number): Parked[] {
    return this.#of.all(scope, now - keptMs).flatMap(row => {
      const note = parsed(row.note)
      return isNote(note) ? [{ id: row.id, kind: kindOf(row.kind), note }] : []
    })
  }

  taken(id: number): void {
    this.#remove.run(id)
  }

  /** The command has succeeded meanwhile: what was to be said of its failure is of no use. */
  solved(scope: string, form: string): void {
    this.#solved.run(scope, form)
  }

  /** The commands that failed and of which something waits to be said. */
  waitingForms(scope: string): string[] {
    return this.#forms.all(scope).flatMap(({ form }) => form ?? [])
  }

  move(from: string, to: string): void {
    this.#move.run(to, from)
  }

  /** A tool call begins: its command (redacted), and what was said along with it. */
  called(
    scope: string,
    call: string,
    command: string | null,
    notes: readonly { kind: ItemKind; note: Note }[],
    now: number,
  ): void {
    this.#call.run(scope, call, command, JSON.stringify(notes), now)
  }

  call(scope: string, call: string): { command: string | null; notes: { kind: ItemKind; note: Note }[] } | null {
    const row = this.#called.get(scope, call)
    if (!row) return null
    const value = parsed(row.notes)
    const notes = Array.isArray(value)
      ? value.flatMap((each: unknown) => (isSaid(each) ? [{ kind: kindOf(each.kind), note: each.note }] : []))
      : []
    return { command: row.command, notes }
  }

  forget(keys: ReadonlySet<number>): void {
    for (const row of this.#db.prepare<[], { id: number; keys: string }>('SELECT id, keys FROM parked').all())
      if (numbersOf(row.keys).some(key => keys.has(key))) this.#remove.run(row.id)
    this.#db.exec('DELETE FROM calls')
  }
}

const kinds: readonly string[] = ['digest', 'recall', 'hint', 'fix', 'packet'] satisfies ItemKind[]
const kindOf = (text: string): ItemKind => (isKind(text) ? text : 'hint')
function isKind(text: string): text is ItemKind {
  return kinds.includes(text)
}

function isSaid(value: unknown): value is { kind: string; note: Note } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    typeof value.kind === 'string' &&
    'note' in value &&
    isNote(value.note)
  )
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
