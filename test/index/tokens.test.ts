import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyse, tokensOf } from '../../src/index/tokens.ts'

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
