import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blame } from '../../src/search/blame.ts'
import { how } from '../../src/search/how.ts'
import { search, type SearchRequest } from '../../src/search/search.ts'
import { House } from '../recall/house.ts'

const house = new House()

beforeAll(async () => {
  house.fixture('codewhale/home')
  house.fixture('commandcode/projects', '.commandcode/projects')
  house.fixture('codebuddy/tools/projects', '.codebuddy/projects')
  await house.open()
})
afterAll(() => house.end())

const ask = (query: string, more: Partial<SearchRequest> = {}) =>
  search({ archive: house.archive, index: house.index, now: new Date() }, { query, limit: 10, ...more })
const ids = (query: string, more?: Partial<SearchRequest>) =>
  ask(query, more).hits.map(hit => hit.session.id.slice(0, 8))

describe('search', () => {
  test.each([
    ['exact words', 'gauge downloader backoff', '0a7d3f10'],
    ['inflections', 'exporting customers VAT', '8b7fb59c'],
    ['a typing error', 'parqet', 'c9d8b7a6'],
    ['a phrase', '"dropped a final row"', '5b0c1e52'],
    ['an identifier', 'resetWindow', '2925c652'],
    ['words of a tool’s output', 'AssertionError expected 429', '2925c652'],
    ['a pasted error with other numbers', 'AssertionError: expected 500, got 204', '2925c652'],
  ])('finds %s', (_, query, id) => {
    expect(ids(query)[0]).toBe(id)
  })

  test('a phrase in another order is no hit', () => {
    expect(ids('"final row dropped a"')).toEqual([])
  })

  test('says what only resembles', () => {
    expect(ask('parqet').hits[0]?.why.join()).toMatch(/parquet for parqet/)
  })

  test('what nobody said is found nowhere, and the answer says so', () => {
    expect(ask('qqqqzzzz')).toEqual({ total: 0, hits: [], notes: [], note: 'Nothing that is kept has these words.' })
    expect(ask('gauge', { harness: 'commandcode' }).note).toMatch(/without the filters/)
  })

  test('a date in words is a hint: nothing has to say it', () => {
    expect(ids('gauge downloader last week')).toEqual(expect.arrayContaining(['0a7d3f10']))
    expect(ids('вчера gauge downloader')).toContain('0a7d3f10')
  })

  test('words that everybody says, and very long questions, find something too', () => {
    expect(ids('the').length).toBeGreaterThan(0)
    expect(
      ids(`gauge downloader backoff ${'lorem ipsum dolor sit amet '.repeat(5)} a b c d e f g h i j k l m`)[0],
    ).toBe('0a7d3f10')
  })

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
        expect(ask(text).total).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 60 },
    )
    for (const text of [
      '"',
      'NEAR(',
      '* OR ^',
      'a:b -c',
      '\u0000',
      '\ud800',
      '(((',
      '"" ""',
      '-',
      "'",
      'x'.repeat(20_000),
    ])
      ask(text)
  })

  test('filters: who said it, which session, when', () => {
    const asked = ask('limiter', { role: 'user' }).hits[0]
    expect(asked?.snippets.every(({ kind }) => kind === 'prompt')).toBe(true)
    const key = house.archive.sessions.keyOf({ harness: 'codewhale', id: '7c41e9d2-1f6b-4c0a-b7d5-93e8a2f05c32' })
    expect(ids('tide', { session: key ?? -1 })).toEqual(['7c41e9d2'])
    const late = ids('tide', { since: '2026-09-27' })
    expect(late).toContain('c9d8b7a6')
    expect(late).not.toContain('5b0c1e52')
  })

  test('a snippet names its record: show finds it there', () => {
    const [hit] = ask('"dropped a final row"').hits
    const [snippet] = hit?.snippets ?? []
    const key = house.archive.sessions.keyOf(hit?.session ?? { harness: '', id: '' })
    const { records } = house.archive.records.ofSession(key ?? -1, { offset: snippet?.n ?? -1, limit: 1 })
    expect(records[0]?.text).toContain('dropped a final row')
  })

  test('what a fork copied is its parent’s', () => {
    expect(ids('ModuleNotFoundError conftest')).not.toContain('e5f0a6b8')
  })
})

describe('blame', () => {
  test('names the turn that changed a file, newest first, with what was asked', () => {
    const touches = blame(house.archive, '/home/dev/work/tidewatch/src/fetch.py', null, 10)
    expect(touches.map(({ session, asked }) => [session.id.slice(0, 8), asked])).toEqual([
      ['0a7d3f10', 'Add a retry with backoff to the gauge downloader and run the tests.'],
    ])
  })

  test('a line: who wrote it, and who removed what stood there', () => {
    const path = 'src/limiter.ts'
    expect(blame(house.archive, path, '  hits += 1;', 10).map(({ line }) => line)).toEqual(['wrote'])
    expect(blame(house.archive, path, 'nobody wrote this', 10)).toEqual([])
  })
})

describe('how', () => {
  test('the command lines in which a tool ran, with their outcomes', () => {
    const ways = how(house.archive, 'npm', '/home/dev/acme-api', 10)
    const test = ways.find(({ command }) => command === 'npm test -- limiter')
    expect(test).toMatchObject({ runs: 2, ok: 1, failed: 1 })
    expect(ways.every(({ command }) => /(?:^|\s|\/)npm /.test(command))).toBe(true)
  })

  test('a word among a command’s arguments is not the tool', () => {
    expect(how(house.archive, 'limiter', null, 10)).toEqual([])
  })
})
