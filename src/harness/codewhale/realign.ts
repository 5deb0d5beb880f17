import type { RecordDraft, Time } from '../../shared/model.ts'
import { align } from './alignment.ts'
import { Conversation, emptyMemory, type Message } from './conversation.ts'
import { hashList, recordHash, remember, type Known, type State } from './state.ts'

export interface Realigned {
  records: RecordDraft[]
  aside: { seqs: number[]; aside: boolean }[]
  compactedAt: number | null
  /** Of the new document; where its last message stands is for the caller to add. */
  state: State
}

interface Fresh {
  draft: RecordDraft
  hash: string
}

/** Records that were seen and vanished count as the same when so many, or so much text, comes back in a row. */
const RETURNED_RECORDS = 3
const RETURNED_TEXT = 80
/** A session that deja wrote back holds markers where secrets stood. */
const REDACTED = '[redacted:'

/**
 * Takes in a document that was rewritten, not just appended to: a compaction, a step back to an earlier turn, results
 * cut short in place, a session that was written back. What was known keeps its `seq`; only what is new comes out.
 * `retime`: give the known ones again too, as their times are known now.
 */
export function realign(
  state: State,
  messages: readonly Message[],
  times: readonly Time[],
  workspace: string | null,
  retime: boolean,
): Realigned {
  const conversation = new Conversation(emptyMemory(), workspace)
  const { fresh, starts } = readAll(conversation, messages, times)
  const known = hashList(state.known)
  const seen = new Set([...known, ...hashList(state.gone)])
  const summary = fresh.findLastIndex(({ draft, hash }) => draft.kind === 'summary' && !seen.has(hash))
  const match = matched(known, fresh, summary)
  const last = match.findLastIndex(at => at !== -1)
  const returned = returnedFrom(state.gone, fresh, last + 1)
  /** The `seq` that a record has already; null: none; -1: known, but not this session's own. */
  const seqs = match.map((at, index) =>
    at === -1 ? (returned[index - last - 1] ?? null) : (state.known.seqs[at] ?? -1),
  )

  // Behind the last known record all is new, and so is what stands between it and a new summary. Before it only a
  // summary is: the rest was shortened in place.
  const lastBefore = summary === -1 ? last : match.slice(0, summary).findLastIndex(at => at !== -1)
  const early = fresh.flatMap(({ draft, hash }, index) => {
    const isSummary = draft.kind === 'summary' && !seen.has(hash)
    const isNew = isSummary || (index > lastBefore && index < summary)
    return index <= last && seqs[index] === null && isNew ? [index] : []
  })
  const earlySeqs = new Map(early.map((index, n) => [index, state.memory.next + n]))
  // Calls that waited for their result keep the places that were reserved for them.
  const waiting = state.memory.pending.flatMap(({ id, seq, records }) => {
    const local = conversation.calls.get(id)
    return local === undefined ? [] : [{ local, end: local + records.length, seq }]
  })
  const waited = (local: number): number | null => {
    const call = waiting.find(one => local >= one.local && local <= one.end)
    return call === undefined ? null : local - call.local + call.seq
  }
  const isGrown = last === known.length - 1 && match.every((at, index) => at === (index > last ? -1 : index))
  const firstNew = fresh.reduce((first, { draft }, index) => {
    const isNew = index > last && seqs[index] === null && waited(draft.seq) === null
    return isNew ? Math.min(first, draft.seq) : first
  }, conversation.memory.next)
  const from = isGrown ? starts[state.messages] : starts.findLast(start => start <= firstNew)
  const base = state.memory.next + early.length - (from ?? conversation.memory.next)
  const placed = (local: number): { seq: number; waited: boolean } => {
    const seq = waited(local)
    return seq === null ? { seq: local + base, waited: false } : { seq, waited: true }
  }

  const next: State = { ...state, messages: messages.length, known: none(), gone: none() }
  const records: RecordDraft[] = []
  let compactedAt: number | null = null
  fresh.forEach(({ draft, hash }, index) => {
    const place = placed(draft.seq)
    const had = seqs[index] ?? null
    const seq = had ?? earlySeqs.get(index) ?? (index > last || place.waited ? place.seq : -1)
    if (seq >= 0 && (had === null || place.waited || retime)) records.push({ ...draft, seq })
    if (seq >= 0 && index === summary) compactedAt = seq
    remember(next.known, hash, seq)
  })
  next.memory = {
    ...conversation.memory,
    next: Math.max(state.memory.next + early.length, base + conversation.memory.next),
    pending: conversation.memory.pending.map(pending => ({ ...pending, seq: placed(pending.seq).seq })),
  }
  const aside = leave(state, next, match, returned, summary === -1)
  return { records, aside, compactedAt, state: next }
}

