import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Bed, until } from './bed.ts'

const facts = (id: string, more: object = {}) => ({
  facts: {
    id,
    workspace: '/home/dev/tide',
    startedAt: '2026-09-01T09:00:00.000Z',
    updatedAt: '2026-09-01T10:00:00.000Z',
    ...more,
  },
})
const question = 'why does the harbourmaster gauge wobble when the ferry leaves its berth'
const reply = 'because zymurgical resonance in the stilling well, so we damped it with a plate'
const turns = [
  { kind: 'prompt', text: question },
  { kind: 'answer', text: reply },
  { kind: 'output', text: `quorvex ${'lorem ipsum dolor '.repeat(1000)}` },
  { kind: 'command', command: 'make lint', outcome: 'ok' },
]

let bed: Bed
beforeEach(() => {
  bed = new Bed()
})
afterEach(() => bed.end())

/** Files below the data directory in which a text stands. */
function holding(text: string): string[] {
  const data = join(bed.base, 'data')
  return readdirSync(data).filter(name => readFileSync(join(data, name)).includes(text))
}

it('drops a session everywhere, to the bytes, and lists it', async () => {
  bed.write('a.jsonl', facts('a', { title: 'Wobbling' }), ...turns)
  bed.write('b.jsonl', facts('b'), { kind: 'prompt', text: 'something else' })
  await bed.start()
  expect(await bed.river.forget({ sessions: [{ harness: 'diary', id: 'a' }] }, true)).toMatchObject([
    { id: 'a', records: 4 },
  ])
  expect(bed.said('a')).toHaveLength(4)
  expect(holding('zymurgical').length).toBeGreaterThan(0)
  await bed.river.forget({ sessions: [{ harness: 'diary', id: 'a' }] }, false)
  expect(bed.said('a')).toEqual([])
  expect([...bed.passages.values()].map(({ prompt }) => prompt)).toEqual(['something else'])
  expect(bed.reader.forgotten()).toMatchObject([{ kind: 'session', value: 'a' }])
  expect(bed.reader.sessions.find('a')).toEqual({ type: 'none', forgotten: { harness: 'diary', id: 'a' } })
  await bed.stop()
  for (const word of ['zymurgical', 'harbourmaster', 'quorvex', 'Wobbling', 'zymurg']) expect(holding(word)).toEqual([])
})

it('holds over growth, a rebuild, a restart, a lost archive and a copy under another name', async () => {
  bed.write('a.jsonl', facts('a'), ...turns)
  bed.write(
    'b.jsonl',
    facts('b'),
    { kind: 'prompt', text: 'something else' },
    { kind: 'command', command: 'make lint' },
  )
  await bed.start()
  await bed.river.forget({ sessions: [{ harness: 'diary', id: 'a' }] }, false)
  bed.append('a.jsonl', { kind: 'answer', text: 'more of it' })
  await bed.river.rebuild()
  await bed.river.settle()
  expect(bed.said('a')).toEqual([])
  await bed.stop()
  rmSync(bed.archive)
  rmSync(`${bed.archive}-wal`, { force: true })
  rmSync(`${bed.archive}-shm`, { force: true })
  bed.write('copy.jsonl', facts('copy'), ...turns, { kind: 'prompt', text: 'what only the copy says' })
  await bed.start()
  expect(bed.said('a')).toEqual([])
  expect(bed.said('copy')).toEqual(['prompt: what only the copy says'])
  expect(bed.said('b')).toEqual(['prompt: something else', 'command: make lint'])
  await bed.stop()
  expect(holding('zymurgical')).toEqual([])
})

it('takes what a fork carries, and leaves what it says itself', async () => {
  bed.write('a.jsonl', facts('a'), ...turns)
  bed.write('f.jsonl', facts('f', { parentId: 'a', kind: 'fork' }), ...turns, { kind: 'prompt', text: 'its own' })
  await bed.start()
  await bed.river.forget({ sessions: [{ harness: 'diary', id: 'a' }] }, false)
  expect(bed.said('f')).toEqual(['prompt: its own'])
  expect([...bed.passages.values()].map(({ prompt }) => prompt)).toEqual(['its own'])
  await bed.river.unforget({ session: { harness: 'diary', id: 'a' } })
  await bed.river.settle()
  expect(bed.said('a')).toHaveLength(4)
  expect(bed.said('f')).toHaveLength(5)
})

it('of a fork leaves its parent whole', async () => {
  bed.write('a.jsonl', facts('a'), ...turns)
  bed.write('f.jsonl', facts('f', { parentId: 'a', kind: 'fork' }), ...turns, { kind: 'prompt', text: 'its own' })
  await bed.start()
  await bed.river.forget({ sessions: [{ harness: 'diary', id: 'f' }] }, false)
  expect(bed.said('a')).toHaveLength(4)
  await bed.river.rebuild()
  await bed.river.settle()
  expect(bed.said('a')).toHaveLength(4)
  expect(bed.said('f')).toEqual([])
})

it('by project takes what began before; by date what last changed before', async () => {
  bed.write('a.jsonl', facts('a'), { kind: 'prompt', text: 'one' })
  bed.write('b.jsonl', facts('b', { workspace: '/home/dev/other' }), { kind: 'prompt', text: 'two' })
  bed.write(
    'old.jsonl',
    facts('old', {
      workspace: '/home/dev/other',
      startedAt: '2020-01-01T00:00:00.000Z',
      updatedAt: '2020-01-02T00:00:00.000Z',
    }),
    { kind: 'prompt', text: 'three' },
  )
  await bed.start()
  expect(await bed.river.forget({ before: '2021-01-01' }, false)).toMatchObject([{ id: 'old' }])
  expect(await bed.river.forget({ project: '/home/dev/tide' }, false)).toMatchObject([{ id: 'a' }])
  bed.write(
    'new.jsonl',
    facts('new', { startedAt: '2999-01-01T00:00:00.000Z', updatedAt: '2999-01-01T00:00:00.000Z' }),
    { kind: 'prompt', text: 'begun later' },
  )
  bed.write('late.jsonl', facts('late'), { kind: 'prompt', text: 'begun before, found later' })
  await bed.river.rebuild()
  await bed.river.settle()
  expect(bed.reader.sessions.newest({ limit: 9 }).map(({ id }) => id)).toEqual(['new', 'b'])
  expect(await bed.river.unforget({ session: { harness: 'diary', id: 'a' } })).toBe(true)
  await bed.river.settle()
  expect(bed.said('a')).toEqual(['prompt: one'])
  expect(await bed.river.unforget({ session: { harness: 'diary', id: 'never' } })).toBe(false)
})

it('interrupted half-way is finished at the next start', async () => {
  bed.write('a.jsonl', facts('a'), ...turns)
  await bed.start()
  await bed.stop()
  const { ArchiveWriter } = await import('../../src/archive/write/archive-writer.ts')
  const { redactor } = await import('./bed.ts')
  const writer = new ArchiveWriter(bed.archive, {
    redactor,
    termsOf: text => text,
    errorSignatures: () => [],
    now: () => 0,
  })
  writer.forget.decide({ sessions: [{ harness: 'diary', id: 'a' }] }, '2026-09-02T00:00:00.000Z')
  writer.close()
  expect(holding('zymurgical').length).toBeGreaterThan(0)
  await bed.start()
  await until(() => bed.reader.counts().sessions === 0)
  await bed.stop()
  expect(holding('zymurgical')).toEqual([])
})
