import fc from 'fast-check'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reader } from '../../../src/harness/codewhale/reader.ts'
import {
  agent,
  applied,
  call,
  CountingSource,
  documentOf,
  file,
  read,
  readAll,
  said,
  sessions,
  user,
  type Message,
} from './documents.ts'

const stamp = (n: number): string => new Date(Date.UTC(2026, 9, 2, 9, 0, n)).toISOString().replace('Z', '123Z')
const stamps = (count: number): string[] => Array.from({ length: count }, (_, index) => stamp(index))

/** A conversation of any length: turns of a prompt, some calls, an answer. */
const turn = fc
  .record({
    text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    calls: fc.array(fc.constantFrom('bash', 'edit', 'exec_shell', 'read', 'grep_files', 'mcp_deja_deja'), {
      maxLength: 3,
    }),
    answer: fc.boolean(),
  })
  .map(({ text, calls, answer }): Message[] => [
    user(text),
    ...calls.flatMap((name, index) =>
      call(
        `${text}${index}`,
        name,
        name === 'edit'
          ? { path: 'a', oldText: text, newText: name }
          : { path: 'b', command: `make ${text}`, query: text },
        name === 'bash' && index === 1 ? 'Error: no\n\nCommand exited with code 3' : `done ${text}`,
        name === 'bash' && index === 1,
      ),
    ),
    ...(answer ? [agent(`Answer to ${text}`)] : []),
  ])

const conversation = fc.array(turn, { minLength: 1, maxLength: 6 }).map(turns => turns.flat())

describe('a file that is saved again and again', () => {
  test.each([
    ["serde's layout with the times of 0.10", 2, true],
    ["serde's layout without a journal", 2, false],
    ['no layout at all', 0, true],
    ['another indentation', '\t', true],
  ])('gives the same records as its last save read once: %s', (_, indent, timed) => {
    fc.assert(
      fc.property(conversation, fc.array(fc.nat(), { maxLength: 5 }), fc.string(), (messages, cuts, title) => {
        const lengths = [...new Set([...cuts.map(cut => 1 + (cut % messages.length)), messages.length])].sort(
          (a, b) => a - b,
        )
        const versions = lengths.map((length, index) =>
          documentOf(messages.slice(0, length), {
            metadata: { title: title.repeat(index) },
            indent,
            ...(timed ? { stamps: stamps(length) } : {}),
          }),
        )
        const grown = applied(readAll(versions))
        const whole = applied(readAll(versions.slice(-1)))
        expect(grown).toEqual(whole)
      }),
    )
  })

  test('nothing new, nothing given', () => {
    const content = documentOf([user('one'), agent('two')])
    const [, again] = readAll([content, content])
    expect(again).toMatchObject({ records: [], problems: [] })
  })

  test('costs its news alone, however long it is', () => {
    const messages = Array.from({ length: 800 }, (_, index) => [
      user(`question ${index}`),
      ...call(`c${index}`, 'bash', { command: `make ${index}` }, `${'line of output\n'.repeat(500)}${index}`),
      agent(`answer ${index}`),
    ]).flat()
    const [before] = [documentOf(messages, { stamps: stamps(messages.length) })]
    const longer = [...messages, user('one more')]
    const after = documentOf(longer, { metadata: { title: 'A longer title' }, stamps: stamps(longer.length) })
    const state = readAll([before]).at(-1)?.state ?? null
    const source = new CountingSource(after)
    const step = reader.read(file, state, source, { subagents: 'default' })
    expect(step.records).toMatchObject([{ kind: 'prompt', text: 'one more', at: '2026-10-02T09:53:20.000Z' }])
    expect(source.size).toBeGreaterThan(10 << 20)
    expect(source.bytesRead).toBeLessThan(1 << 20)
  })

  test('a long one is read in steps', () => {
    const messages = Array.from({ length: 40 }, (_, index) => [user(`q ${index}`), agent('x'.repeat(500_000))]).flat()
    const steps = readAll([documentOf(messages, { stamps: stamps(messages.length) })])
    expect(steps.length).toBeGreaterThan(2)
    const records = applied(steps)
    expect(records).toHaveLength(80)
    expect(records.map(record => record.at)).toEqual(stamps(80).map(at => at.replace('123Z', 'Z')))
  })

  test('a result that comes in a later save completes its command', () => {
    const [asked, answered] = call('c', 'bash', { command: 'make' }, 'Error: no\n\nCommand exited with code 2', true)
    if (asked === undefined || answered === undefined) throw new Error('no call')
    const steps = readAll([documentOf([user('go'), asked]), documentOf([user('go'), asked, answered])])
    expect(steps[0]?.records[1]).toMatchObject({ command: 'make', outcome: 'unknown', exitCode: null })
    expect(applied(steps)[1]).toMatchObject({ command: 'make', outcome: 'failed', exitCode: 2 })
    expect(applied(steps)).toHaveLength(3)
  })
})

