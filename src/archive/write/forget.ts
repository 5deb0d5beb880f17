import type { SessionRef } from '../../shared/model.ts'
import { removeSetAside, type Db } from '../database.ts'
import type { Tombstone } from '../forgotten-file.ts'
import { flag, recordOf, type RecordRow, type SessionRow } from '../rows.ts'
import type { NoteWriter } from './note-writer.ts'
import type { PassageRegion } from './passage-region.ts'
import type { RecordWriter } from './record-writer.ts'
import type { SessionWriter } from './session-writer.ts'
import type { Tombstones } from './tombstones.ts'
import type { UsageWriter } from './usage-writer.ts'

export type ForgetTarget = { sessions: SessionRef[] } | { project: string } | { before: string }

/** A session that `forget` took, or with a dry run would take. */
export interface ForgottenSession extends SessionRef {
  /** The archive's row id. */
  key: number
  title: string | null
  records: number
}

/** A session that carried copies of what was forgotten: from where its passages are to be built again. */
export interface Bereft {
  key: number
  removed: number[]
}

/** Drops on purpose, everywhere in the archive, down to the free pages. */
export class Forget {
  readonly #db
  readonly #path
  readonly #parts
  readonly #sessions
  readonly #ids
  readonly #turns
  readonly #heldBy
  readonly #release
  readonly #delete
  readonly #empty
  readonly #todo
  readonly #done
  readonly #isDue

