import { commandForm } from '../../shared/command.ts'
import type { RecordDraft } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import { contentHash } from '../hash.ts'
import { flag, flagsOf, type RecordRow } from '../rows.ts'
import { packTexts } from '../text.ts'
import { longText } from './full-text-writer.ts'

/** Between two neighbours' `pos`: room for what a later read puts between them. */
export const posStep = 1024

/** What is compared and kept of a row without its texts. */
export interface RowOutline {
  id: number
  transcript_id: number
  seq: number | null
  pos: number
  kind: string
  at: string | null
  exit_code: number | null
  outcome: string | null
  flags: number
  hash: number
}

const outline = 'id, transcript_id, seq, pos, kind, at, exit_code, outcome, flags, hash'

/** Single record rows: put in, changed, taken out, with what hangs on them. */
export class RecordWriter {
  readonly #redaction
  readonly #bySeq
  readonly #insert
  readonly #update
  readonly #touch
  readonly #place
  readonly #delete
  readonly #dropText
  readonly #queueText
  readonly #ofSession

  constructor(db: Db, redaction: number) {
    this.#redaction = redaction
    this.#bySeq = db.prepare<[number, number], RowOutline>(
      `SELECT ${outline} FROM records WHERE transcript_id = ? AND seq = ?`,
    )
    const columns =
      'session_id, transcript_id, seq, pos, kind, at, tool, detail, command, exit_code, outcome, form, path, text, removed, added, big, flags, hash, redaction'
    this.#insert = db.prepare<[RecordRow]>(
      `INSERT INTO records (${columns}) VALUES (${columns.replace(/\w+/g, name => `@${name}`)})`,
    )
    this.#update = db.prepare<[RecordRow]>(
      `UPDATE records SET ${columns.replace(/\w+/g, name => `${name} = @${name}`)} WHERE id = @id`,
    )
    this.#touch = db.prepare<[number, number | null, string | null, number | null, string | null, number, number]>(
      'UPDATE records SET transcript_id = ?, seq = ?, at = ?, exit_code = ?, outcome = ?, flags = ? WHERE id = ?',
    )
    this.#place = db.prepare<[number, number]>('UPDATE records SET pos = ? WHERE id = ?')
    this.#delete = db.prepare<[number]>('DELETE FROM records WHERE id = ?')
    this.#dropText = db.prepare<[number]>('DELETE FROM records_fts WHERE rowid = ?')
    this.#queueText = db.prepare<[number, number]>('INSERT OR REPLACE INTO fts_pending (record_id, long) VALUES (?, ?)')
    this.#ofSession = db.prepare<[number], RowOutline>(
      `SELECT ${outline} FROM records WHERE session_id = ? ORDER BY pos, id`,
    )
  }

  bySeq(transcript: number, seq: number): RowOutline | undefined {
    return this.#bySeq.get(transcript, seq)
  }

  /** A session's rows in order, without texts. */
  outlines(session: number): RowOutline[] {
    return this.#ofSession.all(session)
  }

  insert(session: number, transcript: number, draft: RecordDraft, pos: number, hash: number): number {
    const id = Number(this.#insert.run(this.#row(0, session, transcript, draft, pos, hash, 0)).lastInsertRowid)
    this.#queueText.run(id, longText(draft) ? 1 : 0)
    return id
  }

  /** Puts a draft in a row's place. False when the row said all of it already. */
  replace(session: number, transcript: number, known: RowOutline, draft: RecordDraft, pos: number): boolean {
    const hash = contentHash(draft)
    const flags = flagsOf(draft)
    if (hash === known.hash) {
      const same =
        known.transcript_id === transcript &&
        known.seq === draft.seq &&
        known.at === draft.at &&
        known.exit_code === (draft.exitCode ?? null) &&
        known.outcome === (draft.outcome ?? null) &&
        (known.flags & ~flag.start) === flags
      if (!same) {
        const { at, exitCode, outcome } = draft
        this.#touch.run(
          transcript,
          draft.seq,
          at,
          exitCode ?? null,
          outcome ?? null,
          flags | (known.flags & flag.start),
          known.id,
        )
      }
      if (pos !== known.pos) this.#place.run(pos, known.id)
      // where it stands in its file is nothing that a reader of the archive could see
      return (
        pos !== known.pos ||
        known.at !== draft.at ||
        known.exit_code !== (draft.exitCode ?? null) ||
        known.outcome !== (draft.outcome ?? null) ||
        (known.flags & ~flag.start) !== flags
      )
    }
    this.#update.run(this.#row(known.id, session, transcript, draft, pos, hash, known.flags & flag.start))
    this.#dropText.run(known.id)
    this.#queueText.run(known.id, longText(draft) ? 1 : 0)
    return true
  }

  /** The row stays, though its file no longer has it. */
  orphan(known: RowOutline, pos: number): boolean {
    if (known.seq !== null) {
      this.#touch.run(known.transcript_id, null, known.at, known.exit_code, known.outcome, known.flags, known.id)
    }
    if (pos !== known.pos) this.#place.run(pos, known.id)
    return pos !== known.pos
  }

  setFlags(known: RowOutline, flags: number): void {
    this.#touch.run(known.transcript_id, known.seq, known.at, known.exit_code, known.outcome, flags, known.id)
  }

  place(id: number, pos: number): void {
    this.#place.run(pos, id)
  }

  remove(id: number): void {
    this.#dropText.run(id)
    this.#delete.run(id)
  }

  #row(
    id: number,
    session: number,
    transcript: number,
    draft: RecordDraft,
    pos: number,
    hash: number,
    keptFlags: number,
  ): RecordRow {
    return {
      id,
      session_id: session,
      transcript_id: transcript,
      seq: draft.seq,
      pos,
      kind: draft.kind,
      at: draft.at,
      tool: draft.tool ?? null,
      detail: draft.detail ?? null,
      command: draft.command ?? null,
      exit_code: draft.exitCode ?? null,
      outcome: draft.outcome ?? null,
      form: draft.command === undefined ? null : commandForm(draft.command),
      path: draft.path ?? null,
      ...packTexts(draft),
      flags: flagsOf(draft) | keptFlags,
      hash,
      redaction: this.#redaction,
    }
  }
}
