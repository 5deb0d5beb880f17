import type { SessionRecord } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import { recordOf, type RecordRow } from '../rows.ts'
import { fullTextOf } from '../text.ts'

/** Characters beyond which a record's full text waits behind all shorter ones. */
const longFrom = 4096

export function longText(record: SessionRecord): boolean {
  return (record.text?.length ?? 0) + (record.removed?.length ?? 0) + (record.added?.length ?? 0) > longFrom
}

/** Feeds full text from the records that it still lacks. It is the slow part, so it runs behind everything else. */
export class FullTextWriter {
  readonly #db
  readonly #termsOf
  readonly #waiting
  readonly #next
  readonly #row
  readonly #add
  readonly #drop
  readonly #done
  readonly #merge
  readonly #drain

  /** `termsOf`: the terms of a text, parted by spaces. */
  constructor(db: Db, termsOf: (text: string) => string) {
    this.#db = db
    this.#termsOf = termsOf
    this.#waiting = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM fts_pending')
    this.#next = db.prepare<[number], { record_id: number }>(
      'SELECT record_id FROM fts_pending ORDER BY long, record_id DESC LIMIT ?',
    )
    // one by one: rows are long, and most often the budget ends after a few
    this.#row = db.prepare<[number], RecordRow>('SELECT * FROM records WHERE id = ?')
    this.#add = db.prepare<[number, string]>('INSERT INTO records_fts (rowid, text) VALUES (?, ?)')
    this.#drop = db.prepare<[number]>('DELETE FROM records_fts WHERE rowid = ?')
    this.#done = db.prepare<[number]>('DELETE FROM fts_pending WHERE record_id = ?')
    this.#merge = db.prepare<[number]>("INSERT INTO records_fts (records_fts, rank) VALUES ('merge', ?)")
    this.#drain = db.transaction((limit: number, budget: number) => {
      let left = budget
      let count = 0
      for (const { record_id: id } of this.#next.all(limit)) {
        const row = this.#row.get(id)
        const text = row ? fullTextOf(recordOf(row, true)) : ''
        this.#drop.run(id)
        if (row) this.#add.run(id, this.#termsOf(text))
        this.#done.run(id)
        count++
        left -= text.length
        if (left <= 0) break
      }
      return count
    })
  }

  waiting(): number {
    return this.#waiting.get()?.n ?? 0
  }

  /** Takes in some records, newest first, short before long, up to about `budget` characters. Gives how many. */
  drain(budget: number): number {
    return this.#drain(256, budget)
  }

  /**
   * One slice of merging the index's segments. Words of what was taken out go from the file only by that. False when
   * there is nothing left to merge.
   */
  merge(first: boolean): boolean {
    const before = this.#changes()
    this.#merge.run(first ? -2000 : 2000)
    return this.#changes() - before >= 2
  }

  #changes(): number {
    return this.#db.prepare<[], { n: number }>('SELECT total_changes() AS n').get()?.n ?? 0
  }
}
