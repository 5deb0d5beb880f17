import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reader } from '../../../src/harness/codewhale/reader.ts'
import { store } from '../../../src/harness/codewhale/store.ts'
import type { RecordDraft } from '../../../src/shared/model.ts'
import { CountingSource, home, read, readFixture, sessions } from './documents.ts'

/** The rows of fixtures/codewhale/README.md. */

const parse = '5b0c1e52-7c1d-4f0a-9a57-0f6f2b1d8e01'
const retry = '0a7d3f10-52c4-4b8e-8d3e-2b9c6a1f4e21'
const local = '7c41e9d2-1f6b-4c0a-b7d5-93e8a2f05c32'
const fork = 'e5f0a6b8-3d27-4c91-a2c4-6d1b7e9f0a43'
const port = 'c9d8b7a6-0e1f-4233-9445-5a6b7c8d9e54'

function of(records: readonly RecordDraft[], ...kinds: string[]): RecordDraft[] {
  return records.filter(record => kinds.includes(record.kind))
}

function texts(records: readonly RecordDraft[], kind: string): (string | undefined)[] {
  return of(records, kind).map(record => record.text)
}

const changes = (records: readonly RecordDraft[]): (string | undefined)[] =>
  of(records, 'edit', 'write').map(record => record.path?.replace('/home/dev/work/tidewatch/', ''))

test('5b0c1e52: 0.8, one session in both roots; its turn_meta leads', () => {
  const { session, records } = readFixture(parse)
  expect(session).toMatchObject({
    id: parse,
    title: 'Tide parser drops last row',
    updatedAt: '2026-05-13T07:12:00.000Z',
  })
  expect(texts(records, 'prompt')).toEqual(['Why does the tide parser drop the last row of stations.csv?'])
  expect(of(records, 'edit')).toMatchObject([
    { path: '/home/dev/work/tidewatch/src/parse.py', removed: 'text.split("\\n")[:-1]', added: 'text.splitlines()' },
  ])
  expect(of(records, 'read')).toMatchObject([{ path: '/home/dev/work/tidewatch/src/parse.py' }])
  expect(texts(records, 'answer')).toHaveLength(2)
  const legacy = read(readFileSync(join(home, '.deepseek/sessions', `${parse}.json`)))
  expect(legacy.session?.id).toBe(parse)
  const [current, old] = store.roots({ HOME: '/home/dev' })
  expect([current?.rank, old?.rank]).toEqual([0, 1])
})

test('0a7d3f10: 0.9 with the old tools', () => {
  const { records } = readFixture(retry)
  expect(texts(records, 'prompt')).toEqual([
    'Add a retry with backoff to the gauge downloader and run the tests.',
    'Also mention the jitter question in the notes',
  ])
  expect(of(records, 'command').map(record => [record.command, record.outcome, record.exitCode])).toEqual([
    ['python -m pytest -q tests/test_fetch.py', 'failed', 1],
    ['python -m pytest -q tests/test_fetch.py', 'ok', 0],
    ['make lint', 'unknown', null],
    ['python -m tidewatch serve --port 8099', 'unknown', null],
  ])
  expect(changes(records)).toEqual(['src/fetch.py', 'src/fetch.py', 'docs/retry.md', 'src/cli.py'])
  expect(of(records, 'edit').at(-1)?.added).toBe('    print(download(sys.argv[1]).decode())\n')
  expect(records.at(-1)).toMatchObject({ kind: 'answer', partial: true, text: 'Adding a jitter section to docs/re' })
  // The journal holds the time of saving, so only the day is known.
  expect(new Set(records.map(record => record.at))).toEqual(new Set(['2026-07-18']))
  expect(JSON.stringify(records)).not.toMatch(/bounded retry|runtime_event|\[approval\]|turn_meta/)
})

test('7c41e9d2: 0.10 with the primitives', () => {
  const { records, session } = readFixture(local)
  expect(texts(records, 'prompt')).toEqual([
    'Charts must show high tide in local time. Fix the converter and cover it with a test.',
    'this is how it should look',
    'And what did we decide about neap tides?',
  ])
  expect(changes(records)).toEqual([
    'src/tz.py',
    'src/tz.py',
    'tests/test_tz.py',
    'README.md',
    'conftest.py',
    'src/cli.py',
  ])
  expect(of(records, 'edit').find(({ path }) => path?.endsWith('README.md'))).toMatchObject({
    removed: '  run: pytest',
    added: '  run: PYTHONPATH=. pytest',
  })
  expect(of(records, 'command').map(record => [record.command, record.outcome, record.exitCode])).toEqual([
    ['python -m pytest -q tests/test_tz.py', 'failed', 2],
    ['PYTHONPATH=. python -m pytest -q tests/test_tz.py', 'ok', 0],
  ])
  expect(records[0]?.at).toBe('2026-09-24T10:03:00.100Z')
  expect(records.at(-1)?.at).toBe('2026-09-24T10:10:14.103Z')
  expect(session?.startedAt).toBe('2026-09-24T10:00:58.203Z')
  expect(JSON.stringify(records)).not.toMatch(/pytz|whole hours|deja-recall|hook context|neap tides are drawn dashed$/)
})

test('e5f0a6b8: a fork holds its own messages alone, and says what it inherited', () => {
  const { records, session, usage } = readFixture(fork)
  expect(session).toMatchObject({ kind: 'fork', parentId: local })
  expect(records.map(record => record.text ?? record.command)).toEqual([
    'On this branch, try drawing neap tides as dots instead.',
    "sed -i 's/dashed/dotted/' src/chart.py",
    'Neap tides are dots on this branch.',
  ])
  expect(usage).toMatchObject([{ inherited: { sessionId: local }, tokens: { unsplit: 74102 } }])
})

