import { describe, expect, it } from 'vitest'
import { wider } from '../../src/index/glossary.ts'
import { rarityOf } from '../../src/index/rarity.ts'
import { tokensOf } from '../../src/index/tokens.ts'

const rarity = (word: string, passages: number, all: number) => rarityOf(tokensOf(word)[0] ?? word, passages, all)

describe('rarity', () => {
  it('is low for everybody’s and every developer’s words, however small the archive', () => {
    for (const word of ['file', 'error', 'function', 'house', 'test', '文件', '数据', 'ошибка', 'файл'])
      for (const all of [5, 500, 27_000]) expect(rarity(word, 1, all), word).toBeLessThan(0.7)
  })

  it('is high for what only few say', () => {
    for (const word of ['zirconium', 'tidewatch', 'retryLimit', 'src/limiter.ts'])
      expect(rarity(word, 1, 27_000), word).toBeGreaterThan(0.85)
    expect(rarity('zirconium', 1, 5)).toBeGreaterThan(rarity('file', 1, 5) + 0.3)
  })

  it('falls with what the archive itself says often', () => {
    expect(rarity('tidewatch', 9_000, 27_000)).toBeLessThan(0.2)
    expect(rarity('tidewatch', 1, 27_000)).toBeGreaterThan(rarity('tidewatch', 50, 27_000))
  })
})

describe('the glossary', () => {
  const widened = (text: string) => wider(tokensOf(text)).map(({ term }) => term)

  it('widens a developer’s word to other languages and its abbreviations', () => {
    expect(widened('cache')).toEqual(expect.arrayContaining(['缓存', ...tokensOf('кеш')]))
    expect(widened('数据库')).toEqual(expect.arrayContaining(['db', ...tokensOf('database')]))
    expect(widened('настройка')).toEqual(expect.arrayContaining(['配置', ...tokensOf('config')]))
    expect(widened('repo')).toEqual(expect.arrayContaining(tokensOf('repository')))
  })

  it('needs all of an expression', () => {
    expect(widened('часовой пояс')).toEqual(expect.arrayContaining(['时区']))
    expect(widened('пояс')).not.toContain('时区')
  })
})
