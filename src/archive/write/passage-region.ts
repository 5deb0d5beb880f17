import type { Db } from '../database.ts'
import { flag, offThread, type RecordRow } from '../rows.ts'

/** Records of one prompt beyond which a new passage begins: a long run's later part would else be capped away. */
const mostRecords = 120

/** A session's records from a passage's beginning on. */
export interface Region {
  /** Place of the first passage among its session's. */
  n: number
  /** Records that may make one passage each, in order. */
  groups: RecordRow[][]
  /** Every record of the region. */
  rows: RecordRow[]
}

/** Keeps with the records where passages begin, so that a passage's id is known before it is built again. */
export class PassageRegion {
  readonly #startBefore
  readonly #countBefore
  readonly #rows
  readonly #setFlags

  constructor(db: Db) {
    this.#startBefore = db.prepare<[number, number], { pos: number }>(
      `SELECT pos FROM records WHERE session_id = ? AND pos < ? AND flags & ${flag.start} <> 0 ORDER BY pos DESC LIMIT 1`,
    )
    this.#countBefore = db.prepare<[number, number], { n: number }>(
      `SELECT count(*) AS n FROM records WHERE session_id = ? AND pos < ? AND flags & ${flag.start} <> 0`,
    )
    // passages are made of what the columns hold: the long texts behind them stay where they are
    this.#rows = db.prepare<[number, number], RecordRow>(
      `SELECT id, session_id, transcript_id, seq, pos, kind, at, tool, command, exit_code, outcome, form, path, text,
         removed, added, NULL AS big, flags, hash, redaction
       FROM records WHERE session_id = ? AND pos >= ? ORDER BY pos, id`,
    )
    this.#setFlags = db.prepare<[number, number]>('UPDATE records SET flags = ? WHERE id = ?')
  }

  /** From the passage that was there before `from` on. */
  from(session: number, from: number): Region {
    const start = this.#startBefore.get(session, from)?.pos ?? 0
    const rows = this.#rows.all(session, start)
    const groups: RecordRow[][] = []
    for (const row of rows) {
      if (row.flags & offThread) continue
      const current = groups.at(-1)
      if (!current || row.kind === 'prompt' || current.length >= mostRecords) groups.push([row])
      else current.push(row)
    }
    return { n: this.#countBefore.get(session, start)?.n ?? 0, groups, rows }
  }

  /** Notes which records passages now begin with. Gives the ids of those that are passages no more. */
  settle(rows: readonly RecordRow[], starts: ReadonlySet<number>): number[] {
    const removed: number[] = []
    for (const row of rows) {
      const was = (row.flags & flag.start) !== 0
      if (was === starts.has(row.id)) continue
      if (was) removed.push(row.id)
      row.flags ^= flag.start
      this.#setFlags.run(row.flags, row.id)
    }
    return removed
  }
}
