import type { RecordDraft } from '../shared/model.ts'

/** When the first record from `seq` on was said (epoch milliseconds); null where it has no time of day. */
export function timeFrom(drafts: readonly RecordDraft[], seq: number): number | null {
  let first: RecordDraft | null = null
  for (const draft of drafts) if (draft.seq >= seq && (first === null || draft.seq < first.seq)) first = draft
  const ms = first?.at?.includes('T') ? Date.parse(first.at) : NaN
  return Number.isNaN(ms) ? null : ms
}
