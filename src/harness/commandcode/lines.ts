import type { Time, Tokens } from '../../shared/model.ts'
import { arrayOf, isObject, numberOf, objectOf, textOf, type JsonObject } from '../shared/json.ts'

/** One line of a transcript, told the same way for v3, v2 and v1. */
export type TranscriptLine =
  | { type: 'header'; version: number; id: string | null; at: Time; cwd: string | null; parent: string | null }
  | { type: 'message'; place: Place; message: Message }
  | { type: 'summary'; place: Place; text: string; compaction: boolean }
  | { type: 'name'; place: Place; name: string }
  | { type: 'model'; place: Place; model: string }
  /** An entry that says nothing of the conversation; the tree goes through it all the same. */
  | { type: 'other'; place: Place }
  /** Why it is dropped. */
  | { type: 'bad'; reason: string }

/** Where a line stands in the tree. A flat line (v1, v2) follows the one before it. */
export interface Place {
  id: string | null
  parentId: string | null
  /** When the line was written. */
  at: Time
}

export interface Message {
  /** `machine`: hidden, automated or a bearer of tool results: its texts are no part of the conversation. */
  by: 'person' | 'agent' | 'tool' | 'summary' | 'machine'
  parts: Part[]
  /** When it was said; the line's own time where it isn't known. */
  at: Time
  messageId: string | null
  model: string | null
  usage: { tokens: Tokens; costUsd: number | null } | null
}

export type Part =
  | { type: 'text'; text: string }
  | { type: 'call'; callId: string; tool: string; input: unknown }
  | { type: 'result'; callId: string; tool: string | null; text: string; failed: boolean }

/** As the client writes times: most need no other form. */
const asWritten = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** ISO text as ISO in UTC, milliseconds as well; null where it is no time. */
export function timeOf(value: unknown): Time {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  if (typeof value === 'string' && asWritten.test(value)) return value
  const time = new Date(value)
  return Number.isNaN(time.getTime()) || time.getTime() <= 0 ? null : time.toISOString()
}

export function parseLine(value: unknown): TranscriptLine {
  if (!isObject(value)) return { type: 'bad', reason: 'is no JSON object' }
  const { type } = value
  if (type === 'session') return header(value)
  if (typeof type === 'string') return entry(value, type)
  return typeof value.role === 'string' ? flat(value, value.role) : { type: 'bad', reason: 'has neither type nor role' }
}

function header(value: JsonObject): TranscriptLine {
  return {
    type: 'header',
    version: numberOf(value.version) ?? 0,
    id: textOf(value.id),
    at: timeOf(value.timestamp),
    cwd: textOf(value.cwd),
    parent: textOf(value.parentSession),
  }
}

/** A v3 entry. The client skips one that lacks `id`, `parentId` or `timestamp`, and so do we. */
function entry(value: JsonObject, type: string): TranscriptLine {
  const { id, parentId, timestamp } = value
  if (typeof id !== 'string' || (typeof parentId !== 'string' && parentId !== null) || typeof timestamp !== 'string')
    return { type: 'bad', reason: `(${type.slice(0, 40)}) lacks id, parentId or timestamp` }
  const place: Place = { id, parentId, at: timeOf(timestamp) }
  switch (type) {
    case 'message':
      return isObject(value.message)
        ? { type: 'message', place, message: message(value, value.message, place) }
        : { type: 'bad', reason: '(message) holds no message' }
    case 'compaction':
    case 'branch_summary':
      return { type: 'summary', place, text: textOf(value.summary) ?? '', compaction: type === 'compaction' }
    case 'session_info':
      return { type: 'name', place, name: textOf(value.name)?.trim() ?? '' }
    case 'model_change':
      return { type: 'model', place, model: textOf(value.model) ?? '' }
    default:
      return { type: 'other', place }
  }
}

/** Sources of what a person typed; `cli` stands on everything that was migrated. */
const typed = new Set<unknown>([undefined, 'user', 'steering', 'followup', 'cli'])

