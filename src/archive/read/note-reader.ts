import type { Db } from '../database.ts'
import type { Shown } from './shown.ts'

/** A durable note of a project. */
export interface KeptNote {
  id: number
  project: string
  at: string
  text: string
}

export class NoteReader {
  readonly #shown
  readonly #ofProject
  readonly #newest
  readonly #count

  constructor(db: Db, shown: Shown) {
    this.#shown = shown
    this.#ofProject = db.prepare<[string, number], KeptNote & { redaction: number }>(
      'SELECT id, project, at, text, redaction FROM notes WHERE project = ? ORDER BY at DESC, id DESC LIMIT ?',
    )
    this.#count = db.prepare<[{ project: string | null; before: string | null }], { n: number }>(
      'SELECT count(*) AS n FROM notes WHERE project = @project OR at < @before',
    )
    this.#newest = db.prepare<[number], KeptNote & { redaction: number }>(
      'SELECT id, project, at, text, redaction FROM notes ORDER BY at DESC, id DESC LIMIT ?',
    )
  }

  /** Newest first. */
  ofProject(project: string, limit: number): KeptNote[] {
    return this.#ofProject.all(project, limit).map(row => this.#noteOf(row))
  }

  /** How many go with what is forgotten: a project's, or those from before a time. Sessions by their ids take none along. */
  count(target: object | { project: string } | { before: string }): number {
    const project = 'project' in target && typeof target.project === 'string' ? target.project : null
    const before = 'before' in target && typeof target.before === 'string' ? target.before : null
    return this.#count.get({ project, before })?.n ?? 0
  }

  /** Every project's, newest first. */
  newest(limit: number): KeptNote[] {
    return this.#newest.all(limit).map(row => this.#noteOf(row))
  }

  #noteOf({ id, project, at, text, redaction }: KeptNote & { redaction: number }): KeptNote {
    return { id, project, at, text: this.#shown.text(text, redaction) }
  }
}
