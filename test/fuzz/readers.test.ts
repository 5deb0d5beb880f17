import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Harness, ReadStep, ReaderState } from '../../src/harness/harness.ts'
import { harnesses } from '../../src/harness/registry.ts'
import { rounds, timeFor } from '../faults/rounds.ts'

// Transcripts that no agent would write: mutated in their bytes, their lines and their values. Never throws, never hangs,
// never grows. (That bytes changed one by one throw nothing is in the conformance suite.)

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))
const family: Readonly<Record<string, string>> = { workbuddy: 'codebuddy' }
const runs = rounds(60, 5000)

interface Transcript {
  path: string
  relative: string
  bytes: Buffer
}

function transcriptsOf({ id, store }: Harness): Transcript[] {
  const directory = join(fixtures, family[id] ?? id)
  const roots = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => ['projects', 'sessions'].includes(basename(name)))
    .map(name => join(directory, name))
  return roots.flatMap(root =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(name => store.classify(name).role === 'transcript')
      .map(relative => ({ path: join(root, relative), relative, bytes: readFileSync(join(root, relative)) })),
  )
}

/** Reads to the end and expects an end, a state that can be kept, and records that stand in proportion to the file. */
function readAll({ reader }: Harness, { path, relative }: Transcript, bytes: Buffer, before: ReaderState = null) {
  const file = { path, relative, sidecars: {} }
  const source = {
    size: bytes.length,
    read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
  }
  let state = before
  let more = true
  let steps = 0
  let told = 0
  while (more) {
    const step: ReadStep = reader.read(file, state, source, { subagents: 'all' })
    state = JSON.parse(JSON.stringify(step.state)) as ReaderState
    told += JSON.stringify([step.records, step.usage, step.session, step.problems]).length
    more = step.more ?? false
    if (++steps > 10 + bytes.length / 1000) throw new Error(`${relative}: it comes to no end`)
  }
  if (reader.mode === 'append') expect(reader.offsetOf(state)).toBeLessThanOrEqual(bytes.length)
  // a call and its result may tell the same text thrice; escapes grow sixfold
  expect(told).toBeLessThan(20_000 + 40 * bytes.length)
  expect(JSON.stringify(state).length).toBeLessThan(20_000 + 4 * bytes.length)
  return state
}

/** Values that stand where others are expected. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    1e308,
    0,
    '',
    [],
    {},
    [[]],
    { text: {} },
    '\ud800',
    '__proto__',
    'x'.repeat(5000),
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Somewhere in a value, chosen by numbers, something else. */
function mutated(value: unknown, path: readonly number[], by: unknown, drop: boolean): unknown {
  const [first = 0, ...rest] = path
  if (Array.isArray(value)) {
    if (value.length === 0 || path.length === 0) return by
    const at = first % value.length
    return value.flatMap((each: unknown, n) =>
      n !== at ? [each] : drop && rest.length === 0 ? [] : [mutated(each, rest, by, drop)],
    )
  }
  if (typeof value !== 'object' || value === null || path.length === 0) return by
  const entries = Object.entries(value)
  if (entries.length === 0) return by
  const at = first % entries.length
  return Object.fromEntries(
    entries.flatMap(([key, each], n): [string, unknown][] =>
      n !== at ? [[key, each]] : drop && rest.length === 0 ? [] : [[key, mutated(each, rest, by, drop)]],
    ),
  )
}

function json(text: string, change: (value: unknown) => unknown, indent: number): string {
  try {
    return JSON.stringify(change(JSON.parse(text)), null, indent)
  } catch {
    return text
  }
}

describe.each(harnesses.map(harness => [harness.id, harness] as const))('%s', (_, harness) => {
  const transcripts = transcriptsOf(harness)
  const any = fc.constantFrom(...transcripts)
  const isDocument = harness.reader.mode === 'document'

  test(
    `values of other kinds, missing keys, ${runs} times`,
    () => {
      const change = fc.record({
        line: fc.nat(),
        path: fc.array(fc.nat(), { maxLength: 7 }),
        by: strange,
        drop: fc.boolean(),
      })
      fc.assert(
        fc.property(any, fc.array(change, { minLength: 1, maxLength: 5 }), (transcript, changes) => {
          const text = transcript.bytes.toString('utf8')
          const lines = isDocument ? [text] : text.split('\n')
          for (const { line, path, by, drop } of changes) {
            const at = line % lines.length
            lines[at] = json(lines[at] ?? '', value => mutated(value, path, by, drop), isDocument ? 2 : 0)
          }
          const bytes = Buffer.from(lines.join('\n'))
          readAll(harness, transcript, bytes)
          if (isDocument) readAll(harness, transcript, bytes, readAll(harness, transcript, transcript.bytes))
        }),
        { numRuns: runs },
      )
    },
    timeFor(60, runs),
  )

  test(
    `lines in another order, twice, of another file, cut, ${runs} times`,
    () => {
      const piece = fc.record({ of: any, from: fc.nat(), length: fc.nat({ max: 20 }), cut: fc.nat() })
      fc.assert(
        fc.property(any, fc.array(piece, { minLength: 1, maxLength: 6 }), (transcript, pieces) => {
          const lines = pieces.flatMap(({ of, from, length, cut }) => {
            const all = of.bytes.toString('utf8').split('\n')
            const some = Array.from({ length }, (_, n) => all[(from + n) % all.length] ?? '')
            return cut % 3 === 0 ? some.map(line => line.slice(0, cut % (line.length + 1))) : some
          })
          const bytes = Buffer.from(lines.join('\n'))
          readAll(harness, transcript, bytes)
          if (isDocument) readAll(harness, transcript, bytes, readAll(harness, transcript, transcript.bytes))
        }),
        { numRuns: runs },
      )
    },
    timeFor(60, runs),
  )

  test.each([
    ['arrays nested 10,000 deep', (deep: number) => '['.repeat(deep) + ']'.repeat(deep)],
    ['objects nested 10,000 deep', (deep: number) => '{"content":'.repeat(deep) + '1' + '}'.repeat(deep)],
    ['brackets that are never closed', (deep: number) => '[{"a":'.repeat(deep)],
  ])(
    '%s, wherever a text stands',
    (_, nest) => {
      const deep = nest(10_000)
      for (const transcript of transcripts.slice(0, rounds(6, 1000))) {
        const text = transcript.bytes.toString('utf8')
        // in the place of the first few texts, as a value and as what a text says
        const places = [
          ...text.matchAll(/"(?:text|content|arguments|input|output|command)": ?"(?:[^"\\]|\\.)*"/g),
        ].slice(0, 4)
        for (const { index, 0: found } of places) {
          const key = found.slice(0, found.indexOf(':') + 1)
          for (const put of [deep, JSON.stringify(deep)])
            readAll(
              harness,
              transcript,
              Buffer.from(text.slice(0, index) + key + put + text.slice(index + found.length)),
            )
        }
        readAll(harness, transcript, Buffer.from(`${deep}\n${text}`))
      }
    },
    60_000,
  )

  test(
    'bytes of any kind',
    () => {
      fc.assert(
        fc.property(any, fc.uint8Array({ maxLength: 2000 }), fc.nat(), (transcript, noise, at) => {
          readAll(harness, transcript, Buffer.from(noise))
          const { bytes } = transcript
          const where = at % (bytes.length + 1)
          readAll(harness, transcript, Buffer.concat([bytes.subarray(0, where), noise, bytes.subarray(where)]))
        }),
        { numRuns: runs },
      )
    },
    timeFor(60, runs),
  )
})
