import Database from 'better-sqlite3'
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openArchiveReader } from '../../src/archive/read/archive-reader.ts'
import type { IngestEvent } from '../../src/ingest/events.ts'
import { Ingest } from '../../src/ingest/ingest.ts'
import { recordHomes } from '../../src/settings/homes.ts'
import { redactor, until } from './bed.ts'
import { bundle } from './bundle.ts'

let built: Awaited<ReturnType<typeof bundle>>
let base: string
let data: string
let home: string
let ingest: Ingest | null = null

beforeAll(async () => {
  built = await bundle()
})
afterAll(() => {
  built.remove()
})
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deja-ingest-')))
  data = join(base, 'data')
  home = join(base, 'home')
  mkdirSync(home)
})
afterEach(async () => {
  await ingest?.stop()
  ingest = null
  rmSync(base, { recursive: true, force: true })
})

const settings = { exclude: { projects: [], paths: [] }, subagents: 'default' } as const
const start = async () => {
  ingest = await Ingest.start({ dataDir: data, env: { HOME: home }, settings, worker: built.worker })
  return ingest
}

/** A CodeBuddy session as its client writes it. */
function session(n: number, turns: number): string {
  const id = `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`
  const lines: string[] = []
  for (let i = 0; i < turns; i++) {
    const base = { timestamp: 1_780_000_000_000 + n * 1e6 + i * 1000, sessionId: id, cwd: '/home/dev/acme-api' }
    const link = { id: `i${i}`, ...(i > 0 && { parentId: `i${i - 1}` }) }
    const role = i % 2 ? 'assistant' : 'user'
    const content = [
      { type: i % 2 ? 'output_text' : 'input_text', text: `turn ${i} of session ${n} ${'word '.repeat(200)}` },
    ]
    lines.push(
      JSON.stringify({
        ...link,
        ...base,
        type: 'message',
        role,
        ...(i % 2 && { status: 'completed' }),
        content,
        providerData: {},
      }),
    )
  }
  const directory = join(home, '.codebuddy/projects/home-dev-acme-api')
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `${id}.jsonl`)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

function counts() {
  const reader = openArchiveReader(join(data, 'archive.db'), redactor)
  try {
    const { sessions, records } = reader.counts()
    return { sessions, records }
  } finally {
    reader.close()
  }
}

it('reads stores in a worker, tells what came, answers peeks, forgets, and is private on disk', async () => {
  const path = session(1, 6)
  const running = await start()
  const events: IngestEvent[] = []
  running.on(event => {
    events.push(event)
  })
  await running.settle()
  expect(counts()).toEqual({ sessions: 1, records: 6 })
  expect(events.flatMap(event => (event.type === 'passages' ? event.upserts : []))).toHaveLength(3)
  expect(running.state()).toMatchObject({ phase: 'watching', pending: 0, degraded: [] })
  for (const name of readdirSync(data)) expect(statSync(join(data, name)).mode & 0o077).toBe(0)
  appendFileSync(
    path,
    `${JSON.stringify({ id: 'i6', parentId: 'i5', timestamp: 1, sessionId: 'x', cwd: '/home/dev/acme-api', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'more' }], providerData: {} })}\n`,
  )
  await running.peek(path, 2000)
  expect(counts().records).toBe(7)
  const id = path.split('/').at(-1)?.replace('.jsonl', '') ?? ''
  expect(await running.forget({ sessions: [{ harness: 'codebuddy', id }] })).toHaveLength(1)
  expect(counts().sessions).toBe(0)
  expect(await running.unforget({ session: { harness: 'codebuddy', id } })).toBe(true)
  await running.rebuild()
  expect(counts()).toEqual({ sessions: 1, records: 7 })
})

it('killed at any time, resumes to the same', async () => {
  for (let n = 0; n < 60; n++) session(n, 40)
  const run = (killAfter: number | null) =>
    new Promise<string>(resolve => {
      const child = spawn(process.execPath, [built.process, data, home, built.worker.href], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      child.stdout.on('data', chunk => (said += String(chunk)))
      if (killAfter !== null) setTimeout(() => child.kill('SIGKILL'), killAfter)
      child.on('exit', () => resolve(said))
    })
  for (const ms of [150, 300, 450, 600, 800]) await run(ms)
  expect(await run(null)).toBe('settled\n')
  expect(counts()).toEqual({ sessions: 60, records: 2400 })
  const db = new Database(join(data, 'archive.db'), { readonly: true })
  expect(db.prepare('SELECT count(*) AS n FROM records_fts').get()).toEqual({ n: 2400 })
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  db.close()
}, 60_000)

it('puts a broken archive aside and reads everything again; the forgotten stay so', async () => {
  session(1, 6)
  session(2, 4)
  const first = await start()
  await first.settle()
  await first.forget({ sessions: [{ harness: 'codebuddy', id: '00000002-1111-4111-8111-111111111111' }] })
  await first.stop()
  writeFileSync(join(data, 'archive.db'), 'no database at all, but long enough to be looked at as one. '.repeat(100))
  const second = await start()
  await second.settle()
  expect(counts()).toEqual({ sessions: 1, records: 6 })
  expect(second.state().lastError?.message).toMatch(/put aside/)
})

it('refuses an archive of a newer version with a sentence', async () => {
  mkdirSync(data)
  const db = new Database(join(data, 'archive.db'))
  db.pragma('user_version = 99')
  db.close()
  await expect(start()).rejects.toMatchObject({
    code: 'archive',
    message: expect.stringMatching(/version 99/) as string,
  })
})

it('an archive that is deleted while it is in use is begun anew', async () => {
  session(1, 6)
  const running = await start()
  const events: string[] = []
  running.on(event => {
    events.push(event.type)
  })
  await running.settle()
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(data, `archive.db${suffix}`), { force: true })
  session(2, 4)
  await until(() => events.includes('reopened'), 15_000)
  await running.settle()
  expect(counts()).toEqual({ sessions: 2, records: 10 })
})

it('reads the stores of a home that an install records while it runs', async () => {
  const running = await start()
  await running.settle()
  session(1, 6)
  const elsewhere = join(base, 'elsewhere')
  cpSync(join(home, '.codebuddy'), elsewhere, { recursive: true })
  rmSync(join(home, '.codebuddy'), { recursive: true })
  recordHomes(data, { CODEBUDDY_CONFIG_DIR: elsewhere }, ['CODEBUDDY_CONFIG_DIR'])
  await until(() => counts().records === 6, 5000)
})

it('reads the fixtures of a harness whole', async () => {
  cpSync('fixtures/codebuddy/resume/projects', join(home, '.codebuddy/projects'), { recursive: true })
  const running = await start()
  await running.settle()
  expect(counts()).toEqual({ sessions: 1, records: 10 })
})
