import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyse, searchText, tokensOf } from '../../src/index/tokens.ts'

const identifiersIn = (text: string) => analyse(text).flatMap(({ term, identifier }) => (identifier ? [term] : []))

describe('tokens of the index', () => {
  it.each([
    ['retryLimit', ['retrylimit', 'retri', 'limit']],
    ['retry_limit', ['retrylimit', 'retri', 'limit']],
    ['RETRY_LIMIT', ['retrylimit', 'retri', 'limit']],
    ['rate-limiter', ['ratelimiter', 'rate', 'limit']],
    ['parseHTTPResponse', ['parsehttpresponse', 'pars', 'http', 'respons']],
    ['os.path.join', ['os.path.join', 'os', 'path', 'join']],
    ['std::vector', ['stdvector', 'std', 'vector']],
    ['src/limiter.ts', ['src/limiter.ts', 'src', 'limiter.ts', 'limit', 'ts']],
    [
      '/home/dev/acme/src/limiter.ts:12:5',
      ['src/limiter.ts', 'home', 'dev', 'acm', 'src', 'limiter.ts', 'limit', 'ts', '12', '5'],
    ],
    ['203.0.113.51', ['203.0.113.51']],
    ['v1.2.3', ['1.2.3']],
    ['C++ and C#', ['c++', 'c#']],
    ["Caroline's dog doesn’t bark", ['carolin', 'dog', 'bark']],
    ['decided decision decides', ['decid', 'decid', 'decid']],
    ['wrote written writes', ['write', 'write', 'write']],
    ['重试机制', ['重试', '试机', '机制']],
    ['資料庫連線', ['资料', '料库', '库连', '连线']],
    ['ＡＰＩ　Ｋｅｙ', ['api', 'kei']],
    ['настройки настройка настройками', ['настройк', 'настройк', 'настройк']],
    ['сборка сборке', ['сборк', 'сборк']],
    ['ёлка елка', ['елк', 'елк']],
  ])('%s', (text, terms) => {
    expect(tokensOf(text)).toEqual(terms)
  })

  it('leaves out what says nothing', () => {
    expect(tokensOf('What did we do about the … and why is it?')).toEqual([])
    expect(tokensOf('在哪里？为什么？怎么办')).toEqual([])
    expect(tokensOf('почему это не так и что теперь')).toEqual([])
  })

  it('tells names from words', () => {
    expect(
      identifiersIn('why is `tide` slow in retryLimit, src/limiter.ts, TS2345, 203.0.113.51 or with --dry-run'),
    ).toEqual(['tide', 'retrylimit', 'src/limiter.ts', 'limiter.ts', 'ts2345', '203.0.113.51', 'dryrun'])
    expect(identifiersIn('a well-known rate-limiter, e.g. the one in 2023')).toEqual([])
  })

  it('gives the query side what the index side gave, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
        expect(analyse(text.replaceAll('`', ' ').replaceAll('--', ' ')).map(({ term }) => term)).toEqual(
          tokensOf(text.replaceAll('`', ' ').replaceAll('--', ' ')),
        )
      }),
    )
  })

  it('takes a long text in time that grows with it', () => {
    const start = performance.now()
    tokensOf('a.b-c_d/'.repeat(20_000))
    tokensOf(`${'x'.repeat(300_000)} `)
    tokensOf('重'.repeat(100_000))
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

describe('full text', () => {
  const database = new Database(':memory:')
  database.exec(
    `CREATE VIRTUAL TABLE t USING fts5 (text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`,
  )
  const finds = (text: string, asked: string): boolean => {
    database.exec('DELETE FROM t')
    database.prepare('INSERT INTO t (rowid, text) VALUES (1, ?)').run(searchText(text))
    return (
      database
        .prepare('SELECT count(*) n FROM t WHERE t MATCH ?')
        .pluck()
        .get(`"${searchText(asked)}"`) === 1
    )
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
  ])('%s | %s: %s', (text, asked, found) => {
    expect(finds(text, asked)).toBe(found)
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
