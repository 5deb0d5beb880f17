import { statusEndpoint, type Status } from '../daemon/api.ts'
import type { DaemonState } from '../daemon/state.ts'
import { rawCall } from './http.ts'

/** The status of the daemon that published this state, or null: gone, hung, or somebody else on its port. */
export async function identify(state: DaemonState, deadlineMs: number): Promise<Status | null> {
  try {
    const { method, url } = statusEndpoint
    const reply = await rawCall(state, method, url, undefined, { deadlineMs })
    if (reply.status !== 200) return null
    const status = JSON.parse(reply.body.toString('utf8')) as Status
    return status.instanceId === state.instanceId && status.pid === state.pid ? status : null
  } catch {
    return null
  }
}
