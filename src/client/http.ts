import { request } from 'node:http'
import type { DaemonState } from '../daemon/state.ts'
import { DejaError } from '../shared/errors.ts'

export interface CallLimits {
  /** For the whole call, a start of the daemon not counted. Default 30,000. */
  deadlineMs?: number
  signal?: AbortSignal
}

/** An HTTP reply that proved to be the daemon's. */
export interface RawReply {
  status: number
  body: Buffer
}

/** Nobody that is our daemon listens. */
export class DaemonAway extends DejaError {
  constructor(cause?: unknown) {
    super('unavailable', 'No daemon is running.', { hint: 'Run `deja daemon start`.', cause })
  }
}

/** One request, over the Unix socket where there is one. Throws `unavailable`. */
export async function rawCall(
  state: DaemonState,
  method: 'GET' | 'POST',
  url: string,
  body: Buffer | undefined,
  options: CallLimits = {},
): Promise<RawReply> {
  if (state.socket !== undefined) {
    try {
      return await requestAt({ socketPath: state.socket }, state, method, url, body, options)
    } catch (error) {
      if (!(error instanceof DaemonAway)) throw error
    }
  }
  return requestAt({ host: state.host, port: state.port }, state, method, url, body, options)
}

function requestAt(
  where: { socketPath: string } | { host: string; port: number },
  state: DaemonState,
  method: string,
  path: string,
  body: Buffer | undefined,
  { deadlineMs = 30_000, signal }: CallLimits,
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string | number> = {
      host: `127.0.0.1:${state.port}`,
      authorization: `Bearer ${state.token}`,
      // else the daemon would close first, and not learn that its answer was read
      connection: 'keep-alive',
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
    }
    const deadline = AbortSignal.timeout(deadlineMs)
    const signals = AbortSignal.any(signal === undefined ? [deadline] : [deadline, signal])
    const call = request({ ...where, method, path, headers, agent: false, signal: signals }, reply => {
      // A stranger on the port doesn't know the secret: nothing that it says is read.
      if (state.replySecret === undefined || reply.headers['x-deja-reply'] !== state.replySecret) {
        call.destroy()
        reject(new DaemonAway())
        return
      }
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks) }))
      reply.on('error', fail)
    })
    function fail(error: Error) {
      if (deadline.aborted) {
        reject(new DejaError('unavailable', `The daemon didn't answer within ${deadlineMs} ms.`, { cause: error }))
      } else if (signal?.aborted === true)
        reject(new DejaError('unavailable', 'The call was cancelled.', { cause: error }))
      else reject(new DaemonAway(error))
    }
    call.on('error', fail)
    call.end(body)
  })
}
