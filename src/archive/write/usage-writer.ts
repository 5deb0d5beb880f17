import type { UsageDraft } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import { copiedFrom, copiedSure, copiedTotal } from '../usage-sql.ts'

interface UsageColumns {
  session_id: number
  harness: string
  key: string
  scope: string
  at: string | null
  model: string | null
  provider: string | null
  input: number | null
  output: number | null
  cache_read: number | null
  cache_write: number | null
  reasoning: number | null
  unsplit: number | null
  cost_usd: number | null
  coverage: string | null
  inherited: string | null
}

type Known = Pick<UsageColumns, 'session_id' | 'at' | 'unsplit' | 'cost_usd'>

/** Usage rows. A response belongs to the session that was first seen with it; a total is the newest, and its growth is dated. */
export class UsageWriter {
  readonly #owner
  readonly #put
  readonly #grew
  readonly #settle

  constructor(db: Db) {
    this.#owner = db.prepare<[string, string], Known>(
      'SELECT session_id, at, unsplit, cost_usd FROM usage WHERE harness = ? AND key = ?',
    )
    this.#put = db.prepare<[UsageColumns]>(
      `INSERT INTO usage (session_id, harness, key, scope, at, model, provider, input, output, cache_read,
         cache_write, reasoning, unsplit, cost_usd, coverage, inherited)
       VALUES (@session_id, @harness, @key, @scope, @at, @model, @provider, @input, @output, @cache_read,
         @cache_write, @reasoning, @unsplit, @cost_usd, @coverage, @inherited)
       ON CONFLICT DO UPDATE SET session_id = @session_id, scope = @scope, at = @at, model = @model,
         provider = @provider, input = @input, output = @output, cache_read = @cache_read, cache_write = @cache_write,
         reasoning = @reasoning, unsplit = @unsplit, cost_usd = @cost_usd, coverage = @coverage,
         inherited = @inherited`,
    )
    this.#grew = db.prepare<[number, number, number | null, number | null]>(
      'INSERT INTO usage_growth (session_id, seen_ms, unsplit, cost_usd) VALUES (?, ?, ?, ?)',
    )
    this.#settle = db.prepare<[number]>(
      `UPDATE usage AS u SET
         inherited_unsplit = (SELECT ${copiedTotal('unsplit')} ${copiedFrom}),
         inherited_usd = (SELECT ${copiedTotal('cost_usd')} ${copiedFrom}),
         inherited_sure = (SELECT ${copiedSure} ${copiedFrom})
       WHERE (u.harness, u.inherited) = (SELECT harness, sid FROM sessions WHERE id = ?) AND u.inherited_sure IS NULL`,
    )
  }

  /**
   * `writtenMs`: when the file that tells it was last written (epoch milliseconds): growth falls there. A total's `at` stays
   * what it was when deja first saw it, since what was spent before then falls there.
   */
  put(session: number, harness: string, drafts: readonly UsageDraft[], writtenMs: number): void {
    for (const draft of drafts) {
      const known = this.#owner.get(harness, draft.key)
      if (known && draft.scope === 'response' && known.session_id !== session) continue
      if (known && draft.scope === 'total') {
        const unsplit = growth(known.unsplit, draft.tokens.unsplit)
        const cost = growth(known.cost_usd, draft.costUsd)
        if (unsplit !== null || cost !== null) this.#grew.run(session, Math.round(writtenMs), unsplit, cost)
      }
      const { tokens } = draft
      this.#put.run({
        session_id: session,
        harness,
        key: draft.key,
        scope: draft.scope,
        at: draft.scope === 'total' ? (known?.at ?? draft.at ?? new Date(writtenMs).toISOString()) : draft.at,
        model: draft.model,
        provider: draft.provider,
        input: tokens.input,
        output: tokens.output,
        cache_read: tokens.cacheRead,
        cache_write: tokens.cacheWrite,
        reasoning: tokens.reasoning,
        unsplit: tokens.unsplit,
        cost_usd: draft.costUsd,
        coverage: draft.costCoverage,
        inherited: draft.inherited?.sessionId ?? null,
      })
    }
  }

  /** Before a session is forgotten: what its forks copied of its total, so that their own share stays known. */
  settleForks(session: number): void {
    this.#settle.run(session)
  }
}

function growth(before: number | null, after: number | null): number | null {
  return before !== null && after !== null && after > before ? after - before : null
}
