import type { Statement } from 'better-sqlite3'
import type { RecallDb } from './recall-db.ts'

/** Something that was given: its name within the scope, and the archive's session that it came from. */
export interface GivenItem {
  /** `passage:12`, `file:/home/dev/a.py`, `command:npm test`, `fix:…`, `digest`. */
  item: string
  sessionKey: number | null
}

/** Names that outlive a compaction: they say what happened, not what is in the context. */
const lasting = `('digest', 'digest-since')`
const keptMs = 60 * 24 * 3_600_000

/** What each conversation was already given, or is being given by a reply that is on its way. */
export class Ledger {
  readonly #get: Statement<[string, string], { at_ms: number }>
  readonly #put: Statement<[string, string, number | null, number]>
  readonly #remove: Statement<[string, string]>
  readonly #move: Statement<[string, string]>
  readonly #clear: Statement<[string]>
  readonly #sessions: Statement<[string, number], { session_key: number; at_ms: number }>
  readonly #forget: Statement<[number]>
  /** Reserved by replies that were made and of which nobody knows yet whether they arrived. */
  readonly #pending = new Map<string, number>()

  constructor(db: RecallDb, now: number) {
    this.#get = db.prepare('SELECT at_ms FROM given WHERE scope = ? AND item = ?')
    this.#put = db.prepare('INSERT OR REPLACE INTO given VALUES (?, ?, ?, ?)')
    this.#remove = db.prepare('DELETE FROM given WHERE scope = ? AND item = ?')
    this.#move = db.prepare('UPDATE OR REPLACE given SET scope = ? WHERE scope = ?')
    this.#clear = db.prepare(`DELETE FROM given WHERE scope = ? AND item NOT IN ${lasting}`)
    this.#sessions = db.prepare(
      `SELECT session_key, max(at_ms) AS at_ms FROM given WHERE scope = ? AND at_ms > ? AND session_key IS NOT NULL GROUP BY session_key`,
    )
    this.#forget = db.prepare('DELETE FROM given WHERE session_key = ?')
    db.prepare('DELETE FROM given WHERE at_ms < ?').run(now - keptMs)
  }

  has(scope: string, item: string): boolean {
    return this.#pending.has(`${scope} ${item}`) || this.#get.get(scope, item) !== undefined
  }

  /** Epoch milliseconds, or null. */
  at(scope: string, item: string): number | null {
    return this.#get.get(scope, item)?.at_ms ?? null
  }

  put(scope: string, { item, sessionKey }: GivenItem, now: number): void {
    this.#put.run(scope, item, sessionKey, now)
  }

  remove(scope: string, item: string): void {
    this.#remove.run(scope, item)
  }

  /** Nobody else gives these until `release`. */
  reserve(scope: string, items: readonly GivenItem[]): void {
    for (const { item } of items) this.#count(`${scope} ${item}`, 1)
  }

  release(scope: string, items: readonly GivenItem[]): void {
    for (const { item } of items) this.#count(`${scope} ${item}`, -1)
  }

  #count(name: string, by: number): void {
    const count = (this.#pending.get(name) ?? 0) + by
    if (count > 0) this.#pending.set(name, count)
    else this.#pending.delete(name)
  }

  /** Sessions of which something was given since `sinceMs`. */
  recentSessions(scope: string, sinceMs: number): Map<number, number> {
    return new Map(this.#sessions.all(scope, sinceMs).map(row => [row.session_key, row.at_ms]))
  }

  /** A hook session's transcript became known: what the one was given the other was. */
  move(from: string, to: string): void {
    this.#move.run(to, from)
  }

  /** The context was compacted: what was given is gone from it. */
  compacted(scope: string): void {
    this.#clear.run(scope)
  }

  forget(key: number): void {
    this.#forget.run(key)
  }
}
