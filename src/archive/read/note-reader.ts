import type { Db } from '../database.ts'
import type { Shown } from './shown.ts'

/** A durable note of a project. */
export interface KeptNote {
  id: number
  at: string
  text: string
}

export class NoteReader {
  readonly #shown
  readonly #ofProject

  constructor(db: Db, shown: Shown) {
    this.#shown = shown
    this.#ofProject = db.prepare<[string, number], KeptNote & { redaction: number }>(
      'SELECT id, at, text, redaction FROM notes WHERE project = ? ORDER BY at DESC, id DESC LIMIT ?',
    )
  }

  /** Newest first. */
  ofProject(project: string, limit: number): KeptNote[] {
    return this.#ofProject
      .all(project, limit)
      .map(({ id, at, text, redaction }) => ({ id, at, text: this.#shown.text(text, redaction) }))
  }
}
