import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { UsageGrowth, UsageRow } from '../../src/archive/read/usage-reader.ts'
import { loadPrices } from '../../src/usage/prices.ts'
import { groupings, usageReport } from '../../src/usage/usage.ts'
import { House } from './house.ts'

const parent = '7c41e9d2-1f6b-4c0a-b7d5-93e8a2f05c32'
const fork = 'e5f0a6b8-3d27-4c91-a2c4-6d1b7e9f0a43'

let house: House
beforeEach(() => {
  house = new House()
})
afterEach(() => house.end())

describe('CodeWhale’s fixtures', () => {
  beforeEach(async () => {
    house.fixture('codewhale/home', '.')
    await house.read('codewhale')
  })

  it('cost what was recorded, sub-agents included; a fork pays for what exceeds its parent', async () => {
    expect(await house.session(parent)).toMatchObject({
      costUsd: 0.2371,
      costKind: 'exact',
      tokens: { unsplit: 71840 },
    })
    expect(await house.session(fork)).toMatchObject({ costUsd: 0.0067, costKind: 'exact', tokens: { unsplit: 2262 } })
  })

  it('count a session of both roots once, and a stored zero as zero', async () => {
    expect(await house.session('5b0c1e52')).toMatchObject({ costUsd: 0.0031, costKind: 'exact' })
    expect(await house.session('2f3e4d5c')).toMatchObject({ costUsd: 0, costKind: 'exact' })
  })

  it('give the same total in every grouping', async () => {
    const { total } = await house.report('session')
    for (const by of groupings) {
      const report = await house.report(by)
      expect(report.total).toMatchObject(total)
      if (by === 'tool') continue
      const sum = report.groups.reduce((usd, { costUsd }) => usd + (costUsd ?? 0), 0)
      expect(sum).toBeCloseTo(total.costUsd ?? NaN, 9)
    }
  })

  it('count calls by the tools’ normal names', async () => {
    const calls = Object.fromEntries((await house.report('tool')).groups.map(({ key, calls }) => [key, calls]))
    // the fork's copies aside; of the 8 calls that edit, one changes two places, one two files: each change counts
    expect(calls).toEqual({ Bash: 9, Edit: 10, Read: 4, Write: 3, Grep: 1 })
    expect((await house.report('tool')).total.calls).toBe(
      Object.values(calls).reduce((sum, n) => (sum ?? 0) + (n ?? 0), 0),
    )
  })

  it('stay when the agent deletes them, and go when they are forgotten; the fork’s share stays its own', async () => {
    rmSync(house.path(`.codewhale/sessions/${parent}.json`))
    await house.read('codewhale')
    expect((await house.session(parent)).costUsd).toBe(0.2371)
    await house.bed.river.forget({ sessions: [{ harness: 'codewhale', id: parent }] }, false)
    await expect(house.session(parent)).rejects.toThrow()
    expect(await house.session(fork)).toMatchObject({ costUsd: 0.0067, costKind: 'exact', tokens: { unsplit: 2262 } })
    house.resave(fork, { total_tokens: 74202 }, '2026-10-01T10:00:00Z')
    await house.read('codewhale')
    expect((await house.session(fork)).tokens.unsplit).toBe(2362)
  })
})

it('calls of skills and sub-agents are counted by what they loaded and started', async () => {
  house.fixture('codebuddy/subagent', '.codebuddy')
  await house.read('codebuddy')
  const { groups } = await house.report('tool')
  expect(groups.filter(({ key }) => key.startsWith('Agent'))).toMatchObject([
    { key: 'Agent general-purpose', calls: 2, sessions: 2 },
  ])
})

