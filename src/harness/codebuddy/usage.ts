import { arrayOf, numberOf, objectOf, textOf } from '../shared/json.ts'
import type { Time, UsageDraft } from '../../shared/model.ts'
import type { JsonObject } from '../shared/json.ts'

/**
 * The tokens of one response, on the last of its items. `providerData.usage`, `rawUsage` and `message.usage` are one
 * count: the first is read. Input includes what came from the cache, output includes reasoning (2.117.0). Item ids are
 * the response's and not unique in a file, so `messageId` is the key; copies in a branch have the same.
 */
export function usageOf(item: JsonObject, at: Time, fallbackKey: string): UsageDraft | null {
  const providerData = objectOf(item.providerData)
  const usage = objectOf(providerData.usage)
  const input = numberOf(usage.inputTokens)
  const output = numberOf(usage.outputTokens)
  if (input === null && output === null) return null
  const cached = detail(usage.inputTokensDetails, 'cached_tokens')
  return {
    key: textOf(providerData.messageId) ?? fallbackKey,
    scope: 'response',
    at,
    model: textOf(providerData.model),
    provider: null,
    tokens: {
      input: input === null ? null : Math.max(0, input - (cached ?? 0)),
      output,
      cacheRead: cached,
      cacheWrite: null,
      reasoning: detail(usage.outputTokensDetails, 'reasoning_tokens'),
      unsplit: null,
    },
    costUsd: null,
    costCoverage: null,
  }
}

/** Details are lists of objects; an object alone is taken too. Null: not told. */
function detail(value: unknown, name: string): number | null {
  const figures = (Array.isArray(value) ? arrayOf(value) : [value]).map(entry => numberOf(objectOf(entry)[name]))
  return figures.reduce<number | null>((sum, figure) => (figure === null ? sum : (sum ?? 0) + figure), null)
}
