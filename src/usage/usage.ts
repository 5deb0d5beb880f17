import { setImmediate as letOthersIn } from 'node:timers/promises'
import type { ToolCount, ToolSpan } from '../archive/read/usage-reader.ts'
import type { PriceList } from './prices.ts'
import { millisecondsOf, spending, type CostKind, type Spend, type Spendings } from './spending.ts'
import { Tally, untold, type UsageSum } from './tally.ts'
import { localDay } from '../shared/shown.ts'

export const groupings = ['day', 'project', 'model', 'harness', 'tool', 'session'] as const
export type Grouping = (typeof groupings)[number]

export interface UsageGroup extends UsageSum {
  /** The local day, the project's path, the model, the harness, the tool's normal name (with the skill or the sub-agent's type behind it), or `harness:id`; `(none)` where none is recorded. */
  key: string
  /** By tool only. */
  calls?: number
}

export interface UsageReport {
  groups: UsageGroup[]
  total: UsageSum & { calls?: number }
}

/** What the archive tells: `ArchiveReader.usage`. */
interface Source extends Spendings {
  tools(span: ToolSpan): ToolCount[]
}

interface Question {
  by: Grouping
  /** As `whenOf` gives them: a time in UTC, or a local day for its midnight. `until` is not included. */
  since?: string | undefined
  until?: string | undefined
}

/**
 * Tokens and money in groups: days in order, everything else by cost, then tokens, then name. The daemon answers hooks
 * meanwhile.
 */
export async function usageReport(
  usage: Source,
  prices: PriceList,
  normalName: (harness: string, tool: string) => string,
  { by, since, until }: Question,
): Promise<UsageReport> {
  const from = since === undefined ? -Infinity : millisecondsOf(since)
  const to = until === undefined ? Infinity : millisecondsOf(until)
  const all = new Tally()
  const tallies = new Map<string, Tally>()
  for (const spends of spending(usage, prices)) {
    for (const spend of spends) {
      if (spend.at < from || spend.at >= to) continue
      all.add(spend)
      if (by === 'tool') continue
      const key = keyOf(spend, by)
      const tally = tallies.get(key) ?? new Tally()
      tallies.set(key, tally)
      tally.add(spend)
    }
    await letOthersIn()
  }
  if (by === 'tool') {
    const groups = toolGroups(usage.tools(spanOf(from, to)), normalName)
    return { groups, total: { ...all.sum(), calls: groups.reduce((sum, { calls = 0 }) => sum + calls, 0) } }
  }
  const groups = [...tallies].map(([key, tally]) => ({ key, ...tally.sum() }))
  return { groups: groups.sort(by === 'day' ? byKey : byCost), total: all.sum() }
}

function keyOf(spend: Spend, by: Exclude<Grouping, 'tool'>): string {
  switch (by) {
    case 'day':
      return localDay(new Date(spend.at).toISOString())
    case 'session':
      return `${spend.harness}:${spend.id}`
    case 'harness':
      return spend.harness
    default:
      return spend[by] ?? '(none)'
  }
}

/** Tokens and money can't be told by tool: a response pays for whatever was said before it. */
function toolGroups(counts: readonly ToolCount[], normalName: (harness: string, tool: string) => string): UsageGroup[] {
  const groups = new Map<string, { calls: number; sessions: Set<number> }>()
  for (const count of counts) {
    const { session, harness, tool, detail } = count
    const normal = normalName(harness, tool)
    const name = detail === null ? normal : `${normal} ${detail}`
    const group = groups.get(name) ?? { calls: 0, sessions: new Set() }
    groups.set(name, group)
    group.calls += callsOf(count)
    group.sessions.add(session)
  }
  const tokens = untold()
  return [...groups]
    .map(([key, { calls, sessions }]) => {
      const costKind: CostKind = 'unknown'
      return { key, sessions: sessions.size, calls, tokens, costUsd: null, costKind }
    })
    .sort((a, b) => b.calls - a.calls || byKey(a, b))
}

/**
 * A command is there for every call. A call that changed files leaves its changes and says nothing, one that failed to
 * leaves what it printed. Any other call prints, or, as in a sub-agent of which only the essence is kept, doesn't.
 */
function callsOf({ commands, reads, changes, outputs }: ToolCount): number {
  if (commands > 0) return commands
  if (changes > 0) return changes + outputs
  return outputs > 0 ? outputs : reads
}

function byKey(a: UsageGroup, b: UsageGroup): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

function byCost(a: UsageGroup, b: UsageGroup): number {
  return (b.costUsd ?? -1) - (a.costUsd ?? -1) || tokensOf(b) - tokensOf(a) || byKey(a, b)
}

/** All tokens; reasoning is part of the output. */
export function tokensOf({ tokens }: UsageSum): number {
  const { input, output, cacheRead, cacheWrite, unsplit } = tokens
  return [input, output, cacheRead, cacheWrite, unsplit].reduce<number>((sum, figure) => sum + (figure ?? 0), 0)
}

function spanOf(from: number, to: number): ToolSpan {
  const [first, last] = [Number.isFinite(from), Number.isFinite(to)]
  return {
    since: first ? new Date(from).toISOString() : '',
    sinceDay: first ? localDay(new Date(from + 86_399_999).toISOString()) : '',
    until: last ? new Date(to).toISOString() : '~',
    untilDay: last ? localDay(new Date(to - 1).toISOString()) : '~',
  }
}
