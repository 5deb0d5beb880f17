import {
  ErrorCode,
  McpError,
  type ListResourcesResult,
  type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { CallResult } from '../client/client.ts'
import type { ToolSession } from '../daemon/tool-api.ts'
import { sentenceFor } from './sentence.ts'

export const RESOURCES_LISTED = 30

export const sessionTemplate = {
  name: 'session',
  title: 'A session that deja keeps',
  uriTemplate: 'deja://session/{harness}:{id}',
  description: 'One session, condensed. The answers of the tool deja name their ids.',
  mimeType: 'text/plain',
}

/** As the protocol has it for a resource that isn't there. */
const NOT_FOUND = -32002
const pattern = /^deja:\/\/session\/([^/:]+):(.+)$/

/** Without a daemon there is nothing to list, and that is no fault of the client's. */
export function listed(answer: CallResult<{ sessions: ToolSession[] }>): ListResourcesResult {
  const sessions = answer.ok ? answer.value.sessions : []
  return {
    resources: sessions.map(({ harness, id, label }) => ({
      uri: `deja://session/${harness}:${encodeURIComponent(id)}`,
      name: label,
      mimeType: 'text/plain',
    })),
  }
}

/** `harness:id` of a resource. Throws `McpError` for anything else. */
export function sessionOf(uri: string): string {
  const [, harness, id] = pattern.exec(uri) ?? []
  if (harness !== undefined && id !== undefined) {
    try {
      return `${harness}:${decodeURIComponent(id)}`
    } catch {
      // an escape that is none
    }
  }
  throw new McpError(ErrorCode.InvalidParams, 'Expected deja://session/<harness>:<id>.')
}

export function read(uri: string, answer: CallResult<{ text: string }>): ReadResourceResult {
  if (answer.ok) return { contents: [{ uri, mimeType: 'text/plain', text: answer.value.text }] }
  const { text, isError } = sentenceFor(answer.error)
  if (isError) throw new McpError(NOT_FOUND, text)
  return { contents: [{ uri, mimeType: 'text/plain', text }] }
}
