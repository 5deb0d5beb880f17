import { expect, test } from 'vitest'
import { IndexFeed, type FedIndex } from '../../src/daemon/feed.ts'
import type { PackedPassage } from '../../src/index/packed-passages.ts'
import type { Passage, SessionHead } from '../../src/index/passage.ts'

const head = (key: number): SessionHead => ({
  key,
  harness: 'h',
  id: `s${key}`,
  title: null,
  workspace: null,
  projects: [],
  parentId: null,
  kind: 'main',
  startedAt: null,
  updatedAt: null,
  deleted: false,
  archived: false,
})
const texts = { prompt: '', answer: '', commands: '', paths: '', errors: '', outputs: '', summary: '' }
const passage = (id: number, key = 1): Passage => ({ id, session: head(key), n: 0, at: null, ...texts })

/** Notes what it is told; adding takes `ms`. */
class SlowIndex implements FedIndex {
  readonly told: string[] = []
  ms = 0

  add(passages: readonly Passage[]): void {
    const end = performance.now() + this.ms
    while (performance.now() < end);
    for (const { id } of passages) {
      if (id === 13) throw new Error('unlucky')
      this.told.push(`+${id}`)
    }
  }

  addPacked(_session: SessionHead, _terms: readonly string[], { id }: PackedPassage): void {
    this.told.push(`p${id}`)
  }

  remove(ids: readonly number[]): void {
    this.told.push(...ids.map(id => `-${id}`))
  }

  updateSession({ key }: SessionHead): void {
    this.told.push(`s${key}`)
  }

  forgetSession(key: number): void {
    this.told.push(`forget ${key}`)
  }
}

const upserts = (...passages: Passage[]) => ({ type: 'passages' as const, upserts: passages, removed: [] })

test('events are taken in in order, and their promise tells when', async () => {
  const index = new SlowIndex()
  const feed = new IndexFeed(index, () => undefined)
  await feed.onIngest({ type: 'passages', upserts: [passage(1), passage(2)], removed: [9] })
  expect(index.told).toEqual(['-9', '+1', '+2'])
  await feed.onIngest({ type: 'session', session: head(1), prompts: [], path: '/p', writtenAt: 0 })
  expect(index.told.at(-1)).toBe('s1')
  expect(feed.behind).toBe(false)
})

test('the loop is free between slices', async () => {
  const index = new SlowIndex()
  index.ms = 2
  const feed = new IndexFeed(index, () => undefined)
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  await feed.onIngest(upserts(...Array.from({ length: 40 }, (_, i) => passage(100 + i))))
  clearInterval(counting)
  expect(turns).toBeGreaterThan(5)
})

test('what is forgotten is out at once, also what still waits', async () => {
  const index = new SlowIndex()
  const feed = new IndexFeed(index, () => undefined)
  const waiting = feed.onIngest(upserts(passage(1, 1), passage(2, 2)))
  void feed.onIngest({ type: 'forgotten', sessions: [1] })
  expect(index.told).toEqual(['forget 1'])
  await waiting
  expect(index.told).toEqual(['forget 1', '+2'])
})

test('another archive empties the index', async () => {
  const index = new SlowIndex()
  const feed = new IndexFeed(index, () => undefined)
  await feed.onIngest(upserts(passage(1, 1), passage(2, 2)))
  await feed.onIngest({ type: 'reopened' })
  expect(index.told.slice(2)).toEqual(['forget 1', 'forget 2'])
})

test('one that fails is left out and said; stopping lets go of who waits', async () => {
  const index = new SlowIndex()
  const errors: unknown[] = []
  const feed = new IndexFeed(index, error => errors.push(error))
  await feed.onIngest(upserts(passage(13), passage(14)))
  expect([index.told, errors.length]).toEqual([['+14'], 1])
  const waiting = feed.onIngest(upserts(passage(15)))
  feed.stop()
  await waiting
  await feed.onIngest(upserts(passage(16)))
  expect(index.told).toEqual(['+14'])
})
