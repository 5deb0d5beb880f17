import Database from 'better-sqlite3'
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { forgetEndpoint } from '../../src/daemon/lifecycle-api.ts'
import { beginning, cli, House, idOf } from './house.ts'
import { Namespace } from './namespace.ts'
import { notRun } from './rounds.ts'

// What befalls the archive: it is said, and it passes without a hand.

let house: House
beforeEach(async () => {
  house = await House.make()
  for (let n = 1; n <= 4; n++) {
    const texts = Array.from({ length: 30 }, (_, m) => `session ${n} said ${m}: ${`word${n}x${m} `.repeat(60)}`)
    house.session(idOf(n), texts)
  }
})
afterEach(() => house.remove())

const hook = async (): Promise<string> => {
  const input = JSON.stringify({
    hook_event_name: 'UserPromptSubmit',
    session_id: 's',
    prompt: 'word1x1 word2x2 again?',
  })
  const { code, stdout, stderr } = await house.home.deja(['hook', 'codebuddy', 'UserPromptSubmit'], { input })
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

/** Bytes of nonsense somewhere in a file. */
function scribble(path: string, at: number, length: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(length, 'deja'), 0, length, at)
  closeSync(file)
}

describe('a broken archive is put aside, and everything that is on disk is read again', () => {
  const size = (): number => statSync(house.archive).size
  test.each<[string, () => void]>([
    ['its header', () => scribble(house.archive, 0, 100)],
    ['its second page', () => scribble(house.archive, 4096, 4096)],
    [
      'pages all over it',
      () => {
        for (let at = 4096 * 3; at < size() - 4096; at += 4096 * 5) scribble(house.archive, at, 4096)
      },
    ],
    ['half of it cut off', () => truncateSync(house.archive, Math.floor(size() / 8192) * 4096)],
    ['nothing in it', () => truncateSync(house.archive, 0)],
    [
      'a log that is not its own',
      () => {
        const log = openSync(`${house.archive}-wal`, 'w')
        writeSync(log, Buffer.alloc(9000, 'x'))
        closeSync(log)
      },
    ],
  ])('%s', async (_, breakIt) => {
    await house.settled()
    const forgotten = idOf(4)
    await house.ask(forgetEndpoint, { id: forgotten, dryRun: false })
    house.said.delete(forgotten)
    await house.home.done('daemon', 'stop')
    breakIt()
    await house.settled()
    await house.until(() => house.hasAll())
    // what is forgotten stands in a file beside it
    expect((await house.home.deja(['show', forgotten])).code).toBe(1)
    await house.settled()
  })

  test('while the daemon runs: it goes on or says what is wrong, and a new start mends it', async () => {
    await house.settled()
    for (let at = 4096; at < size() - 4096; at += 4096 * 2) scribble(house.archive, at, 4096)
    house.append(idOf(1), 'one more question', 'one more answer')
    for (const words of ['word1x1', 'word2x2 said', '"session 3 said 4"']) {
      const { code, stderr } = await house.home.deja(['search', words])
      if (code !== 0) expect(stderr).toMatch(/^deja: /)
    }
    await hook()
    await house.killed()
    await house.until(async () => (await house.status()).state === 'ready' && house.hasAll())
  })
})

test('one of a newer version is refused with a sentence, left as it is, and taken up again by a deja that knows it', async () => {
  await house.settled()
  await house.home.done('daemon', 'stop')
  const set = (version: number): number => {
    const db = new Database(house.archive)
    const before = Number(db.pragma('user_version', { simple: true }))
    db.pragma(`user_version = ${version}`)
    db.close()
    return before
  }
  const ours = set(999)
  const bytes = readFileSync(house.archive)
  const started = await house.home.deja(['daemon', 'start'])
  expect([started.code, started.stderr]).toEqual([1, expect.stringMatching(/version 999[\s\S]*Update deja/)])
  expect(await hook()).toBe('')
  expect((await house.home.deja(['search', 'word1x1'])).code).toBe(1)
  expect(readFileSync(house.archive).equals(bytes)).toBe(true)
  set(ours)
  await house.settled()
  house.expectAll()
})

test('one that is deleted or moved away while the daemon runs is made anew from what is on disk', async () => {
  const { pid } = await house.settled()
  for (const suffix of ['', '-wal', '-shm']) rmSync(house.archive + suffix, { force: true })
  await house.until(() => existsSync(house.archive) && house.hasAll())
  await house.settled()
  // alone, its log left behind
  renameSync(house.archive, `${house.archive}.away`)
  house.append(idOf(2), 'asked meanwhile')
  await house.until(() => existsSync(house.archive) && house.hasAll())
  await house.settled()
  rmSync(house.archive)
  await house.until(() => existsSync(house.archive) && house.hasAll())
  expect((await house.settled()).pid).toBe(pid)
  expect(await house.home.found('"asked meanwhile"')).toEqual(['00000002'])
})

