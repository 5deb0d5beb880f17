import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { align, merged } from '../../src/archive/write/align.ts'

/** The length of a longest common subsequence, by the table. */
function longest(a: readonly number[], b: readonly number[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const x of a) {
    const next = [0]
    b.forEach((y, j) => next.push(x === y ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0)))
    row = next
  }
  return row.at(-1) ?? 0
}

const hashes = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 })

describe('align', () => {
  it('finds a longest common subsequence', () => {
    fc.assert(
      fc.property(hashes, hashes, (old, fresh) => {
        const match = align(old, fresh)
        const pairs = match.flatMap((at, i) => (at < 0 ? [] : [[at, i] as const]))
        expect(pairs.length).toBe(longest(old, fresh))
        pairs.forEach(([at, i], n) => {
          expect(old[at]).toBe(fresh[i])
          expect(at).toBeGreaterThan(pairs[n - 1]?.[0] ?? -1)
        })
      }),
    )
  })

  it('merges both so that each keeps its order and nothing is lost', () => {
    fc.assert(
      fc.property(hashes, hashes, (old, fresh) => {
        const order = merged(old.length, align(old, fresh))
        expect(order.flatMap(entry => (entry.old === null ? [] : [entry.old]))).toEqual(old.map((_, i) => i))
        expect(order.flatMap(entry => (entry.fresh === null ? [] : [entry.fresh]))).toEqual(fresh.map((_, i) => i))
      }),
    )
  })

  it('takes a repeated text in stride', () => {
    const old = Array.from({ length: 20_000 }, (_, i) => (i % 3 === 0 ? 1 : i))
    const began = performance.now()
    expect(align(old, [...old.slice(5000), 7]).filter(at => at >= 0).length).toBeGreaterThanOrEqual(14_990)
    expect(performance.now() - began).toBeLessThan(3000)
  })
})
