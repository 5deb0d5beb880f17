import { PROTOCOL } from '../daemon/api.ts'
import { encodeHookBody } from '../daemon/hook-body.ts'
import { readState } from '../daemon/state.ts'
import { rawCall, type RawReply } from './http.ts'
import type { ClientContext } from './start.ts'

export interface HookRequest {
  harness: string
  event: string
  stdin: Buffer
  /** Names of the variables to pass on. */
  environment: readonly string[]
  deadlineMs: number
}

/** The daemon's reply to a hook, or null where none that is ours answers. Throws where one of a newer protocol runs. */
export async function callHook({ dataDir, env }: ClientContext, request: HookRequest): Promise<RawReply | null> {
  const state = readState(dataDir)
  if (state === null) return null
  if (state.protocol > PROTOCOL) throw new Error('a newer daemon runs')
  const path = `/v1/hooks/${encodeURIComponent(request.harness)}/${encodeURIComponent(request.event)}`
  const body = encodeHookBody(request.stdin, env, [...request.environment, 'DEJA_RECALL'])
  try {
    return await rawCall(state, 'POST', path, body, { deadlineMs: request.deadlineMs })
  } catch {
    return null
  }
}