describe('a total', () => {
  const cost = (usd: number, more: object = {}) => ({ cost: { session_cost_usd: usd, subagent_cost_usd: 0, ...more } })

  it('grows on the day its file was written; what was there before stays where it was', async () => {
    const first = { created_at: '2026-09-01T08:00:00Z', updated_at: '2026-09-01T12:00:00Z', total_tokens: 1000 }
    house.save('a', { ...first, ...cost(1) }, '2026-09-01T12:00:00Z')
    await house.read('codewhale')
    house.resave('a', { updated_at: '2026-09-03T12:00:00Z', total_tokens: 3000, ...cost(1.5) }, '2026-09-03T12:00:00Z')
    await house.read('codewhale')
    expect(await house.days()).toEqual({ '2026-09-01': 1, '2026-09-03': 0.5 })
    await house.bed.river.rebuild()
    await house.bed.river.settle()
    expect(await house.days()).toEqual({ '2026-09-01': 1, '2026-09-03': 0.5 })
    expect((await house.report('day', { since: '2026-09-02' })).total).toMatchObject({
      sessions: 1,
      costUsd: 0.5,
      tokens: { unsplit: 2000 },
    })
    expect((await house.report('day', { until: '2026-09-02' })).total.costUsd).toBe(1)
  })

  it('falls on updated_at, else created_at, else the file’s date', async () => {
    house.save('a', { created_at: '2026-09-01T12:00:00Z', total_tokens: 10, ...cost(1) }, '2026-09-07T12:00:00Z')
    house.save('b', { total_tokens: 10, ...cost(2) }, '2026-09-08T12:00:00Z')
    await house.read('codewhale')
    expect(await house.days()).toEqual({ '2026-09-01': 1, '2026-09-08': 2 })
  })

  it('without a snapshot is priced as input at that day’s price; merely unpriced turns are too', async () => {
    const at = { updated_at: '2026-07-01T12:00:00Z', total_tokens: 1_000_000 }
    house.save('a', at, '2026-07-01T12:00:00Z')
    house.save('b', { ...at, ...cost(0, { unpriced_turns: 2 }) }, '2026-07-01T12:00:00Z')
    house.save('c', { ...at, model: 'nobody-knows' }, '2026-07-01T12:00:00Z')
    await house.read('codewhale')
    expect(await house.session(':a')).toMatchObject({ costUsd: 0.435, costKind: 'estimated' })
    expect(await house.session(':b')).toMatchObject({ costUsd: 0.435, costKind: 'estimated' })
    expect(await house.session(':c')).toMatchObject({ costUsd: null, costKind: 'unknown' })
    expect((await house.report('harness')).total).toMatchObject({ costUsd: 0.87, costKind: 'partial' })
  })

  it('in CNY alone is unknown in USD; with unpriced turns it is a part', async () => {
    const at = { updated_at: '2026-07-01T12:00:00Z', total_tokens: 1_000_000 }
    house.save('a', { ...at, ...cost(0, { session_cost_cny: 3.1 }) }, '2026-07-01T12:00:00Z')
    house.save('b', { ...at, ...cost(0.2, { unpriced_turns: 1 }) }, '2026-07-01T12:00:00Z')
    await house.read('codewhale')
    expect(await house.session(':a')).toMatchObject({ costUsd: null, costKind: 'unknown' })
    expect(await house.session(':b')).toMatchObject({ costUsd: 0.2, costKind: 'partial' })
  })

  it('of a fork is told from its parent’s when it was made, however the parent grows', async () => {
    const at = '2026-09-01T12:00:00Z'
    house.save('parent', { created_at: at, updated_at: at, total_tokens: 1000, ...cost(1) }, at)
    await house.read('codewhale')
    const forked = { parent_session_id: 'parent', forked_from_message_count: 1 }
    const made = '2026-09-02T12:00:00Z'
    house.save('fork', { ...forked, created_at: made, updated_at: made, total_tokens: 1200, ...cost(1.25) }, made)
    house.resave('parent', { total_tokens: 5000, ...cost(5) }, '2026-09-03T12:00:00Z')
    await house.read('codewhale')
    expect(await house.session(':fork')).toMatchObject({ costUsd: 0.25, costKind: 'exact', tokens: { unsplit: 200 } })
    expect((await house.report('harness')).total.costUsd).toBe(5.25)
  })

  it('of a fork whose parent was never seen is unknown, but for what it was seen to grow by', async () => {
    const forked = { parent_session_id: 'gone', forked_from_message_count: 1, updated_at: '2026-09-01T12:00:00Z' }
    house.save('fork', { ...forked, total_tokens: 1200, ...cost(1.25) }, '2026-09-01T12:00:00Z')
    await house.read('codewhale')
    expect(await house.session(':fork')).toMatchObject({
      costUsd: null,
      costKind: 'unknown',
      tokens: { unsplit: null },
    })
    house.resave('fork', { total_tokens: 1300, ...cost(1.5) }, '2026-09-02T12:00:00Z')
    await house.read('codewhale')
    expect(await house.session(':fork')).toMatchObject({ costUsd: 0.25, costKind: 'partial', tokens: { unsplit: 100 } })
  })

  it('of a fork is the least it can be when the parent may have grown unseen', async () => {
    const late = '2026-09-03T12:00:00Z'
    house.save('parent', { created_at: late, updated_at: late, total_tokens: 1000, ...cost(1) }, late)
    const made = '2026-09-02T12:00:00Z'
    const forked = { parent_session_id: 'parent', forked_from_message_count: 1, created_at: made, updated_at: made }
    house.save('more', { ...forked, total_tokens: 1200, ...cost(1.25) }, made)
    house.save('less', { ...forked, total_tokens: 900, ...cost(0.9) }, made)
    await house.read('codewhale')
    expect(await house.session(':more')).toMatchObject({ costUsd: 0.25, costKind: 'partial' })
    expect(await house.session(':less')).toMatchObject({
      costUsd: null,
      costKind: 'unknown',
      tokens: { unsplit: null },
    })
  })
})

