import type { SessionHead } from '../../index/passage.ts'
import type { SessionKind, SessionRef, Time } from '../../shared/model.ts'
import type { KeptSession } from '../../harness/lifecycle.ts'
import type { Db } from '../database.ts'
import { offThread, type RecordRow, type SessionRow, type TranscriptRow } from '../rows.ts'
import { SessionHeads } from '../session-head.ts'
import type { Shown } from './shown.ts'

/** A session as the contract's JSON tells it. */
export interface SessionJson {
  harness: string
  id: string
  /** The agent's own, else the first line of what was asked first. */
  title: string | null
  workspace: string | null
  project: string | null
  /** The transcript's last known place. */
  path: string
  startedAt: Time
  updatedAt: Time
  parentId: string | null
  kind: SessionKind
  deleted: boolean
  archived: boolean
  model: string | null
}

/** What an id, or the beginning of one, names. */
export type Found =
  | { type: 'one'; key: number }
  | { type: 'many'; candidates: SessionJson[] }
  /** `forgotten`: it names a session that was dropped on purpose. */
  | { type: 'none'; forgotten: SessionRef | null }

export interface NewestQuery {
  /** Sessions worked in it or that changed files in it. */
  project?: string
  harness?: string
  limit: number
}

const newestOrder = 'ORDER BY coalesce(s.updated_at, s.started_at) DESC, s.id DESC'
const candidatesShown = 20
/** Characters of a first prompt that stand for a title. */
const titleLength = 120

/** Sessions: by id, newest, deleted, and as other rooms need them. */
export class SessionReader {
  readonly #shown
  readonly #heads
  readonly #get
  readonly #byRef
  readonly #byPrefix
  readonly #forgotten
  readonly #transcripts
  readonly #byPath
  readonly #readAs
  readonly #newest
  readonly #deleted
  readonly #children
  readonly #ofProject
  readonly #opening

