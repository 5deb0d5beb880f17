import type { SessionRecord } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import { deflate } from '../text.ts'

/** Compactions, each told once. */
export class CompactionWriter {
  readonly #redaction
  readonly #insert
  readonly #bySeq

  constructor(db: Db, redaction: number) {
    this.#redaction = redaction
    this.#insert = db.prepare<[number, string, number, number | null, Buffer | null, number]>(
      'INSERT OR IGNORE INTO compactions (session_id, key, at_ms, record_id, history, redaction) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#bySeq = db.prepare<[number, number], { id: number }>(
      'SELECT id FROM records WHERE transcript_id = ? AND seq >= ? ORDER BY seq LIMIT 1',
    )
  }

  /** Where a transcript says that it was compacted. True: it wasn't known. */
  inTranscript(session: number, transcript: number, seq: number, at: number): { key: string; isNew: boolean } {
    const record = this.#bySeq.get(transcript, seq)?.id ?? null
    // the record's own id, since a file read anew numbers its records again
    const key = record === null ? `seq:${transcript}:${seq}` : `record:${record}`
    return { key, isNew: this.#insert.run(session, key, at, record, null, this.#redaction).changes > 0 }
  }

  /** A history that the agent wrote apart, redacted. True: it wasn't known. */
  withHistory(session: number, key: string, at: number, history: readonly SessionRecord[]): boolean {
    return this.#insert.run(session, key, at, null, deflate(history), this.#redaction).changes > 0
  }
}
