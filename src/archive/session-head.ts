import type { SessionHead } from '../index/passage.ts'
import type { Db } from './database.ts'
import type { SessionRow } from './rows.ts'

/** Sessions as recall needs them. */
export class SessionHeads {
  readonly #session
  readonly #projects
  readonly #newest

  constructor(db: Db) {
    this.#session = db.prepare<[number], SessionRow>('SELECT * FROM sessions WHERE id = ?')
    this.#projects = db.prepare<[number], { project: string }>(
      'SELECT project FROM session_projects WHERE session_id = ?',
    )
    this.#newest = db.prepare<[], { id: number }>(
      'SELECT id FROM sessions ORDER BY coalesce(updated_at, started_at) DESC, id DESC',
    )
  }

  get(key: number): SessionHead | null {
    const row = this.#session.get(key)
    return row ? this.of(row) : null
  }

  of(row: SessionRow): SessionHead {
    const others = this.#projects.all(row.id).flatMap(({ project }) => (project === row.project ? [] : [project]))
    return {
      key: row.id,
      harness: row.harness,
      id: row.sid,
      title: row.title,
      workspace: row.workspace,
      projects: row.project === null ? others : [row.project, ...others],
      parentId: row.parent_sid,
      kind: row.kind,
      startedAt: row.started_at,
      updatedAt: row.updated_at,
      deleted: row.deleted_at !== null,
      archived: row.archived !== 0,
    }
  }

  /** Row ids of all sessions, newest first; those without a time last. */
  newestFirst(): number[] {
    return this.#newest.all().map(({ id }) => id)
  }
}
