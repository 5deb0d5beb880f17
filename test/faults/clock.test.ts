import { afterEach, beforeEach, expect, test } from 'vitest'
import { Bed, until } from '../ingest/bed.ts'
import { diary } from '../ingest/diary.ts'

// A clock that jumps: by suspend, by hand, by NTP. The daemon's own can't be moved from outside, so this is the river alone.

let bed: Bed
beforeEach(() => {
  bed = new Bed()
})
afterEach(() => bed.end())

const HOUR = 3_600_000

test.each([
  ['a year ahead', 365 * 24 * HOUR],
  ['an hour back', -HOUR],
  ['a year back', -365 * 24 * HOUR],
  ['to 1970', -Date.now()],
])('the clock jumps %s: what is written then is read as quickly', async (_, by) => {
  let offset = 0
  bed.write('a.jsonl', { facts: { id: 'a' } }, { kind: 'prompt', text: 'first' })
  await bed.start(diary([{ path: bed.store, rank: 0 }]), { now: () => Date.now() + offset })
  offset = by
  for (let n = 0; n < 3; n++) {
    bed.append('a.jsonl', { kind: 'prompt', text: `after the jump ${n}` })
    await until(() => bed.said('a').some(text => text.includes(`after the jump ${n}`)), 4000)
  }
  offset = 0
  bed.append('a.jsonl', { kind: 'prompt', text: 'after the jump back' })
  await until(() => bed.said('a').some(text => text.includes('after the jump back')), 4000)
  expect(new Set(bed.said('a')).size).toBe(5)
  await bed.river.settle()
})
