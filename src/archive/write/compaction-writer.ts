import type { SessionRecord } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import { deflate } from '../text.ts'

/**
 * A transcript tells of a compaction when it is next saved, at the end of the turn; what the agent writes apart is there
 * at once. So much may lie between the two, in milliseconds, for them to be one.
 */
const oneCompactionMs = 60 * 60_000

/** Compactions, each told once. */
export class CompactionWriter {
  readonly #redaction
  readonly #insert
  readonly #bySeq
  readonly #known
  readonly #withoutRecord
  readonly #withoutHistory
  readonly #setRecord
  readonly #setHistory

  constructor(db: Db, redaction: number) {
    this.#redaction = redaction
    this.#insert = db.prepare<[number, string, number, number | null, Buffer | null, number]>(
      'INSERT OR IGNORE INTO compactions (session_id, key, at_ms, record_id, history, redaction) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#bySeq = db.prepare<[number, number], { id: number }>(
      'SELECT id FROM records WHERE transcript_id = ? AND seq >= ? ORDER BY seq LIMIT 1',
    )
    this.#known = db.prepare<[number, string, string, number | null], { key: string }>(
      'SELECT key FROM compactions WHERE session_id = ? AND (key = ? OR apart = ? OR record_id = ?)',
    )
    const near = 'session_id = ? AND at_ms BETWEEN ? AND ? ORDER BY at_ms DESC LIMIT 1'
    this.#withoutRecord = db.prepare<[number, number, number], { key: string }>(
      `SELECT key FROM compactions WHERE record_id IS NULL AND ${near}`,
    )
    this.#withoutHistory = db.prepare<[number, number, number], { key: string }>(
      `SELECT key FROM compactions WHERE history IS NULL AND ${near}`,
    )
    this.#setRecord = db.prepare<[number | null, number, string]>(
      'UPDATE compactions SET record_id = ? WHERE session_id = ? AND key = ?',
    )
    this.#setHistory = db.prepare<[Buffer, string, number, number, string]>(
      'UPDATE compactions SET history = ?, apart = ?, redaction = ? WHERE session_id = ? AND key = ?',
    )
  }

  /** Where a transcript says that it was compacted. The key, when it wasn't known of before; else null. */
  inTranscript(session: number, transcript: number, seq: number, at: number): string | null {
    const record = this.#bySeq.get(transcript, seq)?.id ?? null
    // the record's own id, since a file read anew numbers its records again
    const key = record === null ? `seq:${transcript}:${seq}` : `record:${record}`
    if (this.#known.get(session, key, key, record)) return null
    const apart = this.#withoutRecord.get(session, at - oneCompactionMs, at + oneCompactionMs)
    if (apart) {
      this.#setRecord.run(record, session, apart.key)
      return null
    }
    this.#insert.run(session, key, at, record, null, this.#redaction)
    return key
  }

  /** A history that the agent wrote apart, redacted. The key, when the compaction wasn't known of before; else null. */
  withHistory(session: number, key: string, at: number, history: readonly SessionRecord[]): string | null {
    if (this.#known.get(session, key, key, null)) return null
    const told = this.#withoutHistory.get(session, at - oneCompactionMs, at + oneCompactionMs)
    if (told) {
      this.#setHistory.run(deflate(history), key, this.#redaction, session, told.key)
      return null
    }
    this.#insert.run(session, key, at, null, deflate(history), this.#redaction)
    return key
  }
}
