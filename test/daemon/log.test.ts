import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Log, logFile } from '../../src/daemon/log.ts'
import { DejaError } from '../../src/shared/errors.ts'

let dataDir: string
const now = () => new Date('2026-03-04T05:06:07.000Z')

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'deja-log-'))
  await mkdir(join(dataDir, 'logs'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('one line an entry, for the user alone; of a strange error its kind and place, never its message', async () => {
  const log = new Log(dataDir, now)
  log.info('two\nlines')
  log.error('hook', new DejaError('archive', 'archive.db is broken'))
  log.error('hook', new SyntaxError('Unexpected token in "my secret prompt"'))
  const lines = (await readFile(logFile(dataDir), 'utf8')).trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toBe('2026-03-04T05:06:07.000Z info two | lines')
  expect(lines[1]).toBe('2026-03-04T05:06:07.000Z error hook: archive: archive.db is broken')
  expect(lines[2]).toMatch(/error hook: SyntaxError at .*log\.test\.ts/)
  expect(lines[2]).not.toContain('secret')
  expect((await stat(logFile(dataDir))).mode & 0o777).toBe(0o600)
})

test('two files of a megabyte at most', async () => {
  const log = new Log(dataDir, now)
  for (let i = 0; i < 3500; i++) log.info('x'.repeat(1000))
  const files = await readdir(join(dataDir, 'logs'))
  expect(files.sort()).toEqual(['daemon.log', 'daemon.log.1'])
  for (const file of files) expect((await stat(join(dataDir, 'logs', file))).size).toBeLessThanOrEqual(1_000_000)
})

test('a file that somebody removed is begun anew, however much was in it', async () => {
  const log = new Log(dataDir, now)
  for (let i = 0; i < 990; i++) log.info('x'.repeat(1000))
  await rm(logFile(dataDir))
  for (let i = 0; i < 20; i++) log.info(`later ${i}`.padEnd(1000))
  expect(await readFile(logFile(dataDir), 'utf8')).toContain('later 19')
})

test('a directory that is gone is no error', async () => {
  const log = new Log(dataDir, now)
  await rm(join(dataDir, 'logs'), { recursive: true })
  expect(() => log.info('x')).not.toThrow()
})
