import {
  appendFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Bed, until } from './bed.ts'
import { diary } from './diary.ts'

const facts = (id: string, more: object = {}) => ({
  facts: { id, workspace: '/home/dev/tide', updatedAt: '2026-09-01T10:00:00.000Z', ...more },
})
const prompt = (text: string, more: object = {}) => ({ kind: 'prompt', text, ...more })
const answer = (text: string, more: object = {}) => ({ kind: 'answer', text, ...more })

let bed: Bed
beforeEach(() => {
  bed = new Bed()
})
afterEach(() => bed.end())

describe('a transcript', () => {
  it('is read, kept, and told as passages', async () => {
    bed.write(
      'a.jsonl',
      facts('a', { title: 'Tides' }),
      prompt('how high is the tide'),
      answer('four metres'),
      prompt('and tomorrow'),
      answer('five'),
    )
    await bed.start()
    expect(bed.said('a')).toEqual([
      'prompt: how high is the tide',
      'answer: four metres',
      'prompt: and tomorrow',
      'answer: five',
    ])
    expect([...bed.passages.values()].map(passage => [passage.n, passage.prompt, passage.answer])).toEqual([
      [0, 'how high is the tide', 'four metres'],
      [1, 'and tomorrow', 'five'],
    ])
    expect(bed.state).toMatchObject({ pending: 0, phase: 'watching', harnesses: [{ sessions: 1, records: 4 }] })
  })

  it('that grows is told within 300 ms, and only its last passage', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'), answer('first'), prompt('two'), answer('second'))
    await bed.start()
    const [first, last] = [...bed.passages.keys()]
    bed.events.length = 0
    const began = Date.now()
    bed.append('a.jsonl', answer('third'))
    await until(() => bed.events.some(event => event.type === 'passages'))
    expect(Date.now() - began).toBeLessThan(300)
    const told = bed.events.flatMap(event => (event.type === 'passages' ? event.upserts : []))
    expect(told.map(passage => passage.id)).toEqual([last])
    expect(told[0]?.answer).toContain('third')
    expect(first).not.toBe(last)
  })

  it('that ends in half a line is read up to there, and the rest when it comes', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'))
    appendFileSync(bed.path('a.jsonl'), '{"kind":"answer","te')
    await bed.start()
    expect(bed.said('a')).toEqual(['prompt: one'])
    expect(bed.state?.harnesses[0]?.unread).toMatchObject([{ code: 'waiting' }])
    expect(bed.state?.pending).toBe(0)
    // the file is as it was: so is what is wrong with it
    await bed.stop()
    await bed.start()
    expect(bed.state?.harnesses[0]?.unread).toMatchObject([{ code: 'waiting' }])
    appendFileSync(bed.path('a.jsonl'), 'xt":"late"}\n')
    await until(() => bed.said('a').length === 2)
    expect(bed.said('a')).toEqual(['prompt: one', 'answer: late'])
  })

  it('that was cut loses nothing that was kept, and doubles nothing', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'), answer('first'), prompt('two'), answer('second'))
    await bed.start()
    const ids = bed.ids('a')
    bed.write('a.jsonl', facts('a'), prompt('one'), answer('first'), prompt('three'))
    await until(() => bed.said('a').length === 5)
    expect(bed.said('a')).toEqual(['prompt: one', 'answer: first', 'prompt: two', 'answer: second', 'prompt: three'])
    expect(bed.ids('a').slice(0, 4)).toEqual(ids)
    truncateSync(bed.path('a.jsonl'), 0)
    await bed.river.settle()
    expect(bed.said('a')).toHaveLength(5)
  })

  it('that is rewritten at the same size is read anew', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'), answer('x'.repeat(9000)), answer('first'), answer('x'.repeat(9000)))
    await bed.start()
    bed.write('a.jsonl', facts('a'), prompt('one'), answer('x'.repeat(9000)), answer('other'), answer('x'.repeat(9000)))
    await until(() => bed.said('a').includes('answer: other'))
    expect(bed.said('a').filter(said => said.includes('first'))).toHaveLength(1)
    expect(bed.said('a')).toHaveLength(5)
  })

  it('under a new inode keeps its rows', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'), answer('first'))
    await bed.start()
    const ids = bed.ids('a')
    bed.write('b.tmp', facts('a'), prompt('one'), answer('first'), prompt('two'))
    renameSync(bed.path('b.tmp'), bed.path('a.jsonl'))
    await until(() => bed.said('a').length === 3)
    expect(bed.ids('a').slice(0, 2)).toEqual(ids)
  })

  it('says two equal turns twice', async () => {
    bed.write('a.jsonl', facts('a'), prompt('continue'), answer('yes'), prompt('continue'), answer('yes'))
    await bed.start()
    await bed.river.rebuild()
    expect(bed.said('a')).toHaveLength(4)
  })

  it('of one session in two files is told in the order of its times', async () => {
    const at = (minute: number) => ({ at: `2026-09-01T10:0${minute}:00.000Z` })
    bed.write('x/part1.jsonl', facts('s'), prompt('one', at(1)), prompt('four', at(4)))
    bed.write('y/part2.jsonl', facts('s'), prompt('two', at(2)), prompt('three', at(3)))
    await bed.start()
    expect(bed.said('s')).toEqual(['prompt: one', 'prompt: two', 'prompt: three', 'prompt: four'])
    bed.append('y/part2.jsonl', prompt('five', at(5)))
    await until(() => bed.said('s').length === 5)
    rmSync(bed.path('x'), { recursive: true })
    await bed.river.settle()
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(bed.said('s')).toHaveLength(5)
    expect(bed.reader.sessions.deleted()).toEqual([])
  })

  it('that stands there twice is kept once, and what either says anew is kept', async () => {
    const turns = [prompt('how high is the tide'), answer('four metres'), prompt('and tomorrow'), answer('five')]
    bed.write('x/a.jsonl', facts('a'), ...turns)
    await bed.start()
    bed.write('y/a.jsonl', facts('a'), ...turns)
    await bed.river.settle()
    expect(bed.said('a')).toHaveLength(4)
    bed.append('y/a.jsonl', prompt('and the day after'))
    await until(() => bed.said('a').length === 5)
    bed.append('x/a.jsonl', prompt('who told you'))
    await until(() => bed.said('a').length === 6)
    await bed.river.rebuild()
    expect(bed.said('a')).toHaveLength(6)
    rmSync(bed.path('x'), { recursive: true })
    await bed.river.settle()
    await bed.river.rebuild()
    expect(bed.said('a')).toHaveLength(6)
    expect(bed.reader.sessions.deleted()).toEqual([])
  })

  it('that was compacted tells when: by the record after it, else by the file', async () => {
    const at = new Date(Date.now() - 5 * 60_000).toISOString()
    bed.write('a.jsonl', facts('a'), prompt('one'), { compacted: true }, { kind: 'summary', text: 'so far', at })
    bed.write('b.jsonl', facts('b'), prompt('one'), { compacted: true }, { kind: 'summary', text: 'so far' })
    await bed.start()
    const told = new Map(
      bed.events.flatMap(event => (event.type === 'compacted' ? [[event.session.id, event.at] as const] : [])),
    )
    expect(told.get('a')).toBe(Date.parse(at))
    expect(Date.now() - (told.get('b') ?? 0)).toBeLessThan(60_000)
  })

  it('is read once more when what is read of sub-agents is set otherwise', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'))
    await bed.start()
    const reads = async (subagents: 'default' | 'all') => {
      let count = 0
      await bed.stop()
      await bed.start(undefined, { reader: { subagents }, reading: path => (count += path === null ? 0 : 1) })
      return count
    }
    const unchanged = await reads('default')
    expect(await reads('all')).toBeGreaterThanOrEqual(unchanged)
    expect(bed.said('a')).toEqual(['prompt: one'])
  })

  it('takes its title from a file beside it, when that comes later too', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'))
    await bed.start()
    writeFileSync(bed.path('a.title'), 'Named')
    await until(() => bed.reader.sessions.newest({ limit: 1 })[0]?.title === 'Named')
  })

  it('that makes its reader throw is left alone after three tries, and the others are read', async () => {
    bed.write('a.jsonl', facts('a'), { boom: true })
    bed.write('b.jsonl', facts('b'), prompt('fine'))
    await bed.start()
    expect(bed.said('b')).toEqual(['prompt: fine'])
    await until(() => bed.state?.harnesses[0]?.unread.some(({ reason }) => reason.includes('boom')) === true)
    await until(() => bed.state?.pending === 0, 20_000)
    bed.write('a.jsonl', facts('a'), prompt('mended'))
    await until(() => bed.said('a').length === 1)
  })

  it('in many bounded steps gives what one step gives, also killed in between', async () => {
    const lines = Array.from({ length: 400 }, (_, i) => (i % 2 ? answer(`answer ${i}`) : prompt(`prompt ${i}`)))
    bed.write('a.jsonl', facts('a'), ...lines)
    const harness = diary([{ path: bed.store, rank: 0 }], { bounded: 900 })
    await bed.start(harness)
    expect(bed.said('a')).toHaveLength(400)
    const ids = bed.ids('a')
    await bed.river.rebuild()
    expect(bed.ids('a')).toEqual(ids)
  })
})