const none = (): Known => ({ hashes: '', seqs: [] })

/** Every record of the document once, in its last form, in order of its first; and the `seq` that each message begins at. */
function readAll(
  conversation: Conversation,
  messages: readonly Message[],
  times: readonly Time[],
): { fresh: Fresh[]; starts: number[] } {
  const bySeq = new Map<number, Fresh>()
  const starts: number[] = []
  messages.forEach((message, index) => {
    starts.push(conversation.memory.next)
    for (const draft of conversation.take(message, times[index] ?? null)) {
      const first = bySeq.get(draft.seq)
      if (first !== undefined) first.draft = draft
      else bySeq.set(draft.seq, { draft, hash: recordHash(draft) })
    }
  })
  return { fresh: [...bySeq.values()], starts }
}

/** For each fresh record its index in `known`, or -1. */
function matched(known: readonly string[], fresh: readonly Fresh[], summary: number): number[] {
  const hashes = fresh.map(({ hash }) => hash)
  if (summary === -1) return redacted(known, fresh, align(known, hashes))
  // Behind a new summary stand the last round, where it was kept, and what came since: an equal word is said again.
  const match = align(known, hashes.slice(0, summary))
  const after = hashes.slice(summary + 1)
  const most = Math.min(after.length, known.length - 1 - (match.findLast(at => at !== -1) ?? -1))
  for (let length = most; length > 0; length--) {
    const begin = known.length - length
    const differs = after.findIndex((hash, index) => hash !== known[begin + index])
    if (differs !== -1 && differs < length) continue
    if (!isTelling(fresh.slice(summary + 1, summary + 1 + length))) break
    return [...match, -1, ...after.map((_, index) => (index < length ? begin + index : -1))]
  }
  return [...match, -1, ...after.map(() => -1)]
}

/** Records at the end that hold markers for secrets are the known ones at the same places. */
function redacted(known: readonly string[], fresh: readonly Fresh[], match: number[]): number[] {
  const last = match.findLastIndex(at => at !== -1)
  const begin = (match[last] ?? -1) + 1
  const tail = fresh.slice(last + 1)
  const isWrittenBack =
    tail.length === known.length - begin && tail.every(({ draft }) => JSON.stringify(draft).includes(REDACTED))
  return isWrittenBack ? match.map((at, index) => (index > last ? begin + index - last - 1 : at)) : match
}

/** The `seq`s of records that vanished and stand at the document's end again: a branch that the person went back to. */
function returnedFrom(gone: Known, fresh: readonly Fresh[], from: number): number[] {
  const hashes = hashList(gone)
  const tail = fresh.slice(from)
  const first = tail[0]?.hash
  if (first === undefined) return []
  for (let begin = hashes.indexOf(first); begin !== -1; begin = hashes.indexOf(first, begin + 1)) {
    let length = 1
    while (length < tail.length && tail[length]?.hash === hashes[begin + length]) length++
    if (isTelling(tail.slice(0, length))) return gone.seqs.slice(begin, begin + length)
  }
  return []
}

/** Enough to be no chance: people say "go on" more than once. */
function isTelling(run: readonly Fresh[]): boolean {
  const text = run.reduce((sum, { draft }) => sum + (draft.text ?? draft.command ?? draft.added ?? '').length, 0)
  return run.length >= RETURNED_RECORDS || text >= RETURNED_TEXT
}

/** What the document no longer holds is remembered. Without a compaction the person went back from its end. */
function leave(
  state: State,
  next: State,
  match: readonly number[],
  returned: readonly number[],
  wentBack: boolean,
): { seqs: number[]; aside: boolean }[] {
  const kept = new Set(match)
  const lastKept = match.findLast(at => at !== -1) ?? -1
  const back = new Set(returned)
  const left: number[] = []
  hashList(state.gone).forEach((hash, index) => {
    const seq = state.gone.seqs[index] ?? -1
    if (!back.has(seq)) remember(next.gone, hash, seq)
  })
  hashList(state.known).forEach((hash, index) => {
    const seq = state.known.seqs[index] ?? -1
    if (kept.has(index) || seq < 0) return
    remember(next.gone, hash, seq)
    if (wentBack && lastKept !== -1 && index > lastKept) left.push(seq)
  })
  return [
    ...(left.length > 0 ? [{ seqs: left, aside: true }] : []),
    ...(returned.length > 0 ? [{ seqs: [...returned], aside: false }] : []),
  ]
}
