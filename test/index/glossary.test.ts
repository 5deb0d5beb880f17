import { describe, expect, it } from 'vitest'
import { wider } from '../../src/index/glossary.ts'
import { everydayShare } from '../../src/index/rarity.ts'
import { tokensOf } from '../../src/index/tokens.ts'

const standsFor = (text: string): Map<string, boolean> =>
  new Map(wider(tokensOf(text)).map(({ term, related }) => [term, related]))

describe('the glossary', () => {
  it.each([
    ['缓存', 'cach'],
    ['кэш', 'cach'],
    ['latency', 'slow'],
    ['segfault', 'panic'],
    ['картинка', 'imag'],
    ['权限', 'permiss'],
    ['откатить', 'revert'],
  ])('knows what %s stands for', (text, term) => {
    expect([...standsFor(text).keys()]).toContain(term)
  })

  it('tells what stands for a term from what stands beside it', () => {
    expect(standsFor('审计').get('audit')).toBe(false)
    expect(standsFor('审计').get('trail')).toBe(true)
  })

  it('takes no word of a longer term for the term', () => {
    expect([...standsFor('primary').keys()]).not.toContain('идентификатор')
  })
})

describe('words of plain language', () => {
  it.each(['verdict', 'recommend', 'расскажи', 'вариант'])('%s says little', word => {
    const [term = ''] = tokensOf(word)
    expect(everydayShare(term)).toBeGreaterThan(1 / 64)
  })
})
