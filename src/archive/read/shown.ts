import type { SessionRecord } from '../../shared/model.ts'
import type { Redactor } from '../redactor.ts'
import { recordOf, type RecordRow, type SessionRow } from '../rows.ts'
import { redactRecord } from '../write/redact-again.ts'

/** A record as readers get it. */
export interface ShownRecord extends SessionRecord {
  /** The archive's row id. */
  id: number
  /** The session's row id. */
  session: number
}

/** Rows on their way out: what went through older rules than today's goes through these first. */
export class Shown {
  readonly #redactor

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  /** Whether older rules than today's have written it. */
  isDue(row: { redaction: number }): boolean {
    return row.redaction < this.#redactor.version
  }

  record(row: RecordRow, whole: boolean): ShownRecord {
    const record = { ...recordOf(row, whole), id: row.id, session: row.session_id }
    return row.redaction < this.#redactor.version ? redactRecord(record, this.#redactor) : record
  }

  session(row: SessionRow): SessionRow {
    if (row.redaction >= this.#redactor.version) return row
    const { redact } = this.#redactor
    return {
      ...row,
      title: row.title === null ? null : redact(row.title),
      workspace: row.workspace === null ? null : redact(row.workspace),
    }
  }

  text(text: string, redaction: number): string {
    return redaction < this.#redactor.version ? this.#redactor.redact(text) : text
  }
}
