import type { Db } from '../database.ts'

/** Sessions' passages packed for the index: derived, and dropped by triggers with whatever they were made of. */
export class PackedWriter {
  readonly #redaction
  readonly #get
  readonly #put
  readonly #lacking

  /** `redaction`: version of the rules that the texts went through. */
  constructor(db: Db, redaction: number) {
    this.#redaction = redaction
    this.#get = db.prepare<[number, number, number], { packed: Uint8Array }>(
      'SELECT packed FROM packed_passages WHERE session_id = ? AND version = ? AND redaction = ?',
    )
    this.#put = db.prepare<[number, number, Uint8Array, number]>(
      `INSERT OR REPLACE INTO packed_passages (session_id, version, redaction, packed)
       SELECT id, ?, ?, ? FROM sessions WHERE id = ?`,
    )
    this.#lacking = db.prepare<[number, number, number, number], { id: number }>(
      `SELECT id FROM sessions WHERE written_ms < ? AND NOT EXISTS (
         SELECT 1 FROM packed_passages p WHERE p.session_id = sessions.id AND p.version = ? AND p.redaction = ?)
       ORDER BY coalesce(updated_at, started_at) DESC, id DESC LIMIT ?`,
    )
  }

  /** Null: there is nothing, or of another version. */
  get(session: number, version: number): Uint8Array | null {
    return this.#get.get(session, version, this.#redaction)?.packed ?? null
  }

  /** Of a session that was forgotten meanwhile nothing is put. */
  put(session: number, version: number, packed: Uint8Array): void {
    this.#put.run(version, this.#redaction, packed, session)
  }

  /** Sessions without, newest first, that were last written before a time (epoch milliseconds). */
  lacking(version: number, writtenBefore: number, limit: number): number[] {
    return this.#lacking.all(writtenBefore, version, this.#redaction, limit).map(({ id }) => id)
  }
}
