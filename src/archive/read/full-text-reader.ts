import type { RecordKind, Time } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import type { RecordRow } from '../rows.ts'
import type { Shown, ShownRecord } from './shown.ts'

/** A search over everything kept. */
export interface FullTextQuery {
  /** FTS5's own language, over the tokens of `searchText`. */
  match: string
  harness?: string
  /** Sessions worked in it or that changed files in it. */
  project?: string
  /** The session's row id. */
  session?: number
  kinds?: readonly RecordKind[]
  /** Times or dates; a record without a time has its session's. */
  since?: string
  until?: string
  /** `relevance` scores every match (slow for common words); `newest` stops at the limit. */
  order: 'relevance' | 'newest'
  limit: number
}

export interface FullTextHit {
  record: ShownRecord
  /** Its time, or its session's. */
  at: Time
  /** Higher is better. 0 with order `newest`. */
  score: number
}

/** A hit without its texts: unpacking those of hundreds costs more than finding them. */
export interface FullTextPlace {
  /** The record's and the session's row id. */
  id: number
  session: number
  /** Its time, or its session's. */
  at: Time
  /** Higher is better. 0 with order `newest`. */
  score: number
}

interface Asked {
  match: string
  harness: string | null
  project: string | null
  session: number | null
  kinds: string | null
  since: string | null
  until: string | null
  limit: number
}

/** Full text over records. */
export class FullTextReader {
  readonly #shown
  readonly #byRelevance
  readonly #byAge
  readonly #placesByRelevance
  readonly #placesByAge
  readonly #total
  readonly #frequency

  constructor(db: Db, shown: Shown) {
    this.#shown = shown
    const from = `FROM records_fts f JOIN records r ON r.id = f.rowid JOIN sessions s ON s.id = r.session_id`
    const where = `records_fts MATCH @match AND r.flags & 2 = 0
      AND (@harness IS NULL OR s.harness = @harness) AND (@session IS NULL OR s.id = @session)
      AND (@project IS NULL OR EXISTS (SELECT 1 FROM session_projects p WHERE p.session_id = s.id AND p.project = @project))
      AND (@kinds IS NULL OR instr(@kinds, ',' || r.kind || ',') > 0)
      AND (@since IS NULL OR coalesce(r.at, s.updated_at, s.started_at) >= @since)
      AND (@until IS NULL OR coalesce(r.at, s.started_at, s.updated_at) < @until)`
    const columns = 'r.*, coalesce(r.at, s.updated_at, s.started_at) AS told_at'
    type Row = RecordRow & { told_at: Time; score: number }
    this.#byRelevance = db.prepare<[Asked], Row>(
      `SELECT ${columns}, -f.rank AS score ${from} WHERE ${where} ORDER BY f.rank LIMIT @limit`,
    )
    this.#byAge = db.prepare<[Asked], Row>(
      `SELECT ${columns}, 0 AS score ${from} WHERE ${where} ORDER BY f.rowid DESC LIMIT @limit`,
    )
    const place = 'r.id, r.session_id AS session, coalesce(r.at, s.updated_at, s.started_at) AS at'
    this.#placesByRelevance = db.prepare<[Asked], FullTextPlace>(
      `SELECT ${place}, -f.rank AS score ${from} WHERE ${where} ORDER BY f.rank LIMIT @limit`,
    )
    this.#placesByAge = db.prepare<[Asked], FullTextPlace>(
      `SELECT ${place}, 0 AS score ${from} WHERE ${where} ORDER BY f.rowid DESC LIMIT @limit`,
    )
    this.#total = db.prepare<[Asked], { n: number }>(
      `SELECT count(DISTINCT session_id) AS n FROM (SELECT r.session_id ${from} WHERE ${where} LIMIT @limit)`,
    )
    this.#frequency = db.prepare<[string, number], { n: number }>(
      'SELECT count(*) AS n FROM (SELECT rowid FROM records_fts WHERE records_fts MATCH ? LIMIT ?)',
    )
  }

  search(query: FullTextQuery): FullTextHit[] {
    const statement = query.order === 'newest' ? this.#byAge : this.#byRelevance
    return statement.all(asked(query)).map(row => ({
      record: this.#shown.record(row, true),
      at: row.told_at,
      score: row.score,
    }))
  }

  places(query: FullTextQuery): FullTextPlace[] {
    return (query.order === 'newest' ? this.#placesByAge : this.#placesByRelevance).all(asked(query))
  }

  /** In how many sessions the words stand, counted over at most `query.limit` records. */
  sessionsWith(query: FullTextQuery): number {
    return this.#total.get(asked(query))?.n ?? 0
  }

  /** In how many records, counted up to `most`. */
  frequency(match: string, most: number): number {
    return this.#frequency.get(match, most)?.n ?? 0
  }
}

function asked(query: FullTextQuery): Asked {
  return {
    match: query.match,
    harness: query.harness ?? null,
    project: query.project ?? null,
    session: query.session ?? null,
    kinds: query.kinds ? `,${query.kinds.join(',')},` : null,
    since: query.since ?? null,
    until: query.until ?? null,
    limit: query.limit,
  }
}