describe('a file that holds less than before', () => {
  const turns = [
    user('Port the table to Parquet, please'),
    ...call('c1', 'bash', { command: 'make schema' }, 'three columns'),
    agent('The table has three columns'),
    user('go on'),
    agent('Done with the first half'),
  ]
  const summary = user('Another language model started to solve this problem. It ported half.')

  test('a compaction loses nothing, and an equal word said again is another record', () => {
    const compacted = [
      user('Port the table to Parquet, please'),
      user('go on'),
      summary,
      user('go on'),
      agent('All of it'),
    ]
    const steps = readAll([documentOf(turns), documentOf(compacted)])
    expect(said(applied(steps))).toEqual([
      'prompt: Port the table to Parquet, please',
      'command: make schema',
      'output: three columns',
      'answer: The table has three columns',
      'prompt: go on',
      'answer: Done with the first half',
      'summary: Another language model started to solve this problem. It ported half.',
      'prompt: go on',
      'answer: All of it',
    ])
    expect(steps[1]?.compactedAt).toBe(applied(steps)[6]?.seq)
    const further = readAll([documentOf(turns), documentOf(compacted), documentOf([...compacted, user('and now?')])])
    expect(said(applied(further))).toHaveLength(10)
  })

  test('a last round that stands behind the summary (0.10) is known', () => {
    const compacted = [user('go on'), summary, ...turns.slice(1, 4), user('what next?')]
    const before = turns.slice(0, 4)
    const steps = readAll([documentOf(before), documentOf(compacted)])
    expect(said(steps[1]?.records ?? [])).toEqual([
      'prompt: go on',
      'summary: Another language model started to solve this problem. It ported half.',
      'prompt: what next?',
    ])
  })

  test('a step back puts what followed aside; returning brings it back', () => {
    const back = [...turns.slice(0, 4), user('Use Arrow instead of that, with the same columns')]
    const steps = readAll([documentOf(turns), documentOf(back)])
    expect(said(applied(steps)).slice(4)).toEqual([
      '(aside) prompt: go on',
      '(aside) answer: Done with the first half',
      'prompt: Use Arrow instead of that, with the same columns',
    ])
    const longer = [...turns, agent('x'.repeat(100))]
    const returned = readAll([documentOf(longer), documentOf(back), documentOf(longer)])
    expect(said(applied(returned)).filter(line => line.startsWith('(aside)'))).toEqual([
      '(aside) prompt: Use Arrow instead of that, with the same columns',
    ])
    expect(applied(returned)).toHaveLength(8)
  })

  test('whatever is cut away and added, everything that was ever said stands there once', () => {
    const change = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ drop: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }) }),
      fc.record({ keep: fc.nat() }),
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.constantFrom(2, 0), (changes, indent) => {
        let count = 1
        let held = [user('message number 0')]
        const versions = [documentOf(held, { indent })]
        for (const one of changes) {
          if ('add' in one) for (let n = 0; n < one.add; n++) held = [...held, user(`message number ${count++}`)]
          else if ('keep' in one) held = held.slice(0, one.keep % (held.length + 1))
          else held = held.filter((_, index) => !one.drop.some(at => at % held.length === index))
          versions.push(documentOf(held, { indent }))
        }
        const records = applied(readAll(versions))
        expect(records.map(({ text }) => text)).toEqual(Array.from({ length: count }, (_, n) => `message number ${n}`))
      }),
    )
  })

  test('results that were shortened in place are not new', () => {
    const long = call('c1', 'bash', { command: 'make schema' }, 'column\n'.repeat(5000))
    const short = call(
      'c1',
      'bash',
      { command: 'make schema' },
      '[bash output compacted to protect context]\nSnippet: column\n(Original: 35000 chars, omitted: 34000 chars.)',
    )
    const rest = [agent('It has columns'), user('Which?')]
    const steps = readAll([
      documentOf([user('q'), ...long, ...rest]),
      documentOf([user('q'), ...short, ...rest, agent('These')]),
    ])
    expect(said(steps[1]?.records ?? [])).toEqual(['answer: These'])
  })

  test('a fork that was compacted keeps its own alone', () => {
    const metadata = { parent_session_id: 'p', forked_from_message_count: 6 }
    const own = [...turns, user('My own question'), agent('My own answer')]
    const compacted = [user('go on'), user('My own question'), summary, user('And this?')]
    const steps = readAll([documentOf(own, { metadata }), documentOf(compacted, { metadata })])
    expect(said(applied(steps))).toEqual([
      'prompt: My own question',
      'answer: My own answer',
      'summary: Another language model started to solve this problem. It ported half.',
      'prompt: And this?',
    ])
    expect(said(applied(readAll([documentOf(compacted, { metadata })])))).toEqual([
      'summary: Another language model started to solve this problem. It ported half.',
      'prompt: And this?',
    ])
  })
})

