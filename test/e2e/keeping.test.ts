import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agents, type Agent } from './agents.ts'
import { Home } from './home.ts'

interface Shown {
  session: { harness: string; id: string; path: string; deleted: boolean }
  total: number
}

/** All four agents in one home: CodeBuddy's and WorkBuddy's sessions have the same ids there, told apart by their harness. */
let home: Home
const wired = new Map<string, Agent>()

beforeAll(async () => {
  home = await Home.make()
  for (const [id, wire] of agents) wired.set(id, await wire(home))
  await home.done('index')
}, 60_000)
afterAll(() => home.remove())

describe.each(agents.map(([id]) => id))('a session of %s', harness => {
  const sample = (): Agent['sample'] => {
    const agent = wired.get(harness)
    if (agent === undefined) throw new Error(`${harness} isn't wired`)
    return agent.sample
  }
  const id = (): string => `${harness}:${sample().id}`
  const show = (): Promise<Shown> => home.dejaJson<Shown>('show', id())
  const found = (): Promise<string[]> => home.found(sample().words, '--harness', harness)

  it('is found by its words, shown by the beginning of its id, and listed', async () => {
    expect(await found()).toContain(sample().id)
    const { session, total } = await show()
    expect([session.harness, session.id.slice(0, 8), session.deleted]).toEqual([harness, sample().id, false])
    expect(total).toBeGreaterThan(2)
    expect(await home.done('last', '50', '--all')).toContain(`${harness.padEnd(11)}  ${sample().id}`)
  })

  it('is reopened by its agent’s own command, or it is said why not', async () => {
    const { code, stdout, stderr } = await home.deja(['resume', id()])
    const { resume } = sample()
    if (resume === null) expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/WorkBuddy/)])
    else {
      expect([code, stdout]).toEqual([0, expect.stringMatching(resume)])
      expect(stderr).toMatch(/is gone/)
    }
  })

  it('is deleted with all its files, kept here, and written back once', async () => {
    const before = await show()
    const listed = await home.deja(['delete', id()])
    expect([listed.code, listed.stdout]).toEqual([1, expect.stringContaining(before.session.path)])
    await stat(before.session.path)
    await home.done('delete', id(), '--yes')
    await expect(stat(before.session.path)).rejects.toThrow(/ENOENT/)
    await home.done('index')
    expect((await show()).session.deleted).toBe(true)
    expect(await home.done('deleted')).toContain(sample().id)
    expect(await found()).toContain(sample().id)

    const restored = await home.deja(['restore', id()])
    if (sample().resume === null) {
      expect([restored.code, restored.stdout, restored.stderr]).toEqual([1, '', expect.stringMatching(/WorkBuddy/)])
      return
    }
    expect([restored.code, restored.stdout.trim()]).toEqual([0, before.session.path])
    expect(restored.stderr).toMatch(/is back with its agent: \d+ records in 1 file\./)
    expect(restored.stderr).toContain('deja resume')
    expect((await stat(before.session.path)).mode & 0o777).toBe(0o600)
    expect((await home.deja(['restore', id()])).code).toBe(1)
    await home.done('index')
    const after = await show()
    expect([after.session.deleted, after.total]).toEqual([false, before.total])
  })
})

it('what is forgotten stays so through a restart and a rebuild, until that is taken back', async () => {
  const all = [...wired.values()].map(({ id, sample }) => ({ id, sample, key: `${id}:${sample.id}` }))
  // WorkBuddy's is a copy of CodeBuddy's, turn by turn: it goes with it
  const samples = all.filter(({ id }) => id !== 'workbuddy')
  const copies = all.filter(({ id }) => id === 'workbuddy')
  const found = async ({ id, sample }: (typeof samples)[number]): Promise<boolean> =>
    (await home.found(sample.words, '--harness', id)).includes(sample.id)
  for (const each of samples) {
    const dry = await home.deja(['forget', each.key, '--dry-run'])
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining(each.sample.id)])
    expect(await found(each)).toBe(true)
    await home.done('forget', each.key)
    expect(await found(each)).toBe(false)
  }
  for (const copy of copies) expect(await found(copy)).toBe(false)
  await home.done('daemon', 'restart')
  await home.done('index', '--rebuild')
  const list = await home.done('forget', '--list')
  for (const each of samples) {
    expect(await found(each)).toBe(false)
    expect(list).toContain(each.key)
    const { code, stderr } = await home.deja(['show', each.key])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/forgotten/)])
    await home.done('unforget', each.key)
    await expect.poll(() => found(each), { timeout: 10_000, interval: 200 }).toBe(true)
  }
  expect((await home.deja(['forget', 'nobody'])).code).toBe(1)
}, 60_000)

it('an id of two agents’ sessions is ambiguous, with both as candidates', async () => {
  const { code, stderr } = await home.deja(['show', '0ef8d742'])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/codebuddy:0ef8d742[\s\S]*workbuddy:0ef8d742/)])
})

it('status and doctor end with what they say', async () => {
  expect((await home.deja(['status'])).code).toBe(0)
  expect((await home.deja(['doctor'])).code).toBe(0)
  await home.done('daemon', 'stop')
  const alone = { env: { DEJA_NO_AUTOSTART: '1' } }
  expect(await home.deja(['status'], alone)).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/stopped/) as unknown,
  })
  expect(await home.deja(['doctor'], alone)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/No daemon/) as unknown,
  })
  expect((await home.deja(['daemon', 'stop'])).code).toBe(0)
  await writeFile(join(home.data, 'config.toml'), 'recal = "safe"\n')
  const broken = await home.deja(['doctor'])
  expect([broken.code, broken.stdout]).toEqual([1, expect.stringMatching(/config\.toml:1: .*did you mean\s+"recall"/)])
  expect((await home.deja(['search', 'tide'])).code).toBe(1)
  await writeFile(join(home.data, 'config.toml'), '')
  expect((await home.deja(['daemon', 'start'])).code).toBe(0)
  expect((await home.deja(['daemon', 'start'])).code).toBe(0)
})

it('uninstall gives every configuration back', async () => {
  await home.done('uninstall', '--all')
  await expect(home.text('.commandcode/mods/deja.ts')).rejects.toThrow(/ENOENT/)
  for (const settings of ['.commandcode', '.codebuddy', '.workbuddy'])
    expect(await home.text(`${settings}/settings.json`).catch(() => '')).not.toMatch(/deja/)
  expect(await home.text('.codewhale/config.toml')).not.toMatch(/deja/)
})
