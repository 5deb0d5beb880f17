import type { UsageGrowth, UsageRow } from '../archive/read/usage-reader.ts'
import type { Tokens } from '../shared/model.ts'
import type { PriceList } from './prices.ts'

/** Whether a cost was recorded, told by prices, covers a part only, or isn't known at all. */
export type CostKind = 'exact' | 'estimated' | 'partial' | 'unknown'

/** Something that a session spent at one time. */
export interface Spend {
  /** The archive's row id. */
  session: number
  harness: string
  id: string
  project: string | null
  model: string | null
  /** Epoch milliseconds; a day alone is its local midnight. */
  at: number
  tokens: Tokens
  /** Null only where `kind` is `unknown`. */
  usd: number | null
  kind: CostKind
}

/** What the archive tells: `ArchiveReader.usage`. */
export interface Spendings {
  pages(): Iterable<UsageRow[]>
  /** Oldest first. */
  growth(): UsageGrowth[]
}

/**
 * Everything that was spent, piece by piece: a response each, or what a session's total held when deja first saw it and
 * what it grew by since. Every grouping sums the same pieces, so that all totals agree. In pages, as the archive's rows.
 */
export function* spending(usage: Spendings, prices: PriceList): Generator<Spend[]> {
  const grown = new Map<number, UsageGrowth[]>()
  for (const step of usage.growth()) {
    const steps = grown.get(step.session) ?? []
    steps.push(step)
    grown.set(step.session, steps)
  }
  for (const rows of usage.pages()) {
    yield rows.flatMap(row =>
      row.scope === 'response' ? [response(row, prices)] : total(row, grown.get(row.session) ?? [], prices),
    )
  }
}

function response(row: UsageRow, prices: PriceList): Spend {
  const at = timeOf(row)
  const { input, output, cacheRead, cacheWrite, reasoning, unsplit } = row
  const tokens = { input, output, cacheRead, cacheWrite, reasoning, unsplit }
  return { ...whose(row), at, tokens, ...costOf(row, tokens, row.costUsd, at, prices) }
}

function total(row: UsageRow, steps: readonly UsageGrowth[], prices: PriceList): Spend[] {
  const tokens = pieces(
    row,
    row.unsplit,
    row.inheritedUnsplit,
    steps.map(step => step.unsplit ?? 0),
  )
  const costs = pieces(
    row,
    row.costUsd,
    row.inheritedUsd,
    steps.map(step => step.costUsd ?? 0),
  )
  const times = [timeOf(row), ...steps.map(step => step.seenMs)]
  return times.flatMap((at, n) => {
    const unsplit = tokens.parts[n] ?? null
    const usd = costs.parts[n] ?? null
    // a step in which neither grew after a fork's share was taken out
    if (n > 0 && unsplit === 0 && (usd === 0 || usd === null)) return []
    const figures = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null, unsplit }
    const cost = costOf(row, figures, usd, at, prices)
    const sure = row.costUsd === null ? tokens.sure : costs.sure
    return [{ ...whose(row), at, tokens: figures, ...(sure ? cost : atLeast(cost)) }]
  })
}

/**
 * A session's own part of a total: what it held at first, then each growth. A fork's is what exceeds its parent's total
 * when it was made. Where that may have been less, or isn't known, the own part is the least it can be: not `sure`.
 */
function pieces(
  row: UsageRow,
  total: number | null,
  inherited: number | null,
  grown: readonly number[],
): { parts: (number | null)[]; sure: boolean } {
  if (total === null) return { parts: [], sure: true }
  const isFork = row.inherited !== null
  const known = !isFork || (inherited !== null && inherited <= total)
  const seen = Math.min(
    total,
    grown.reduce((sum, step) => sum + step, 0),
  )
  const own = !isFork ? total : known ? Math.max(total - (inherited ?? 0), seen) : seen
  // the newest growth is the surest: a total that fell takes from the oldest
  let rest = own
  const steps = [...grown].reverse().map(step => {
    const part = Math.min(step, rest)
    rest -= part
    return part
  })
  return {
    parts: [known || rest > 0 ? rest : null, ...steps.reverse()],
    sure: !isFork || (known && row.inheritedSure === 1),
  }
}

/** What was recorded is never priced anew. */
function costOf(
  row: UsageRow,
  tokens: Tokens,
  usd: number | null,
  at: number,
  prices: PriceList,
): Pick<Spend, 'usd' | 'kind'> {
  if (row.costUsd !== null) {
    if (usd === null) return { usd: null, kind: 'unknown' }
    return { usd, kind: row.coverage === 'part' ? 'partial' : 'exact' }
  }
  if (row.coverage === 'elsewhere') return { usd: null, kind: 'unknown' }
  if (isNothing(tokens)) return { usd: 0, kind: 'exact' }
  const estimate = prices.estimate(row.model, tokens, at)
  if (estimate === null) return { usd: null, kind: 'unknown' }
  return { usd: estimate.usd, kind: estimate.whole ? 'estimated' : 'partial' }
}

function atLeast({ usd }: Pick<Spend, 'usd' | 'kind'>): Pick<Spend, 'usd' | 'kind'> {
  return usd === null || usd === 0 ? { usd: null, kind: 'unknown' } : { usd, kind: 'partial' }
}

/** All figures are told, and none is above zero. */
function isNothing({ input, output, cacheRead, cacheWrite, unsplit }: Tokens): boolean {
  const told = unsplit !== null || (input !== null && output !== null)
  return told && [input, output, cacheRead, cacheWrite, unsplit].every(figure => (figure ?? 0) === 0)
}

function whose({ session, harness, id, project, model }: UsageRow): Omit<Spend, 'at' | 'tokens' | 'usd' | 'kind'> {
  return { session, harness, id, project, model }
}

/** Its own time, else the session's, else the file's date: for accounting alone. */
function timeOf({ at, updatedAt, startedAt, writtenMs }: UsageRow): number {
  for (const time of [at, updatedAt, startedAt]) {
    const ms = time === null ? NaN : millisecondsOf(time)
    if (!Number.isNaN(ms)) return ms
  }
  return writtenMs
}

/** A day alone is its local midnight. */
export function millisecondsOf(time: string): number {
  return Date.parse(time.length === 10 ? `${time}T00:00:00` : time)
}
