import type { Db } from '../database.ts'
import type { NoteLine, NotesFile } from '../notes-file.ts'
import type { Redactor } from '../redactor.ts'

/** Durable notes: what an agent or a person wanted kept for a project. They stand in a file beside the archive too. */
export class NoteWriter {
  readonly #db
  readonly #redactor
  readonly #same
  readonly #add
  readonly #drop
  readonly #all
  readonly #older
  readonly #save
  readonly #purge
  readonly #file

  /**
   * An archive without any takes in those of the file: it was lost, or is new. What older rules have written is redacted
   * again, in both.
   */
  constructor(db: Db, redactor: Redactor, file: NotesFile) {
    this.#db = db
    this.#redactor = redactor
    this.#file = file
    this.#all = db.prepare<[], NoteLine>('SELECT project, at, text, redaction FROM notes ORDER BY id')
    this.#same = db.prepare<[string, string]>('DELETE FROM notes WHERE project = ? AND text = ?')
    this.#add = db.prepare<[string, string, string, number]>(
      'INSERT INTO notes (project, at, text, redaction) VALUES (?, ?, ?, ?)',
    )
    // a note that was made after the decision is a new one
    this.#drop = db.prepare(
      `DELETE FROM notes WHERE EXISTS (SELECT 1 FROM forgotten f WHERE f.at >= notes.at AND
         ((f.kind = 'project' AND f.value = notes.project) OR (f.kind = 'before' AND notes.at < f.value)))`,
    )
    this.#older = db.prepare<[number], { id: number; text: string }>('SELECT id, text FROM notes WHERE redaction < ?')
    this.#save = db.prepare<[string, number, number]>('UPDATE notes SET text = ?, redaction = ? WHERE id = ?')
    this.#purge = db.prepare("INSERT OR IGNORE INTO todo (what) VALUES ('purge')")
    if (this.#all.all().length === 0) this.#takeIn(file.read())
    this.#redactAgain()
    try {
      // a forgetting, or a note, that was interrupted between the two; what was redacted again
      file.write(this.#all.all())
    } catch {
      // a full disk keeps no archive from being opened; the next start tries again
    }
  }

  /** `text` is redacted. Said again, it is the same note, and new. */
  add(project: string, at: string, text: string): void {
    this.#db.transaction(() => {
      this.#same.run(project, text)
      this.#add.run(project, at, text, this.#redactor.version)
    })()
    this.#file.write(this.#all.all())
  }

  /** Takes away the notes of what is forgotten; gives how many. */
  dropForgotten(): number {
    const { changes } = this.#drop.run()
    if (changes > 0) this.#file.write(this.#all.all())
    return changes
  }

  /** Redacted before anything of them enters the archive. */
  #takeIn(lines: readonly NoteLine[]): void {
    if (lines.length === 0) return
    const { version, redact } = this.#redactor
    this.#db.transaction(() => {
      for (const { project, at, text, redaction } of lines)
        if (redaction < version) this.#add.run(project, at, redact(text), version)
        else this.#add.run(project, at, text, redaction)
      this.#drop.run()
    })()
  }

  #redactAgain(): void {
    const { version, redact } = this.#redactor
    const older = this.#older.all(version)
    if (older.length === 0) return
    this.#db.transaction(() => {
      for (const { id, text } of older) {
        const again = redact(text)
        this.#save.run(again, version, id)
        // the log still holds the words
        if (again !== text) this.#purge.run()
      }
    })()
  }
}
