import { expect, test } from 'vitest'
import { allMatch, questionOf } from '../../src/search/question.ts'
import { needlesOf } from '../../src/search/needles.ts'
import { cutAround, pieceOf } from '../../src/search/snippet.ts'
import { whenOf } from '../../src/search/when.ts'

test('what stands in quotes is a phrase, whatever quotes they are', () => {
  expect(questionOf('"final row" tide “last column”')).toEqual({
    phrases: ['final row', 'last column'],
    words: ['tide'],
    text: 'final row last column tide',
    dates: [],
  })
  expect(questionOf('「重试上限」 scheduler调度器').phrases).toEqual(['重试上限'])
  expect(questionOf('an "open quote').words).toEqual(['an', 'open', 'quote'])
})

test('signs alone ask for nothing', () => {
  expect(allMatch(questionOf('"" -- ()'))).toBeNull()
})

test('what FTS5 would take for its own language is only words', () => {
  expect(allMatch(questionOf('NEAR(a) OR "b* AND'))?.match).toBe('"near" AND "and" AND "or" AND "a" AND "b"')
})

test('a snippet is cut around what was found, on one line', () => {
  const text = `${'lead '.repeat(60)}the barometer\nimporter${' tail'.repeat(60)}`
  const cut = cutAround(text, ['barometer'], 120)
  expect(cut).toMatch(/^… .*the barometer importer tail.* …$/)
  expect(cut.length).toBeLessThanOrEqual(124)
  expect(cutAround('short', ['absent'], 120)).toBe('short')
})

test('an inflected word is found, and it is known how it stands there', () => {
  const written = (text: string, words: string[]) => pieceOf(text, needlesOf(words), 120).written.get(0)?.text
  expect(written('it was exported nightly', ['exporting'])).toBe('exported')
  expect(written('it was chosen', ['choose'])).toBe('chosen')
  expect(written('обработка списка', ['список'])).toBe('списка')
  expect(written('nothing', ['exporting'])).toBeUndefined()
})

test('a snippet is cut where most of the words stand together', () => {
  const text = `drained ${'.'.repeat(400)} quilt ${'.'.repeat(400)} it drained the quilt ${'.'.repeat(400)}`
  expect(cutAround(text, ['quilt', 'drained'], 120)).toContain('it drained the quilt')
})

test('scripts and signs part words; what only joins is none', () => {
  expect(questionOf('scheduler调度器').words).toEqual(['scheduler', '调度器'])
  expect(questionOf('调度器，超时：retry').words).toEqual(['调度器', '超时', 'retry'])
  expect(questionOf('retry的上限').words).toEqual(['retry', '上限'])
})

test.each(['last week', 'yesterday', '上周', 'вчера', 'on 12 October'])('"%s" is a hint and no word', hint => {
  const now = new Date(2026, 9, 20, 12).getTime()
  const { words, dates } = questionOf(`${hint} tide`, now)
  expect(words.filter(word => word !== 'on')).toEqual(['tide'])
  expect(dates.length).toBeGreaterThan(0)
})

test('yesterday is the asker’s own', () => {
  const [span] = questionOf('yesterday', new Date(2026, 9, 20, 0, 30).getTime()).dates
  expect([span?.from, span?.to]).toEqual([new Date(2026, 9, 19).getTime(), new Date(2026, 9, 20).getTime() - 1])
})

test('what stands in a file’s name, or was quoted, is no date', () => {
  const now = new Date(2026, 9, 20).getTime()
  expect(questionOf('report-2026-09-27.csv', now)).toMatchObject({ words: ['report-2026-09-27.csv'], dates: [] })
  expect(questionOf('"last week"', now)).toMatchObject({ phrases: ['last week'], dates: [] })
})

test('bounds: days are local and whole', () => {
  const now = new Date(2026, 9, 2, 15, 0)
  expect(whenOf('2026-09-27', 'since', now) <= '2026-09-27').toBe(true)
  expect(whenOf('2026-09-27', 'until', now) >= '2026-09-28').toBe(true)
  expect(whenOf('yesterday', 'since', now).slice(0, 10)).toMatch(/2026-(?:09-30|10-01)/)
  expect(whenOf('вчера', 'since', now)).toBe(whenOf('昨天', 'since', now))
  expect(whenOf('2w', 'since', now)).toBe(whenOf('14d', 'since', now))
  expect(whenOf('2026-09-27T10:00:00+02:00', 'since', now)).toBe('2026-09-27T08:00:00.000Z')
})

test('days are counted by the calendar, also where clocks were changed in between; the error names the option', () => {
  const zone = process.env.TZ
  process.env.TZ = 'Europe/Berlin'
  try {
    // summer time began on 2026-03-29 there: the week before has one hour less
    expect(whenOf('7d', 'since', new Date('2026-03-31T12:00:00Z'))).toBe('2026-03-23T23:00:00.000Z')
    expect(whenOf('1d', 'until', new Date('2026-10-26T12:00:00Z'))).toBe('2026-10-26')
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
  expect(() => whenOf('soon', 'since', new Date(), 'before')).toThrow(/--before: "soon"/)
})

test.each(['2026-13-01', '2026-02-30', 'soon', '', '-3d'])('"%s" is no date, and the message says what is', text => {
  expect(() => whenOf(text, 'since', new Date())).toThrow(/--since: ".*" is no date/)
})