describe('times', () => {
  const messages = [user('one'), agent('two'), user('three'), agent('four')]
  const ats = (shape: { stamps?: string[] }): (string | null)[] => {
    return read(documentOf(messages, shape)).records.map(record => record.at)
  }

  test("the journal's where they differ", () => {
    expect(ats({ stamps: stamps(4) })).toEqual(stamps(4).map(at => at.replace('123Z', 'Z')))
  })

  test('the day where all are stamped alike, as 0.9 does at each save', () => {
    expect(ats({ stamps: [stamp(1), stamp(1), stamp(1), stamp(1)] })).toEqual(Array(4).fill('2026-10-02'))
    expect(ats({})).toEqual(Array(4).fill('2026-10-02'))
  })

  test('the day for those that 0.9 stamped before 0.10 went on', () => {
    expect(ats({ stamps: [stamp(1), stamp(1), stamp(2), stamp(3)] })).toEqual([
      '2026-10-02',
      '2026-10-02',
      '2026-10-02T09:00:02.000Z',
      '2026-10-02T09:00:03.000Z',
    ])
  })

  test('none where the store holds none', () => {
    const bare = [{ role: 'user', content: [{ type: 'text', text: 'one' }] }, agent('two')]
    expect(read(documentOf(bare)).records.map(record => record.at)).toEqual([null, null])
  })

  test('none from a journal whose active branch is another', () => {
    const content = documentOf(messages, { stamps: stamps(4) }).replaceAll('"leaf_id": "e3"', '"leaf_id": "e2"')
    expect(read(content).records.map(record => record.at)).toEqual(Array(4).fill('2026-10-02'))
  })

  test('are told for what is known as soon as the journal tells them', () => {
    const steps = readAll([
      documentOf(messages.slice(0, 2), { stamps: [stamp(1), stamp(1)] }),
      documentOf(messages, { stamps: stamps(4) }),
    ])
    expect(applied(steps).map(record => record.at)).toEqual(stamps(4).map(at => at.replace('123Z', 'Z')))
    expect(applied(steps)).toHaveLength(4)
  })
})

describe('what can not be read', () => {
  const content = documentOf([user('one'), agent('two')], { stamps: stamps(2) })

  test('a file cut off anywhere is torn, and gives up nothing', () => {
    const state = read(content).state
    for (let length = 1; length < content.length - 1; length += 7) {
      const step = read(content.slice(0, length), state)
      expect(step).toMatchObject({ session: null, records: [], problems: [{ code: 'torn' }] })
      expect(step.state).toEqual(state)
    }
  })

  test('an empty file waits', () => expect(read('')).toMatchObject({ problems: [{ code: 'waiting' }], state: null }))

  test.each([
    ['[]'],
    ['{"metadata": {}, "messages": []}'],
    ['{\n  "metadata": {\n    "title": "x"\n  },\n  "messages": []\n}'],
    ['{\n  "messages": [\n    {]\n  ]\n}'],
    [documentOf([user('x')], { metadata: { id: '../config' } })],
    [documentOf([user('x')], { metadata: { id: 'a b' }, indent: 0 })],
  ])('%j is no session', text => expect(read(text)).toMatchObject({ session: null, problems: [{ code: 'corrupt' }] }))

  test('a document of 10,000 levels throws nothing', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    const text = content.replace('"two"', deep)
    expect(() => read(text)).not.toThrow()
  })

  test('any byte changed in any fixture throws nothing and takes no time', () => {
    const names = readdirSync(sessions).filter(name => name.endsWith('.json'))
    const bytes = names.map(name => readFileSync(join(sessions, name)))
    fc.assert(
      fc.property(
        fc.nat({ max: names.length - 1 }),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 }),
        (index, edits) => {
          const mutated = Buffer.from(bytes[index] ?? [])
          for (const [at, value] of edits) mutated[at % mutated.length] = value
          const before = read(bytes[index] ?? Buffer.alloc(0)).state
          read(mutated)
          read(mutated, before)
        },
      ),
      { numRuns: 400 },
    )
  })
})

test('a checkpoint of a long session gives the newest prompts, whatever its layout', () => {
  const messages = Array.from({ length: 30 }, (_, index) => [
    user(`question ${index}`),
    ...call(`c${index}`, 'bash', { command: 'make' }, 'x'.repeat(30_000)),
  ]).flat()
  const expected = Array.from({ length: 12 }, (_, index) => `question ${index + 18}`)
  for (const indent of [2, 0]) {
    expect(reader.runningPrompts?.(new CountingSource(documentOf(messages, { indent })))).toEqual(expected)
  }
  expect(reader.runningPrompts?.(new CountingSource('{"torn": '))).toEqual([])
})