test('one that is read-only keeps the daemon from starting, with a sentence; hooks say nothing', async () => {
  await house.settled()
  await house.home.done('daemon', 'stop')
  const file = house.archive
  const space = await Namespace.open(`mount --bind '${file}' '${file}' && mount -o remount,ro,bind '${file}'`)
  if (space === null) {
    notRun('a read-only archive', 'it takes user namespaces')
    return
  }
  try {
    const [program = '', ...args] = space.inside(process.execPath, cli, 'daemon', 'start')
    const { status, stderr } = spawnSync(program, args, { env: { ...house.context.env }, encoding: 'utf8' })
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/archive can't be opened: .*(?:read-?only|permission)/i),
    ])
    expect(stderr).toContain(file)
  } finally {
    space.close()
  }
  await house.settled()
  house.expectAll()
})

describe('a full disk', () => {
  const ballast = 'ballast'

  test('of a few megabytes: said in status, hooks go on, and when there is room again nothing is missing', async () => {
    const { data } = house.home
    const space = await Namespace.open(`mkdir -p '${data}' && mount -t tmpfs -o size=8m,mode=700 deja '${data}'`)
    if (space === null) {
      notRun('a full disk on a tmpfs', "it takes user namespaces; the limit on a file's size stands in for it")
      return
    }
    try {
      const inside = new Inside(space, house)
      inside.deja('daemon', 'start')
      await house.until(() => inside.status().state === 'ready')
      space.sh(`dd if=/dev/zero of='${join(data, ballast)}' bs=64k 2>/dev/null || true`)
      for (let n = 5; n <= 9; n++)
        house.session(
          idOf(n),
          Array.from({ length: 40 }, (_, m) => `late ${n} ${m} ${`text${n}y${m} `.repeat(800)}`),
        )
      await house.until(() => inside.status().state === 'degraded')
      expect(inside.status().reasons.join()).toMatch(/archive can't be written.*full/i)
      const human = inside.deja('status')
      expect([human.status, human.stdout]).toEqual([1, expect.stringMatching(/degraded[\s\S]*full/)])
      // what is there is still found
      expect(inside.deja('search', 'word1x1').stdout).toContain('00000001')
      space.sh(`rm '${join(data, ballast)}' && mount -o remount,size=64m '${data}'`)
      await house.until(() => inside.status().state === 'ready')
      for (const [session, texts] of house.said) {
        const shown = JSON.parse(inside.deja('show', session, '--limit', '500', '--json').stdout) as {
          records: { text: string }[]
        }
        expect(shown.records.map(({ text }) => beginning(text))).toEqual(texts.map(beginning))
      }
      inside.deja('daemon', 'stop')
    } finally {
      house.kill()
      space.close()
    }
  })

  test('a limit on a file’s size: the same', async () => {
    await house.launched(['bash', '-c', `ulimit -S -f 1024; exec '${process.execPath}' '${cli}' daemon run`])
    for (let n = 5; n <= 9; n++)
      house.session(
        idOf(n),
        Array.from({ length: 40 }, (_, m) => `late ${n} ${m} ${`text${n}y${m} `.repeat(800)}`),
      )
    await house.until(async () => (await house.status()).state === 'degraded')
    expect((await house.status()).reasons.join()).toMatch(/archive can't be written/)
    expect(await hook()).toBe('')
    const { pid } = house.state()
    expect(spawnSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:unlimited']).status).toBe(0)
    await house.until(async () => (await house.status()).state === 'ready')
    expect(house.state().pid).toBe(pid)
    await house.settled()
    house.expectAll()
  })
})

/** The command line in a namespace. */
class Inside {
  readonly #space: Namespace
  readonly #house: House

  constructor(space: Namespace, house: House) {
    this.#space = space
    this.#house = house
  }

  deja(...args: string[]): { status: number | null; stdout: string; stderr: string } {
    const [program = '', ...rest] = this.#space.inside(process.execPath, cli, ...args)
    return spawnSync(program, rest, {
      env: { ...this.#house.context.env },
      encoding: 'utf8',
      cwd: this.#house.home.path,
    })
  }

  status(): { state: string; reasons: string[] } {
    return JSON.parse(this.deja('status', '--json').stdout) as { state: string; reasons: string[] }
  }
}
