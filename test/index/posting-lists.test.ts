import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PostingLists } from '../../src/index/posting-lists.ts'

const pairsOf = (lists: PostingLists, list: number): number[][] => {
  const into = new Int32Array(2 * lists.count(list) + 3)
  const end = lists.copy(list, into, 3)
  expect(end).toBe(into.length)
  const pairs: number[][] = []
  for (let i = 3; i < end; i += 2) pairs.push([into[i] ?? NaN, into[i + 1] ?? NaN])
  return pairs
}

describe('posting lists', () => {
  it('hold what arrays would hold, however appending and keeping alternate', () => {
    const step = fc.oneof(
      { weight: 20, arbitrary: fc.record({ list: fc.nat(5), many: fc.integer({ min: 1, max: 70 }) }) },
      { weight: 1, arbitrary: fc.record({ list: fc.nat(5), keepEvery: fc.integer({ min: 1, max: 9 }) }) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const lists = new PostingLists()
        const oracle = new Map<number, number[][]>()
        const numbers = new Map<number, number>()
        let document = 0
        for (const one of steps) {
          const pairs = oracle.get(one.list) ?? []
          let list = numbers.get(one.list)
          if ('many' in one) {
            if (list === undefined) numbers.set(one.list, (list = lists.create()))
            for (let i = 0; i < one.many; i++) {
              pairs.push([document, document * 3])
              lists.append(list, document, document * 3)
              document += 1
            }
            oracle.set(one.list, pairs)
          } else if (list !== undefined) {
            const isKept = (each: number) => each % one.keepEvery === 0
            const kept = pairs.filter(([each = 0]) => isKept(each))
            expect(lists.keep(list, isKept)).toBe(kept.length)
            oracle.set(one.list, kept)
            if (kept.length === 0) numbers.delete(one.list)
          }
        }
        for (const [name, list] of numbers) expect(pairsOf(lists, list)).toEqual(oracle.get(name))
      }),
      { numRuns: 60 },
    )
  })

  it('give freed blocks and lists out again', () => {
    const lists = new PostingLists()
    const first = lists.create()
    for (let i = 0; i < 1000; i++) lists.append(first, i, i)
    expect(lists.keep(first, () => false)).toBe(0)
    const second = lists.create()
    expect(second).toBe(first)
    expect(lists.count(second)).toBe(0)
    lists.append(second, 7, 1)
    expect(pairsOf(lists, second)).toEqual([[7, 1]])
  })
})