test('c9d8b7a6: compacted; the summary is no prompt', () => {
  const { records, compactedAt } = readFixture(port)
  expect(texts(records, 'prompt')).toEqual([
    'Port the tide tables from SQLite to Parquet.',
    'Keep the level in centimetres.',
    'go on',
  ])
  expect(texts(records, 'summary')).toHaveLength(1)
  expect(compactedAt).toBe(of(records, 'summary')[0]?.seq)
  expect(of(records, 'command')).toMatchObject([{ command: 'python tools/port.py', outcome: 'ok' }])
})

test("c9d8b7a6: the pair is a compaction, the half a history alone, the spilled output a companion's", () => {
  const pair = `${port}/artifacts/context-transfer-1d2e3f40-5a6b-4c7d-8e9f-a0b1c2d3e465`
  const key = '1d2e3f40-5a6b-4c7d-8e9f-a0b1c2d3e465'
  expect(store.classify(`${pair}.json`)).toEqual({ role: 'compaction', session: port, key, part: 'history' })
  expect(store.classify(`${pair}.md`)).toEqual({ role: 'compaction', session: port, key, part: 'summary' })
  expect(store.classify(`${port}/artifacts/art_toolu_c01.txt`)).toEqual({ role: 'companion' })
  const source = new CountingSource(readFileSync(join(sessions, `${pair}.json`)))
  const history = reader.compactedHistory?.(source, { workspace: '/home/dev/work/tidewatch' }) ?? []
  expect(history.map(record => record.kind)).toEqual([
    'prompt',
    'command',
    'output',
    'answer',
    'prompt',
    'write',
    'answer',
  ])
  expect(history[1]).toMatchObject({ command: "sqlite3 tides.db '.schema gauges'", outcome: 'ok' })
})

test.each([
  ['2f3e4d5c-6b7a-4899-90a1-b2c3d4e5f687', false],
  ['41526374-8596-4a7b-8c9d-0e1f2a3b4c5d', true],
])('%s: written by exec, archived: read like any other', (id, archived) => {
  const { records, session } = readFixture(id)
  expect([session?.archived, records.map(record => record.kind)]).toEqual([archived, ['prompt', 'answer']])
})

test('30405060: an empty stub is no session and no error', () => {
  expect(readFixture('30405060-7080-4910-a2b3-c4d5e6f70819')).toMatchObject({
    session: null,
    records: [],
    problems: [],
  })
})

test('5a6b7c8d: a crash leaves the outcome unknown and its repair no trace', () => {
  const { records } = readFixture('5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8e')
  expect(records.map(({ kind, text, command, outcome }) => [kind, text ?? command, outcome])).toEqual([
    ['prompt', 'Tokenise the NOAA header line', undefined],
    ['command', 'head -1 noaa.txt', 'unknown'],
    ['answer', 'The header is tab separated.', undefined],
  ])
})

test('7a8b9c0d is torn, 8b9c0d1e is newer: both say so', () => {
  expect(readFixture('7a8b9c0d-1e2f-4a3b-8c4d-5e6f7a8b9c0d').problems).toMatchObject([{ code: 'torn' }])
  expect(readFixture('8b9c0d1e-2f3a-4b4c-8d5e-6f7a8b9c0d1e')).toMatchObject({
    session: null,
    problems: [{ code: 'unsupported' }],
  })
})

describe('what stands beside the sessions is known by its exact place', () => {
  test.each([
    ['session_boot_owners.json', 'companion'],
    ['offline_queue.json', 'companion'],
    ['checkpoints/latest.json', 'companion'],
    ['checkpoints/offline_queue.json', 'companion'],
    [`checkpoints/${local}.json`, 'running'],
    [`.goals/${local}.json`, 'companion'],
    [`.work-graph-import-archive/${retry}.json`, 'companion'],
    [`.late-usage/${local}.live`, 'companion'],
    [`.late-usage/${local}.lock`, 'companion'],
    [`.late-usage/${local}.json`, 'companion'],
    [`.journal-archive/${port}.jsonl`, 'companion'],
    ['.reconcile/last.json', 'companion'],
    ['.reconcile/receipts.jsonl', 'companion'],
    [`${local}/approval_receipts.jsonl`, 'companion'],
    [`${local}/approval_receipts.lock`, 'companion'],
    ['6f708192-a3b4-4c5d-8e6f-7a8b9c0d1e2f.json.tmp', 'ignored'],
    [`${local}.json`, 'transcript'],
    [`${local}/artifacts/notes.md`, 'unknown'],
    ['README.txt', 'unknown'],
    [`.goals/deeper/${local}.json`, 'unknown'],
  ])('%s: %s', (path, role) => {
    expect(store.classify(path).role).toBe(role)
    expect(store.sessionIdOf(path)).toBe(role === 'transcript' ? local : null)
  })
})

test('a checkpoint gives what the person said last, the running turn included', () => {
  const source = new CountingSource(readFileSync(join(sessions, 'checkpoints', `${local}.json`)))
  const prompts = reader.runningPrompts?.(source) ?? []
  expect(prompts[0]).toBe('Charts must show high tide in local time. Fix the converter and cover it with a test.')
  expect(prompts.length).toBeGreaterThan(1)
})
