import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROTOCOL } from '../daemon/api.ts'
import { ownDirectory, readState, type DaemonState } from '../daemon/state.ts'
import type { Environment } from '../shared/environment.ts'
import { DejaError } from '../shared/errors.ts'
import { identify } from './identify.ts'

/** Where a client works. `cli`: the built command line (absolute), for starting a daemon. */
export interface ClientContext {
  dataDir: string
  env: Environment
  cli: string
}

/** Opening a large archive and migrating it may take a while; a daemon that says nothing for so long is broken. */
const START_MS = 30_000

/**
 * Starts a daemon in a session of its own and returns once one answers: the new one, or another that was quicker (the
 * lock lets only one live). Throws what kept it from starting.
 */
export async function startDaemon({ dataDir, env, cli }: ClientContext): Promise<DaemonState> {
  ownDirectory(dataDir)
  ownDirectory(join(dataDir, 'logs'))
  const said = join(dataDir, 'logs', `start-${process.pid}.txt`)
  const output = openSync(said, 'w', 0o600)
  try {
    const child = spawn(process.execPath, [cli, 'daemon', 'run'], {
      cwd: dataDir,
      detached: true,
      stdio: ['ignore', 'ignore', output],
      env: { ...env, DEJA_HOME: dataDir },
    })
    const ended = { code: null as number | null }
    child.once('error', () => (ended.code = 1))
    child.once('exit', code => (ended.code = code ?? 1))
    child.unref()
    const end = performance.now() + START_MS
    while (performance.now() < end) {
      const state = readState(dataDir)
      if (state?.protocol === PROTOCOL && (await identify(state, 1000)) !== null) return state
      // 0: another daemon holds the lock, so that one is waited for.
      if (ended.code !== null && ended.code !== 0) throw failure(readFileSync(said, 'utf8'))
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

function failure(said: string): DejaError {
  const message = said.trim().replace(/^deja: /, '')
  return new DejaError('unavailable', message === '' ? 'The daemon ended at once and said nothing.' : message)
}
