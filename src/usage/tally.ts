import type { Tokens } from '../shared/model.ts'
import type { CostKind, Spend } from './spending.ts'

/** Sums. In tokens and cost null is unknown, 0 is known to be none. */
export interface UsageSum {
  sessions: number
  tokens: Tokens
  costUsd: number | null
  costKind: CostKind
}

const figures = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning', 'unsplit'] as const

export function untold(): Tokens {
  return { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null, unsplit: null }
}

/** Adds up what was spent. */
export class Tally {
  readonly #sessions = new Set<number>()
  readonly #kinds = new Set<CostKind>()
  readonly #tokens = untold()
  #usd = 0

  add({ session, kind, usd, tokens }: Spend): void {
    this.#sessions.add(session)
    this.#kinds.add(kind)
    this.#usd += usd ?? 0
    for (const figure of figures) {
      const value = tokens[figure]
      if (value !== null) this.#tokens[figure] = (this.#tokens[figure] ?? 0) + value
    }
  }

  sum(): UsageSum {
    const costKind = kindOf(this.#kinds)
    const costUsd = costKind === 'unknown' ? null : rounded(this.#usd)
    if (this.#kinds.size > 0) return { sessions: this.#sessions.size, tokens: this.#tokens, costUsd, costKind }
    const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, unsplit: 0 }
    return { sessions: 0, tokens: nothing, costUsd, costKind }
  }
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
