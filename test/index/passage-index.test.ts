import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PassageIndex } from '../../src/index/passage-index.ts'
import type { Passage } from '../../src/index/passage.ts'
import type { RankedSession, Scope } from '../../src/index/query.ts'
import { headOf, passageOf } from './making.ts'
import { naiveScores } from './naive.ts'

const plain = { settled: 0, recency: 0, near: 0, glossary: 0, date: 0 }
const unbounded = 1_000_000

const ask = (index: PassageIndex, text: string, scope: Scope = {}, limit = 50): RankedSession[] =>
  index.search({ text, mode: 'person', scope, limit })
const keysOf = (ranked: readonly RankedSession[]) => ranked.map(({ session }) => session.key)
const scoresOf = (ranked: readonly RankedSession[]) =>
  ranked.map(({ session, score }) => [session.key, Number(score.toFixed(6))])

const words = 'tide gauge barometer parser cache retry limiter schema widget kettle zinc quartz rows export'.split(' ')
const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map(each => each.join(' '))
/** Sessions as lists of prompts, handed over in any order. */
const corpus = fc
  .array(fc.array(text, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })
  .chain(sessions => {
    let id = 0
    const passages = sessions.flatMap((prompts, key) => {
      const head = headOf(key, { projects: [`/home/dev/p${String(key % 3)}`] })
      return prompts.map((prompt, n) => passageOf(++id, head, n, { prompt }))
    })
    return fc.shuffledSubarray(passages, { minLength: passages.length })
  })

function indexOf(passages: readonly Passage[]): PassageIndex {
  const index = new PassageIndex({ weights: plain, budget: unbounded })
  for (const passage of passages) index.add([passage])
  return index
}

