import type { Db } from '../database.ts'
import { flag, type RecordRow } from '../rows.ts'
import type { Shown, ShownRecord } from './shown.ts'

/** Records in a session's order, whole. */
export class RecordReader {
  readonly #shown
  readonly #count
  readonly #page
  readonly #get
  readonly #rank
  readonly #passage
  readonly #passagesBefore
  readonly #after
  readonly #before
  readonly #byPath
  readonly #byPathEnd

  constructor(db: Db, shown: Shown) {
    this.#shown = shown
    this.#count = db.prepare<[number], { n: number }>('SELECT count(*) AS n FROM records WHERE session_id = ?')
    this.#page = db.prepare<[number, number, number], RecordRow>(
      'SELECT * FROM records WHERE session_id = ? ORDER BY pos, id LIMIT ? OFFSET ?',
    )
    this.#get = db.prepare<[number], RecordRow>('SELECT * FROM records WHERE id = ?')
    this.#rank = db.prepare<[number], { n: number }>(
      `SELECT count(*) AS n FROM records r JOIN records o ON o.session_id = r.session_id
         AND (o.pos < r.pos OR (o.pos = r.pos AND o.id < r.id)) WHERE r.id = ?`,
    )
    this.#passage = db.prepare<[{ id: number }], RecordRow>(
      `SELECT r.* FROM records f JOIN records r ON r.session_id = f.session_id AND r.pos >= f.pos
       WHERE f.id = @id AND r.flags & 3 = 0 AND r.pos < coalesce(
         (SELECT min(e.pos) FROM records e WHERE e.session_id = f.session_id AND e.pos > f.pos AND e.flags & ${flag.start} <> 0),
         9e15)
       ORDER BY r.pos, r.id`,
    )
    this.#passagesBefore = db.prepare<[number], { n: number }>(
      `SELECT count(*) AS n FROM records f JOIN records r ON r.session_id = f.session_id AND r.pos < f.pos
         AND r.flags & ${flag.start} <> 0 WHERE f.id = ?`,
    )
    this.#after = db.prepare<[number, number], RecordRow>(
      `SELECT r.* FROM records f JOIN records r ON r.session_id = f.session_id AND r.pos > f.pos
       WHERE f.id = ? AND r.flags & 3 = 0 ORDER BY r.pos, r.id LIMIT ?`,
    )
    this.#before = db.prepare<[number, number], RecordRow>(
      `SELECT r.* FROM records f JOIN records r ON r.session_id = f.session_id AND r.pos < f.pos
       WHERE f.id = ? AND r.flags & 3 = 0 ORDER BY r.pos DESC, r.id DESC LIMIT ?`,
    )
    this.#byPath = db.prepare<[string, number], RecordRow>(
      'SELECT * FROM records WHERE path = ? AND flags & 2 = 0 ORDER BY coalesce(at, 0) DESC, id DESC LIMIT ?',
    )
    this.#byPathEnd = db.prepare<[string, number], RecordRow>(
      `SELECT * FROM records WHERE path IS NOT NULL AND path LIKE ? ESCAPE '\\' AND flags & 2 = 0
       ORDER BY coalesce(at, 0) DESC, id DESC LIMIT ?`,
    )
  }

  /** A part of a session, by its row id, with every record's place (`n`, from 0). */
  ofSession(
    key: number,
    { offset, limit }: { offset: number; limit: number },
  ): { total: number; records: (ShownRecord & { n: number })[] } {
    const rows = this.#page.all(key, limit, offset)
    return {
      total: this.#count.get(key)?.n ?? 0,
      records: rows.map((row, i) => ({ ...this.#shown.record(row, true), n: offset + i })),
    }
  }

  get(id: number): ShownRecord | null {
    const row = this.#get.get(id)
    return row ? this.#shown.record(row, true) : null
  }

  /** A record's place in its session, from 0. */
  rankOf(id: number): number {
    return this.#rank.get(id)?.n ?? 0
  }

  /** The records of a passage, in order; unless `whole`, only the beginning (of outputs the ends) of long ones. Empty when it is no more. */
  ofPassage(id: number, whole = true): ShownRecord[] {
    return this.#passage.all({ id }).map(row => this.#shown.record(row, whole))
  }

  /** A passage's place (`n`) among its session's. */
  passagesBefore(id: number): number {
    return this.#passagesBefore.get(id)?.n ?? 0
  }

  /** What came after a record in its session, nearest first; what is off the thread left out. */
  after(id: number, limit: number): ShownRecord[] {
    return this.#after.all(id, limit).map(row => this.#shown.record(row, true))
  }

  /** What came before it, nearest first. */
  before(id: number, limit: number): ShownRecord[] {
    return this.#before.all(id, limit).map(row => this.#shown.record(row, true))
  }

  /** Reads and changes of a file, newest first. A relative path finds every file that ends in it. */
  ofPath(path: string, limit: number): ShownRecord[] {
    const rows = /^(?:\/|[A-Za-z]:[\\/])/.test(path)
      ? this.#byPath.all(path, limit)
      : this.#byPathEnd.all(`%/${path.replace(/^(?:\.?\/)+/, '').replace(/[\\%_]/g, '\\$&')}`, limit)
    return rows.map(row => this.#shown.record(row, true))
  }
}
