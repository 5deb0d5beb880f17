import { dirname, join } from 'node:path'
import { openForWriting, type Db } from '../database.ts'
import { ForgottenFile } from '../forgotten-file.ts'
import { NotesFile } from '../notes-file.ts'
import type { Redactor } from '../redactor.ts'
import { SessionHeads } from '../session-head.ts'
import { CompactionWriter } from './compaction-writer.ts'
import { Conversation } from './conversation.ts'
import { ErrorWriter } from './error-writer.ts'
import { Forget } from './forget.ts'
import { FullTextWriter } from './full-text-writer.ts'
import { NoteWriter } from './note-writer.ts'
import { PackedWriter } from './packed-writer.ts'
import { PassageRegion } from './passage-region.ts'
import { RecordWriter } from './record-writer.ts'
import { RedactAgain } from './redact-again.ts'
import { SessionWriter } from './session-writer.ts'
import { Tombstones } from './tombstones.ts'
import { TranscriptWriter } from './transcript-writer.ts'
import { UsageWriter } from './usage-writer.ts'

/** What the archive takes from other rooms. */
export interface WriterTools {
  redactor: Redactor
  /** The terms that full text keeps of a text, parted by spaces. */
  termsOf: (text: string) => string
  /** The normalised error lines of an output. */
  errorSignatures: (output: string) => string[]
  now: () => number
}

/** The archive's one writer. Its parts write rows; what belongs together goes into one `transaction`. */
export class ArchiveWriter {
  readonly path: string
  /** Where a broken archive was put and why; null when there was none. */
  readonly setAside: { path: string; reason: string } | null
  readonly heads
  readonly sessions
  readonly transcripts
  readonly records
  readonly conversation
  readonly usage
  readonly compactions
  readonly errors
  readonly fullText
  readonly region
  readonly packed
  readonly tombstones
  readonly notes
  readonly forget
  readonly redactAgain
  readonly #db: Db
  readonly #totals

  /** `path`: archive.db; forgotten.jsonl and notes.jsonl stand beside it. Throws `archive` when it can't be opened. */
  constructor(path: string, { redactor, termsOf, errorSignatures, now }: WriterTools) {
    const { db, setAside } = openForWriting(path, now)
    this.#db = db
    this.path = path
    this.setAside = setAside
    this.heads = new SessionHeads(db)
    this.sessions = new SessionWriter(db)
    this.transcripts = new TranscriptWriter(db)
    this.records = new RecordWriter(db, redactor.version)
    this.usage = new UsageWriter(db)
    this.compactions = new CompactionWriter(db, redactor.version)
    this.errors = new ErrorWriter(db, errorSignatures)
    this.fullText = new FullTextWriter(db, termsOf)
    this.region = new PassageRegion(db)
    this.packed = new PackedWriter(db, redactor.version)
    this.tombstones = new Tombstones(db, new ForgottenFile(join(dirname(path), 'forgotten.jsonl')))
    this.conversation = new Conversation(db, this.records, this.tombstones)
    this.notes = new NoteWriter(db, redactor, new NotesFile(join(dirname(path), 'notes.jsonl')))
    this.forget = new Forget(db, path, this)
    this.redactAgain = new RedactAgain(db, redactor)
    this.#totals = db.prepare<[], { harness: string; sessions: number; records: number; newest: string | null }>(
      `SELECT harness, count(*) AS sessions, sum(records) AS records, max(coalesce(updated_at, started_at)) AS newest
       FROM sessions GROUP BY harness`,
    )
  }

  transaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate()
  }

  totals(): { harness: string; sessions: number; records: number; newest: string | null }[] {
    return this.#totals.all()
  }

  /** Brings the log into the file, so that it takes no room of its own. */
  checkpoint(): void {
    this.#db.pragma('wal_checkpoint(TRUNCATE)')
  }

  close(): void {
    this.#db.pragma('optimize')
    this.#db.close()
  }
}
