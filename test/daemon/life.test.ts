import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { askDaemon, callDaemon } from '../../src/client/client.ts'
import { startDaemon, startInBackground, type ClientContext } from '../../src/client/start.ts'
import { stopDaemon } from '../../src/client/stop.ts'
import { statusEndpoint } from '../../src/daemon/api.ts'
import { lockHolder } from '../../src/daemon/lock.ts'
import { readState, writeState, type DaemonState } from '../../src/daemon/state.ts'

/** The built program, as users run it: `npm test` builds it first. */
const cli = fileURLToPath(new URL('../../dist/deja.js', import.meta.url))

let home: string
let dataDir: string
let context: ClientContext
let children: ChildProcess[]

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'deja-life-'))
  dataDir = join(home, 'data')
  context = { dataDir, env: { PATH: process.env.PATH, HOME: home, DEJA_HOME: dataDir }, cli }
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await stopDaemon(dataDir).catch(() => undefined)
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

const deja = (...args: string[]) =>
  spawnSync(process.execPath, [cli, ...args], { env: { ...context.env }, encoding: 'utf8', cwd: home })

/** One that has ended and only waits for its parent to ask after it isn't: nobody may ask in a container. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return process.platform !== 'linux'
  }
}

test('start returns once it answers, stop when it has ended; both may be repeated', async () => {
  expect(await stopDaemon(dataDir)).toBe(false)
  const first = await startDaemon(context)
  expect((await startDaemon(context)).pid).toBe(first.pid)
  expect(lockHolder(dataDir)).toBe(first.pid)
  expect((await stat(join(dataDir, 'run'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'run/daemon.json'))).mode & 0o777).toBe(0o600)
  expect((await readFile(join(dataDir, 'run/daemon.json'), 'utf8')).trimEnd().split('\n')).toHaveLength(1)
  expect(await stopDaemon(dataDir)).toBe(true)
  expect(isAlive(first.pid)).toBe(false)
  expect(readState(dataDir)).toBeNull()
  expect(existsSync(join(dataDir, 'run/daemon.sock'))).toBe(false)
  expect(await stopDaemon(dataDir)).toBe(false)
})

test('many starts at once end in one daemon', async () => {
  const states = await Promise.all(Array.from({ length: 5 }, () => startDaemon(context)))
  expect(new Set(states.map(state => state.instanceId)).size).toBe(1)
  expect(await stopDaemon(dataDir)).toBe(true)
  // none that lost the race comes up now
  await sleep(1500)
  expect(readState(dataDir)).toBeNull()
})

test('a background start is made once in ten seconds, and not where that is switched off', async () => {
  startInBackground({ ...context, env: { ...context.env, DEJA_NO_AUTOSTART: '1' } }, () => new Date())
  expect(existsSync(dataDir)).toBe(false)
  for (let i = 0; i < 3; i++) startInBackground(context, () => new Date())
  await expect.poll(() => readState(dataDir) !== null, { timeout: 10_000 }).toBe(true)
  expect(existsSync(join(dataDir, 'run/starting'))).toBe(false)
})

test('what keeps it from starting reaches whoever starts it', async () => {
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dataDir, 'config.toml'), 'recall = "safe"\nrecall = "off"\n')
  await expect(startDaemon(context)).rejects.toThrow(/config\.toml:2: .*recall/)
  const { status, stderr } = deja('daemon', 'start')
  expect([status, /config\.toml:2/.test(stderr)]).toEqual([1, true])
})

test('a client starts a daemon that is away, unless it may not', async () => {
  const off = await callDaemon(context, statusEndpoint, undefined, { autostart: false })
  expect(off.ok ? null : off.error.code).toBe('unavailable')
  const status = await askDaemon(context, statusEndpoint, undefined)
  expect(status.pid).toBe(readState(dataDir)?.pid)
})

test('a pid in the file that is somebody else’s is neither believed nor touched', async () => {
  const stranger = spawn('sleep', ['60'])
  children.push(stranger)
  const pid = stranger.pid ?? 0
  await mkdir(join(dataDir, 'run'), { recursive: true, mode: 0o700 })
  const state: DaemonState = {
    pid,
    startedAt: '2026-01-01T00:00:00.000Z',
    version: '0.0.1',
    protocol: 1,
    instanceId: 'x',
    host: '127.0.0.1',
    port: 9,
    token: 'x',
  }
  writeState(dataDir, state)
  expect(await stopDaemon(dataDir)).toBe(false)
  writeState(dataDir, state)
  expect((await startDaemon(context)).pid).not.toBe(pid)
  await stopDaemon(dataDir)
  expect(isAlive(pid)).toBe(true)
})

test('one of an older protocol is asked to make room, one of a newer is left alone', async () => {
  const old = await startDaemon(context)
  writeState(dataDir, { ...old, protocol: 9 })
  const newer = await callDaemon(context, statusEndpoint, undefined)
  expect(newer.ok ? null : newer.error.message).toMatch(/another protocol/)
  writeState(dataDir, { ...old, protocol: 0 })
  expect((await askDaemon(context, statusEndpoint, undefined)).pid).not.toBe(old.pid)
  expect(isAlive(old.pid)).toBe(false)
})

test('a daemon that hangs is ended when the kernel says that it holds the lock', async () => {
  const { pid } = await startDaemon(context)
  process.kill(pid, 'SIGSTOP')
  expect(await stopDaemon(dataDir)).toBe(true)
  expect(isAlive(pid)).toBe(false)
}, 40_000)

test('SIGTERM lets it end in order', async () => {
  const { pid } = await startDaemon(context)
  process.kill(pid, 'SIGTERM')
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  expect(readState(dataDir)).toBeNull()
})

test('it ends by itself when its directory is taken away, and publishes itself again when only the file is', async () => {
  const { pid, instanceId } = await startDaemon(context)
  await rm(join(dataDir, 'run/daemon.json'))
  await expect.poll(() => readState(dataDir)?.instanceId, { timeout: 10_000 }).toBe(instanceId)
  await rename(dataDir, `${dataDir}-away`)
  await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false)
  expect(existsSync(dataDir)).toBe(false)
})

test('idleness ends it', async () => {
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o700)
  await writeFile(join(dataDir, 'config.toml'), '[daemon]\nidle_exit_hours = 0.0001\n')
  const { pid } = await startDaemon(context)
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
})

test('a directory that is gone from under the caller stops neither a hook nor the daemon that it starts', async () => {
  const gone = join(home, 'gone')
  const there = (...words: string[]) =>
    spawnSync(
      '/bin/sh',
      ['-c', 'cd "$1" && rmdir "$1" && shift && exec "$@"', 'sh', gone, process.execPath, cli, ...words],
      {
        env: { ...context.env },
        input: '{}',
        encoding: 'utf8',
      },
    )
  await mkdir(gone)
  const hook = there('hook', 'codewhale', 'message_submit')
  expect([hook.status, hook.stdout, hook.stderr]).toEqual([0, '', ''])
  await expect.poll(() => readState(dataDir) !== null, { timeout: 10_000 }).toBe(true)
  await mkdir(gone)
  expect(there('status').status).toBe(0)
})

test('status and hook say nothing false when nobody runs', () => {
  const off = deja('status', '--json')
  expect([off.status, (JSON.parse(off.stdout) as { state: string }).state]).toEqual([3, 'stopped'])
  const hook = spawnSync(process.execPath, [cli, 'hook', 'codewhale', 'message_submit'], {
    env: { ...context.env, DEJA_NO_AUTOSTART: '1' },
    input: '{',
    encoding: 'utf8',
  })
  expect([hook.status, hook.stdout, hook.stderr]).toEqual([0, '', ''])
})
