import type { Db } from '../database.ts'
import { copiedFrom, copiedSure, copiedTotal } from '../usage-sql.ts'

/** One response, or one session's total, with what is needed to group it. */
export interface UsageRow {
  session: number
  harness: string
  id: string
  project: string | null
  startedAt: string | null
  updatedAt: string | null
  /** The newest change of its transcripts (epoch milliseconds): for accounting where there is no time at all. */
  writtenMs: number
  scope: 'response' | 'total'
  /** A total's: when deja first saw it. */
  at: string | null
  model: string | null
  input: number | null
  output: number | null
  cacheRead: number | null
  cacheWrite: number | null
  reasoning: number | null
  unsplit: number | null
  costUsd: number | null
  coverage: 'full' | 'part' | 'elsewhere' | null
  /** The session whose total a fork copied: only what exceeds that is its own. */
  inherited: string | null
  /** What was copied; null where it isn't known. */
  inheritedUnsplit: number | null
  inheritedUsd: number | null
  /** 0: it may have been less. */
  inheritedSure: number | null
}

/** A running total was seen to grow: what was spent, and when (epoch milliseconds). */
export interface UsageGrowth {
  session: number
  seenMs: number
  unsplit: number | null
  costUsd: number | null
}

/** A tool's records in a session; those of a skill or a sub-agent's type by themselves. */
export interface ToolCount {
  session: number
  harness: string
  tool: string
  /** The skill, the sub-agent's type. */
  detail: string | null
  commands: number
  reads: number
  /** Edits and writes. */
  changes: number
  outputs: number
}

/** From `since` up to before `until`: times in UTC for times, local days (both included) for days alone. */
export interface ToolSpan {
  since: string
  sinceDay: string
  until: string
  untilDay: string
}

/** What sessions took. Deleted ones count, forgotten ones are gone. */
export class UsageReader {
  readonly #page
  readonly #growth
  readonly #tools

  constructor(db: Db) {
    const copied = (expression: string): string => `CASE WHEN u.inherited IS NOT NULL THEN
      (SELECT ${expression} ${copiedFrom}) END`
    this.#page = db.prepare<[string, string, number], UsageRow & { key: string }>(
      `SELECT u.key, u.session_id AS session, u.harness, s.sid AS id, s.project, s.started_at AS startedAt,
         s.updated_at AS updatedAt, s.written_ms AS writtenMs, u.scope, u.at, u.model, u.input, u.output,
         u.cache_read AS cacheRead, u.cache_write AS cacheWrite, u.reasoning, u.unsplit, u.cost_usd AS costUsd,
         u.coverage, u.inherited,
         coalesce(u.inherited_unsplit, ${copied(copiedTotal('unsplit'))}) AS inheritedUnsplit,
         coalesce(u.inherited_usd, ${copied(copiedTotal('cost_usd'))}) AS inheritedUsd,
         coalesce(u.inherited_sure, ${copied(copiedSure)}) AS inheritedSure
       FROM usage u JOIN sessions s ON s.id = u.session_id
       WHERE (u.harness, u.key) > (?, ?) ORDER BY u.harness, u.key LIMIT ?`,
    )
    this.#growth = db.prepare<[], UsageGrowth>(
      'SELECT session_id AS session, seen_ms AS seenMs, unsplit, cost_usd AS costUsd FROM usage_growth ORDER BY seen_ms',
    )
    this.#tools = db.prepare<[ToolSpan], ToolCount>(
      `SELECT session, harness, tool, detail, sum(kind = 'command') AS commands,
         sum(kind = 'read') AS reads,
         sum(kind IN ('edit', 'write')) AS changes, sum(kind = 'output') AS outputs
       FROM (SELECT r.session_id AS session, s.harness, r.tool, r.detail, r.kind, coalesce(r.at, s.updated_at, s.started_at) AS at
         FROM sessions s JOIN records r INDEXED BY records_by_tool ON r.session_id = s.id
         WHERE r.tool IS NOT NULL AND r.flags & 2 = 0)
       WHERE CASE WHEN length(at) = 10 THEN at BETWEEN @sinceDay AND @untilDay
         ELSE coalesce(at, '') >= @since AND coalesce(at, '') < @until END
       GROUP BY session, tool, detail`,
    )
  }

  /** Everything that was spent, in pages, so that a caller can let others in between. */
  *pages(size = 1000): Generator<UsageRow[]> {
    let [harness, key] = ['', '']
    for (;;) {
      const page = this.#page.all(harness, key, size)
      if (page.length > 0) yield page
      const last = page.at(-1)
      if (last === undefined || page.length < size) return
      harness = last.harness
      key = last.key
    }
  }

  /** Oldest first. */
  growth(): UsageGrowth[] {
    return this.#growth.all()
  }

  /** By session, the harness's own tool name, and skill or sub-agent's type. Calls on abandoned branches were made and count; copies don't. */
  tools(span: ToolSpan): ToolCount[] {
    return this.#tools.all(span)
  }
}
