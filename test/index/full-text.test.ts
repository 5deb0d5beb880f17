import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { migrations } from '../../src/archive/schema.ts'
import { longestTerm, searchText, termsMatch } from '../../src/index/full-text.ts'
import { phraseCheck } from '../../src/index/phrase.ts'
import { TermScanner } from '../../src/index/term-scanner.ts'

describe('full text', () => {
  const database = new Database(':memory:')
  for (const statements of migrations) database.exec(statements)
  const insert = database.prepare('INSERT INTO records_fts (rowid, text) VALUES (1, ?)')
  const find = database.prepare('SELECT count(*) n FROM records_fts WHERE records_fts MATCH ?').pluck()
  const scanner = new TermScanner()
  afterAll(() => database.close())

  const finds = (text: string, asked: string): boolean => {
    database.exec('DELETE FROM records_fts')
    insert.run(scanner.scan(text))
    return find.get(termsMatch([asked]) ?? '') === 1 && (phraseCheck([asked])?.(text) ?? true)
  }

  it.each([
    ['It dropped a final row.', 'dropped a final row', true],
    ['It dropped a final row.', 'final row dropped a', false],
    ['open /home/dev/acme/src/limiter.ts now', 'src/limiter.ts', true],
    ['open /home/dev/acme/src/limiter.ts now', 'limiter.ts', true],
    ['open src/limiter.ts', 'src/other.ts', false],
    ['call getUserName(x)', 'getUserName', true],
    ['call getUserName(x)', 'getusername', true],
    ['call getUserName(x)', 'user name', true],
    ['set retry_limit to 3', 'retry_limit', true],
    ['ping 203.0.113.51', '203.0.113.51', true],
    ['ping 203.0.113.51', '203', false],
    ['ping 203.0.113.51', '113.51', false],
    ['我们的重试机制很好', '重试机制', true],
    ['我們的重試機制很好', '重试机制', true],
    ['我们的重试机制很好', '机制重试', false],
    ['Ошибка в ёлке', 'елке', true],
    ['a café', 'cafe', true],
    ['don’t stop', "don't", true],
    ['it dropped\n\n  -- a final\nrow', 'dropped a final row', true],
    ['one final row\nand a final word', 'final row and a', true],
    ['one final row\nand a final word', 'final a', false],
    ['它在日志里\n说重试', '日志里说重试', false],
    ['v1.2.3 then 10.0.0.1/24', '1.2.3', true],
    ['v1.2.3 then 10.0.0.1/24', '10.0.0.1/24', true],
    ['c# 1.2.3# 4.5', '4.5', true],
    ['ΟΔΟΣ ΣΟΦΙΑΣ', 'οδος σοφιας', true],
    [`key ${'abcd'.repeat(40)} end`, 'abcd'.repeat(40), true],
    [`key ${'abcd'.repeat(40)} end`, 'abcd'.repeat(39), false],
    ['✓ passed — in 3 ms │ next', 'passed in 3 ms next', true],
  ])('%s | %s: %s', (text, asked, found) => {
    expect(finds(text, asked)).toBe(found)
  })

  /** Texts of what makes a difference to where terms begin and end. */
  const texts = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ..."a B foo getHTTPResponse2 retry_limit $x v1.2 1.2.3 10.0.0.1 v 7 / . \\ @ ~ + ++ # - -> :: :// : _ '".split(
            ' ',
          ),
        ),
        fc.constantFrom(
          ' ',
          '\n',
          '\t',
          '"',
          '\0',
          'é',
          '中',
          '调度',
          'Σ',
          'ς',
          'ﬁ',
          '１',
          '✓',
          '…',
          '⺀',
          '😀',
          'x/.',
          '-beta.1',
          'q'.repeat(70),
          'w/'.repeat(300),
        ),
        fc.string({ unit: 'binary', maxLength: 4 }),
      ),
      { maxLength: 30 },
    )
    .map(parts => parts.join(''))

  it('has of every text the terms that stand in it, whatever came before', () => {
    const set = (terms: string) => [...new Set(terms.split(' ').map(term => term.slice(0, longestTerm)))].sort()
    fc.assert(
      fc.property(texts, text => {
        expect(set(scanner.scan(text))).toEqual(set(searchText(text)))
      }),
      { numRuns: 3_000 },
    )
  })

  it('knows more words than it keeps in mind', () => {
    const words = Array.from({ length: 150_000 }, (_, n) => `w${n.toString(36)}x`)
    const one = new TermScanner()
    expect(one.scan(words.join(' ')).split(' ')).toEqual(words)
    expect(one.scan('w1x w2x w1x')).toBe('w1x w2x')
  })

  it('finds a phrase where its terms stand side by side, and nowhere else', () => {
    fc.assert(
      fc.property(texts, texts, (text, phrase) => {
        fc.pre(searchText(phrase) !== '')
        const [said, sought] = [searchText(text), searchText(phrase)]
        const [whole, ...words] = sought.split(' ')
        // a name in camel case is told by the term that it is as a whole
        const isName = /^[\p{L}\p{N}]+$/u.test(phrase) && words.length > 1 && whole === words.join('')
        const all = new Set(said.split(' '))
        const has = isName ? sought.split(' ').every(term => all.has(term)) : ` ${said} `.includes(` ${sought} `)
        expect(finds(text, phrase)).toBe(has)
      }),
      { numRuns: 2_000 },
    )
  })

  it('finds every piece of a text that is cut out between two words', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 5 }), fc.nat(4), fc.nat(4), (parts, from, length) => {
        const piece = parts.slice(from % parts.length, (from % parts.length) + length + 1).join(' \n')
        fc.pre(searchText(piece) !== '')
        expect(finds(parts.join(' \n'), piece)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('finds any word of a text by itself', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zA-Zа-яА-Я0-9_.-]{1,12}$/), { minLength: 1, maxLength: 8 }),
        fc.nat(7),
        (words, n) => {
          const word = words[n % words.length] ?? ''
          fc.pre(searchText(word) !== '')
          expect(finds(words.join(' '), word)).toBe(true)
        },
      ),
      { numRuns: 100 },
    )
  })
})