function message(line: JsonObject, inner: JsonObject, place: Place): Message {
  const meta = isObject(inner.meta) ? inner.meta : null
  const usage = isObject(line.usage) ? line.usage : null
  return {
    by: speaker(inner.role, meta),
    parts: partsOf(inner.content),
    at: timeOf(meta?.createdAt) ?? place.at,
    messageId: textOf(meta?.messageId),
    model: textOf(line.model),
    usage: usage && { tokens: tokensOf(usage), costUsd: numberOf(usage.costUsd) },
  }
}

/**
 * Who a v3 message is by. `meta` says it, and is read for nothing else: it also holds what hooks injected. A user text
 * with a bare `messageId` is the client's own, after a model call that failed or was interrupted (1.64.0).
 */
function speaker(role: unknown, meta: JsonObject | null): Message['by'] {
  if (meta?.isSummary === true) return 'summary'
  if (role === 'assistant') return 'agent'
  if (role !== 'user') return 'tool'
  if (meta === null) return 'person'
  if (meta.isMeta === true || meta.isAutomated === true || !typed.has(meta.source)) return 'machine'
  const [only, ...others] = Object.keys(meta)
  return only === 'messageId' && others.length === 0 ? 'machine' : 'person'
}

/** `inputTokens` holds the cache reads (1.64.0). */
function tokensOf(usage: JsonObject): Tokens {
  const input = numberOf(usage.inputTokens)
  const cacheRead = numberOf(usage.cacheReadTokens)
  return {
    input: input === null ? null : Math.max(0, input - (cacheRead ?? 0)),
    output: numberOf(usage.outputTokens),
    cacheRead,
    cacheWrite: numberOf(usage.cacheWriteTokens),
    reasoning: null,
    unsplit: null,
  }
}

/** v2 (`metadata.version` 2, AI-SDK parts) and v1 (Anthropic blocks): no tree, no usage, no workspace. */
function flat(value: JsonObject, role: string): TranscriptLine {
  const metadata = objectOf(value.metadata)
  const at = timeOf(value.timestamp) ?? timeOf(metadata.timestamp)
  const hidden = metadata.isMeta === true || metadata.isAutomated === true || !typed.has(metadata.source)
  const by =
    role === 'assistant'
      ? 'agent'
      : role === 'user'
        ? hidden
          ? 'machine'
          : 'person'
        : role === 'system' || role === 'developer'
          ? 'machine'
          : 'tool'
  const said: Message = { by, parts: partsOf(value.content), at, messageId: null, model: null, usage: null }
  return { type: 'message', place: { id: null, parentId: null, at }, message: said }
}

function partsOf(content: unknown): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return arrayOf(content).flatMap((block): Part[] => {
    if (!isObject(block)) return []
    switch (block.type) {
      case 'text':
        return typeof block.text === 'string' ? [{ type: 'text', text: block.text }] : []
      case 'tool_use':
      case 'server_tool_use':
        return [{ type: 'call', callId: textOf(block.id) ?? '', tool: textOf(block.name) ?? '', input: block.input }]
      case 'tool-call':
        return [
          {
            type: 'call',
            callId: textOf(block.toolCallId) ?? '',
            tool: textOf(block.toolName) ?? '',
            input: block.input ?? block.args,
          },
        ]
      case 'tool_result':
        return [
          {
            type: 'result',
            callId: textOf(block.tool_use_id) ?? '',
            tool: null,
            text: resultText(block.content),
            failed: block.is_error === true,
          },
        ]
      case 'tool-result': {
        const output = objectOf(block.output)
        return [
          {
            type: 'result',
            callId: textOf(block.toolCallId) ?? '',
            tool: textOf(block.toolName),
            text: resultText(output.value ?? block.result),
            failed: typeof output.type === 'string' && output.type.startsWith('error'),
          },
        ]
      }
      default:
        return []
    }
  })
}

/** The texts of a result; pictures say nothing. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  return arrayOf(content)
    .flatMap(block => (isObject(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n')
}
