import type { SessionFacts, UsageDraft } from '../../shared/model.ts'
import { arrayOf, numberOf, objectOf, textOf, type JsonObject } from '../shared/json.ts'
import { stripRecall } from '../shared/own.ts'
import { isoTime } from './journal.ts'

/** `metadata` as a session's facts. */
export function factsOf(metadata: JsonObject, id: string): SessionFacts {
  const parentId = textOf(metadata.parent_session_id)
  // Before 0.9.5 no depth is written; a fork is told by what it copied.
  const isFork = numberOf(metadata.forked_from_message_count) !== null || numberOf(metadata.spawn_depth) === 0
  return {
    id,
    title: titleOf(textOf(metadata.title)),
    workspace: textOf(metadata.workspace),
    startedAt: isoTime(textOf(metadata.created_at)),
    updatedAt: isoTime(textOf(metadata.updated_at)),
    parentId,
    kind: parentId === null ? 'main' : isFork ? 'fork' : 'subagent',
    model: textOf(metadata.model),
    archived: metadata.archived === true,
  }
}

/** Derived from the first message, frame and all, and cut at 50 characters: so the frame's beginning may be cut too. */
function titleOf(title: string | null): string | null {
  if (title === null) return null
  const words = stripRecall(title)
    .replace(/<(?:d(?:e(?:j(?:a(?:-[a-z]*)?)?)?)?)?(?:\.\.\.|…)?$/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return words === '' || words === 'New Session' ? null : words
}

/**
 * The session's running total. `total_tokens` is one figure; the cost is the session's and its sub-agents'. A stored
 * zero is zero, unless turns were left unpriced or were priced in CNY alone. Empty where nothing was ever recorded.
 */
export function usageOf(metadata: JsonObject, facts: SessionFacts): UsageDraft[] {
  const cost = objectOf(metadata.cost)
  const tokens = numberOf(metadata.total_tokens)
  const costUsd = costOf(cost)
  if ((tokens ?? 0) === 0 && (costUsd ?? 0) === 0) return []
  return [
    {
      key: facts.id,
      scope: 'total',
      at: facts.updatedAt ?? facts.startedAt,
      model: facts.model,
      provider: textOf(metadata.model_provider),
      tokens: { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null, unsplit: tokens },
      costUsd,
      costCoverage: costUsd === null ? (inYuan(cost) > 0 ? 'elsewhere' : null) : isPartial(cost) ? 'part' : 'full',
      ...(facts.parentId !== null && facts.kind === 'fork' ? { inherited: { sessionId: facts.parentId } } : {}),
    },
  ]
}

function costOf(cost: JsonObject): number | null {
  const [session, subagents] = [numberOf(cost.session_cost_usd), numberOf(cost.subagent_cost_usd)]
  if (session === null) return null
  const usd = session + (subagents ?? 0)
  if (usd > 0) return usd
  return inYuan(cost) > 0 || (numberOf(cost.unpriced_turns) ?? 0) > 0 ? null : 0
}

function inYuan(cost: JsonObject): number {
  return (numberOf(cost.session_cost_cny) ?? 0) + (numberOf(cost.subagent_cost_cny) ?? 0)
}

/** Turns without a price, or usage that never arrived (0.10). */
function isPartial(cost: JsonObject): boolean {
  const missing = cost.missing_usage_sources
  return (
    (numberOf(cost.unpriced_turns) ?? 0) > 0 ||
    cost.missing_usage_overflowed === true ||
    arrayOf(missing).length > 0 ||
    Object.keys(objectOf(missing)).length > 0
  )
}
