import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROTOCOL } from '../daemon/api.ts'
import { ownDirectory, readState, runDir, type DaemonState } from '../daemon/state.ts'
import type { Environment } from '../shared/environment.ts'
import { DejaError } from '../shared/errors.ts'
import { identify } from './identify.ts'
import { stopDaemon } from './stop.ts'

/** Where a client works. `cli`: the built command line (absolute), for starting a daemon. */
export interface ClientContext {
  dataDir: string
  env: Environment
  cli: string
}

/** Opening a large archive and migrating it may take a while; a daemon that says nothing for so long is broken. */
const START_MS = 30_000
/** Between two starts where the first one found another daemon at its own: that one may have failed since. */
const AGAIN_MS = 1000
/** The shims know this number too. */
const START_CLAIM_S = 10

/**
 * Starts a daemon in a session of its own and returns once one answers: the new one, or another that was quicker (the
 * lock lets only one live). Throws what kept it from starting; once `signal` says so it is waited for no longer.
 */
export async function startDaemon({ dataDir, env, cli }: ClientContext, signal?: AbortSignal): Promise<DaemonState> {
  const old = readState(dataDir)
  // One of an older protocol can't serve this client, and while it lives no other can.
  if (old !== null && old.protocol < PROTOCOL) await stopDaemon(dataDir)
  ownDirectory(dataDir)
  ownDirectory(join(dataDir, 'logs'))
  const said = join(dataDir, 'logs', `start-${process.pid}.txt`)
  const output = openSync(said, 'w', 0o600)
  try {
    let { child, ended } = spawned({ dataDir, env, cli }, output)
    const end = performance.now() + START_MS
    while (performance.now() < end) {
      if (signal?.aborted === true) throw new DejaError('unavailable', 'The call was cancelled.')
      const state = readState(dataDir)
      if (state?.protocol === PROTOCOL && (await identify(state, 1000)) !== null) {
        // ours was slower: left alone it would start after a stop that comes soon
        if (state.pid !== child.pid) child.kill()
        return state
      }
      if (ended.code !== null && ended.code !== 0) throw failure(readFileSync(said, 'utf8'))
      // 0: another daemon held the lock, so that one is waited for; whatever ended it since, the next start says.
      if (ended.code === 0 && performance.now() - ended.at > AGAIN_MS)
        ({ child, ended } = spawned({ dataDir, env, cli }, output))
      await sleep(15)
    }
    throw new DejaError('unavailable', `The daemon didn't answer within ${START_MS / 1000} s.`, {
      path: join(dataDir, 'logs', 'daemon.log'),
      hint: 'Run `deja daemon logs`.',
    })
  } finally {
    closeSync(output)
    rmSync(said, { force: true })
  }
}

function spawned(context: ClientContext, output: number) {
  const child = spawnDaemon(context, output)
  const ended = { code: null as number | null, at: 0 }
  const note = (code: number): void => {
    ended.code = code
    ended.at = performance.now()
  }
  child.once('error', () => note(1))
  child.once('exit', code => note(code ?? 1))
  return { child, ended }
}

function failure(said: string): DejaError {
  const message = said.trim().replace(/^deja: /, '')
  return new DejaError('unavailable', message === '' ? 'The daemon ended at once and said nothing.' : message)
}

/**
 * Starts a daemon and doesn't wait for it. At most one start at a time, over all hooks and shims: `run/starting` holds
 * the second in which the last one began, and counts for ten.
 */
export function startInBackground(context: ClientContext, now: () => Date): void {
  if (context.env.DEJA_NO_AUTOSTART === '1') return
  const run = runDir(context.dataDir)
  ownDirectory(context.dataDir)
  ownDirectory(run)
  const claim = join(run, 'starting')
  const second = Math.floor(now().getTime() / 1000)
  try {
    writeFileSync(claim, `${second}\n`, { flag: 'wx', mode: 0o600 })
  } catch {
    const age = second - Number(readFileSync(claim, 'utf8'))
    if (age >= 0 && age < START_CLAIM_S) return
    writeFileSync(claim, `${second}\n`, { mode: 0o600 })
  }
  spawnDaemon(context)
}

/** A daemon's process in a session of its own, nothing of the caller's held; `stderr` is a file's descriptor. */
function spawnDaemon({ dataDir, env, cli }: ClientContext, stderr?: number): ChildProcess {
  const child = spawn(process.execPath, [cli, 'daemon', 'run'], {
    detached: true,
    stdio: ['ignore', 'ignore', stderr ?? 'ignore'],
    env: { ...env, DEJA_HOME: dataDir },
  })
  child.once('error', () => undefined)
  child.unref()
  return child
}
