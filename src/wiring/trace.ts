import type { Splice } from './splice.ts'

/** What an installation put into a text for one entry, so that it can be taken out to the byte. */
export interface Trace {
  /** Everything that was inserted in one piece: the entry, separators, and containers made for it. */
  inserted: string
  /** Where in `inserted` the entry itself begins. */
  lead: number
  /** A comma was set behind the neighbour in front as well, apart from `inserted` (a comment lies between). */
  comma: boolean
  /** How many containers were made around the entry. */
  made: number
}

/** The trace of an entry that starts at `start` in the text that `splices` gave: one insertion, and maybe a lone comma before it. */
export function traceOf(splices: readonly Splice[], start: number, made: number): Trace {
  const [first, second] = splices
  if (!first) throw new Error('an insertion is at least one splice')
  const main = second ?? first
  const at = main.at + (second ? first.insert.length : 0)
  return { inserted: main.insert, lead: start - at, comma: second !== undefined, made }
}

/** Where the traced insertion begins, when it still stands as it was around an entry that starts at `start`; else null. */
export function traced(text: string, start: number, trace: Trace | undefined): number | null {
  if (!trace) return null
  const from = start - trace.lead
  return from >= 0 && text.startsWith(trace.inserted, from) ? from : null
}

/** The trace after the entry itself changed from one text to another; undefined where it wasn't as it came in. */
export function renewed(trace: Trace | undefined, before: string, after: string): Trace | undefined {
  if (!trace || before === after) return trace
  const { inserted, lead } = trace
  if (!inserted.startsWith(before, lead)) return undefined
  return { ...trace, inserted: inserted.slice(0, lead) + after + inserted.slice(lead + before.length) }
}
