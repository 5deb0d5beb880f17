import type { Statement } from 'better-sqlite3'
import type { RecallDb } from './recall-db.ts'

/** Begins the key of a compaction that is known from the agent's own word alone. */
const announced = 'said '

/** Compactions whose packet is owed, and those whose packet was given. */
export class Compactions {
  readonly #note: Statement<[number, string, number, number | null]>
  readonly #owed: Statement<[number], { compaction: string; at_ms: number }>
  readonly #given: Statement<[number, number]>
  readonly #announced: Statement<[number], { given_ms: number | null }>
  readonly #forget: Statement<[number]>
  readonly #pending = new Set<number>()

  constructor(db: RecallDb) {
    this.#note = db.prepare('INSERT OR IGNORE INTO compactions VALUES (?, ?, ?, ?)')
    this.#owed = db.prepare(
      `SELECT compaction, at_ms FROM compactions c WHERE session_key = ? AND given_ms IS NULL
       AND at_ms >= coalesce((SELECT max(at_ms) FROM compactions g WHERE g.session_key = c.session_key AND g.given_ms IS NOT NULL), 0)
       ORDER BY at_ms DESC LIMIT 1`,
    )
    this.#given = db.prepare('UPDATE compactions SET given_ms = ? WHERE session_key = ? AND given_ms IS NULL')
    this.#announced = db.prepare(
      `SELECT max(given_ms) AS given_ms FROM compactions WHERE session_key = ? AND compaction LIKE '${announced}%'`,
    )
    this.#forget = db.prepare('DELETE FROM compactions WHERE session_key = ?')
  }

  /** A session was compacted. `owed` false: its packet is of no use (any more), or was given already. */
  happened(session: number, compaction: string, atMs: number, owed: boolean): void {
    this.#note.run(session, compaction, atMs, owed ? null : 0)
  }

  owed(session: number): { key: string; atMs: number } | null {
    if (this.#pending.has(session)) return null
    const row = this.#owed.get(session)
    return row ? { key: row.compaction, atMs: row.at_ms } : null
  }

  /** The agent itself says that it was compacted; its transcript may tell a moment later. */
  announced(session: number, now: number): void {
    this.happened(session, `${announced}${now}`, now, true)
  }

  /** When a packet was last given because the agent said so. 0: never. */
  announcedMs(session: number): number {
    return this.#announced.get(session)?.given_ms ?? 0
  }

  /** A packet is on its way. */
  reserve(session: number): void {
    this.#pending.add(session)
  }

  settle(session: number, arrived: boolean, now: number): void {
    this.#pending.delete(session)
    if (arrived) this.#given.run(now, session)
  }

  forget(key: number): void {
    this.#forget.run(key)
  }
}
