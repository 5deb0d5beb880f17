import type { SessionFacts, SessionRef, Time } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import type { SessionRow } from '../rows.ts'

/** Session rows and their projects. */
export class SessionWriter {
  readonly #find
  readonly #byId
  readonly #insert
  readonly #update
  readonly #addProject
  readonly #count
  readonly #markDeleted
  readonly #others

  constructor(db: Db) {
    this.#find = db.prepare<[string, string], SessionRow>('SELECT * FROM sessions WHERE harness = ? AND sid = ?')
    this.#byId = db.prepare<[number], SessionRow>('SELECT * FROM sessions WHERE id = ?')
    this.#insert = db.prepare<[SessionRow]>(
      `INSERT INTO sessions (harness, sid, title, workspace, project, started_at, updated_at, parent_sid, kind, model,
         archived, deleted_at, written_ms, redaction)
       VALUES (@harness, @sid, @title, @workspace, @project, @started_at, @updated_at, @parent_sid, @kind, @model,
         @archived, @deleted_at, @written_ms, @redaction)`,
    )
    this.#update = db.prepare<[SessionRow]>(
      `UPDATE sessions SET title = @title, workspace = @workspace, project = @project, started_at = @started_at,
         updated_at = @updated_at, parent_sid = @parent_sid, kind = @kind, model = @model, archived = @archived,
         deleted_at = @deleted_at, written_ms = @written_ms, redaction = @redaction
       WHERE id = @id`,
    )
    this.#addProject = db.prepare<[number, string]>(
      'INSERT OR IGNORE INTO session_projects (session_id, project) VALUES (?, ?)',
    )
    this.#count = db.prepare<[number, number]>(
      'UPDATE sessions SET records = (SELECT count(*) FROM records WHERE session_id = ? AND flags & 2 = 0) WHERE id = ?',
    )
    this.#markDeleted = db.prepare<[string | null, number]>('UPDATE sessions SET deleted_at = ? WHERE id = ?')
    this.#others = db.prepare<[number, number], { n: number }>(
      'SELECT count(*) AS n FROM transcripts WHERE session_id = ? AND id <> ? AND gone_at IS NULL',
    )
  }

  find({ harness, id }: SessionRef): SessionRow | undefined {
    return this.#find.get(harness, id)
  }

  get(key: number): SessionRow | undefined {
    return this.#byId.get(key)
  }

  /**
   * Takes in what a transcript says of its session. `facts` are redacted. Where several transcripts make one session,
   * the earliest start, the latest change and the newest title count. What a file no longer tells stays.
   */
  upsert(
    harness: string,
    facts: SessionFacts,
    more: { project: string | null; writtenMs: number; redaction: number; transcript: number | null },
  ): { key: number; created: boolean } {
    const known = this.#find.get(harness, facts.id)
    const shared = known && more.transcript !== null ? (this.#others.get(known.id, more.transcript)?.n ?? 0) > 0 : false
    const older = shared && known ? isBefore(facts.updatedAt, known.updated_at) : false
    const laterStart = shared && known ? isBefore(known.started_at, facts.startedAt) : false
    const row: SessionRow = {
      id: known?.id ?? 0,
      harness,
      sid: facts.id,
      title: older ? (known?.title ?? facts.title) : (facts.title ?? known?.title ?? null),
      workspace: laterStart ? (known?.workspace ?? facts.workspace) : (facts.workspace ?? known?.workspace ?? null),
      project: laterStart ? (known?.project ?? more.project) : (more.project ?? known?.project ?? null),
      started_at: shared
        ? earliest(known?.started_at ?? null, facts.startedAt)
        : (facts.startedAt ?? known?.started_at ?? null),
      updated_at: shared
        ? latest(known?.updated_at ?? null, facts.updatedAt)
        : (facts.updatedAt ?? known?.updated_at ?? null),
      parent_sid: facts.parentId ?? known?.parent_sid ?? null,
      kind: facts.kind,
      model: facts.model ?? known?.model ?? null,
      archived: facts.archived ? 1 : 0,
      deleted_at: null,
      written_ms: Math.max(known?.written_ms ?? 0, Math.round(more.writtenMs)),
      records: known?.records ?? 0,
      redaction: known ? Math.min(known.redaction, more.redaction) : more.redaction,
    }
    if (known) this.#update.run(row)
    const key = known ? known.id : Number(this.#insert.run(row).lastInsertRowid)
    for (const project of [row.project, more.project]) if (project !== null) this.#addProject.run(key, project)
    return { key, created: !known }
  }

  addProjects(key: number, projects: Iterable<string>): void {
    for (const project of projects) this.#addProject.run(key, project)
  }

  recount(key: number): void {
    this.#count.run(key, key)
  }

  setDeleted(key: number, at: string | null): void {
    this.#markDeleted.run(at, key)
  }
}

function isBefore(a: Time, b: Time): boolean {
  return a !== null && b !== null && a < b
}

function earliest(a: Time, b: Time): Time {
  return a === null || b === null ? (a ?? b) : a < b ? a : b
}

function latest(a: Time, b: Time): Time {
  return a === null || b === null ? (a ?? b) : a > b ? a : b
}
