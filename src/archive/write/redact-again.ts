import { commandForm } from '../../shared/command.ts'
import type { SessionRecord } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import { contentHash } from '../hash.ts'
import type { Redactor } from '../redactor.ts'
import { recordOf, type RecordRow, type SessionRow } from '../rows.ts'
import { deflate, inflate, packTexts } from '../text.ts'
import { longText } from './full-text-writer.ts'

/** Takes rows that went through older rules through those of today. */
export class RedactAgain {
  readonly #db
  readonly #redactor
  readonly #sessionsDue
  readonly #session
  readonly #records
  readonly #saveSession
  readonly #saveRecord
  readonly #dropText
  readonly #queueText
  readonly #compactions
  readonly #saveCompaction
  readonly #purge

  constructor(db: Db, redactor: Redactor) {
    this.#db = db
    this.#redactor = redactor
    this.#sessionsDue = db.prepare<[number, number], { id: number }>(
      'SELECT id FROM sessions WHERE redaction < ? ORDER BY updated_at DESC, id DESC LIMIT ?',
    )
    this.#session = db.prepare<[number], SessionRow>('SELECT * FROM sessions WHERE id = ?')
    this.#records = db.prepare<[number, number], RecordRow>(
      'SELECT * FROM records WHERE session_id = ? AND redaction < ?',
    )
    this.#saveSession = db.prepare<[string | null, string | null, number, number]>(
      'UPDATE sessions SET title = ?, workspace = ?, redaction = ? WHERE id = ?',
    )
    this.#saveRecord = db.prepare<[RecordRow]>(
      `UPDATE records SET detail = @detail, command = @command, form = @form, path = @path, text = @text, removed = @removed, added = @added, big = @big,
         hash = @hash, redaction = @redaction WHERE id = @id`,
    )
    this.#dropText = db.prepare<[number]>('DELETE FROM records_fts WHERE rowid = ?')
    this.#queueText = db.prepare<[number, number]>('INSERT OR REPLACE INTO fts_pending (record_id, long) VALUES (?, ?)')
    this.#compactions = db.prepare<[number, number], { key: string; history: Uint8Array | null }>(
      'SELECT key, history FROM compactions WHERE session_id = ? AND redaction < ?',
    )
    this.#purge = db.prepare("INSERT OR IGNORE INTO todo (what) VALUES ('purge')")
    this.#saveCompaction = db.prepare<[Buffer | null, number, number, string]>(
      'UPDATE compactions SET history = ?, redaction = ? WHERE session_id = ? AND key = ?',
    )
  }

  /** Sessions with rows of older rules, newest first. A session's own version is never above its records'. */
  due(limit: number): number[] {
    return this.#sessionsDue.all(this.#redactor.version, limit).map(({ id }) => id)
  }

  /** Redacts one session's rows again. Gives whether a text changed. */
  run(session: number): boolean {
    return this.#db.transaction(() => this.#run(session))()
  }

  #run(session: number): boolean {
    const { version } = this.#redactor
    const row = this.#session.get(session)
    if (!row || row.redaction >= version) return false
    let changed = false
    for (const record of this.#records.all(session, version)) {
      const before = recordOf(record, true)
      const after = redactRecord(before, this.#redactor)
      const hash = contentHash(after)
      if (hash !== record.hash) {
        changed = true
        this.#dropText.run(record.id)
        this.#queueText.run(record.id, longText(after) ? 1 : 0)
      }
      const { command, path, detail } = after
      this.#saveRecord.run({
        ...record,
        ...packTexts(after),
        detail: detail ?? null,
        command: command ?? null,
        form: command === undefined ? null : commandForm(command),
        path: path ?? null,
        hash,
        redaction: version,
      })
    }
    for (const { key, history } of this.#compactions.all(session, version)) {
      const again = history === null ? null : deflate(redactLeaves(inflate(history), this.#redactor))
      this.#saveCompaction.run(again, version, session, key)
    }
    // full text's segments and the log still hold the words
    if (changed) this.#purge.run()
    const title = row.title === null ? null : this.#redactor.redact(row.title)
    const workspace = row.workspace === null ? null : this.#redactor.redact(row.workspace)
    this.#saveSession.run(title, workspace, version, session)
    return changed || title !== row.title
  }
}

/** Every text of a record, redacted. Names of kinds and tools hold none. */
export function redactRecord<R extends SessionRecord>(record: R, { redact }: Redactor): R {
  const result = { ...record }
  if (result.text !== undefined) result.text = redact(result.text)
  if (result.command !== undefined) result.command = redact(result.command)
  if (result.path !== undefined) result.path = redact(result.path)
  if (result.removed !== undefined) result.removed = redact(result.removed)
  if (result.added !== undefined) result.added = redact(result.added)
  if (result.tool !== undefined) result.tool = redact(result.tool)
  if (result.detail !== undefined) result.detail = redact(result.detail)
  return result
}

/** Every string in a JSON value, redacted. */
function redactLeaves(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.redact(value)
  if (Array.isArray(value)) return value.map(item => redactLeaves(item, redactor))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactLeaves(item, redactor)]))
}
