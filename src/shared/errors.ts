/** What went wrong, as callers tell kinds apart. */
export const errorCodes = [
  'usage', // the command line or a request is off → exit 2
  'ambiguous', // an id fits several sessions → exit 2, candidates in the message
  'unknown-id', // nothing has that id → exit 1
  'refused', // can't be done, for the reason given → exit 1
  'config', // config.toml or another program's configuration is broken → exit 1, file and line in the message
  'archive', // the archive can't be opened or is newer than this version
  'unavailable', // no daemon answers
  'internal',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** An error that a person reads: what, where, what to do. */
export class DejaError extends Error {
  readonly code: ErrorCode
  readonly path: string | undefined
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, more: { path?: string; hint?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'DejaError'
    this.code = code
    this.path = more.path
    this.hint = more.hint
  }
}
