import { describe, expect, it } from 'vitest'
import { widthOf } from '../../src/cli/render.ts'
import { renderUsage } from '../../src/cli/usage.ts'
import type { UsageOutput } from '../../src/daemon/usage-api.ts'
import type { Tokens } from '../../src/shared/model.ts'

const tokens = (more: Partial<Tokens> = {}): Tokens => ({
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
  unsplit: null,
  ...more,
})
const exact = { sessions: 1, costKind: 'exact' as const }

const answer: UsageOutput = {
  schemaVersion: 1,
  currency: 'USD',
  groups: [
    {
      key: 'a-model-of-a-rather-long-name-indeed',
      ...exact,
      tokens: tokens({ unsplit: 123_456_789 }),
      costUsd: 1234.5,
    },
    {
      key: '中文模型',
      sessions: 12,
      tokens: tokens({ input: 10_000, output: 999, cacheRead: 2_000_000, cacheWrite: 5 }),
      costUsd: 0.00002,
      costKind: 'estimated',
    },
    { key: 'free', ...exact, tokens: tokens({ input: 0, output: 0 }), costUsd: 0 },
    { key: 'unknown', sessions: 3, tokens: tokens({ input: 7 }), costUsd: null, costKind: 'unknown' },
  ],
  total: {
    sessions: 17,
    tokens: tokens({ input: 10_007, output: 999, cacheRead: 2_000_000, cacheWrite: 5, unsplit: 123_456_789 }),
    costUsd: 1234.50002,
    costKind: 'partial',
  },
}
const shown = (width: number, more: Partial<{ cost: boolean; limit: number }> = {}) =>
  renderUsage(answer, { by: 'model', cost: true, limit: 50, ...more }, { interactive: false, colour: false, width })

describe('the table', () => {
  it.each([60, 80, 100, 140])('fits %i columns', width => {
    for (const line of shown(width).split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width)
  })

  it('tells exact, estimated, partial, unknown and nothing apart', () => {
    const text = shown(140)
    expect(text).toMatch(/^a-model.*\$1,234\.50 {2}█+$/m)
    expect(text).toMatch(/^中文模型.*~<\$0\.0001/m)
    expect(text).toMatch(/^free.*\$0\.00$/m)
    expect(text).toMatch(/^unknown.* \?$/m)
    expect(text).toMatch(/^total.*≥\$1,234\.50$/m)
    expect(text).toContain('~ estimated from list prices   ≥ not all of it is known   ? not known')
  })

  it('says how many more there are', () => {
    expect(shown(80, { limit: 1 })).toContain('3 more models: --limit 4 shows all')
  })

  it('without costs draws its bars by tokens', () => {
    const text = shown(80, { cost: false })
    expect(text).not.toMatch(/cost|\$/)
    expect(text).toMatch(/█/)
  })
})
