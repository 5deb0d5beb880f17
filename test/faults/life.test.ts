import Database from 'better-sqlite3'
import { createRequire } from 'node:module'
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readState } from '../../src/daemon/state.ts'
import { cli, House, idOf, wait } from './house.ts'
import { rounds, timeFor } from './rounds.ts'

// The daemon's life among other daemons, stopped, frozen, robbed of its directory.

let house: House
beforeEach(async () => {
  house = await House.make()
  house.session(idOf(1), ['Why does the zeppelin docking job fail?', 'Its mooring_mast lock was never released.'])
})
afterEach(() => house.remove())

const startRounds = rounds(3, 50)
test(
  `two daemons started at once, ${startRounds} times: one lives, and it answers`,
  async () => {
    for (let round = 0; round < startRounds; round++) {
      const both = [house.launch(), house.launch()]
      await house.until(async () => (await house.peekStatus()) !== null)
      await house.until(() => both.filter(child => child.exitCode === null).length === 1)
      const [other] = both.filter(child => child.exitCode !== null)
      expect(other?.exitCode).toBe(0)
      expect(house.processes()).toEqual([house.state().pid])
      if (round % 2 === 0) await house.killed()
      else await house.home.done('daemon', 'stop')
      expect(house.processes()).toEqual([])
    }
    await house.settled()
    house.expectAll()
  },
  timeFor(2000, startRounds),
)

test('the daemon that was quicker fails before it answers: whoever waits for it starts another', async () => {
  mkdirSync(join(house.home.data, 'run'), { recursive: true, mode: 0o700 })
  const lock = new Database(join(house.home.data, 'run/lock.db'))
  lock.exec('BEGIN EXCLUSIVE')
  const started = house.home.deja(['daemon', 'start'])
  await wait(1500)
  lock.close()
  const before = performance.now()
  expect((await started).code).toBe(0)
  expect(performance.now() - before).toBeLessThan(15_000)
})

test('the run directory is removed: the daemon ends, and the next caller has one again', async () => {
  await house.settled()
  const { pid } = house.state()
  rmSync(join(house.home.data, 'run'), { recursive: true })
  // at once: the old one may still be there
  expect(await house.home.found('zeppelin docking')).toEqual(['00000001'])
  house.append(idOf(1), 'And the second mast?', 'It has a lock of its own.')
  await house.until(() => !house.processes().includes(pid))
  expect(await house.home.found('second mast')).toEqual(['00000001'])
  await house.settled()
  house.expectAll()
  expect(house.processes()).toEqual([house.state().pid])
})

test('the whole data directory is removed: it ends, writes nothing there any more, and the next caller begins anew', async () => {
  await house.settled()
  const { pid } = house.state()
  rmSync(house.home.data, { recursive: true, force: true })
  await house.until(() => !house.processes().includes(pid))
  expect(existsSync(house.home.data)).toBe(false)
  await house.settled()
  house.expectAll()
})

test('an older version runs: it is asked to make room, and the newer one takes over', async () => {
  mkdirSync(join(house.home.data, 'run'), { recursive: true, mode: 0o700 })
  const script = fileURLToPath(new URL('older-daemon.mjs', import.meta.url))
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  const older = house.launch([process.execPath, script, house.home.data, sqlite])
  await house.until(() => readState(house.home.data)?.protocol === 0)
  // a hook of the newer version neither waits for it nor hears it
  const input = JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'zeppelin docking' })
  const hook = await house.home.deja(['hook', 'codebuddy', 'UserPromptSubmit'], { input })
  expect(hook).toMatchObject({ code: 0, stdout: '', stderr: '' })
  expect(await house.home.found('zeppelin docking')).toEqual(['00000001'])
  expect(older.exitCode).toBe(0)
  expect(house.state()).toMatchObject({ protocol: 1 })
})

test('its program is replaced under it: the call that needs more of it says so, and the next one starts the new one', async () => {
  const copy = join(house.home.path, 'copy')
  cpSync(dirname(cli), join(copy, 'dist'), { recursive: true })
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(copy, 'node_modules'))
  const child = house.launch([process.execPath, join(copy, 'dist/deja.js'), 'daemon', 'run'])
  await house.until(async () => (await house.peekStatus())?.state === 'ready')
  rmSync(copy, { recursive: true })
  const { code, stderr } = await house.home.deja(['zeppelin', 'docking'])
  expect(code).toBe(1)
  expect(stderr).toContain('was replaced')
  await house.until(() => child.exitCode !== null)
  expect(await house.home.found('zeppelin docking')).toEqual(['00000001'])
  expect(house.processes()).toEqual([house.state().pid])
})

test('suspended and resumed, its event loop blocked meanwhile: hooks wait for nobody, and then everything is there', async () => {
  await house.home.done('install', 'codebuddy-auto')
  await house.settled()
  const { pid } = house.state()
  const launcher = join(house.home.data, 'bin/deja-hook')
  const ask = async (session: string): Promise<{ stdout: string; ms: number }> => {
    const prompt = 'Why does the zeppelin docking job fail on the mooring_mast?'
    const about = { hook_event_name: 'UserPromptSubmit', session_id: session, cwd: '/home/dev/acme-api', prompt }
    const started = performance.now()
    const { code, stdout, stderr } = await house.home.run(launcher, ['codebuddy', 'UserPromptSubmit'], {
      input: JSON.stringify(about),
    })
    expect([code, stderr]).toEqual([0, ''])
    return { stdout, ms: performance.now() - started }
  }
  // within 300 ms or not at all: on a busy machine some of them hear nothing
  let session = 0
  const heard = async (): Promise<string> => (await ask(idOf(1000 + session++))).stdout
  await expect.poll(heard, { timeout: 10_000 }).toContain('mooring_mast')
  process.kill(pid, 'SIGSTOP')
  const hung = await ask('22222222-0000-4000-8000-000000000000')
  expect(hung.stdout).toBe('')
  // 300 ms by the contract, and room for a machine that is busy with other tests
  expect(hung.ms).toBeLessThan(1500)
  house.append(idOf(1), 'written while it was away', 'and answered')
  await wait(rounds(1200, 10_000))
  process.kill(pid, 'SIGCONT')
  await house.until(() => house.hasAll())
  await house.settled()
  expect(house.state().pid).toBe(pid)
  expect(house.processes()).toEqual([pid])
  await expect.poll(heard, { timeout: 10_000 }).toContain('mooring_mast')
}, 60_000)

test('a settings file that is broken while it runs harms nothing; the next start says which line', async () => {
  await house.settled()
  writeFileSync(join(house.home.data, 'config.toml'), 'recall = \n')
  expect((await house.status()).state).toBe('ready')
  await house.killed()
  const { code, stderr } = await house.home.deja(['search', 'zeppelin'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/config\.toml:1/)])
  rmSync(join(house.home.data, 'config.toml'))
  expect(await house.home.found('zeppelin')).toEqual(['00000001'])
})
