import type { Statement } from 'better-sqlite3'
import type { SessionHead } from '../index/passage.ts'
import type { Outcome, RecordKind, SessionRecord } from '../shared/model.ts'
import type { Db } from './database.ts'
import type { Shown } from './read/shown.ts'
import { flag, offThread, type RecordRow, type SessionRow } from './rows.ts'
import { SessionHeads } from './session-head.ts'

/** A record with its place: what recall reads. */
export interface PlacedRecord extends SessionRecord {
  id: number
  session: number
  pos: number
  /** command only. */
  form: string | null
  /** Its texts are longer than these. */
  isCut: boolean
}

/** What a passage's evidence is taken from. */
export interface OutlinedRecord {
  kind: RecordKind
  form: string | null
  outcome?: Outcome | null | undefined
  partial?: boolean
  text?: string | null | undefined
  command?: string | null | undefined
  path?: string | null | undefined
}

type OutlinedRow = Pick<
  RecordRow,
  'id' | 'kind' | 'form' | 'outcome' | 'text' | 'command' | 'path' | 'flags' | 'redaction'
> & {
  is_cut: number
}

/** Other projects' and other kinds' rows are looked through this far, and no further. */
const lookThrough = 400

/** What recall reads of a row: `big` stays where it is. */
const columns = `r.id, r.session_id, r.transcript_id, r.seq, r.pos, r.kind, r.at, r.tool, r.detail, r.command, r.exit_code, r.outcome, r.form, r.path,
  r.text, r.removed, r.added, NULL AS big, r.flags, r.hash, r.redaction,
  r.big IS NOT NULL AS is_cut`
const outlined = `r.id, r.kind, r.form, r.outcome, r.command, r.path, r.flags, r.redaction,
  CASE WHEN r.kind IN ('prompt', 'answer', 'summary') THEN r.text END AS text, r.big IS NOT NULL AS is_cut`
const said = `r.kind IN ('prompt', 'answer', 'summary', 'command', 'edit', 'write') AND r.flags & ${offThread} = 0`

/**
 * What recall asks of the archive while an agent waits: prepared, each one index look-up and a bounded number of rows.
 * Texts come as their columns hold them (4 KB), whole where `whole` is asked for.
 */
export class RecallQueries {
  readonly #db: Db
  readonly #shown: Shown
  readonly #heads: SessionHeads
  readonly #prepared = new Map<string, Statement<(string | number)[]>>()

  constructor(db: Db, shown: Shown) {
    this.#db = db
    this.#shown = shown
    this.#heads = new SessionHeads(db)
  }

  session(key: number): SessionHead | null {
    return this.#head(this.#get<SessionRow>(`SELECT s.* FROM sessions s WHERE s.id = ?`, key))
  }