describe('responses', () => {
  it('of CodeBuddy count once, sub-agents for themselves, a branch’s copies not at all', async () => {
    house.fixture('codebuddy/subagent/projects', '.codebuddy/projects')
    house.fixture('codebuddy/branch/projects', '.codebuddy/projects')
    await house.read('codebuddy')
    for (const id of ['agent-ca6ef4ce', 'f2cb307a'])
      expect((await house.session(id)).tokens).toMatchObject({ input: 805, cacheRead: 1200, output: 45, unsplit: null })
    expect((await house.report('session')).groups.some(({ key }) => key.includes('e707c784'))).toBe(false)
  })

  it('of Command Code without a price are unknown, and their tokens stay known', async () => {
    house.fixture('commandcode/projects', '.commandcode/projects')
    await house.read('commandcode')
    const { tokens, costUsd, costKind } = await house.session('2925c652')
    expect({ costUsd, costKind }).toEqual({ costUsd: null, costKind: 'unknown' })
    expect(tokens.input).toBeGreaterThan(0)
    expect(tokens.unsplit).toBeNull()
  })

  it('of Command Code cost what it says, and are never priced anew; the rest is estimated', async () => {
    const id = 'aaaaaaaa-1111-4222-8333-444444444444'
    const at = '2026-09-01T12:00:00.000Z'
    const said = (n: string, role: string, more: object) => ({
      type: 'message',
      id: `0000000${n}`,
      parentId: n === '1' ? null : `0000000${Number(n) - 1}`,
      timestamp: at,
      message: {
        role,
        content: [{ type: 'text', text: `text ${n}` }],
        meta: { messageId: n, source: 'user', createdAt: Date.parse(at) },
      },
      ...more,
    })
    const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 900_000, cacheWriteTokens: 0 }
    const model = 'anthropic/claude-sonnet-4-6'
    house.bed.write(
      `../.commandcode/projects/home-dev-acme/${id}.jsonl`,
      { type: 'session', version: 3, id, timestamp: at, cwd: '/home/dev/acme' },
      said('1', 'user', {}),
      said('2', 'assistant', { model, usage: { ...usage, costUsd: 7 } }),
      said('3', 'assistant', { model, usage }),
    )
    await house.read('commandcode')
    const { tokens, costUsd, costKind } = await house.session(id)
    expect(tokens).toMatchObject({ input: 200_000, cacheRead: 1_800_000 })
    expect({ costUsd, costKind }).toEqual({ costUsd: 7.57, costKind: 'estimated' })
  })
})

