import type { UsageDraft } from '../../shared/model.ts'
import type { Db } from '../database.ts'

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

/** Usage rows. A response belongs to the session that was first seen with it; a total is the newest, and its growth is dated. */
export class UsageWriter {
  readonly #owner
  readonly #put
  readonly #grew

  constructor(db: Db) {
    this.#owner = db.prepare<[string, string], { session_id: number; unsplit: number | null; cost_usd: number | null }>(
      'SELECT session_id, unsplit, cost_usd FROM usage WHERE harness = ? AND key = ?',
    )
    this.#put = db.prepare<[UsageColumns]>(
      `INSERT OR REPLACE INTO usage (session_id, harness, key, scope, at, model, provider, input, output, cache_read,
         cache_write, reasoning, unsplit, cost_usd, coverage, inherited)
       VALUES (@session_id, @harness, @key, @scope, @at, @model, @provider, @input, @output, @cache_read,
         @cache_write, @reasoning, @unsplit, @cost_usd, @coverage, @inherited)`,
    )
    this.#grew = db.prepare<[number, number, number | null, number | null]>(
      'INSERT INTO usage_growth (session_id, seen_ms, unsplit, cost_usd) VALUES (?, ?, ?, ?)',
    )
  }

  put(session: number, harness: string, drafts: readonly UsageDraft[], now: number): void {
    for (const draft of drafts) {
      const known = this.#owner.get(harness, draft.key)
      if (known && draft.scope === 'response' && known.session_id !== session) continue
      if (known && draft.scope === 'total') {
        const unsplit = growth(known.unsplit, draft.tokens.unsplit)
        const cost = growth(known.cost_usd, draft.costUsd)
        if (unsplit !== null || cost !== null) this.#grew.run(session, now, unsplit, cost)
      }
      const { tokens } = draft
      this.#put.run({
        session_id: session,
        harness,
        key: draft.key,
        scope: draft.scope,
        at: draft.at,
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
}

function growth(before: number | null, after: number | null): number | null {
  return before !== null && after !== null && after > before ? after - before : null
}
