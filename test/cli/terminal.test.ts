import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SessionJson } from '../../src/archive/read/session-reader.ts'
import type { CliContext } from '../../src/cli/context.ts'
import { startCommand } from '../../src/cli/start.ts'
import { renderSearch } from '../../src/cli/search.ts'
import { sessionLine } from '../../src/cli/session-line.ts'
import { widthOf } from '../../src/cli/render.ts'
import { Home } from '../e2e/home.ts'

const ESC = '\u001b'
/** Everything that a transcript could make a terminal do, in a title and in what was said. */
const hostile = `${ESC}[2J${ESC}]0;owned\u0007${ESC}[31mred \u009b31m \u202egnp.exe \u200b`

let home: Home
beforeAll(async () => {
  home = await Home.make()
  await home.fixture('codewhale/home')
  const now = new Date().toISOString()
  const wide = '潮汐表格的解析器在最后一行没有换行符时会丢掉一行，因为切片去掉了最后一个元素。'.repeat(3)
  const message = (role: string, ...content: object[]) => ({ role, content })
  const text = (value: string) => ({ type: 'text', text: value })
  const messages = [
    message('user', text(`Why does the wombat cache drop rows? ${hostile}`)),
    message('assistant', text(`The wombat cache: ${hostile} ${wide} ${'x'.repeat(300)}`), {
      type: 'tool_use',
      id: 'c1',
      name: 'bash',
      input: { command: `echo wombat ${hostile} ${'--flag '.repeat(40)}` },
    }),
    message('user', { type: 'tool_result', tool_use_id: 'c1', content: `wombat ${hostile}` }),
  ]
  const metadata = {
    id: 'dddddddd-0000-4000-8000-000000000001',
    title: `wombat ${hostile} ${wide}`,
    model: `m${ESC}[5m`,
  }
  const rest = {
    created_at: now,
    updated_at: now,
    message_count: 3,
    total_tokens: 1,
    workspace: '/home/dev/w',
    cost: {},
  }
  await home.write(
    `.codewhale/sessions/${metadata.id}.json`,
    JSON.stringify({ schema_version: 1, metadata: { ...metadata, ...rest }, messages }, null, 2),
  )
  const twin = { ...metadata, id: 'dd000000-0000-4000-8000-000000000002' }
  await home.write(
    `.codewhale/sessions/${twin.id}.json`,
    JSON.stringify(
      { schema_version: 1, metadata: { ...twin, ...rest }, messages: [message('user', text('A twin'))] },
      null,
      2,
    ),
  )
  await home.done('index')
})
afterAll(() => home.remove())

it.each([
  ['search', 'wombat'],
  ['show', 'dddddddd'],
  ['last', '--all'],
  ['how', 'echo', '--all'],
  ['why', 'Why does the wombat cache drop rows?', '--workspace', '/home/dev/w'],
  ['usage', '--by', 'session'],
  ['forget', 'dddddddd', '--dry-run'],
])('%s %s … hands a terminal nothing of a transcript that it would obey', async (...args) => {
  const { code, stdout, stderr } = await home.deja(args)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/wombat/)])
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/)
})

it.each([
  ['search', 'wombat'],
  ['last', '--all'],
  ['how', 'echo', '--all'],
  ['usage', '--by', 'session'],
  ['usage', '--by', 'project'],
  ['usage', '--by', 'model'],
  ['forget', 'dddddddd', '--dry-run'],
  ['why', 'Why does the wombat cache drop rows?', '--workspace', '/home/dev/w'],
])('%s %s … keeps to 80 columns', async (...args) => {
  for (const line of (await home.done(...args)).split('\n')) expect([line, widthOf(line) <= 80]).toEqual([line, true])
})

it('an ambiguous beginning of an id ends with 2 and the candidates; a longer one does not', async () => {
  const { code, stdout, stderr } = await home.deja(['show', '5'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/5a6b7c8d/)
  expect(stderr).toMatch(/5b0c1e52/)
  expect((await home.deja(['show', '5b'])).code).toBe(0)
  expect((await home.deja(['show', 'codewhale:5b'])).code).toBe(0)
  expect((await home.deja(['show', 'no-such-session'])).code).toBe(1)
})

it('the candidates of an ambiguous id hand a terminal nothing either', async () => {
  const { code, stderr } = await home.deja(['show', 'dd'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('gnp.exe')])
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/)
})

it('words alone are a search, and data is all that stands on stdout', async () => {
  const { code, stdout, stderr } = await home.deja(['gauge', 'downloader', '--json'])
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, query: 'gauge downloader' })
  expect(await home.deja(['qqqqzzzz'])).toEqual({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^deja: /) as unknown,
  })
})

it('alone on a terminal it shows the state and the newest sessions, within its width; elsewhere the help', async () => {
  const shown = async (interactive: boolean): Promise<string> => {
    let out = ''
    const context: CliContext = {
      env: { HOME: home.path, DEJA_HOME: home.data },
      platform: process.platform,
      stdin: Readable.from([]),
      cwd: home.path,
      dataDir: home.data,
      cli: '/nowhere/deja.js',
      now: () => new Date(),
      out: text => (out += text),
      err: () => undefined,
      terminal: { interactive, colour: false, width: 80 },
    }
    expect(await startCommand(() => (out += 'the help'), context)).toBe(0)
    return out
  }
  const screen = await shown(true)
  expect(screen).toMatch(/^deja is ready, and keeps 10 sessions\.\n\nNewest\n/)
  expect(screen).toContain('codewhale    dddddddd  wombat')
  for (const line of screen.split('\n')) expect([line, widthOf(line) <= 80]).toEqual([line, true])
  expect(await shown(false)).toBe('the help')
})

