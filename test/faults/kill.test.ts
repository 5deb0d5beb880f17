import Database from 'better-sqlite3'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  deletedEndpoint,
  forgetEndpoint,
  forgottenEndpoint,
  restoreEndpoint,
  unforgetEndpoint,
} from '../../src/daemon/lifecycle-api.ts'
import { indexEndpoint, showEndpoint } from '../../src/daemon/memory-api.ts'
import { House, idOf, wait } from './house.ts'
import { rounds, timeFor } from './rounds.ts'

// kill -9 on everything at random points: nothing lost, nothing twice, nothing half-written.

let house: House
beforeEach(async () => {
  house = await House.make()
})
afterEach(() => house.remove())

const texts = (session: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `session ${session} said ${n}: ${'lorem ipsum '.repeat(n % 40)}end`)

/** A moment within the first `most` ms, early ones more often: that is where things are opened. */
const moment = (most: number): number => Math.round(most * Math.random() ** 1.5)

const ingestRounds = rounds(2, 100)
test(
  `ingest, ${ingestRounds} times`,
  async () => {
    for (let n = 1; n <= 40; n++) house.session(idOf(n), texts(n, 60))
    for (let round = 0; round < ingestRounds; round++) {
      const delay = moment(900)
      house.launch()
      await wait(delay / 2)
      house.append(idOf(1 + (round % 40)), `round ${round} asks`, `round ${round} answers`)
      house.session(idOf(100 + round), texts(100 + round, 20))
      await wait(delay / 2)
      await house.killed()
      if (round % 4 === 1) {
        // everything anew, on top of what is there
        await house.status()
        const again = house.askOnce(indexEndpoint, { rebuild: true })
        await wait(moment(600))
        await house.killed()
        await again
      }
      if (round % 5 !== 4 && round !== ingestRounds - 1) continue
      await house.settled()
      house.expectAll()
      await house.killed()
    }
    await house.settled()
    expect(await house.home.found('"round 0 answers"')).toEqual(['00000001'])
  },
  timeFor(2500, ingestRounds),
)

const forgetRounds = rounds(2, 100)
test(
  `forget, ${forgetRounds} times: it is forgotten to the last byte, or not at all`,
  async () => {
    const secret = idOf(7)
    const word = 'xylophonist'
    for (let n = 1; n <= 10; n++) house.session(idOf(n), texts(n, 40))
    house.append(secret, `the ${word} asked`, `and the ${word} was answered`)
    await house.settled()
    let both = 0
    for (let round = 0; round < forgetRounds; round++) {
      await house.status()
      const answer = house.askOnce(forgetEndpoint, { id: secret, dryRun: false })
      await wait(moment(60))
      await house.killed()
      const wasSaid = (await answer) !== null
      await house.settled()
      const { forgotten } = await house.ask(forgottenEndpoint, undefined)
      const isForgotten = forgotten.some(entry => entry.value === secret)
      if (wasSaid) expect(isForgotten).toBe(true)
      expect(house.kept().has(secret)).toBe(!isForgotten)
      if (!isForgotten) {
        house.expectAll()
        continue
      }
      both++
      await house.home.done('daemon', 'stop')
      expect(filesWith(house.home.data, word)).toEqual([])
      await house.ask(unforgetEndpoint, { value: secret })
      await house.settled()
      house.expectAll()
    }
    if (forgetRounds > 20) expect(both).toBeGreaterThan(0)
  },
  timeFor(2500, forgetRounds),
)

test('what recall kept of a session that was forgotten goes at the next start, if it was killed before that', async () => {
  house.session(idOf(1), texts(1, 4))
  await house.settled()
  await house.home.done('daemon', 'stop')
  const db = new Database(join(house.home.data, 'recall.db'))
  // as the archive never gives a number twice, one that isn't there was forgotten
  db.prepare('INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?)').run(
    'codebuddy',
    'a',
    'm',
    'a xylophonist',
    '[987]',
    Date.now(),
  )
  db.prepare('INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?)').run('codebuddy', 'a', 'n', 'a flautist', '[1]', Date.now())
  db.close()
  await house.settled()
  await house.home.done('daemon', 'stop')
  expect(filesWith(house.home.data, 'xylophonist')).toEqual([])
  expect(filesWith(house.home.data, 'flautist')).toEqual([join(house.home.data, 'recall.db')])
})

