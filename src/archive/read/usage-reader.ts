import type { Db } from '../database.ts'

/** One response, or one session's total, with what is needed to group it. */
export interface UsageRow {
  session: number
  harness: string
  id: string
  parentId: string | null
  project: string | null
  startedAt: string | null
  updatedAt: string | null
  key: string
  scope: 'response' | 'total'
  at: string | null
  model: string | null
  provider: string | null
  input: number | null
  output: number | null
  cacheRead: number | null
  cacheWrite: number | null
  reasoning: number | null
  unsplit: number | null
  costUsd: number | null
  coverage: 'full' | 'part' | null
  /** The session whose total a fork copied: only what exceeds that is its own. */
  inherited: string | null
}

/** A running total was seen to grow: what was spent, and when it was seen (epoch milliseconds). */
export interface UsageGrowth {
  session: number
  seenMs: number
  unsplit: number | null
  costUsd: number | null
}

/** What sessions took. Deleted ones count, forgotten ones are gone. */
export class UsageReader {
  readonly #rows
  readonly #growth
  readonly #tools

  constructor(db: Db) {
    this.#rows = db.prepare<[], UsageRow>(
      `SELECT u.session_id AS session, u.harness, s.sid AS id, s.parent_sid AS parentId, s.project, s.started_at AS startedAt,
         s.updated_at AS updatedAt, u.key, u.scope, u.at, u.model, u.provider, u.input, u.output, u.cache_read AS cacheRead,
         u.cache_write AS cacheWrite, u.reasoning, u.unsplit, u.cost_usd AS costUsd, u.coverage, u.inherited
       FROM usage u JOIN sessions s ON s.id = u.session_id`,
    )
    this.#growth = db.prepare<[], UsageGrowth>(
      'SELECT session_id AS session, seen_ms AS seenMs, unsplit, cost_usd AS costUsd FROM usage_growth ORDER BY seen_ms',
    )
    this.#tools = db.prepare<[], { session: number; harness: string; tool: string; at: string | null; calls: number }>(
      `SELECT r.session_id AS session, s.harness, r.tool, substr(coalesce(r.at, s.updated_at, s.started_at), 1, 10) AS at,
         count(*) AS calls
       FROM records r JOIN sessions s ON s.id = r.session_id
       WHERE r.tool IS NOT NULL AND r.kind <> 'output' AND r.flags & 3 = 0
       GROUP BY r.session_id, r.tool, substr(coalesce(r.at, s.updated_at, s.started_at), 1, 10)`,
    )
  }

  rows(): UsageRow[] {
    return this.#rows.all()
  }

  growth(): UsageGrowth[] {
    return this.#growth.all()
  }

  /** Records that tools made, by session, the harness's own tool name and day. */
  tools(): { session: number; harness: string; tool: string; at: string | null; calls: number }[] {
    return this.#tools.all()
  }
}