describe('PassageIndex', () => {
  it('scores with an unlimited budget as the definition does', () => {
    fc.assert(
      fc.property(corpus, text, (passages, query) => {
        const expected = [...naiveScores(passages, query)].filter(([, score]) => score > 0)
        expected.sort((a, b) => b[1] - a[1] || b[0] - a[0])
        const ranked = ask(indexOf(passages), query)
        expect(new Map(scoresOf(ranked).map(([key, score]) => [key, score]))).toEqual(
          new Map(expected.map(([key, score]) => [key, Number(score.toFixed(6))])),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('asks within a scope as if nothing else were there', () => {
    fc.assert(
      fc.property(corpus, text, fc.nat(2), (passages, query, number) => {
        const project = `/home/dev/p${String(number)}`
        const within = passages.filter(({ session }) => session.projects.includes(project))
        const scoped = ask(indexOf(passages), query, { projects: [project] })
        expect(scoresOf(scoped)).toEqual(scoresOf(ask(indexOf(within), query)))
        const accepted = ask(indexOf(passages), query, { accepts: ({ projects }) => projects.includes(project) })
        expect(scoresOf(accepted)).toEqual(scoresOf(scoped))
      }),
      { numRuns: 100 },
    )
  })

  it('is after any changes what a fresh one over the rest would be', () => {
    const change = fc.oneof(
      fc.record({ replace: fc.nat(40), by: text }),
      fc.record({ remove: fc.nat(40) }),
      fc.record({ forget: fc.nat(8) }),
    )
    fc.assert(
      fc.property(corpus, fc.array(change, { maxLength: 12 }), text, (passages, changes, query) => {
        const index = indexOf(passages)
        let rest = [...passages]
        for (const one of changes) {
          if ('replace' in one) {
            const at = one.replace % Math.max(1, rest.length)
            const before = rest[at]
            if (before === undefined) continue
            const changed = { ...before, prompt: one.by }
            index.add([changed])
            rest[at] = changed
          } else if ('remove' in one) {
            const gone = rest[one.remove % Math.max(1, rest.length)]
            if (gone === undefined) continue
            index.remove([gone.id])
            rest = rest.filter(({ id }) => id !== gone.id)
          } else {
            index.forgetSession(one.forget)
            rest = rest.filter(({ session }) => session.key !== one.forget)
          }
        }
        expect(index.stats.passages).toBe(rest.length)
        // a session without passages still counts among the sessions: compare with the same ones there
        const fresh = indexOf(rest)
        for (const { session } of passages)
          if (rest.some(each => each.session.key === session.key)) fresh.updateSession(session)
        const kept = (ranked: readonly RankedSession[]) =>
          keysOf(ranked).filter(key => rest.some(({ session }) => session.key === key))
        const scope: Scope = { accepts: ({ key }) => rest.some(({ session }) => session.key === key) }
        expect(scoresOf(ask(index, query, scope))).toEqual(scoresOf(ask(fresh, query, scope)))
        expect(kept(ask(index, query))).toEqual(keysOf(ask(index, query)))
      }),
      { numRuns: 150 },
    )
  })

  it('spends no more postings than its budget, rarest terms first', () => {
    const head = headOf(1)
    const index = new PassageIndex({ weights: plain, budget: 30 })
    const rare = (n: number) => (n % 10 === 0 ? 'zirconium' : '')
    for (let n = 0; n < 100; n++) {
      index.add([passageOf(n + 1, head, n, { prompt: `barometer ${n % 5 === 0 ? 'kettle' : ''} ${rare(n)}` })])
    }
    const [best] = ask(index, 'barometer kettle zirconium')
    expect(best?.terms.map(({ written }) => written).sort()).toEqual(['kettle', 'zirconium'])
    expect(best?.terms.reduce((sum, { passages }) => sum + passages, 0)).toBeLessThanOrEqual(30)
    expect(ask(index, 'barometer')).toHaveLength(1)
  })

  it('spends its budget within the scope alone', () => {
    const index = new PassageIndex({ weights: plain, budget: 30 })
    for (let n = 0; n < 100; n++) {
      const project = n % 10 === 0 ? '/home/dev/small' : '/home/dev/large'
      index.add([passageOf(n + 1, headOf(n, { projects: [project] }), 0, { prompt: 'the barometer and the kettle' })])
    }
    const ranked = ask(index, 'barometer kettle', { projects: ['/home/dev/small'] })
    expect(ranked).toHaveLength(10)
    expect(ranked[0]?.terms.map(({ passages, within }) => [passages, within])).toEqual([
      [10, 10],
      [10, 10],
    ])
  })

  it('tells where a term stands and what it is', () => {
    const index = new PassageIndex()
    index.add([
      passageOf(1, headOf(1, { title: 'Tide gauge' }), 0, {
        prompt: 'Why does retryLimit overflow?',
        answer: 'The retry_limit was compared too late.',
        paths: '/home/dev/acme/src/limiter.ts',
        errors: 'RangeError: retryLimit out of range',
      }),
    ])
    const [best] = ask(index, 'retryLimit in src/limiter.ts of the tide gauge')
    const whole = best?.passages[0]?.terms.find(({ term }) => term === 'retrylimit')
    expect(whole).toMatchObject({ isIdentifier: true, via: 'own', passages: 1, within: 1 })
    expect(whole?.parts.sort()).toEqual(['answer', 'errors', 'prompt'])
    expect(best?.passages[0]?.terms.find(({ term }) => term === 'src/limiter.ts')).toMatchObject({
      isIdentifier: true,
      parts: ['paths'],
    })
    expect(best?.terms.find(({ term }) => term === 'tide')?.parts).toEqual(['title'])
    expect(best?.score).toBeCloseTo(
      Object.values(best?.parts ?? {}).reduce((sum, part) => sum + part, 0),
      9,
    )
  })

  it('finds what is misspelt, begun or said in another language, for less', () => {
    const index = new PassageIndex()
    index.add([passageOf(1, headOf(1), 0, { prompt: 'Write the parquet file through a temporary cache' })])
    index.add([passageOf(2, headOf(2), 0, { prompt: 'Nothing of the kind' })])
    expect(ask(index, 'parqet')[0]?.terms).toMatchObject([{ term: 'parquet', via: 'near' }])
    expect(ask(index, 'parqu')[0]?.terms).toMatchObject([{ term: 'parquet', via: 'near' }])
    expect(ask(index, '为什么缓存')[0]?.terms).toMatchObject([{ written: 'cache', via: 'glossary' }])
    expect(ask(index, 'кеш')[0]?.terms).toMatchObject([{ written: 'cache', via: 'glossary' }])
    expect(ask(index, 'qqqqzzzz')).toEqual([])
  })

  it('puts the day that was asked for first', () => {
    const index = new PassageIndex()
    for (let day = 1; day <= 28; day++) {
      const at = `2026-05-${String(day).padStart(2, '0')}T09:00:00.000Z`
      index.add([
        passageOf(day, headOf(day, { startedAt: at, updatedAt: at }), 0, { prompt: 'We tried the barometer again' }),
      ])
    }
    for (const asked of ['on May 12, 2026', '12 May', 'on 2026-05-12', '2026年5月12日', '12 мая 2026']) {
      expect(keysOf(ask(index, `barometer ${asked}`))[0], asked).toBe(12)
    }
    const [yesterday] = index.search({
      text: 'barometer yesterday',
      mode: 'hook',
      scope: {},
      limit: 1,
      now: Date.UTC(2026, 4, 8, 12),
    })
    expect(yesterday?.session.key).toBe(7)
  })

  it('prefers the newer of two that say the same, when it is told the time', () => {
    const index = new PassageIndex()
    const old = headOf(9, { startedAt: '2025-01-01', updatedAt: '2025-01-01' })
    const recent = headOf(2, { startedAt: '2026-05-01', updatedAt: '2026-05-01' })
    index.add([
      passageOf(1, old, 0, { prompt: 'barometer codepage' }),
      passageOf(2, recent, 0, { prompt: 'barometer codepage' }),
    ])
    const ranked = index.search({ text: 'barometer', mode: 'hook', scope: {}, limit: 5, now: Date.UTC(2026, 4, 2) })
    expect(keysOf(ranked)).toEqual([2, 9])
  })

  it('takes a new title and new projects over', () => {
    const index = new PassageIndex()
    const head = headOf(1, { title: 'Barometer importer' })
    index.add([passageOf(1, head, 0, { prompt: 'Go on' })])
    expect(keysOf(ask(index, 'barometer'))).toEqual([1])
    index.updateSession({ ...head, title: 'Kettle exporter', projects: ['/home/dev/other'] })
    expect(ask(index, 'barometer')).toEqual([])
    expect(keysOf(ask(index, 'kettle', { projects: ['/home/dev/other'] }))).toEqual([1])
    expect(ask(index, 'kettle', { projects: ['/home/dev/acme'] })).toEqual([])
  })

  it('sheds the oldest passages and lets their words go', async () => {
    const index = new PassageIndex()
    for (let day = 1; day <= 9; day++) {
      const at = `2026-05-0${String(day)}T09:00:00.000Z`
      index.add([
        passageOf(day, headOf(day, { title: `Title${String(day)}` }), 0, {
          at,
          prompt: `word${String(day)} barometer`,
        }),
      ])
    }
    expect(index.shed(4)).toBe(4)
    expect(index.has(4)).toBe(false)
    expect(index.has(5)).toBe(true)
    expect(ask(index, 'word3 title3')).toEqual([])
    expect(keysOf(ask(index, 'barometer')).sort()).toEqual([5, 6, 7, 8, 9])
    for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve))
    expect(index.stats).toEqual({ passages: 5, terms: 11 })
  })
})
