import type { RecordKind, Time } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import type { RecordRow } from '../rows.ts'
import { fullTextOf } from '../text.ts'
import type { Shown, ShownRecord } from './shown.ts'

/** A search over everything kept. */
export interface FullTextQuery {
  /** FTS5's own language, over terms: the table knows which stand in a record, not where. */
  match: string
  /** What only a record's own text can tell: that the terms stand side by side. */
  check?: FullTextCheck
  harness?: string
  /** Sessions worked in it or that changed files in it. */
  project?: string
  /** The session's row id. */
  session?: number
  kinds?: readonly RecordKind[]
  /** Times or dates; a record without a time has its session's. */
  since?: string
  until?: string
  /** `relevance` gives the best of those that were kept last; `newest` those that were kept last. */
  order: 'relevance' | 'newest'
  limit: number
}

export interface FullTextCheck {
  accepts: (text: string) => boolean
  /**
   * Characters that may still be read; what is read is taken off. `cutShort` becomes true when matches were left unread,
   * for there are too many of them: these may be anything.
   */
  budget: { characters: number; cutShort: boolean }
}

export interface FullTextHit {
  record: ShownRecord
  /** Its time, or its session's. */
  at: Time
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

/** Matches that are checked in one search. */
const mostChecked = 2_000
const longFrom = 16_000
/** Bytes of a record of middle length, and what a byte of `big` unpacks to: only for scores. */
const middleSize = 600
const unpacked = 3

/** Full text over records. */
export class FullTextReader {
  readonly #shown
  readonly #rows
  readonly #places
  readonly #row
  readonly #frequency
  readonly #newest

  constructor(db: Db, shown: Shown) {
    this.#shown = shown
    const from = `FROM records_fts f JOIN records r ON r.id = f.rowid JOIN sessions s ON s.id = r.session_id`
    const where = `records_fts MATCH @match AND r.flags & 2 = 0
      AND (@harness IS NULL OR s.harness = @harness) AND (@session IS NULL OR s.id = @session)
      AND (@project IS NULL OR EXISTS (SELECT 1 FROM session_projects p WHERE p.session_id = s.id AND p.project = @project))
      AND (@kinds IS NULL OR instr(@kinds, ',' || r.kind || ',') > 0)
      AND (@since IS NULL OR coalesce(r.at, s.updated_at, s.started_at) >= @since)
      AND (@until IS NULL OR coalesce(r.at, s.started_at, s.updated_at) < @until)`
    const at = 'coalesce(r.at, s.updated_at, s.started_at)'
    this.#rows = db.prepare<[Asked], RecordRow & { told_at: Time }>(
      `SELECT r.*, ${at} AS told_at ${from} WHERE ${where} ORDER BY f.rowid DESC LIMIT @limit`,
    )
    // sizes stand in a row's head: nothing of its texts is read
    const size = ['text', 'command', 'path', 'removed', 'added'].map(name => `ifnull(octet_length(r.${name}), 0)`)
    this.#places = db.prepare<[Asked], Omit<FullTextPlace, 'score'> & { size: number }>(
      `SELECT r.id, r.session_id AS session, ${at} AS at,
         ${unpacked} * ifnull(octet_length(r.big), 0) + ${size.join(' + ')} AS size
       ${from} WHERE ${where} ORDER BY f.rowid DESC LIMIT @limit`,
    )
    this.#row = db.prepare<[number], RecordRow>('SELECT * FROM records WHERE id = ?')
    this.#frequency = db.prepare<[string, number], { n: number }>(
      'SELECT count(*) AS n FROM (SELECT rowid FROM records_fts WHERE records_fts MATCH ? LIMIT ?)',
    )
    this.#newest = db.prepare<[], { id: number }>('SELECT id FROM records ORDER BY id DESC LIMIT 1')
  }

  /** The records that match, kept last first; what only a check could tell is left to the caller. */
  search(query: Omit<FullTextQuery, 'check' | 'order'>): FullTextHit[] {
    return this.#rows.all(asked(query)).map(row => ({ record: this.#shown.record(row, true), at: row.told_at }))
  }

  places(query: FullTextQuery): FullTextPlace[] {
    const { check, limit } = query
    const matches = this.#places.all({ ...asked(query), limit: check ? Math.max(limit, mostChecked) : limit })
    const found = check ? this.#checked(matches, check, limit) : matches
    const all = this.#newest.get()?.id ?? 0
    const rarity = Math.log(1 + all / (found.length + 0.5))
    const places = found.map(({ id, session, at, size }) => ({
      id,
      session,
      at,
      // BM25 of what stands there once
      score: query.order === 'newest' ? 0 : (2.2 * rarity) / (1.3 + (0.9 * size) / middleSize),
    }))
    return query.order === 'newest' ? places : places.sort((a, b) => b.score - a.score || b.id - a.id)
  }

  #checked<Place extends { id: number; size: number }>(
    matches: readonly Place[],
    check: FullTextCheck,
    limit: number,
  ): Place[] {
    const found: Place[] = []
    // what was said is read before what was printed: there is more of it for the same money
    const long = matches.filter(({ size }) => size > longFrom)
    for (const place of [...matches.filter(({ size }) => size <= longFrom), ...long]) {
      if (found.length >= limit) return found
      if (check.budget.characters <= 0) {
        check.budget.cutShort = true
        return found
      }
      const row = this.#row.get(place.id)
      if (!row) continue
      const text = fullTextOf(this.#shown.record(row, true))
      check.budget.characters -= text.length
      if (check.accepts(text)) found.push(place)
    }
    if (matches.length >= mostChecked) check.budget.cutShort = true
    return found
  }

  /** In how many records, counted up to `most`. */
  frequency(match: string, most: number): number {
    return this.#frequency.get(match, most)?.n ?? 0
  }
}

function asked(query: Omit<FullTextQuery, 'order'>): Asked {
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