  /** By the store's own id. */
  sessionOf(harness: string, id: string): SessionHead | null {
    return this.#head(
      this.#get<SessionRow>(`SELECT s.* FROM sessions s WHERE s.harness = ? AND s.sid = ?`, harness, id),
    )
  }

  /** By the path of one of its transcripts. */
  sessionAt(path: string): SessionHead | null {
    const sql = `SELECT s.* FROM transcripts t JOIN sessions s ON s.id = t.session_id WHERE t.path = ?`
    return this.#head(this.#get<SessionRow>(sql, path))
  }

  /** Where a session is written, its newest transcript. */
  transcriptOf(key: number): string | null {
    const sql = 'SELECT path FROM transcripts WHERE session_id = ? ORDER BY mtime_ms DESC LIMIT 1'
    return this.#get<{ path: string }>(sql, key)?.path ?? null
  }

  /** The sessions that worked in a project, those known to be newest first, at most `limit`. Sub-agents are left out. */
  recentSessions(project: string, limit: number): (SessionHead & { writtenMs: number })[] {
    const own = this.#all<SessionRow>(
      `SELECT s.* FROM sessions s WHERE s.project = ? AND s.kind <> 'subagent' ORDER BY s.updated_at DESC LIMIT ?`,
      project,
      limit,
    )
    const guests = this.#all<SessionRow>(
      `SELECT s.* FROM (SELECT session_id FROM session_projects WHERE project = ? ORDER BY session_id DESC LIMIT ${lookThrough}) p
       JOIN sessions s ON s.id = p.session_id WHERE s.project IS NOT ? AND s.kind <> 'subagent'`,
      project,
      project,
    )
    const rows = [...own, ...guests].sort((a, b) => compareTimes(b.updated_at, a.updated_at))
    return rows.slice(0, limit).flatMap(row => {
      const session = this.#head(row)
      return session ? [{ ...session, writtenMs: row.written_ms }] : []
    })
  }

  /** Sessions whose transcripts changed since then. Goes through all sessions: for a start, not for a hook. */
  writtenSince(ms: number): (SessionHead & { writtenMs: number })[] {
    return this.#all<SessionRow>(
      'SELECT s.* FROM sessions s WHERE s.written_ms >= ? ORDER BY s.written_ms LIMIT 500',
      ms,
    ).flatMap(row => {
      const session = this.#head(row)
      return session ? [{ ...session, writtenMs: row.written_ms }] : []
    })
  }

  /** The directories in which a project was worked: its own, its worktrees', those below. At most 24. */
  workspaces(project: string): string[] {
    const sql = `SELECT DISTINCT workspace FROM sessions WHERE project = ? AND workspace IS NOT NULL LIMIT 24`
    return this.#all<{ workspace: string }>(sql, project).map(row => row.workspace)
  }

  /** The records of the passage that begins with this one: to the next prompt, at most `limit`, outputs and reads left out. */
  passage(id: number, limit = 120): PlacedRecord[] {
    const first = this.#get<{ session_id: number; pos: number }>('SELECT session_id, pos FROM records WHERE id = ?', id)
    return first ? this.passageFrom(first.session_id, first.pos, limit) : []
  }

  /** What was said and done in the passage that begins with this record, answers whole: for much less than its records. */
  outline(id: number, limit = 120): OutlinedRecord[] {
    const first = this.#get<{ session_id: number; pos: number }>('SELECT session_id, pos FROM records WHERE id = ?', id)
    if (!first) return []
    const { session_id: session, pos } = first
    const sql = `SELECT ${outlined} FROM records r WHERE r.session_id = ? AND r.pos >= ? AND r.pos < ? AND ${said} ORDER BY r.pos LIMIT ?`
    const rows = this.#all<OutlinedRow>(sql, session, pos, this.#endOf(session, pos), limit)
    return rows.map(row => {
      const { kind, form, outcome } = row
      const told = this.#shown.isDue(row) || (row.is_cut === 1 && kind === 'answer') ? this.#wholeOf(row.id) : null
      const { text, command, path } = told ?? row
      return { kind, form, outcome, partial: (row.flags & flag.partial) !== 0, text, command, path }
    })
  }

  passageFrom(session: number, pos: number, limit = 120): PlacedRecord[] {
    const end = this.#endOf(session, pos)
    return this.#records(
      `SELECT ${columns} FROM records r WHERE r.session_id = ? AND r.pos >= ? AND r.pos < ? AND ${said} ORDER BY r.pos LIMIT ?`,
      session,
      pos,
      end,
      limit,
    )
  }

  /** Where the passage ends that begins there: at the next prompt. */
  #endOf(session: number, pos: number): number {
    const sql = `SELECT min(pos) AS pos FROM records WHERE session_id = ? AND pos > ? AND kind = 'prompt' AND flags & ${offThread} = 0`
    return this.#get<{ pos: number | null }>(sql, session, pos)?.pos ?? Number.MAX_SAFE_INTEGER
  }

  /** The passage in which a record stands. */
  passageAround(session: number, pos: number, limit = 120): PlacedRecord[] {
    const sql = `SELECT max(pos) AS pos FROM records WHERE session_id = ? AND pos <= ? AND kind = 'prompt' AND flags & ${offThread} = 0`
    const start = this.#get<{ pos: number | null }>(sql, session, pos)?.pos ?? 0
    return this.passageFrom(session, start, limit)
  }

  /** The passage in which the record of this row stands. */
  passageWith(id: number): PlacedRecord[] {
    const row = this.#get<{ session_id: number; pos: number }>('SELECT session_id, pos FROM records WHERE id = ?', id)
    return row ? this.passageAround(row.session_id, row.pos) : []
  }

  /** What was said and done after a place, in order. */
  after(session: number, pos: number, limit: number): PlacedRecord[] {
    return this.#records(
      `SELECT ${columns} FROM records r WHERE r.session_id = ? AND r.pos > ? AND ${said} ORDER BY r.pos LIMIT ?`,
      session,
      pos,
      limit,
    )
  }

  /** The newest of what was said and done in a session, in order. */
  tail(session: number, limit: number): PlacedRecord[] {
    return this.#records(
      `SELECT ${columns} FROM records r WHERE r.session_id = ? AND ${said} ORDER BY r.pos DESC LIMIT ?`,
      session,
      limit,
    ).reverse()
  }

  prompts(session: number, limit: number, order: 'first' | 'last'): PlacedRecord[] {
    const found = this.#records(
      `SELECT ${columns} FROM records r WHERE r.session_id = ? AND r.kind = 'prompt' AND r.flags & ${offThread} = 0
       ORDER BY r.pos ${order === 'first' ? 'ASC' : 'DESC'} LIMIT ?`,
      session,
      limit,
    )
    return order === 'first' ? found : found.reverse()
  }

  /** Changes to any of these files (absolute), newest row first. */
  changesOf(paths: readonly string[], limit: number): PlacedRecord[] {
    return paths.flatMap(path =>
      this.#records(
        `SELECT ${columns} FROM records r WHERE r.path = ? AND r.kind IN ('edit', 'write') AND r.flags & ${offThread} = 0 ORDER BY r.id DESC LIMIT ?`,
        path,
        limit,
      ),
    )
  }

  /** Runs of a command in a project, newest row first. */
  runsOf(form: string, project: string, limit: number): PlacedRecord[] {
    return this.#records(
      `SELECT ${columns} FROM (SELECT * FROM records WHERE form = ? ORDER BY id DESC LIMIT ${lookThrough}) r
       JOIN session_projects p ON p.session_id = r.session_id AND p.project = ? WHERE r.flags & ${offThread} = 0 LIMIT ?`,
      form,
      project,
      limit,
    )
  }

  /** Failed commands of a project whose output had this signature, newest row first. */
  failuresWith(signature: string, project: string, limit: number): PlacedRecord[] {
    return this.#records(
      `SELECT ${columns} FROM (SELECT record_id, session_id FROM errors WHERE signature = ? ORDER BY record_id DESC LIMIT ${lookThrough}) e
       JOIN session_projects p ON p.session_id = e.session_id AND p.project = ?
       JOIN records r ON r.id = e.record_id WHERE r.flags & ${offThread} = 0 LIMIT ?`,
      signature,
      project,
      limit,
    )
  }

  /** The signatures of a failed command's errors. */
  signaturesOf(record: number): string[] {
    const sql = 'SELECT signature FROM errors WHERE record_id = ?'
    return this.#all<{ signature: string }>(sql, record).map(row => row.signature)
  }

  /** A record's texts in full. */
  whole(record: PlacedRecord): SessionRecord {
    return (record.isCut ? this.#wholeOf(record.id) : null) ?? record
  }

  #wholeOf(id: number): SessionRecord | null {
    const row = this.#get<RecordRow>('SELECT * FROM records WHERE id = ?', id)
    return row === undefined ? null : this.#shown.record(row, true)
  }

  #records(sql: string, ...values: (string | number)[]): PlacedRecord[] {
    return this.#all<RecordRow & { is_cut: number }>(sql, ...values).map(row => ({
      ...this.#shown.record(row, false),
      pos: row.pos,
      form: row.form,
      isCut: row.is_cut === 1,
    }))
  }

  #head(row: SessionRow | undefined): SessionHead | null {
    return row ? this.#heads.of(this.#shown.session(row)) : null
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- a query and the shape of its rows stand together
  #get<Row>(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.#all<Row>(sql, ...values)[0]
  }

  #all<Row>(sql: string, ...values: (string | number)[]): Row[] {
    const known = this.#prepared.get(sql)
    const statement = known ?? this.#db.prepare<(string | number)[]>(sql)
    if (!known) this.#prepared.set(sql, statement)
    return statement.all(...values) as Row[]
  }
}

/** Orders times; what has none comes first. A date alone counts as its beginning. */
export function compareTimes(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  return a < b ? -1 : 1
}
