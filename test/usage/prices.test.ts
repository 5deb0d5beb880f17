import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Tokens } from '../../src/shared/model.ts'
import { priceTable } from '../../src/usage/price-table.ts'
import { loadPrices, modelNames, PriceList } from '../../src/usage/prices.ts'

const none: Tokens = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
  unsplit: null,
}
const million: Tokens = { ...none, input: 1_000_000, output: 1_000_000, cacheRead: 0, cacheWrite: 0 }
const shipped = loadPrices(null)
const usd = (model: string, at: string, tokens = million) =>
  shipped.estimate(model, tokens, Date.parse(at))?.usd ?? null

const directory = mkdtempSync(join(tmpdir(), 'deja-prices-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const file = (text: string): string => {
  const path = join(directory, 'prices.toml')
  writeFileSync(path, text)
  return path
}

describe('a model', () => {
  it.each([
    'claude-opus-4-5',
    'claude-opus-4.5',
    'Claude-Opus-4.5',
    'anthropic/claude-opus-4.5',
    'openrouter/anthropic/claude-opus-4.5',
    'claude-opus-4-5-20251101',
    'claude-opus-4-5@20251101',
    'us.anthropic.claude-opus-4-5-20251101-v1:0',
    'claude-opus-4-5[1m]',
    'custom-local:claude-opus-4-5',
  ])('is known as %s', name => {
    expect(usd(name, '2026-01-05T12:00:00Z')).toBe(30)
  })

  it.each([
    ['kimi-k2-0905-preview', 'kimi-k2'],
    ['gemini-2.5-pro-preview-06-05', 'gemini-2-5-pro'],
    ['gpt-5.1-2025-11-13', 'gpt-5-1'],
    ['deepseek-v4-pro-0813', 'deepseek-v4-pro'],
  ])('%s is also %s', (name, base) => {
    expect(modelNames(name)).toContain(base)
  })

  it.each([
    'stub-large',
    'stub/stub-model',
    '',
    'claude',
    'qwen3:32b',
    'deepseek-v4-pro:free',
    'claude-opus-4-5-turbo',
  ])('of which nothing is known has no price: %s', name => {
    expect(usd(name, '2026-10-05T12:00:00Z')).toBeNull()
  })
})

describe('a price', () => {
  it('is that of the day', () => {
    expect(usd('deepseek-chat', '2025-09-10T00:00:00Z')).toBeCloseTo(2.24, 9)
    expect(usd('deepseek-chat', '2025-10-10T00:00:00Z')).toBeCloseTo(0.7, 9)
    expect(usd('deepseek-chat', '2020-01-01T00:00:00Z')).toBeNull()
    expect(usd('deepseek-chat', '2026-09-01T00:00:00Z')).toBeNull()
  })

  it('differs for the cache, and is the input’s where none is known for it', () => {
    const cached = { ...none, input: 0, output: 0, cacheRead: 1_000_000, cacheWrite: 1_000_000 }
    expect(usd('claude-sonnet-4-5', '2026-01-05T12:00:00Z', cached)).toBeCloseTo(4.05, 9)
    expect(usd('gpt-5', '2026-01-05T12:00:00Z', cached)).toBeCloseTo(1.375, 9)
    // the same model on both sides of the day on which its cache became cheaper
    expect(usd('claude-sonnet-5-5', '2026-10-06T12:00:00Z', cached)).toBeCloseTo(2.7, 9)
    expect(usd('claude-sonnet-5-5', '2026-10-07T12:00:00Z', cached)).toBeCloseTo(2.6, 9)
  })

  it('is dearer above a prompt’s length, and at peak hours of working days', () => {
    const prompt = (input: number) => ({ ...none, input, output: 0 })
    expect(usd('gemini-2.5-pro', '2026-01-05T12:00:00Z', prompt(200_000))).toBeCloseTo(0.25, 9)
    expect(usd('gemini-2.5-pro', '2026-01-05T12:00:00Z', prompt(400_000))).toBeCloseTo(1, 9)
    expect(usd('deepseek-v4-pro', '2026-09-07T12:00:00Z')).toBeCloseTo(2.64, 9)
    expect(usd('deepseek-v4-pro', '2026-09-07T02:00:00Z')).toBeCloseTo(5.28, 9)
    expect(usd('deepseek-v4-pro', '2026-09-06T02:00:00Z')).toBeCloseTo(2.64, 9)
    // a holiday in Peking, though a Thursday
    expect(usd('deepseek-v4-pro', '2026-10-01T02:00:00Z')).toBeCloseTo(2.64, 9)
    expect(usd('deepseek-v4-pro', '2026-10-08T02:00:00Z')).toBeCloseTo(5.28, 9)
    expect(usd('gpt-6-sol', '2026-11-05T12:00:00Z', prompt(272_000))).toBeCloseTo(0.544, 9)
    expect(usd('gpt-6-sol', '2026-11-05T12:00:00Z', prompt(300_000))).toBeCloseTo(1.2, 9)
  })

  it('of one figure is the input’s; of no figure there is none; of half the figures it is not whole', () => {
    const at = Date.parse('2026-01-05T12:00:00Z')
    expect(shipped.estimate('gpt-5', { ...none, unsplit: 1_000_000 }, at)).toEqual({ usd: 1.25, whole: true })
    expect(shipped.estimate('gpt-5', none, at)).toBeNull()
    expect(shipped.estimate('gpt-5', { ...none, input: 1_000_000 }, at)).toEqual({ usd: 1.25, whole: false })
  })
})

describe('the shipped table', () => {
  it('has days in order, rates that make sense, and names that are found', () => {
    for (const { model, from, rates, over } of priceTable) {
      expect(from).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
      for (const own of [rates, ...(over ?? []).map(tier => tier.rates)]) {
        if (own === null) continue
        expect(own.input).toBeGreaterThan(0)
        expect(own.output).toBeGreaterThan(own.input)
        expect(own.cacheRead ?? 0).toBeLessThan(own.input)
        expect(own.cacheWrite ?? own.input).toBeLessThanOrEqual(own.input * 1.25 + 1e-9)
      }
      const found = new PriceList(priceTable).estimate(model, million, Date.parse(`${from}T12:00:00Z`))
      expect(found === null).toBe(rates === null)
    }
    const days = priceTable.map(({ model, from }) => `${model} ${from}`)
    expect(new Set(days).size).toBe(days.length)
  })
})

describe('a file of prices', () => {
  it('replaces the table', () => {
    const prices = loadPrices(
      file(`
[[prices]]
model = "stub-large"
input = 2
output = 4
cache_read = 0.5
over = [{ prompt = 1000, input = 4, output = 8 }]

[[prices]]
model = "stub-large"
from = "2026-09-01"
input = 1
output = 2
`),
    )
    const at = Date.parse('2026-08-01T12:00:00Z')
    expect(prices.estimate('stub-large', { ...none, input: 500, output: 0 }, at)?.usd).toBeCloseTo(0.001, 12)
    expect(prices.estimate('stub-large', million, at)?.usd).toBe(12)
    expect(prices.estimate('stub-large', million, Date.parse('2026-09-01T12:00:00Z'))?.usd).toBe(3)
    expect(prices.estimate('gpt-5', million, at)).toBeNull()
  })

  it.each([
    ['[[prices]]\nmodel = "a"\ninput = -1\noutput = 1', /prices\.0\.input/],
    ['[[prices]]\nmodel = "a"\ninput = 1', /prices\.0\.output/],
    ['[[prices]]\nmodel = "a"\ninput = 1\noutput = 1\nfrom = "soon"', /prices\.0\.from.*2026-09-27/],
    ['prices = [', /can't be read/],
  ])('that is off is refused with the place: %j', (text, message) => {
    expect(() => loadPrices(file(text))).toThrow(message)
  })

  it('that isn’t there is refused', () => {
    expect(() => loadPrices(join(directory, 'none.toml'))).toThrow(/can't be read/)
  })
})
