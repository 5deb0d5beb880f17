import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../shared/environment.ts'
import { Ingest } from '../ingest/ingest.ts'
import { homesOf } from '../settings/homes.ts'
import { loadSettings } from '../settings/settings.ts'
import { VERSION } from '../shared/version.ts'
import { PROTOCOL } from './api.ts'
import { InstanceLock } from './lock.ts'
import { Log } from './log.ts'
import { ownDirectory, readState, removeState, runDir, writeState, type DaemonState } from './state.ts'
import { warmUp } from './warm-up.ts'

/** How often the daemon looks whether its place is still there and whether it is still wanted. */
const WATCH_MS = 2000
const HOUR_MS = 3_600_000

export interface DaemonOptions {
  dataDir: string
  env: Environment
  platform: NodeJS.Platform
  now: () => Date
}

/**
 * Runs the daemon until it is asked to end: `drain`, SIGTERM, SIGINT, its data directory vanishing, long idleness.
 * Resolves with `ran` false at once where another daemon has the lock. Throws what keeps it from starting.
 */
export async function runDaemon(options: DaemonOptions): Promise<{ ran: boolean }> {
  const { dataDir, now } = options
  process.umask(0o077)
  for (const path of [dataDir, runDir(dataDir), join(dataDir, 'logs')]) ownDirectory(path)
  // Nothing of the caller's working directory is held.
  process.chdir(dataDir)
  const lock = InstanceLock.take(dataDir)
  if (lock === null) return { ran: false }
  const log = new Log(dataDir, now)
  try {
    await live(options, lock, log)
    return { ran: true }
  } catch (error) {
    log.error('the daemon ends', error)
    throw error
  } finally {
    lock.release()
  }
}

async function live({ dataDir, env, platform, now }: DaemonOptions, lock: InstanceLock, log: Log) {
  const ending = deferred<string>()
  const settings = loadSettings(dataDir, env)
  const instanceId = randomBytes(16).toString('hex')
  const secrets = { token: secret(), replySecret: secret() }
  const startedAt = now().toISOString()
  const place: { port: number | null } = { port: null }
  // Its thread opens the archive while this one loads the rest.
  const ingest = Ingest.begin({ dataDir, env, homes: homesOf(dataDir, env).slice(1), settings })
  const parts = Promise.all([import('./services.ts'), import('./server.ts'), import('./routes/status.ts')])
  const [{ openServices }, { ApiServer }, { statusRoute }] = await parts
  const warm = (answers: Parameters<typeof warmUp>[0]) => {
    try {
      warmUp(answers)
    } catch (error) {
      log.error('warming up', error)
    }
  }
  const options = {
    dataDir,
    env,
    settings,
    now,
    log,
    instanceId,
    ingest,
    drain: () => setImmediate(() => ending.resolve('asked to end')),
    about: () => ({ pid: process.pid, version: VERSION, protocol: PROTOCOL, instanceId, startedAt, port: place.port }),
  }
  const services = await openServices(options, warm)
  let lastCall = performance.now()
  const server = new ApiServer({
    services,
    secrets,
    first: [statusRoute],
    routes: async () => (await import('./routes/all.ts')).routes,
    log,
    onCall: () => (lastCall = performance.now()),
    onUnable: () => ending.resolve("its program can't be loaded any more"),
  })
  const onSignal = (signal: NodeJS.Signals) => ending.resolve(signal)
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  const onFailure = (error: unknown) => {
    log.error('unexpected', error)
    // Whatever it left half done, a fresh start mends: the next hook brings one.
    ending.resolve('an unexpected error')
  }
  process.on('uncaughtException', onFailure).on('unhandledRejection', onFailure)
  // A terminal that closes is no reason: the daemon serves all of them.
  process.on('SIGHUP', () => undefined)
  try {
    const where = await server.listen(platform)
    place.port = where.port
    const state: DaemonState = {
      pid: process.pid,
      startedAt,
      version: VERSION,
      protocol: PROTOCOL,
      instanceId,
      host: '127.0.0.1',
      ...where,
      ...secrets,
    }
    writeState(dataDir, state)
    rmSync(join(runDir(dataDir), 'starting'), { force: true })
    log.info(`deja ${VERSION} listens on port ${where.port}`)
    const watch = setInterval(() => {
      const idleMs = performance.now() - lastCall
      if (!lock.holds) ending.resolve(existsSync(dataDir) ? 'the run directory is gone' : 'the data directory is gone')
      else if (settings.idleExitHours > 0 && idleMs > settings.idleExitHours * HOUR_MS) ending.resolve('nobody called')
      else if (readState(dataDir)?.instanceId !== instanceId) writeState(dataDir, state)
    }, WATCH_MS)
    try {
      log.info(`ends: ${await ending.promise}`)
    } finally {
      clearInterval(watch)
    }
  } finally {
    try {
      await server.close()
    } finally {
      // its thread would keep the process alive
      await services.close()
      if (lock.holds) removeState(dataDir, instanceId)
    }
  }
}

function secret(): string {
  return randomBytes(32).toString('hex')
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>(done => (resolve = done))
  return { promise, resolve }
}
