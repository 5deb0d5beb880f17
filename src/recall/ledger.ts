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

/** What one conversation was given, by name. */
type Given = Map<string, { sessionKey: number | null; atMs: number }>
/** Conversations whose rows are kept at hand: each is asked for a dozen names at a prompt. */
const keptAtHand = 64

/** What each conversation was already given, or is being given by a reply that is on its way. */
export class Ledger {
  readonly #of: Statement<[string], { item: string; session_key: number | null; at_ms: number }>
  readonly #put: Statement<[string, string, number | null, number]>
  readonly #remove: Statement<[string, string]>
  readonly #move: Statement<[string, string]>
  readonly #clear: Statement<[string]>
  readonly #forget: Statement<[number]>
  /** Those asked for last, newest last; always as the rows are. */
  readonly #atHand = new Map<string, Given>()
  /** Reserved by replies that were made and of which nobody knows yet whether they arrived. */
  readonly #pending = new Map<string, number>()

  constructor(db: RecallDb, now: number) {
    this.#of = db.prepare('SELECT item, session_key, at_ms FROM given WHERE scope = ?')
    this.#put = db.prepare('INSERT OR REPLACE INTO given VALUES (?, ?, ?, ?)')
    this.#remove = db.prepare('DELETE FROM given WHERE scope = ? AND item = ?')
    this.#move = db.prepare('UPDATE OR REPLACE given SET scope = ? WHERE scope = ?')
    this.#clear = db.prepare(`DELETE FROM given WHERE scope = ? AND item NOT IN ${lasting}`)
    this.#forget = db.prepare('DELETE FROM given WHERE session_key = ?')
    db.prepare('DELETE FROM given WHERE at_ms < ?').run(now - keptMs)
  }

  has(scope: string, item: string): boolean {
    return this.#pending.has(`${scope} ${item}`) || this.#given(scope).has(item)
  }

  /** Epoch milliseconds, or null. */
  at(scope: string, item: string): number | null {
    return this.#given(scope).get(item)?.atMs ?? null
  }

  put(scope: string, { item, sessionKey }: GivenItem, now: number): void {
    this.#put.run(scope, item, sessionKey, now)
    this.#atHand.get(scope)?.set(item, { sessionKey, atMs: now })
  }

  remove(scope: string, item: string): void {
    this.#remove.run(scope, item)
    this.#atHand.get(scope)?.delete(item)
  }

  #given(scope: string): Given {
    let given = this.#atHand.get(scope)
    if (given === undefined) {
      given = new Map(this.#of.all(scope).map(row => [row.item, { sessionKey: row.session_key, atMs: row.at_ms }]))
      for (const oldest of this.#atHand.keys()) {
        if (this.#atHand.size < keptAtHand) break
        this.#atHand.delete(oldest)
      }
    } else this.#atHand.delete(scope)
    this.#atHand.set(scope, given)
    return given
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

  /** Sessions of which something was given since `sinceMs`, with when it was given last. */
  recentSessions(scope: string, sinceMs: number): Map<number, number> {
    const recent = new Map<number, number>()
    for (const { sessionKey, atMs } of this.#given(scope).values())
      if (sessionKey !== null && atMs > sinceMs) recent.set(sessionKey, Math.max(atMs, recent.get(sessionKey) ?? 0))
    return recent
  }

  /** A hook session's transcript became known: what the one was given the other was. */
  move(from: string, to: string): void {
    this.#move.run(to, from)
    this.#atHand.clear()
  }

  /** The context was compacted: what was given is gone from it. */
  compacted(scope: string): void {
    this.#clear.run(scope)
    this.#atHand.delete(scope)
  }

  forget(key: number): void {
    this.#forget.run(key)
    this.#atHand.clear()
  }
}
