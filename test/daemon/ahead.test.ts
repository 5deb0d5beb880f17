import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AheadIndex } from '../../src/daemon/ahead.ts'
import { PassageIndex } from '../../src/index/passage-index.ts'
import { Recall } from '../../src/recall/recall.ts'
import { loadSettings } from '../../src/settings/settings.ts'
import { Bed, redactor } from '../ingest/bed.ts'

const workspace = '/home/dev/tide'
const question = 'What did we decide about the parquetCompactor flush interval?'
const decided = 'Decided: the parquetCompactor flush interval is 45 seconds, because shorter ones thrash the disk.'

let bed: Bed
let index: PassageIndex
let ahead: AheadIndex
let recall: Recall
let errors: unknown[]

/** A start with many sessions in the archive, of which nothing was told to the index yet. */
beforeEach(async () => {
  bed = new Bed()
  errors = []
  const session = (id: string, day: string, prompt: string, answer: string) =>
    bed.write(
      `${id}.jsonl`,
      { facts: { id, workspace, updatedAt: `${day}T10:00:00.000Z` } },
      { kind: 'prompt', text: 'Look at the gauge first' },
      { kind: 'answer', text: 'Decided: the gauge reads four metres.' },
      { kind: 'prompt', text: prompt },
      { kind: 'answer', text: answer },
    )
  session('oldest', '2026-01-01', 'How often should parquetCompactor flush?', decided)
  for (let n = 0; n < 40; n++)
    session(`later${String(n)}`, '2026-06-01', `Rename widget ${String(n)}`, `Renamed widget ${String(n)} everywhere.`)
  await bed.start()
  index = new PassageIndex()
  ahead = new AheadIndex(index, bed.reader, error => errors.push(error))
  recall = new Recall({
    index: ahead,
    archive: bed.reader,
    dataDir: bed.base,
    settings: loadSettings(bed.base),
    redactor,
    now: () => Date.parse('2026-07-01'),
    peek: () => Promise.resolve(),
    agentName: id => id,
  })
})
afterEach(async () => {
  recall.close()
  await bed.end()
})

const answer = () => recall.whyPrompt(question, workspace).block ?? ''

describe('while the index lacks what the archive holds', () => {
  it('an old session answers the first prompt, by full text', () => {
    expect(answer()).toContain('45 seconds')
    expect(index.stats.passages).toBeLessThan(10)
    expect(errors).toEqual([])
  })

  it('what went ahead is there once when its turn has come, in its place', () => {
    answer()
    index.add([...bed.passages.values()])
    ahead.replayed()
    expect(index.stats.passages).toBe(82)
    const [found] = index.search({ text: 'parquetCompactor flush', mode: 'hook', scope: {}, limit: 5 })
    expect(found?.passages[0]?.n).toBe(1)
    expect(answer()).toContain('45 seconds')
  })

  it('what went ahead is the passage that would have come', () => {
    answer()
    const whole = new PassageIndex()
    whole.add([...bed.passages.values()])
    const best = (asked: PassageIndex) => {
      const [found] = asked.search({ text: 'parquetCompactor flush', mode: 'hook', scope: {}, limit: 5 })
      return found?.passages[0]
    }
    expect(best(index)).toMatchObject({ id: best(whole)?.id, n: 1 })
  })

  it('other projects, the asker and what is forgotten stay out', async () => {
    const scope = { projects: ['/home/dev/other'] }
    expect(ahead.search({ text: question, mode: 'hook', scope, limit: 5 })).toEqual([])
    expect(ahead.search({ text: question, mode: 'hook', scope: { accepts: () => false }, limit: 5 })).toEqual([])
    expect(index.stats.passages).toBe(0)
    await bed.river.forget({ sessions: [{ harness: 'diary', id: 'oldest' }] }, false)
    expect(answer()).toBe('')
  })

  it('nothing is looked up once everything has come in', () => {
    ahead.replayed()
    expect(answer()).toBe('')
    expect(index.stats.passages).toBe(0)
  })

  it('words without end, and words that are no words, are asked for as they are', () => {
    const long = Array.from({ length: 3000 }, (_, n) => `identifier_${String(n)} "' AND NOT ( * ^ NEAR`).join(' ')
    expect(ahead.search({ text: long, mode: 'hook', scope: {}, limit: 5 })).toEqual([])
    expect(index.stats.passages).toBe(0)
    expect(errors).toEqual([])
  })
})