describe('secrets', () => {
  const secret = 'sk-ant-api03-' + 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z'

  it('reach no file, those that only the reader remembers neither', async () => {
    bed.write('a.jsonl', facts('a', { title: `use ${secret}` }), prompt(`the key is ${secret}`), {
      pending: `curl -H "x-api-key: ${secret}"`,
    })
    await bed.start()
    await bed.stop()
    expect(bytesWith(bed, secret)).toEqual([])
    await bed.start()
    bed.append('a.jsonl', { flush: true })
    await until(() => bed.said('a').length === 2)
    expect(bed.said('a')[1]).toMatch(/^command: curl.*\[redacted/)
    expect(bed.said('a')[0]).toContain('[redacted')
    await bed.stop()
    expect(bytesWith(bed, secret)).toEqual([])
  })
})

describe('a store', () => {
  it('that appears later is found, and one that vanishes deletes nothing', async () => {
    rmSync(bed.store, { recursive: true })
    await bed.start()
    expect(bed.state?.harnesses[0]?.roots).toMatchObject([{ state: 'absent' }])
    mkdirSync(bed.store)
    bed.write('a.jsonl', facts('a'), prompt('one'))
    await until(() => bed.said('a').length === 1)
    const away = join(bed.base, 'away')
    renameSync(bed.store, away)
    await new Promise(resolve => setTimeout(resolve, 800))
    await bed.river.settle()
    expect(bed.reader.sessions.deleted()).toEqual([])
    mkdirSync(bed.store)
    bed.write('b.jsonl', facts('b'), prompt('two'))
    await until(() => bed.said('b').length === 1)
    await until(() => bed.reader.sessions.deleted().some(({ id }) => id === 'a'))
    rmSync(bed.store, { recursive: true })
    renameSync(away, bed.store)
    await until(() => bed.reader.sessions.deleted().every(({ id }) => id !== 'a'))
    expect(bed.said('a')).toEqual(['prompt: one'])
  })

  it('marks the session of a deleted file, and takes it back when the file returns', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'))
    await bed.start()
    rmSync(bed.path('a.jsonl'))
    await until(() => bed.reader.sessions.deleted().length === 1)
    expect(bed.events.some(event => event.type === 'session' && event.session.deleted)).toBe(true)
    bed.write('a.jsonl', facts('a'), prompt('one'))
    await until(() => bed.reader.sessions.deleted().length === 0)
    expect(bed.said('a')).toEqual(['prompt: one'])
  })

  it('in two roots: the better one wins, the other takes over when it is gone', async () => {
    const other = join(bed.base, 'other')
    mkdirSync(other)
    const roots = [
      { path: bed.store, rank: 0 },
      { path: other, rank: 1 },
    ]
    writeFileSync(
      join(other, 'a.jsonl'),
      `${JSON.stringify(facts('a', { title: 'old' }))}\n${JSON.stringify(prompt('one'))}\n`,
    )
    bed.write('a.jsonl', facts('a', { title: 'new' }), prompt('one'), answer('first'))
    await bed.start(diary(roots))
    expect(bed.said('a')).toEqual(['prompt: one', 'answer: first'])
    expect(bed.reader.sessions.newest({ limit: 9 })).toMatchObject([{ title: 'new', path: bed.path('a.jsonl') }])
    rmSync(bed.path('a.jsonl'))
    await until(() => bed.reader.sessions.newest({ limit: 1 })[0]?.path === join(other, 'a.jsonl'))
    expect(bed.said('a')).toEqual(['prompt: one', 'answer: first'])
    expect(bed.reader.sessions.deleted()).toEqual([])
    rmSync(join(other, 'a.jsonl'))
    await until(() => bed.reader.sessions.deleted().length === 1)
  })

  it('is never left through a link', async () => {
    const outside = join(bed.base, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'b.jsonl'), `${JSON.stringify(facts('b'))}\n${JSON.stringify(prompt('secret'))}\n`)
    symlinkSync(join(outside, 'b.jsonl'), bed.path('b.jsonl'))
    symlinkSync(outside, bed.path('linked'))
    await bed.start()
    await bed.river.peek(bed.path('linked/b.jsonl'))
    await bed.river.peek(bed.path('b.jsonl'))
    expect(bed.reader.counts().sessions).toBe(0)
  })

  it('is not read where the settings exclude it', async () => {
    bed.write('a.jsonl', facts('a', { workspace: '/home/dev/private/x' }), prompt('one'))
    bed.write('no/b.jsonl', facts('b'), prompt('two'))
    bed.write('c.jsonl', facts('c'), prompt('three'))
    await bed.start(undefined, { exclude: { projects: ['/home/dev/private'], paths: [bed.path('no')] } })
    expect(bed.reader.sessions.newest({ limit: 9 }).map(({ id }) => id)).toEqual(['c'])
    expect(bed.state?.pending).toBe(0)
  })
})

