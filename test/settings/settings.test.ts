import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSettings } from '../../src/settings/settings.ts'
import { DejaError } from '../../src/shared/errors.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'deja-settings-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const configure = (text: string) => writeFile(join(dataDir, 'config.toml'), text)

async function refusal(text: string): Promise<string> {
  await configure(text)
  try {
    loadSettings(dataDir)
  } catch (error) {
    if (error instanceof DejaError && error.code === 'config') return error.message
    throw error
  }
  throw new Error('it was taken')
}

test('everything has a default', () => {
  expect(loadSettings(dataDir)).toEqual({
    recall: 'safe',
    subagents: 'default',
    exclude: { projects: [], paths: [] },
    memoryCeilingMb: 550,
    recallSizes: { digest: 2400, recall: 1800, hint: 500, fix: 500, packet: 4000 },
    prices: null,
    retentionDays: null,
    idleExitHours: 24,
  })
})

test('takes what is written, ~ being the home', async () => {
  await configure(`recall = "off"
include_subagents = 1
[exclude]
projects = ["~/secret", "/srv/x"]
[memory]
ceiling_mb = 300
[recall_sizes]
hint = 0
[usage]
prices = "~/prices.json"
[retention]
days = 30
[daemon]
idle_exit_hours = 0.5
`)
  const settings = loadSettings(dataDir, { HOME: '/home/dev' })
  expect(settings).toMatchObject({ recall: 'off', subagents: 'all', memoryCeilingMb: 300, retentionDays: 30 })
  expect(settings).toMatchObject({ prices: '/home/dev/prices.json', idleExitHours: 0.5 })
  expect(settings.exclude).toEqual({ projects: ['/home/dev/secret', '/srv/x'], paths: [] })
  expect(settings.recallSizes).toEqual({ digest: 2400, recall: 1800, hint: 0, fix: 500, packet: 4000 })
})

test('DEJA_INCLUDE_SUBAGENTS wins over the file', async () => {
  await configure('include_subagents = 1\n')
  expect(loadSettings(dataDir, { DEJA_INCLUDE_SUBAGENTS: '0' }).subagents).toBe('none')
})

test('a broken file is refused with line and key', async () => {
  expect(await refusal('# mine\nrecall = "safe"\nrecall = "off"\n')).toMatch(/config\.toml:3: .*recall/)
  expect(await refusal('\nrecall = \n')).toMatch(/config\.toml:2: .*recall/)
  expect(await refusal('[memory]\n\nceiling_mb = 12\n')).toMatch(/config\.toml:3: "memory\.ceiling_mb": /)
  expect(await refusal('recall = "loud"\n')).toMatch(/config\.toml:1: "recall": /)
  expect(await refusal('[exclude]\nprojects = [\n  "/a",\n  "b",\n]\n')).toMatch(/config\.toml:2: "exclude\.projects/)
})

test('an unknown key is refused with the nearest one', async () => {
  expect(await refusal('recal = "off"\n')).toMatch(/config\.toml:1: unknown key "recal"; did you mean "recall"\?/)
  expect(await refusal('[exclude]\n# x\nproject = ["/a"]\n')).toMatch(
    /:3: unknown key "exclude\.project"; .*"projects"/,
  )
  expect(await refusal('[zzz]\nq = 1\n')).toMatch(/:1: unknown key "zzz"$/)
})
