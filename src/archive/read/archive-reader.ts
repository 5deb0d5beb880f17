import { statSync } from 'node:fs'
import { openForReading, type Db } from '../database.ts'
import type { Redactor } from '../redactor.ts'
import { RecallQueries } from '../recall-queries.ts'
import { CompactionReader } from './compaction-reader.ts'
import { ErrorReader } from './error-reader.ts'
import { FullTextReader } from './full-text-reader.ts'
import { NoteReader } from './note-reader.ts'
import { RecordReader } from './record-reader.ts'
import { SessionReader } from './session-reader.ts'
import { Shown } from './shown.ts'
import { UsageReader } from './usage-reader.ts'

/** The archive for reading, on the main thread, beside the one writer. What it gives is redacted by today's rules. */
export class ArchiveReader {
  readonly sessions
  readonly records
  readonly fullText
  readonly errors
  readonly usage
  readonly compactions
  readonly notes
  readonly recall
  readonly #db: Db
  readonly #atOnce
  readonly #path
  readonly #counts
  readonly #forgotten

  constructor(db: Db, path: string, redactor: Redactor) {
    const shown = new Shown(redactor)
    this.#db = db
    this.#atOnce = db.transaction((read: () => unknown) => read())
    this.#path = path
    this.sessions = new SessionReader(db, shown)
    this.records = new RecordReader(db, shown)
    this.fullText = new FullTextReader(db, shown)
    this.errors = new ErrorReader(db, shown)
    this.usage = new UsageReader(db)
    this.compactions = new CompactionReader(db, redactor)
    this.notes = new NoteReader(db, shown)
    this.recall = new RecallQueries(db, shown)
    this.#counts = db.prepare<[], { sessions: number; records: number | null }>(
      'SELECT count(*) AS sessions, sum(records) AS records FROM sessions',
    )
    this.#forgotten = db.prepare<[], { kind: string; harness: string; value: string; at: string }>(
      'SELECT kind, harness, value, at FROM forgotten ORDER BY at DESC, value',
    )
  }

  /** How much is kept; `bytes` on disk, the log included. */
  counts(): { sessions: number; records: number; bytes: number } {
    const counts = this.#counts.get()
    const bytes = sizeOf(this.#path) + sizeOf(`${this.#path}-wal`)
    return { sessions: counts?.sessions ?? 0, records: counts?.records ?? 0, bytes }
  }

  /** Everything that was dropped on purpose, last first. */
  forgotten(): { kind: string; harness: string; value: string; at: string }[] {
    return this.#forgotten.all()
  }

  /** Reads that belong together: of one state of the archive, and with one lock instead of one for each. Not over an await. */
  atOnce<T>(read: () => T): T {
    return this.#atOnce(read) as T
  }

  close(): void {
    this.#db.close()
  }
}

/** Opens archive.db, which the writer must have made. Throws `archive` when it isn't there, broken, or of another version. */
export function openArchiveReader(path: string, redactor: Redactor): ArchiveReader {
  return new ArchiveReader(openForReading(path), path, redactor)
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
