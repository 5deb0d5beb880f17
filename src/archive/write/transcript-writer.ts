import type { Db } from '../database.ts'
import type { TranscriptRow } from '../rows.ts'

/** What is known of each file: how far it was read, and what went wrong. */
export class TranscriptWriter {
  readonly #byPath
  readonly #ofSession
  readonly #all
  readonly #insert
  readonly #update
  readonly #gone
  readonly #anew
  readonly #shadow
  readonly #tries
  readonly #setting
  readonly #keepSetting

  constructor(db: Db) {
    this.#byPath = db.prepare<[string], TranscriptRow>('SELECT * FROM transcripts WHERE path = ?')
    this.#ofSession = db.prepare<[number], TranscriptRow>(
      'SELECT * FROM transcripts WHERE session_id = ? ORDER BY rank, id',
    )
    this.#all = db.prepare<[], Omit<TranscriptRow, 'state' | 'prefix'>>(
      'SELECT id, session_id, harness, root, path, rank, inode, size, mtime_ms, reader, problems, tries, gone_at FROM transcripts',
    )
    this.#insert = db.prepare<[string, string, string, number]>(
      'INSERT INTO transcripts (harness, root, path, rank, size, mtime_ms, reader) VALUES (?, ?, ?, ?, 0, 0, 0)',
    )
    this.#update = db.prepare<[TranscriptRow]>(
      `UPDATE transcripts SET session_id = @session_id, root = @root, rank = @rank, inode = @inode, size = @size,
         mtime_ms = @mtime_ms, prefix = @prefix, state = @state, reader = @reader, problems = @problems, tries = @tries,
         gone_at = @gone_at
       WHERE id = @id`,
    )
    this.#gone = db.prepare<[string | null, number]>('UPDATE transcripts SET gone_at = ? WHERE id = ?')
    this.#anew = db.prepare('UPDATE transcripts SET reader = -1, tries = 0')
    this.#shadow = db.prepare<[number]>(
      'UPDATE transcripts SET session_id = NULL, prefix = NULL, state = NULL WHERE id = ?',
    )
    this.#tries = db.prepare<[number, number]>('UPDATE transcripts SET tries = ? WHERE id = ?')
    this.#setting = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?')
    this.#keepSetting = db.prepare<[string, string]>('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)')
  }

  find(path: string): TranscriptRow | undefined {
    return this.#byPath.get(path)
  }

  /** The row of a file, made when there is none. */
  ensure(file: { harness: string; root: string; path: string; rank: number }): TranscriptRow {
    const known = this.#byPath.get(file.path)
    if (known) return known
    this.#insert.run(file.harness, file.root, file.path, file.rank)
    const made = this.#byPath.get(file.path)
    if (!made) throw new Error(`no row for ${file.path}`)
    return made
  }

  ofSession(session: number): TranscriptRow[] {
    return this.#ofSession.all(session)
  }

  /** Without states: they are long. */
  all(): Omit<TranscriptRow, 'state' | 'prefix'>[] {
    return this.#all.all()
  }

  save(row: TranscriptRow): void {
    this.#update.run(row)
  }

  setGone(id: number, at: string | null): void {
    this.#gone.run(at, id)
  }

  setTries(id: number, tries: number): void {
    this.#tries.run(tries, id)
  }

  /** Another root's file holds the session: when this one's turn comes, it is read from its start. */
  shadow(id: number): void {
    this.#shadow.run(id)
  }

  /** Notes under which setting transcripts are read: after another one all are to be read once more. */
  readUnder(name: string, value: string): void {
    const before = this.#setting.get(name)?.value
    if (before === value) return
    if (before !== undefined) this.allAnew()
    this.#keepSetting.run(name, value)
  }

  /** Everything that is still on disk is to be read once more. */
  allAnew(): void {
    this.#anew.run()
  }
}
