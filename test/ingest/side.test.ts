import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { codewhale } from '../../src/harness/codewhale/index.ts'
import { Bed, redactor, until } from './bed.ts'
import { diary } from './diary.ts'

let bed: Bed
beforeEach(() => {
  bed = new Bed()
})
afterEach(() => bed.end())

const facts = (id: string) => ({ facts: { id, workspace: '/home/dev/tide' } })

it('tells of the turn that runs, and of a compaction once, with its history kept', async () => {
  const home = join(bed.base, 'home')
  cpSync('fixtures/codewhale/home', home, { recursive: true })
  await bed.start(codewhale, { environments: () => [{ HOME: home }] })
  const compacted = bed.events.filter(event => event.type === 'compacted')
  expect(compacted).toHaveLength(1)
  const key = bed.reader.sessions.find('c9d8b7a6')
  if (key.type !== 'one') throw new Error('no such session')
  const kept = bed.reader.compactions.newest(key.key)
  expect(kept?.history?.length).toBeGreaterThan(3)
  expect(kept?.record).not.toBeNull()
  const sessions = join(home, '.codewhale/sessions')
  const id = '0a7d3f10-52c4-4b8e-8d3e-2b9c6a1f4e21'
  const document: unknown = JSON.parse(readFileSync(join(sessions, `${id}.json`), 'utf8'))
  mkdirSync(join(sessions, 'checkpoints'), { recursive: true })
  writeFileSync(join(sessions, 'checkpoints', `${id}.json`), JSON.stringify(document))
  await until(() => bed.events.some(event => event.type === 'running' && event.id === id && event.prompts.length > 0))
})

it('leaves a file alone whose reading ended three workers, until it changes', async () => {
  bed.write('a.jsonl', facts('a'), { kind: 'prompt', text: 'one' })
  await bed.start()
  bed.append('a.jsonl', { kind: 'prompt', text: 'deadly' })
  for (let i = 0; i < 3; i++) bed.river.crashedOn(bed.path('a.jsonl'))
  await bed.stop()
  // as if no worker had come through with it
  const { ArchiveWriter } = await import('../../src/archive/write/archive-writer.ts')
  const writer = new ArchiveWriter(bed.archive, {
    redactor,
    termsOf: text => text,
    errorSignatures: () => [],
    now: () => 0,
  })
  const row = writer.transcripts.find(bed.path('a.jsonl'))
  if (row) writer.transcripts.save({ ...row, tries: 3, size: row.size - 1 })
  writer.close()
  await bed.start()
  expect(bed.state?.harnesses[0]?.unread).toMatchObject([{ code: 'unreadable' }])
  expect(bed.state?.pending).toBe(0)
  bed.append('a.jsonl', { kind: 'prompt', text: 'harmless' })
  await until(() => bed.said('a').includes('prompt: harmless'))
  await until(() => bed.state?.harnesses[0]?.unread.length === 0)
})

it('takes rows of older rules through those of today, and tells the passages anew', async () => {
  const lax = { version: 1, redact: (text: string) => text }
  const strict = { version: 2, redact: (text: string) => text.replaceAll('hunter2', '[redacted:password]') }
  bed.write('a.jsonl', facts('a'), { kind: 'prompt', text: 'the word is hunter2' })
  await bed.start(undefined, { redactor: lax })
  rmSync(bed.path('a.jsonl'))
  await until(() => bed.reader.sessions.deleted().length === 1)
  await bed.stop()
  bed.passages.clear()
  await bed.start(undefined, { redactor: strict })
  expect([...bed.passages.values()].map(({ prompt }) => prompt)).toEqual(['the word is [redacted:password]'])
  expect(bed.said('a')).toEqual(['prompt: the word is [redacted:password]'])
  await bed.stop()
  expect(readFileSync(bed.archive).includes('hunter2')).toBe(false)
})

it('reads a line of many megabytes, and peeks get through meanwhile', async () => {
  bed.write('small.jsonl', facts('small'), { kind: 'prompt', text: 'one' })
  bed.write(
    'big.jsonl',
    facts('big'),
    ...Array.from({ length: 300 }, () => ({ kind: 'output', text: 'much ado '.repeat(8000) })),
  )
  const old = new Date(Date.now() - 1e7)
  utimesSync(bed.path('big.jsonl'), old, old)
  await bed.start(diary([{ path: bed.store, rank: 0 }], { bounded: 4 << 20 }))
  bed.append('small.jsonl', { kind: 'answer', text: 'two' })
  const rebuild = bed.river.rebuild()
  const began = Date.now()
  await bed.river.peek(bed.path('small.jsonl'))
  expect(Date.now() - began).toBeLessThan(1000)
  expect(bed.said('small')).toHaveLength(2)
  await rebuild
  await bed.river.settle()
  expect(bed.said('big')).toHaveLength(300)
}, 60_000)