describe('whatever was spent', () => {
  const figure = fc.option(fc.nat(1_000_000))
  const row = fc.record({
    session: fc.nat(5),
    model: fc.constantFrom('deepseek-v4-pro', 'claude-opus-4-5', 'nobody-knows', null),
    at: fc.date({ min: new Date('2026-01-01'), max: new Date('2026-11-01'), noInvalidDate: true }),
    scope: fc.constantFrom('response' as const, 'total' as const),
    costUsd: fc.option(fc.double({ min: 0, max: 10, noNaN: true })),
    figures: fc.tuple(figure, figure, figure, figure, figure),
    grown: fc.array(fc.tuple(fc.nat(2_000_000), fc.nat(400)), { maxLength: 3 }),
    copied: fc.option(fc.nat(1_000_000)),
  })

  it('every grouping adds up to the total, in tokens and money', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), async drafts => {
        const rows: UsageRow[] = []
        const growth: UsageGrowth[] = []
        drafts.forEach(({ session, model, at, scope, costUsd, figures, grown, copied }, n) => {
          const isTotal = scope === 'total'
          const [input, output, cacheRead, cacheWrite, unsplit] = figures
          const time = at.toISOString()
          const none = { input: null, output: null, cacheRead: null, cacheWrite: null, unsplit }
          rows.push({
            session: isTotal ? 100 + n : session,
            harness: `agent-${session % 2}`,
            id: String(isTotal ? 100 + n : session),
            project: session % 3 === 0 ? null : `/p/${session % 3}`,
            startedAt: time,
            updatedAt: time,
            writtenMs: at.getTime(),
            scope,
            at: time,
            model,
            ...(isTotal ? none : { input, output, cacheRead, cacheWrite, unsplit: null }),
            reasoning: null,
            costUsd,
            coverage: costUsd === null ? null : 'full',
            inherited: isTotal && copied !== null ? 'parent' : null,
            inheritedUnsplit: copied,
            inheritedUsd: copied === null ? null : copied / 1e6,
            inheritedSure: 1,
          })
          if (!isTotal) return
          for (const [tokens, days] of grown)
            growth.push({
              session: 100 + n,
              seenMs: at.getTime() + days * 86_400_000,
              unsplit: tokens,
              costUsd: tokens / 1e6,
            })
        })
        const source = { pages: () => [rows.slice(0, 3), rows.slice(3)], growth: () => growth, tools: () => [] }
        for (const by of groupings) {
          if (by === 'tool') continue
          const { groups, total } = await usageReport(source, loadPrices(null), (_, tool) => tool, { by })
          expect(groups.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)).toBeCloseTo(total.costUsd ?? 0, 6)
          for (const name of ['input', 'output', 'unsplit'] as const)
            expect(groups.reduce((sum, { tokens }) => sum + (tokens[name] ?? 0), 0)).toBe(total.tokens[name] ?? 0)
          for (const { costUsd, costKind } of [...groups, total]) expect(costUsd === null).toBe(costKind === 'unknown')
        }
        // no piece is below zero, and none takes more than the total held
        for (const { session, costUsd, unsplit, scope } of rows) {
          if (scope === 'response') continue
          const own = await usageReport(
            { ...source, pages: () => [rows.filter(known => known.session === session)] },
            loadPrices(null),
            (_, tool) => tool,
            { by: 'day' },
          )
          expect(own.groups.every(group => (group.costUsd ?? 0) >= 0 && (group.tokens.unsplit ?? 0) >= 0)).toBe(true)
          expect(own.total.tokens.unsplit ?? 0).toBeLessThanOrEqual(unsplit ?? 0)
          if (costUsd !== null) expect(own.total.costUsd ?? 0).toBeLessThanOrEqual(costUsd + 1e-8)
        }
      }),
    )
  })
})
