import { errorCodes, type ErrorCode } from '../shared/errors.ts'

/**
 * The version of what passes between the daemon and its clients. Raised when an old client would misread a reply; equal
 * versions live together, whatever the package's version.
 */
export const PROTOCOL = 1

/** A call as both sides know it. `types` is never set: it carries the shapes for the compiler. GET takes no input; POST takes it as JSON. */
export interface Endpoint<Input, Output> {
  readonly method: 'GET' | 'POST'
  readonly url: `/v1/${string}`
  readonly types?: { input: Input; output: Output }
}

/** An error as it travels; `code` is a DejaError's. */
export interface ErrorReply {
  error: { code: ErrorCode; message: string; path?: string; hint?: string }
}

/** By hand: every command reads replies, and loading zod would double its start. */
export function isErrorReply(value: unknown): value is ErrorReply {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false
  const { error } = value
  if (typeof error !== 'object' || error === null || !('code' in error && 'message' in error)) return false
  const optional = ['path' in error ? error.path : undefined, 'hint' in error ? error.hint : undefined]
  return (
    errorCodes.some(code => code === error.code) &&
    typeof error.message === 'string' &&
    optional.every(text => text === undefined || typeof text === 'string')
  )
}

/** `deja status`, as in the contract. */
export interface Status {
  schemaVersion: 1
  state: 'ready' | 'indexing' | 'degraded' | 'stopped'
  /** Sentences: why it isn't `ready`. */
  reasons: string[]
  pid: number | null
  version: string | null
  protocol: number | null
  instanceId: string | null
  startedAt: string | null
  port: number | null
  pending: number
  harnesses: {
    id: string
    roots: { path: string; state: string }[]
    sessions: number
    records: number
    companions: number
    unread: { path: string; reason: string }[]
    newestAt: string | null
  }[]
  index: { passages: number; terms: number }
  archive: { sessions: number; records: number; bytes: number }
  memory: { rssBytes: number; heapBytes: number }
  hooks: {
    harness: string
    event: string
    count: number
    injected: number
    p50Ms: number
    p95Ms: number
    lastAt: string
  }[]
  /** How far a pass over the stores has come, for a progress bar. */
  progress: { doneBytes: number; totalBytes: number; doneFiles: number; totalFiles: number } | null
  lastError: { at: string; message: string } | null
}

export const statusEndpoint: Endpoint<undefined, Status> = { method: 'GET', url: '/v1/status' }

/** Asks the daemon to end: calls that are under way are answered, then the process goes. Refused unless `instanceId` is its own. */
export const drainEndpoint: Endpoint<{ instanceId: string }, { draining: true }> = { method: 'POST', url: '/v1/drain' }
