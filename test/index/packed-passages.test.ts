import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passageTerms } from '../../src/index/indexed-terms.ts'
import { PACKED_VERSION, packedBytes, packedFrom, packPassages } from '../../src/index/packed-passages.ts'
import { PassageIndex } from '../../src/index/passage-index.ts'
import type { Passage } from '../../src/index/passage.ts'
import { settledIn } from '../../src/index/settled.ts'
import { headOf, passageOf } from './making.ts'

const words =
  'tide gauge barometer parseRetryLimit src/cache/lru.ts Ошибка 数据库 zinc 203.0.113.51 because rows'.split(' ')
const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map(each => each.join(' '))
const sessions = fc
  .array(fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 })
  .map(all => {
    let id = 0
    return all.map((parts, key) =>
      parts.map(([prompt, answer, paths], n) =>
        passageOf(++id, headOf(key, { title: `gauge ${String(key)}` }), n, {
          prompt,
          answer,
          paths,
          at: '2026-05-01T10:30:00.000Z',
        }),
      ),
    )
  })

const told = (index: PassageIndex, query: string) =>
  index.search({ text: query, mode: 'person', scope: {}, limit: 20, now: Date.parse('2026-06-01') })

function addPacked(index: PassageIndex, passages: readonly Passage[]): void {
  const packed = packedFrom(packedBytes(packPassages(passages)))
  const [first] = passages
  if (packed === null || first === undefined) throw new Error('not packed')
  for (const passage of packed.passages) index.addPacked(first.session, packed.terms, passage)
}

describe('packed passages', () => {
  it('answer as the passages do that they were packed from, whatever was there before', () => {
    fc.assert(
      fc.property(sessions, fc.nat(5), text, (all, dropped, query) => {
        const [plain, packed] = [new PassageIndex(), new PassageIndex()]
        for (const passages of all) {
          plain.add(passages)
          addPacked(packed, passages)
        }
        for (const index of [plain, packed]) index.forgetSession(dropped)
        // some of them a second time: they replace, and never double
        const again = all.filter((_, key) => key !== dropped).slice(0, 2)
        for (const passages of again) {
          plain.add(passages)
          addPacked(packed, passages)
        }
        expect(packed.stats).toEqual(plain.stats)
        expect(told(packed, query)).toEqual(told(plain, query))
      }),
      { numRuns: 60 },
    )
  })

  it('are made anew once their terms were swept out of the index in between', async () => {
    const index = new PassageIndex()
    const passages = [0, 1].map(n => passageOf(n + 1, headOf(1), n, { prompt: 'the barometer and the kettle' }))
    const packed = packPassages(passages)
    for (const passage of packed.passages) index.addPacked(headOf(1), packed.terms, passage)
    index.forgetSession(1)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(index.stats.terms).toBe(0)
    index.add([passageOf(9, headOf(2), 0, { prompt: 'zinc quartz' })])
    for (const passage of packed.passages) index.addPacked(headOf(1), packed.terms, passage)
    expect(told(index, 'barometer').map(({ session }) => session.key)).toEqual([1])
    expect(told(index, 'quartz').map(({ session }) => session.key)).toEqual([2])
  })

  it('are nothing where a byte was changed or bytes are missing', () => {
    const bytes = packedBytes(packPassages([passageOf(1, headOf(1), 0, { prompt: 'the barometer and the kettle' })]))
    for (let at = 0; at < bytes.length; at++) {
      const broken = Buffer.from(bytes)
      broken[at] = (broken[at] ?? 0) ^ 0x55
      expect(packedFrom(broken)).toBeNull()
      expect(packedFrom(bytes.subarray(0, at))).toBeNull()
    }
  })

  it('have a version that is raised when a passage is made of other words', () => {
    const sample = passageOf(1, headOf(1), 0, {
      prompt: "Why does parseRetryLimit in `src/http/retry_policy.ts` ignore --max-retries? It's running since v2.10.3",
      answer: 'The root cause: limits were parsed twice. 数据库连接超时，已改为三次。Исправил ошибку в конфигурации.',
      commands: 'npm run test -- --filter=retry',
      paths: '/home/dev/acme/src/http/retry_policy.ts',
      errors: "TypeError: Cannot read properties of undefined (reading 'limit')",
      outputs: '203.0.113.51 connect ECONNREFUSED',
      summary: 'Retries are capped at three from now on.',
    })
    const { terms, length } = passageTerms(sample)
    const made = createHash('sha256')
      .update(JSON.stringify([[...terms], length, settledIn(sample)]))
      .digest('hex')
    expect(
      { version: PACKED_VERSION, made: made.slice(0, 16) },
      'words are cut otherwise than before: raise PACKED_VERSION and set its sample here, else a restart keeps the old ones',
    ).toEqual({ version: 1, made: '94c1bf722ce2ded2' })
  })
})