const session: SessionJson = {
  harness: 'codewhale',
  id: '0a7d3f10-52c4-4b8e-8d3e-2b9c6a1f4e21',
  title: 'Retry for the gauge downloader, 带有退避的重试, and a good deal more than fits',
  workspace: '/w',
  project: '/w',
  path: '/x',
  startedAt: '2026-09-24',
  updatedAt: '2026-09-24',
  parentId: null,
  kind: 'fork',
  deleted: true,
  archived: false,
  model: null,
}

it('a session stands on one line however narrow the terminal is; the agent goes before the title does', () => {
  for (const width of [30, 40, 50, 60, 69]) {
    const line = sessionLine({ interactive: true, colour: false, width }, session)
    expect([width, widthOf(line) <= width, line.includes('0a7d3f10')]).toEqual([width, true, true])
  }
})

it('a session stands on one line, with what is special about it', () => {
  for (const width of [80, 120]) {
    const line = sessionLine({ interactive: true, colour: false, width }, session)
    expect(widthOf(line)).toBeLessThanOrEqual(width)
    expect(line).toMatch(/^2026-09-24 {2}codewhale {4}0a7d3f10 {2}Retry.*\(fork, deleted\)$/)
  }
})

it('the words that were asked for are marked, whatever their case, where colours are wanted', () => {
  const snippets = [
    { n: 3, kind: 'answer' as const, at: '2026-09-24', text: 'The Gauge downloader retries. Gauges too.' },
  ]
  const hits = [{ session, score: 1, why: [], snippets, standIns: [] }]
  const answer = { schemaVersion: 1 as const, query: 'gauge', total: 1, tookMs: 1, hits, notes: [], note: null }
  const coloured = renderSearch(answer, { interactive: true, colour: true, width: 80 })
  expect(coloured.match(/\u001b\[1m\u001b\[36m(?:Gauges?|gauges?)\u001b\[39m\u001b\[22m/g)).toHaveLength(2)
  expect(renderSearch(answer, { interactive: true, colour: false, width: 80 })).not.toContain(ESC)
})

it('what was taken for a word is marked too, and a phrase that a line break parts', () => {
  const text = 'Port the tide tables from SQLite to Parquet, since the reader of the old format dropped a final row.'
  const snippets = [{ n: 3, kind: 'answer' as const, at: '2026-09-24', text }]
  const hits = [{ session, score: 1, why: ['parquet for parqet'], snippets, standIns: ['parquet'] }]
  const query = 'parqet "the old format dropped a final row"'
  const answer = { schemaVersion: 1 as const, query, total: 900, tookMs: 1, hits, notes: [], note: null }
  const coloured = renderSearch(answer, { interactive: true, colour: true, width: 80 })
  const marked = [...coloured.matchAll(/\u001b\[36m(.*?)\u001b\[39m/g)].map(([, word]) => word)
  expect(marked.join(' ').replace(/\s+/g, ' ')).toBe('Parquet the old format dropped a final row')
  // no limit is named that would be refused
  expect(coloured).toContain('899 more sessions: --limit 500 shows more')
})

it('what was noted on purpose stands before the sessions', () => {
  const notes = [{ project: '/home/dev/w', at: '2026-09-24T10:00:00.000Z', text: 'Gauges are read in UTC.' }]
  const answer = { schemaVersion: 1 as const, query: 'gauge', total: 0, tookMs: 1, hits: [], notes, note: null }
  expect(renderSearch(answer, { interactive: true, colour: false, width: 80 })).toBe(
    '2026-09-24  noted for /home/dev/w\n    Gauges are read in UTC.\n',
  )
})

it('a word that is nearly a command is a search that says so; words that find something are none', async () => {
  expect((await home.deja(['stauts'])).stderr).toContain('did you mean `deja status`?')
  expect((await home.deja(['lsat', 'qqqqzzzz'])).stderr).toContain('did you mean `deja last qqqqzzzz`?')
  expect((await home.deja(['wombat'])).stderr).toBe('')
  expect((await home.deja(['search', 'stauts'])).stderr).not.toContain('did you mean')
  expect((await home.deja(['stauts', '--json'])).stderr).toBe('')
})

it('every error begins alike, and a limit that is too high names what may be asked for', async () => {
  for (const args of [
    ['wombat', '--limt', '3'],
    ['show'],
    ['wombat', '--limit', '501'],
    ['search', 'x', '--role', 'me'],
  ]) {
    const { code, stderr } = await home.deja(args)
    expect([args, code, stderr.startsWith('deja: ')]).toEqual([args, 2, true])
  }
  expect((await home.deja(['wombat', '--limit', '501'])).stderr).toContain('from 1 to 500')
})

it('an error that was mended in another project is found there when every project is asked for', async () => {
  const error = "ModuleNotFoundError: No module named 'src'"
  const here = await home.deja(['fix', error])
  expect([here.stdout, here.stderr]).toEqual(['', expect.stringContaining('`deja fix --all` looks in every project')])
  const { stdout } = await home.deja(['fix', '--all', error])
  expect(stdout).toMatch(/7c41e9d2 {2}Local time in charts\n {2}in \/home\/dev\/work\/tidewatch\n[^]*PYTHONPATH=\./)
  for (const line of stdout.split('\n')) expect([line, widthOf(line) <= 80]).toEqual([line, true])
})