  constructor(db: Db, shown: Shown) {
    this.#shown = shown
    this.#heads = new SessionHeads(db)
    this.#get = db.prepare<[number], SessionRow>('SELECT * FROM sessions WHERE id = ?')
    this.#byRef = db.prepare<[string, string], SessionRow>('SELECT * FROM sessions WHERE harness = ? AND sid = ?')
    this.#byPrefix = db.prepare<[{ id: string; after: string; harness: string | null }], SessionRow>(
      `SELECT * FROM sessions WHERE sid >= @id AND sid < @after AND (@harness IS NULL OR harness = @harness)
       ORDER BY sid = @id DESC, coalesce(updated_at, started_at) DESC, id DESC LIMIT ${candidatesShown + 1}`,
    )
    this.#forgotten = db.prepare<
      [{ id: string; after: string; harness: string | null }],
      { harness: string; value: string }
    >(
      `SELECT harness, value FROM forgotten WHERE kind = 'session' AND value >= @id AND value < @after
         AND (@harness IS NULL OR harness = @harness) LIMIT 1`,
    )
    this.#transcripts = db.prepare<[number], Pick<TranscriptRow, 'path' | 'root' | 'gone_at'>>(
      `SELECT path, root, gone_at FROM transcripts WHERE session_id = ?
       ORDER BY gone_at IS NOT NULL, rank, mtime_ms DESC, id`,
    )
    this.#byPath = db.prepare<[string], { session_id: number }>(
      'SELECT session_id FROM transcripts WHERE path = ? AND session_id IS NOT NULL',
    )
    this.#readAs = db.prepare<[string], Pick<TranscriptRow, 'size' | 'mtime_ms' | 'problems'>>(
      'SELECT size, mtime_ms, problems FROM transcripts WHERE path = ? AND session_id IS NOT NULL',
    )
    this.#newest = db.prepare<[{ project: string | null; harness: string | null; limit: number }], SessionRow>(
      `SELECT s.* FROM sessions s
       WHERE (@harness IS NULL OR s.harness = @harness)
         AND (@project IS NULL OR EXISTS (SELECT 1 FROM session_projects p WHERE p.session_id = s.id AND p.project = @project))
       ${newestOrder} LIMIT @limit`,
    )
    this.#deleted = db.prepare<[], SessionRow>(
      `SELECT s.* FROM sessions s WHERE s.deleted_at IS NOT NULL ORDER BY s.deleted_at DESC, s.id DESC`,
    )
    this.#children = db.prepare<[string, string], SessionRow>(
      'SELECT * FROM sessions WHERE harness = ? AND parent_sid = ?',
    )
    this.#opening = db.prepare<[number], RecordRow>(
      `SELECT * FROM records WHERE session_id = ? AND kind = 'prompt' AND flags & ${offThread} = 0 ORDER BY pos, id LIMIT 1`,
    )
    this.#ofProject = db.prepare<[string], SessionRow>(`SELECT s.* FROM sessions s WHERE s.project = ? ${newestOrder}`)
  }

  /** `ref`: an id, the unique beginning of one, either after `harness:`. A whole id wins over a longer one's beginning. */
  find(ref: string): Found {
    const [, prefix, rest] = /^([a-z][\w-]*):(.+)$/.exec(ref) ?? []
    const asked = [{ harness: null, id: ref }, ...(prefix && rest ? [{ harness: prefix, id: rest }] : [])]
    let forgotten: SessionRef | null = null
    for (const { harness, id } of asked) {
      if (id === '') continue
      const range = { id, after: `${id}\u{10ffff}`, harness }
      const rows = this.#byPrefix.all(range)
      const exact = rows.filter(row => row.sid === id)
      const fitting = exact.length > 0 ? exact : rows
      if (fitting.length === 1 && fitting[0]) return { type: 'one', key: fitting[0].id }
      if (fitting.length > 1) return { type: 'many', candidates: fitting.map(row => this.#json(row)) }
      const gone = this.#forgotten.get(range)
      if (gone) forgotten ??= { harness: gone.harness, id: gone.value }
    }
    return { type: 'none', forgotten }
  }

  keyOf({ harness, id }: SessionRef): number | null {
    return this.#byRef.get(harness, id)?.id ?? null
  }

  /** The session that a known transcript holds. */
  keyOfPath(path: string): number | null {
    return this.#byPath.get(path)?.session_id ?? null
  }

  /** What a transcript was when it was read last (bytes, epoch milliseconds), and what of it couldn't be (JSON). */
  readAs(path: string): { size: number; mtimeMs: number; problems: string | null } | null {
    const row = this.#readAs.get(path)
    return row ? { size: row.size, mtimeMs: row.mtime_ms, problems: row.problems } : null
  }

  json(key: number): SessionJson | null {
    const row = this.#get.get(key)
    return row ? this.#json(row) : null
  }

  head(key: number): SessionHead | null {
    const row = this.#get.get(key)
    return row ? this.#heads.of(this.#shown.session(row)) : null
  }

  /** Newest first; those without a time last. */
  newest({ project, harness, limit }: NewestQuery): SessionJson[] {
    return this.#newest.all({ project: project ?? null, harness: harness ?? null, limit }).map(row => this.#json(row))
  }

  /** Sessions worked in exactly this project, newest first. */
  ofProject(project: string): SessionJson[] {
    return this.#ofProject.all(project).map(row => this.#json(row))
  }

  /** Sessions whose files are gone, last deleted first. */
  deleted(): SessionJson[] {
    return this.#deleted.all().map(row => this.#json(row))
  }

  /** Forks and sub-agents of a session. */
  children({ harness, id }: SessionRef): SessionJson[] {
    return this.#children.all(harness, id).map(row => this.#json(row))
  }

  kept(key: number): KeptSession | null {
    const found = this.#get.get(key)
    if (!found) return null
    const row = this.#shown.session(found)
    const transcripts = this.#transcripts.all(key)
    const [first] = transcripts
    if (!first) return null
    return {
      harness: row.harness,
      id: row.sid,
      title: row.title,
      workspace: row.workspace,
      startedAt: row.started_at,
      updatedAt: row.updated_at,
      parentId: row.parent_sid,
      kind: row.kind,
      model: row.model,
      archived: row.archived !== 0,
      path: first.path,
      root: first.root,
      paths: transcripts.map(({ path }) => path),
      deleted: row.deleted_at !== null,
      subagents: this.#children
        .all(row.harness, row.sid)
        .filter(child => child.kind === 'subagent')
        .map(child => child.sid),
    }
  }

  #titleOf(key: number): string | null {
    const row = this.#opening.get(key)
    const line =
      row === undefined ? '' : (/^.*\S.*$/m.exec(this.#shown.record(row, false).text ?? '')?.[0] ?? '').trim()
    if (line === '') return null
    return line.length <= titleLength ? line : `${line.slice(0, titleLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
  }

  /** Newest change of the session's transcripts, in epoch milliseconds: for liveness, never shown. */
  writtenAt(key: number): number {
    return this.#get.get(key)?.written_ms ?? 0
  }

  #json(found: SessionRow): SessionJson {
    const row = this.#shown.session(found)
    return {
      harness: row.harness,
      id: row.sid,
      title: row.title ?? this.#titleOf(row.id),
      workspace: row.workspace,
      project: row.project,
      path: this.#transcripts.get(row.id)?.path ?? '',
      startedAt: row.started_at,
      updatedAt: row.updated_at,
      parentId: row.parent_sid,
      kind: row.kind,
      deleted: row.deleted_at !== null,
      archived: row.archived !== 0,
      model: row.model,
    }
  }
}