const restoreRounds = rounds(2, 100)
test(
  `restore, ${restoreRounds} times: the agent finds a whole session or none, and it can be restored then`,
  async () => {
    const session = idOf(3)
    // large, so that writing it takes a while
    const many = Array.from({ length: 400 }, (_, n) => `turn ${n} ${'of a long session '.repeat(500)}`)
    house.session(session, many)
    await house.settled()
    const before = await house.ask(showEndpoint, { id: session, offset: 0, limit: 1000 })
    const gone = async (): Promise<void> => {
      rmSync(house.path(session))
      await house.settled()
      await house.until(async () => (await house.ask(deletedEndpoint, undefined)).sessions.length === 1)
    }
    await gone()
    const directory = dirname(house.path(session))
    const tell = (text: string): unknown => text.split('\n').filter(each => each !== '').length
    let whole = 0
    for (let round = 0; round < restoreRounds; round++) {
      await house.status()
      const answer = house.askOnce(restoreEndpoint, { id: session })
      await wait(20 + moment(120))
      await house.killed()
      const wasSaid = (await answer) !== null
      if (wasSaid) expect(existsSync(house.path(session))).toBe(true)
      if (existsSync(house.path(session))) {
        whole++
        expect(tell(readFileSync(house.path(session), 'utf8'))).toBe(many.length)
        await gone()
      } else await house.status()
      expect(readdirSync(directory).filter(name => name.endsWith('.jsonl'))).toEqual([])
    }
    await house.ask(restoreEndpoint, { id: session })
    // what an earlier, killed one had begun is not left behind
    expect(readdirSync(directory)).toEqual([`${session}.jsonl`])
    await house.settled()
    const after = await house.ask(showEndpoint, { id: session, offset: 0, limit: 1000 })
    expect(after.records.map(record => record.text)).toEqual(before.records.map(record => record.text))
    if (restoreRounds > 20) expect(whole).toBeGreaterThan(0)
  },
  timeFor(2500, restoreRounds),
)

const configs: Readonly<Record<string, string>> = {
  '.codewhale/config.toml':
    '# mine\nmodel = "x" # keep\n\n[tools]\nalways_load = [ "a" ]\n\n[[hooks.hooks]]\nevent = "session_end"\ncommand = "say bye"\n',
  '.codewhale/mcp.json': '{\n  "servers": {"docs": {"command": "docs"}}\n}\n',
  '.commandcode/settings.json': '{"hooks": {"Stop": [ { "hooks": [{"type": "command", "command": "true"}] } ]}}',
  '.codebuddy/settings.json': '{\n\t"cleanupPeriodDays": 30,\n\t"hooks": {}\n}\n',
  '.workbuddy/settings.json': '{}\n',
}

const installRounds = rounds(2, 100)
test(
  `install and uninstall, ${installRounds} times: every configuration is the old or the new one, byte for byte`,
  async () => {
    const { home } = house
    for (const [path, text] of Object.entries(configs)) await home.write(path, text)
    const tree = (): Map<string, string> => {
      const files = readdirSync(home.path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
      const all = files.map(entry => join(entry.parentPath, entry.name)).filter(path => !path.startsWith(home.data))
      return new Map(all.sort().map(path => [path, readFileSync(path, 'utf8')]))
    }
    const before = tree()
    const started = performance.now()
    await home.done('install', '--auto')
    const took = performance.now() - started
    const after = tree()
    expect(after.size).toBeGreaterThan(before.size)
    await home.done('uninstall', '--all')
    expect(tree()).toEqual(before)
    const whole = (path: string, text: string): boolean => text === before.get(path) || text === after.get(path)
    for (let round = 0; round < installRounds; round++) {
      const isInstall = round % 2 === 0
      const run = home.deja(isInstall ? ['install', '--auto'] : ['uninstall', '--all'])
      // most of the time goes into starting; what is interesting comes at its end
      await wait(took * (0.35 + 0.65 * Math.random()))
      await house.killed()
      await run
      for (const [path, text] of tree()) if (!isDraft(path)) expect([path, whole(path, text)]).toEqual([path, true])
      for (const path of before.keys()) expect(existsSync(path)).toBe(true)
      await home.done(...(isInstall ? ['install', '--auto'] : ['uninstall', '--all']))
      expect(tree()).toEqual(isInstall ? after : before)
    }
    await home.done('uninstall', '--all')
    expect(tree()).toEqual(before)
  },
  timeFor(2000, installRounds),
)

const isDraft = (path: string): boolean => /\.deja-\d+\.tmp$/.test(path)

const firstRounds = rounds(2, 100)
test(
  `the archive's migrations, ${firstRounds} times: from nothing to the newest, and never in between`,
  async () => {
    for (let n = 1; n <= 3; n++) house.session(idOf(n), texts(n, 4))
    for (let round = 0; round < firstRounds; round++) {
      house.launch()
      await wait(150 + moment(350))
      await house.killed()
      await house.settled()
      house.expectAll()
      await house.home.done('daemon', 'stop')
      // only the empty file is left, as after a power cut before the first page
      copyFileSync('/dev/null', house.archive)
      for (const suffix of ['-wal', '-shm']) rmSync(house.archive + suffix, { force: true })
    }
  },
  timeFor(2500, firstRounds),
)

/** Files below a directory in whose bytes a word stands. */
function filesWith(directory: string, word: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => readFileSync(path).includes(word))
}
