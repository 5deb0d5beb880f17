import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { drainEndpoint } from '../daemon/api.ts'
import { lockHolder } from '../daemon/lock.ts'
import { readState, type DaemonState } from '../daemon/state.ts'
import { DejaError } from '../shared/errors.ts'
import { rawCall } from './http.ts'
import { identify } from './identify.ts'

/** A drain takes at most three seconds for calls that are under way, and the archive's last write. */
const DRAIN_MS = 15_000
const KILL_MS = 3000

/**
 * Asks the daemon to end and returns once its process has. False: none was running. A process is signalled only when
 * it doesn't answer and the kernel says that it is the one that holds the lock: a pid in a file may be anybody's.
 */
export async function stopDaemon(dataDir: string): Promise<boolean> {
  const state = readState(dataDir)
  const known = state === null ? null : await identify(state, 2000)
  if (state !== null && known !== null) {
    await askToEnd(state)
    if (await ended(state.pid, DRAIN_MS)) return true
  }
  const holder = lockHolder(dataDir)
  if (holder === null) {
    if (known === null) return false
    throw new DejaError('unavailable', `The daemon (process ${state?.pid ?? 0}) was asked to end and hasn't yet.`)
  }
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (lockHolder(dataDir) !== holder) return true
    process.kill(holder, signal)
    if (await ended(holder, KILL_MS)) return true
  }
  throw new DejaError('unavailable', `The daemon (process ${holder}) doesn't end.`)
}

async function askToEnd(state: DaemonState): Promise<void> {
  const { method, url } = drainEndpoint
  const body = Buffer.from(JSON.stringify({ instanceId: state.instanceId }))
  try {
    await rawCall(state, method, url, body, { deadlineMs: 5000 })
  } catch {
    // It may end before the reply is through; whether it did is looked at next.
  }
}

async function ended(pid: number, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (isAlive(pid)) {
    if (performance.now() > end) return false
    await sleep(10)
  }
  return true
}

/** A process that only waits for its parent to ask after it has ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return process.platform !== 'linux'
  }
}
