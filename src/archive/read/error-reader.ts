import type { Db } from '../database.ts'
import type { RecordRow } from '../rows.ts'
import type { Shown, ShownRecord } from './shown.ts'

/** Commands that failed with a known error. */
export class ErrorReader {
  readonly #shown
  readonly #bySignature

  constructor(db: Db, shown: Shown) {
    this.#shown = shown
    this.#bySignature = db.prepare<[{ signature: string; project: string | null; limit: number }], RecordRow>(
      `SELECT r.* FROM errors e JOIN records r ON r.id = e.record_id
       WHERE e.signature = @signature AND r.flags & 3 = 0
         AND (@project IS NULL OR EXISTS (SELECT 1 FROM session_projects p WHERE p.session_id = e.session_id AND p.project = @project))
       ORDER BY r.id DESC LIMIT @limit`,
    )
  }

  /** The commands, newest first. What came after one is told by `records.after`. */
  commands(signature: string, { project, limit }: { project?: string; limit: number }): ShownRecord[] {
    return this.#bySignature
      .all({ signature, project: project ?? null, limit })
      .map(row => this.#shown.record(row, true))
  }
}
