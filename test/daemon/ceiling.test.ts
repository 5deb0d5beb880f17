import { expect, test } from 'vitest'
import { MemoryCeiling } from '../../src/daemon/ceiling.ts'
import { packPassages } from '../../src/index/packed-passages.ts'
import { PassageIndex } from '../../src/index/passage-index.ts'
import { headOf, passageOf } from '../index/making.ts'

const MB = 1024 * 1024

/** An index that only counts. */
function counting(passages: number) {
  return {
    stats: { passages },
    shed(n: number): number {
      this.stats.passages -= n
      return n
    },
  }
}

test('above the ceiling the oldest passages go, and then there is a pause', () => {
  const index = counting(20_000)
  const ceiling = new MemoryCeiling(index, 500)
  const memory = { rss: 600 * MB, heapUsed: 400 * MB, external: 50 * MB }
  expect(ceiling.check(memory, 0)).toBe(3000)
  expect(ceiling.check(memory, 5000)).toBe(0)
  expect(ceiling.check(memory, 25_000)).toBe(2550)
  expect(index.stats.passages).toBe(14_450)
})

test('nothing goes below the ceiling, where it would not help, or where little is left', () => {
  const over = { rss: 600 * MB, heapUsed: 400 * MB, external: 0 }
  expect(new MemoryCeiling(counting(20_000), 500).check({ ...over, rss: 499 * MB }, 0)).toBe(0)
  expect(new MemoryCeiling(counting(20_000), 500).check({ ...over, heapUsed: 90 * MB }, 0)).toBe(0)
  expect(new MemoryCeiling(counting(900), 500).check(over, 0)).toBe(0)
  expect(new MemoryCeiling(counting(1100), 500).check(over, 0)).toBe(100)
})

test('what was shed stays away when the archive tells it again, and what is newer comes in', () => {
  const index = new PassageIndex()
  const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString()
  const passage = (n: number) => {
    const head = headOf(n, { startedAt: day(n), updatedAt: day(n) })
    return passageOf(n + 1, head, 0, { at: day(n), prompt: `barometer kettle${String(n)}` })
  }
  const all = Array.from({ length: 3000 }, (_, n) => passage(n))
  index.add(all)
  const shed = new MemoryCeiling(index, 500).check({ rss: 600 * MB, heapUsed: 400 * MB, external: 50 * MB }, 0)
  expect(shed).toBe(450)
  index.add(all)
  for (const { session, ...old } of all.slice(0, 10)) {
    const packed = packPassages([{ session, ...old }])
    for (const one of packed.passages) index.addPacked(session, packed.terms, one)
  }
  expect(index.stats.passages).toBe(2550)
  const found = (text: string) => index.search({ text, mode: 'person', scope: {}, limit: 1 }).length
  expect([found('kettle0'), found('kettle449'), found('kettle450')]).toEqual([0, 0, 1])
  index.add([passage(4000)])
  expect([index.stats.passages, found('kettle4000')]).toEqual([2551, 1])
})
