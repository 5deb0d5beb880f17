import type { ToolCount, ToolSpan, UsageGrowth, UsageRow } from '../archive/read/usage-reader.ts'
import type { Tokens } from '../shared/model.ts'
import type { PriceList } from './prices.ts'
import { millisecondsOf, spending, type CostKind, type Spend } from './spending.ts'

export const groupings = ['day', 'project', 'model', 'harness', 'tool', 'session'] as const
export type Grouping = (typeof groupings)[number]

/** Sums. In tokens and cost null is unknown, 0 is known to be none. */
export interface UsageSum {
  sessions: number
  tokens: Tokens
  costUsd: number | null
  costKind: CostKind
}

export interface UsageGroup extends UsageSum {
  /** The local day, the project's path, the model, the harness, the tool's normal name, or `harness:id`; `(none)` where none is recorded. */
  key: string
  /** By tool only. */
  calls?: number
}

export interface UsageReport {
  groups: UsageGroup[]
  total: UsageSum & { calls?: number }
}

/** What the archive tells: `ArchiveReader.usage`. */
interface Source {
  rows(): UsageRow[]
  growth(): UsageGrowth[]
  tools(span: ToolSpan): ToolCount[]
}

interface Question {
  by: Grouping
  /** As `whenOf` gives them: a time in UTC, or a local day for its midnight. `until` is not included. */
  since?: string | undefined
  until?: string | undefined
}

/** Tokens and money in groups: days in order, everything else by cost, then tokens, then name. */
export function usageReport(
  usage: Source,
  prices: PriceList,
  normalName: (harness: string, tool: string) => string,
  { by, since, until }: Question,
): UsageReport {
  const from = since === undefined ? -Infinity : millisecondsOf(since)
  const to = until === undefined ? Infinity : millisecondsOf(until)
  const spends = spending(usage.rows(), usage.growth(), prices).filter(({ at }) => at >= from && at < to)
  if (by === 'tool') {
    const groups = toolGroups(usage.tools(spanOf(from, to)), normalName)
    return { groups, total: { ...sumOf(spends), calls: groups.reduce((sum, { calls = 0 }) => sum + calls, 0) } }
  }
  const grouped = new Map<string, Spend[]>()
  for (const spend of spends) {
    const key = keyOf(spend, by)
    const group = grouped.get(key)
    if (group) group.push(spend)
    else grouped.set(key, [spend])
  }
  const groups = [...grouped].map(([key, group]) => ({ key, ...sumOf(group) }))
  return { groups: groups.sort(by === 'day' ? byKey : byCost), total: sumOf(spends) }
}

function keyOf(spend: Spend, by: Exclude<Grouping, 'tool'>): string {
  switch (by) {
    case 'day':
      return localDay(spend.at)
    case 'session':
      return `${spend.harness}:${spend.id}`
    case 'harness':
      return spend.harness
    default:
      return spend[by] ?? '(none)'
  }
}

const figures = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning', 'unsplit'] as const

function sumOf(spends: readonly Spend[]): UsageSum {
  const none = spends.length === 0 ? 0 : null
  const tokens: Tokens = {
    input: none,
    output: none,
    cacheRead: none,
    cacheWrite: none,
    reasoning: none,
    unsplit: none,
  }
  const sessions = new Set<number>()
  const kinds = new Set<CostKind>()
  let usd = 0
  for (const spend of spends) {
    sessions.add(spend.session)
    kinds.add(spend.kind)
    usd += spend.usd ?? 0
    for (const figure of figures) {
      const value = spend.tokens[figure]
      if (value !== null) tokens[figure] = (tokens[figure] ?? 0) + value
    }
  }
  const costKind = kindOf(kinds)
  return { sessions: sessions.size, tokens, costUsd: costKind === 'unknown' ? null : rounded(usd), costKind }
}

/** A sum is as good as its worst part, and partial as soon as one part of several isn't known. */
function kindOf(kinds: ReadonlySet<CostKind>): CostKind {
  if (kinds.has('partial')) return 'partial'
  if (kinds.has('unknown')) return kinds.size === 1 ? 'unknown' : 'partial'
  return kinds.has('estimated') ? 'estimated' : 'exact'
}

/** To a billionth of a dollar: sums of floats carry no more. */
function rounded(usd: number): number {
  return Math.round(usd * 1e9) / 1e9
}

/** Tokens and money can't be told by tool: a response pays for whatever was said before it. */
function toolGroups(counts: readonly ToolCount[], normalName: (harness: string, tool: string) => string): UsageGroup[] {
  const groups = new Map<string, { calls: number; sessions: Set<number> }>()
  for (const { session, harness, tool, commands, files, outputs } of counts) {
    const name = normalName(harness, tool)
    const group = groups.get(name) ?? { calls: 0, sessions: new Set() }
    groups.set(name, group)
    // a command is there for every call; what a call did to files may be several records, its output is one
    group.calls += commands > 0 ? commands : outputs > 0 ? outputs : files
    group.sessions.add(session)
  }
  const tokens: Tokens = {
    input: null,
    output: null,
    cacheRead: null,
    cacheWrite: null,
    reasoning: null,
    unsplit: null,
  }
  return [...groups]
    .map(([key, { calls, sessions }]) => {
      const costKind: CostKind = 'unknown'
      return { key, sessions: sessions.size, calls, tokens, costUsd: null, costKind }
    })
    .sort((a, b) => b.calls - a.calls || byKey(a, b))
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
    sinceDay: first ? localDay(from + 86_399_999) : '',
    until: last ? new Date(to).toISOString() : '~',
    untilDay: last ? localDay(to - 1) : '~',
  }
}

function localDay(ms: number): string {
  const date = new Date(ms)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