it('a peek comes before everything else', async () => {
  bed.write('a.jsonl', facts('a'), prompt('one'))
  await bed.start()
  appendFileSync(bed.path('a.jsonl'), `${JSON.stringify(answer('now'))}\n`)
  await bed.river.peek(bed.path('a.jsonl'))
  expect(bed.said('a')).toEqual(['prompt: one', 'answer: now'])
})

it('a start tells what the archive holds, newest first, before the stores are read', async () => {
  bed.write('a.jsonl', facts('a', { updatedAt: '2026-09-01T00:00:00.000Z' }), prompt('old'))
  bed.write('b.jsonl', facts('b', { updatedAt: '2026-09-02T00:00:00.000Z' }), prompt('new'))
  utimesSync(bed.path('a.jsonl'), new Date(), new Date())
  await bed.start()
  const ids = new Set(bed.passages.keys())
  await bed.stop()
  bed.events.length = 0
  await bed.start()
  const told = bed.events.flatMap(event => (event.type === 'passages' ? event.upserts.map(({ prompt }) => prompt) : []))
  expect(told).toEqual(['new', 'old'])
  expect(new Set(bed.passages.keys())).toEqual(ids)
})

it('a newer reader reads once more what is there and keeps the rest', async () => {
  bed.write('a.jsonl', facts('a'), prompt('one'), answer('first'))
  bed.write('b.jsonl', facts('b'), prompt('gone soon'))
  await bed.start()
  const ids = bed.ids('a')
  rmSync(bed.path('b.jsonl'))
  await until(() => bed.reader.sessions.deleted().length === 1)
  await bed.stop()
  await bed.start(diary([{ path: bed.store, rank: 0 }], { version: 2 }))
  expect(bed.ids('a')).toEqual(ids)
  expect(bed.said('b')).toEqual(['prompt: gone soon'])
})

function bytesWith(bed: Bed, text: string): string[] {
  return filesBelow(join(bed.base, 'data')).filter(path => readFileSync(path).includes(text))
}

import { readdirSync, readFileSync } from 'node:fs'
function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap(entry =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )
}
