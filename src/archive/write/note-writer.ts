import type { Db } from '../database.ts'

/** Durable notes: what an agent or a person wanted kept for a project. */
export class NoteWriter {
  readonly #db
  readonly #redaction
  readonly #same
  readonly #add
  readonly #drop

  /** `redaction`: version of the rules that the texts went through. */
  constructor(db: Db, redaction: number) {
    this.#db = db
    this.#redaction = redaction
    this.#same = db.prepare<[string, string]>('DELETE FROM notes WHERE project = ? AND text = ?')
    this.#add = db.prepare<[string, string, string, number]>(
      'INSERT INTO notes (project, at, text, redaction) VALUES (?, ?, ?, ?)',
    )
    // a note that was made after the decision is a new one
    this.#drop = db.prepare(
      `DELETE FROM notes WHERE EXISTS (SELECT 1 FROM forgotten f WHERE f.at >= notes.at AND
         ((f.kind = 'project' AND f.value = notes.project) OR (f.kind = 'before' AND notes.at < f.value)))`,
    )
  }

  /** `text` is redacted. Said again, it is the same note, and new. */
  add(project: string, at: string, text: string): void {
    this.#db.transaction(() => {
      this.#same.run(project, text)
      this.#add.run(project, at, text, this.#redaction)
    })()
  }

  /** Takes away the notes of what is forgotten; gives how many. */
  dropForgotten(): number {
    return this.#drop.run().changes
  }
}
