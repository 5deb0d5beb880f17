import { isErrorReply, PROTOCOL, type Endpoint } from '../daemon/api.ts'
import { readState, type DaemonState } from '../daemon/state.ts'
import { DejaError } from '../shared/errors.ts'
import { DaemonAway, rawCall, type CallLimits, type RawReply } from './http.ts'
import { startDaemon, type ClientContext } from './start.ts'

export interface CallOptions extends CallLimits {
  /** Whether a daemon that is away is started. Default true; `DEJA_NO_AUTOSTART=1` turns it off everywhere. */
  autostart?: boolean
}

/** One shape for success and failure; `ok` tells them apart. */
export type CallResult<T> =
  { ok: true; value: T; durationMs: number } | { ok: false; error: DejaError; durationMs: number }

/**
 * Calls the daemon, and starts one that is away. Never throws: `unavailable` where none answers, else the daemon's own
 * error.
 */
export async function callDaemon<Input, Output>(
  context: ClientContext,
  endpoint: Endpoint<Input, Output>,
  input: Input,
  options: CallOptions = {},
): Promise<CallResult<Output>> {
  const started = performance.now()
  const durationMs = () => Math.round(performance.now() - started)
  try {
    const body = endpoint.method === 'GET' ? undefined : Buffer.from(JSON.stringify(input))
    const send = (state: DaemonState) => rawCall(state, endpoint.method, endpoint.url, body, options)
    const reply = await withDaemon(context, options, send)
    // The reply's secret vouches for the sender, and the protocol for the shape.
    return { ok: true, value: valueOf(reply) as Output, durationMs: durationMs() }
  } catch (error) {
    return { ok: false, error: asDejaError(error), durationMs: durationMs() }
  }
}

/** `callDaemon` for callers that have nothing to do without the value: throws the error. */
export async function askDaemon<Input, Output>(
  context: ClientContext,
  endpoint: Endpoint<Input, Output>,
  input: Input,
  options: CallOptions = {},
): Promise<Output> {
  const result = await callDaemon(context, endpoint, input, options)
  if (!result.ok) throw result.error
  return result.value
}

async function withDaemon<T>(context: ClientContext, options: CallOptions, send: (state: DaemonState) => Promise<T>) {
  const state = readState(context.dataDir)
  const mayStart = options.autostart !== false && context.env.DEJA_NO_AUTOSTART !== '1'
  if (state !== null) {
    if (state.protocol === PROTOCOL) {
      try {
        return await send(state)
      } catch (error) {
        if (!(error instanceof DaemonAway) || !mayStart) throw error
      }
    } else if (!mayStart || state.protocol > PROTOCOL) {
      throw new DejaError('unavailable', `The running daemon (version ${state.version}) speaks another protocol.`, {
        hint: 'Run `deja daemon restart` with the newest deja.',
      })
    }
  } else if (!mayStart) throw new DaemonAway()
  return send(await startDaemon(context, options.signal))
}

/** The value of a reply, or its error thrown. */
function valueOf(reply: RawReply): unknown {
  const value: unknown = JSON.parse(reply.body.toString('utf8'))
  if (reply.status >= 200 && reply.status < 300) return value
  if (!isErrorReply(value)) throw new DejaError('internal', `The daemon answered ${reply.status}.`)
  const { code, message, path, hint } = value.error
  throw new DejaError(code, message, {
    ...(path === undefined ? {} : { path }),
    ...(hint === undefined ? {} : { hint }),
  })
}

function asDejaError(error: unknown): DejaError {
  if (error instanceof DejaError) return error
  return new DejaError('internal', error instanceof Error ? error.message : String(error), { cause: error })
}
