import type { SessionRecord } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import type { Redactor } from '../redactor.ts'
import { inflate } from '../text.ts'
import { redactRecord } from '../write/redact-again.ts'

export interface Compaction {
  key: string
  /** Epoch milliseconds. */
  at: number
  /** The first record after it, where the transcript says; else null. */
  record: number | null
  /** What stood before it, where the agent wrote that apart; else it stands in the session's records. */
  history: SessionRecord[] | null
}

/** What is known of a session's compactions. */
export class CompactionReader {
  readonly #redactor
  readonly #newest

  constructor(db: Db, redactor: Redactor) {
    this.#redactor = redactor
    this.#newest = db.prepare<
      [number],
      { key: string; at_ms: number; record_id: number | null; history: Uint8Array | null; redaction: number }
    >(
      'SELECT key, at_ms, record_id, history, redaction FROM compactions WHERE session_id = ? ORDER BY at_ms DESC, key DESC LIMIT 1',
    )
  }

  newest(session: number): Compaction | null {
    const row = this.#newest.get(session)
    if (!row) return null
    const history = row.history === null ? null : recordsIn(inflate(row.history))
    const due = row.redaction < this.#redactor.version
    return {
      key: row.key,
      at: row.at_ms,
      record: row.record_id,
      history: due && history ? history.map(record => redactRecord(record, this.#redactor)) : history,
    }
  }
}

function recordsIn(value: unknown): SessionRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function isRecord(value: unknown): value is SessionRecord {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
}
