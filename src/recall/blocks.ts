import type { Statement } from 'better-sqlite3'
import { numbersOf, type RecallDb } from './recall-db.ts'

const keptMs = 90 * 24 * 3_600_000

/**
 * What was given with a message that is sent again and again (Command Code's mod adds it at each model call): the same
 * bytes each time, for a message that went out without a block none for ever. Else the provider's prompt cache breaks.
 */
export class Blocks {
  readonly #db: RecallDb
  readonly #get: Statement<[string, string, string], { block: string | null }>
  readonly #put: Statement<[string, string, string, string | null, string, number]>

  constructor(db: RecallDb, now: number) {
    this.#db = db
    this.#get = db.prepare('SELECT block FROM blocks WHERE harness = ? AND agent = ? AND message = ?')
    this.#put = db.prepare('INSERT OR REPLACE INTO blocks VALUES (?, ?, ?, ?, ?, ?)')
    db.prepare('DELETE FROM blocks WHERE at_ms < ?').run(now - keptMs)
  }

  /** Undefined: the message is new. Null: it has none. */
  of(harness: string, agent: string, message: string): string | null | undefined {
    return this.#get.get(harness, agent, message)?.block
  }

  put(
    harness: string,
    agent: string,
    message: string,
    block: string | null,
    keys: readonly number[],
    now: number,
  ): void {
    this.#put.run(harness, agent, message, block, JSON.stringify(keys), now)
  }

  forget(keys: ReadonlySet<number>): void {
    type Row = { harness: string; agent: string; message: string; keys: string }
    const drop = this.#db.prepare<[string, string, string]>(
      `UPDATE blocks SET block = NULL, keys = '[]' WHERE harness = ? AND agent = ? AND message = ?`,
    )
    for (const row of this.#db
      .prepare<[], Row>('SELECT harness, agent, message, keys FROM blocks WHERE block IS NOT NULL')
      .all())
      if (numbersOf(row.keys).some(key => keys.has(key))) drop.run(row.harness, row.agent, row.message)
  }
}
