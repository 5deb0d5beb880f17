import { DejaError, type ErrorCode } from '../shared/errors.ts'

const STATUS_OF: Record<ErrorCode, number> = {
  usage: 400,
  ambiguous: 400,
  'unknown-id': 404,
  refused: 409,
  config: 500,
  archive: 500,
  unavailable: 503,
  internal: 500,
}

export interface Failure {
  status: number
  body: { error: { code: ErrorCode; message: string; path?: string; hint?: string } }
  /** No error of ours: it is logged, and told without its text. */
  unexpected: boolean
}

/** What a caller is told of a call that failed. */
export function failure(error: unknown): Failure {
  if (error instanceof DejaError) {
    const { code, message, path, hint } = error
    const more = { ...(path === undefined ? {} : { path }), ...(hint === undefined ? {} : { hint }) }
    return { status: STATUS_OF[code], body: { error: { code, message, ...more } }, unexpected: false }
  }
  // Fastify's own: a body too large, not JSON, of an unknown type.
  const status = isHttpError(error) ? error.statusCode : 500
  if (status >= 400 && status < 500) return told(status, 'usage', 'The request is malformed or too large.', false)
  return told(500, 'internal', 'The daemon failed at this call; `deja daemon logs` has more.', true)
}

export const noSuchCall = (): Failure => told(404, 'usage', 'There is no such call.', false)

const told = (status: number, code: ErrorCode, message: string, unexpected: boolean): Failure => ({
  status,
  body: { error: { code, message } },
  unexpected,
})

function isHttpError(error: unknown): error is { statusCode: number } {
  return typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number'
}
