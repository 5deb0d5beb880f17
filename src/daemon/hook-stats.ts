import type { Status } from './api.ts'

/** Of so many of the latest calls the percentiles are taken. */
const KEPT = 200
/** Harness and event come from the caller: more pairs than any harness has are not counted apart. */
const MOST_EVENTS = 100

interface Counter {
  harness: string
  event: string
  count: number
  injected: number
  /** Milliseconds from request to reply, the latest `KEPT`. */
  durations: number[]
  lastAt: string
}

/** What the hooks' calls came to since the daemon started. */
export class HookStats {
  readonly #counters = new Map<string, Counter>()

  record(harness: string, event: string, durationMs: number, injected: boolean, at: Date): void {
    const key = `${harness} ${event}`
    let counter = this.#counters.get(key)
    if (counter === undefined) {
      if (this.#counters.size >= MOST_EVENTS) return
      counter = { harness, event, count: 0, injected: 0, durations: [], lastAt: '' }
      this.#counters.set(key, counter)
    }
    counter.durations[counter.count % KEPT] = durationMs
    counter.count++
    if (injected) counter.injected++
    counter.lastAt = at.toISOString()
  }

  list(): Status['hooks'] {
    return [...this.#counters.values()].map(({ durations, ...counter }) => ({
      ...counter,
      p50Ms: percentile(durations, 0.5),
      p95Ms: percentile(durations, 0.95),
    }))
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return Math.round(value * 100) / 100
}