  constructor(
    db: Db,
    path: string,
    parts: {
      sessions: SessionWriter
      records: RecordWriter
      tombstones: Tombstones
      region: PassageRegion
      usage: UsageWriter
      notes: NoteWriter
    },
  ) {
    this.#db = db
    this.#path = path
    this.#parts = parts
    this.#sessions = db.prepare<[], SessionRow>('SELECT * FROM sessions')
    this.#ids = db.prepare<[number], { id: number }>('SELECT id FROM records WHERE session_id = ?')
    this.#turns = db.prepare<[number], { hash: number }>(
      `SELECT DISTINCT hash FROM records WHERE session_id = ? AND flags & ${flag.copied} = 0`,
    )
    this.#heldBy = db.prepare<[string, string, number], RecordRow>(
      `SELECT r.* FROM forgotten_turns f JOIN records r ON r.hash = f.hash
       WHERE f.harness = ? AND f.sid = ? AND r.session_id <> ? ORDER BY r.session_id, r.pos`,
    )
    this.#release = db.prepare<[number]>(
      'UPDATE transcripts SET session_id = NULL, state = NULL, problems = NULL WHERE session_id = ?',
    )
    this.#delete = db.prepare<[number]>('DELETE FROM sessions WHERE id = ?')
    this.#empty = db.prepare<[number], { n: number }>('SELECT count(*) AS n FROM records WHERE session_id = ?')
    this.#todo = db.prepare<[string]>('INSERT OR IGNORE INTO todo (what) VALUES (?)')
    this.#done = db.prepare<[string]>('DELETE FROM todo WHERE what = ?')
    this.#isDue = db.prepare<[string], { what: string }>('SELECT what FROM todo WHERE what = ?')
  }

  /** The sessions that a target names and the archive holds. */
  matches(target: ForgetTarget): ForgottenSession[] {
    const rows =
      'sessions' in target
        ? target.sessions.flatMap(ref => this.#parts.sessions.find(ref) ?? [])
        : this.#sessions.all().filter(row => {
            if ('project' in target) return row.project === target.project
            const changed = row.updated_at ?? row.started_at
            return changed !== null && changed < target.before
          })
    return rows.map(row => ({ key: row.id, harness: row.harness, id: row.sid, title: row.title, records: row.records }))
  }

  /** Raises the tombstones. From here on the sessions are forgotten; `carryOut` takes away what stands of them. */
  decide(target: ForgetTarget, at: string): ForgottenSession[] {
    const found = this.matches(target)
    const stones: Tombstone[] = found.map(({ harness, id, key }) => ({
      kind: 'session',
      harness,
      value: id,
      at,
      turns: this.#ownTurns(key),
    }))
    if ('project' in target) stones.push({ kind: 'project', harness: '', value: target.project, at })
    if ('before' in target) stones.push({ kind: 'before', harness: '', value: target.before, at })
    this.#todo.run('forget')
    this.#parts.tombstones.add(stones)
    return found
  }

  /** Whether an earlier `forget` was interrupted. */
  isDue(): boolean {
    return this.#isDue.get('forget') !== undefined
  }

  /** Takes away every session that is forgotten, what others carry of them, and the notes of forgotten projects and times. */
  carryOut(): { sessions: ForgottenSession[]; bereft: Bereft[] } {
    const { tombstones } = this.#parts
    this.#todo.run('forget')
    const sessions: ForgottenSession[] = []
    const bereft = new Map<number, Bereft>()
    for (const row of this.#sessions.all()) {
      const { harness, sid, project, started_at, updated_at } = row
      if (!tombstones.covers({ harness, id: sid, project, startedAt: started_at, updatedAt: updated_at })) continue
      for (const other of this.#copies({ harness, id: sid }, row.id)) {
        const known = bereft.get(other.key)
        if (known) known.removed.push(...other.removed)
        else bereft.set(other.key, other)
      }
      this.#remove(row.id)
      sessions.push({ key: row.id, harness, id: sid, title: row.title, records: row.records })
    }
    for (const { key } of bereft.values()) {
      if ((this.#empty.get(key)?.n ?? 0) > 0) continue
      const row = this.#parts.sessions.get(key)
      this.#remove(key)
      if (row) sessions.push({ key, harness: row.harness, id: row.sid, title: null, records: 0 })
    }
    this.#db.transaction(() => {
      if (this.#parts.notes.dropForgotten() > 0) this.#todo.run('purge')
      this.#done.run('forget')
    })()
    const gone = new Set(sessions.map(({ key }) => key))
    return { sessions, bereft: [...bereft.values()].filter(({ key }) => !gone.has(key)) }
  }

  purgeIsDue(): boolean {
    return this.#isDue.get('purge') !== undefined
  }

  /** After full text has been merged: what is left of the words goes from the log and from files put aside. */
  purged(): void {
    removeSetAside(this.#path)
    this.#done.run('purge')
    this.#db.pragma('wal_checkpoint(TRUNCATE)')
  }

  #remove(key: number): void {
    this.#db.transaction(() => {
      for (const { id } of this.#ids.all(key)) this.#parts.records.remove(id)
      this.#parts.usage.settleForks(key)
      this.#release.run(key)
      this.#delete.run(key)
      // with the rows: killed behind this, nobody would know what there is to purge
      this.#todo.run('purge')
    })()
  }

  /** What the session said itself. A turn that it has from a session that is kept isn't forgotten with it. */
  #ownTurns(key: number): number[] {
    const row = this.#parts.sessions.get(key)
    const parent =
      !row || row.parent_sid === null
        ? undefined
        : this.#parts.sessions.find({ harness: row.harness, id: row.parent_sid })
    const kept = parent ? new Set(this.#turns.all(parent.id).map(turn => turn.hash)) : new Set<number>()
    return this.#turns.all(key).flatMap(({ hash }) => (kept.has(hash) ? [] : [hash]))
  }

  /** Takes from other sessions what they carry of a forgotten one. */
  #copies(ref: SessionRef, key: number): Bereft[] {
    const bySession = new Map<number, RecordRow[]>()
    for (const row of this.#heldBy.all(ref.harness, ref.id, key)) {
      const rows = bySession.get(row.session_id) ?? []
      bySession.set(row.session_id, rows)
      rows.push(row)
    }
    const bereft: Bereft[] = []
    for (const [session, rows] of bySession) {
      const row = this.#parts.sessions.get(session)
      if (!row) continue
      const other = { harness: row.harness, id: row.sid }
      this.#parts.tombstones.examine(
        other,
        row.parent_sid,
        rows.map(record => recordOf(record, true)),
      )
      const carried = rows.filter(record => this.#parts.tombstones.turnForgotten(other, record.hash))
      if (carried.length === 0) continue
      this.#db.transaction(() => {
        for (const record of carried) this.#parts.records.remove(record.id)
        this.#parts.sessions.recount(session)
        this.#todo.run('purge')
      })()
      bereft.push({
        key: session,
        removed: carried.filter(record => record.flags & flag.start).map(record => record.id),
      })
    }
    return bereft
  }
}
