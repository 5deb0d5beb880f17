import { expect, test } from 'vitest'
import { MemoryCeiling } from '../../src/daemon/ceiling.ts'

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
