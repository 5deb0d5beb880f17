import type { Problem, RecordDraft, SessionFacts } from '../../shared/model.ts'
import { arrayOf, isObject, numberOf, parseJson, textOf, type JsonObject } from '../shared/json.ts'
import type { ByteSource, ReadStep, Reader, ReaderOptions } from '../harness.ts'
import { Conversation, emptyMemory, isSummaryMessage, promptsOf, type Message } from './conversation.ts'
import { factsOf, usageOf } from './facts.ts'
import { timesOfDocument, timesOfLayout, timesOfTail, type Times } from './journal.ts'
import {
  closeOf,
  countBetween,
  isWhole,
  lastMessages,
  layoutOf,
  messageBetween,
  messagesFrom,
  view,
  type Layout,
  type PlacedMessage,
} from './layout.ts'
import { realign, type Realigned } from './realign.ts'
import { emptyState, messageHash, recordHash, remember, stateOf, type State } from './state.ts'

/** Session documents up to this version are understood: 0.8 to 0.10 write 1. */
const SCHEMA_VERSION = 1
/** Input of one step. */
const STEP_BYTES = 8 << 20
/** So many of the person's newest texts tell which session is running. */
const RUNNING_PROMPTS = 12

/** Messages to take in, and where they stand (places only where the file keeps serde's layout). */
interface Input {
  metadata: JsonObject
  /** All messages, or those behind the last known one. */
  messages: readonly Message[]
  places: readonly PlacedMessage[] | null
  /** How many known messages stand before them. */
  known: number
  times: Times
  more: boolean
}

export const reader: Reader = {
  version: 1,
  mode: 'document',
  read(_file, state, source, options) {
    const before = stateOf(state)
    try {
      return readSession(before, source, options)
    } catch (error) {
      // Deeper than the parser goes, or longer than a string can be.
      return unread(before, { code: 'corrupt', reason: `it can't be parsed: ${String(error)}` })
    }
  },
  offsetOf: state => stateOf(state)?.end ?? 0,
  runningPrompts,
  compactedHistory,
}

function readSession(before: State | null, source: ByteSource, options: ReaderOptions): ReadStep {
  if (source.size === 0) return unread(before, { code: 'waiting', reason: 'the file is empty' })
  const layout = layoutOf(source)
  if (layout !== null && !isWhole(source)) return unread(before, torn(source))
  const problem = layout === null ? null : refusal(layout.head, layout.head.metadata)
  if (problem !== null) return unread(before, problem)
  const state = before ?? emptyState()
  const input = (layout === null ? null : fromLayout(source, layout, state)) ?? fromDocument(source, state)
  return 'code' in input ? unread(before, input) : step(before, input, options)
}

/** Reads what is new in a file that keeps its layout; all of it where what was known isn't there any more. */
function fromLayout(source: ByteSource, layout: Layout, state: State): Input | null {
  const metadata = layout.head.metadata
  if (!isObject(metadata)) return null
  const isFork = state.messages === 0 && numberOf(metadata.forked_from_message_count) !== null
  if (layout.empty)
    return { metadata, messages: [], places: [], known: 0, times: { usable: false, at: [] }, more: false }
  const continues = state.messages === 0 || isLast(state, messageBetween(source, layout, state.start, state.end))
  const known = continues ? state.messages : 0
  const limit = continues && !isFork ? STEP_BYTES : Infinity
  const run = messagesFrom(source, layout, known === 0 ? 0 : state.end, limit)
  if (run === null || run === 'torn') return null
  const messages = run.messages.map(({ message }) => message)
  const input = { metadata, messages, places: run.messages, known, more: run.close === null }
  if (messages.length === 0) return { ...input, times: { usable: state.timed, at: [] } }
  const end = layout.base + (run.messages.at(-1)?.end ?? 0)
  const tail = known > 0 && run.close !== null ? timesOfTail(source, run.close, messages) : null
  const times = tail ?? part(allTimes(source, end, run.close, known + messages.length), known, messages.length)
  // The journal tells its times from now on: those of what is known as well.
  if (times.usable && !state.timed && known > 0) return fromLayout(source, layout, { ...state, last: '' })
  return { ...input, times }
}

/** By source: the steps over one long file ask for the same. */
const timesBySource = new WeakMap<ByteSource, Times>()

/** The times of all messages. `end`: behind the last of `count` that were read; `close`: where the array ends, if that was seen. */
function allTimes(source: ByteSource, end: number, close: number | null, count: number): Times {
  const known = timesBySource.get(source)
  if (known !== undefined) return known
  const last = close ?? closeOf(source, end)
  if (last === null) return { usable: false, at: [] }
  const times = timesOfLayout(source, last, close === null ? count + countBetween(source, end, last) : count)
  timesBySource.set(source, times)
  return times
}

function part(times: Times, from: number, count: number): Times {
  return { usable: times.usable, at: times.at.slice(from, from + count) }
}

/** Parses the whole file, whatever its layout. */
function fromDocument(source: ByteSource, state: State): Input | Problem {
  const document = parseJson(new TextDecoder().decode(view(source.read(0, source.size))))
  if (document === undefined) return isWhole(source) ? { code: 'corrupt', reason: 'it is no JSON' } : torn(source)
  if (!isObject(document) || !isObject(document.metadata) || !Array.isArray(document.messages)) {
    return { code: 'corrupt', reason: 'it is no session: metadata and messages are expected' }
  }
  const problem = refusal(document, document.metadata)
  if (problem !== null) return problem
  const all = arrayOf(document.messages).filter(isObject)
  const times = timesOfDocument(document, all.length)
  const continues = state.messages === 0 || isLast(state, all[state.messages - 1] ?? null)
  const known = continues && (state.timed || !times.usable) ? state.messages : 0
  const messages = all.slice(known)
  return {
    metadata: document.metadata,
    messages,
    places: null,
    known,
    times: part(times, known, messages.length),
    more: false,
  }
}

function isLast(state: State, message: Message | null): boolean {
  return message !== null && messageHash(message) === state.last
}

function step(before: State | null, input: Input, options: ReaderOptions): ReadStep {
  const { metadata, messages, known, times } = input
  const id = textOf(metadata.id) ?? ''
  const facts = factsOf(metadata, id)
  const state = before ?? emptyState()
  const retime = times.usable && !state.timed
  const taken =
    known === state.messages
      ? append(state, input, facts.workspace)
      : realign(state, messages, times.at, facts.workspace, retime)
  const last = messages.at(-1)
  const place = input.places?.at(-1)
  const next: State = {
    ...taken.state,
    timed: state.timed || times.usable,
    ...(last === undefined ? {} : { last: messageHash(last), start: place?.start ?? 0, end: place?.end ?? 0 }),
  }
  const isSession = next.messages > 0 || state.messages > 0
  const shown = isSession && !(facts.kind === 'subagent' && options.subagents === 'none')
  return {
    state: next,
    session: shown ? facts : null,
    records: shown ? taken.records.filter(record => isWanted(record, facts, options)) : [],
    ...(taken.aside.length > 0 ? { aside: taken.aside } : {}),
    usage: shown ? usageOf(metadata, facts) : [],
    problems: [],
    ...(input.more ? { more: true } : {}),
    ...(taken.compactedAt === null ? {} : { compactedAt: taken.compactedAt }),
  }
}

/** A sub-agent's task, answer and edits, unless all of it is wanted. */
function isWanted(record: RecordDraft, facts: SessionFacts, options: ReaderOptions): boolean {
  if (facts.kind !== 'subagent' || options.subagents === 'all') return true
  return ['prompt', 'answer', 'edit', 'write'].includes(record.kind)
}

/** Messages behind the known ones. */
function append(state: State, input: Input, workspace: string | null): Realigned {
  const { messages, times } = input
  const isCopy = state.messages === 0 ? copies(input.metadata, messages) : () => false
  const conversation = new Conversation(state.memory, workspace)
  const waiting = new Set(state.memory.pending.map(({ seq }) => seq))
  const known = { hashes: state.known.hashes, seqs: [...state.known.seqs] }
  const records = new Map<number, RecordDraft>()
  const copied = new Set<number>()
  let compactedAt: number | null = null
  messages.forEach((message, index) => {
    for (const draft of conversation.take(message, times.at[index] ?? null)) {
      const { seq, kind } = draft
      // A command comes a second time with its result.
      const isAgain = kind === 'command' && (records.has(seq) || copied.has(seq) || waiting.has(seq))
      if (isCopy(index)) copied.add(seq)
      if (!isAgain) remember(known, recordHash(draft), copied.has(seq) ? -1 : seq)
      if (!copied.has(seq)) {
        records.set(seq, draft)
        if (kind === 'summary') compactedAt = seq
      }
    }
  })
  const next: State = { ...state, messages: state.messages + messages.length, memory: conversation.memory, known }
  return { records: [...records.values()], aside: [], compactedAt, state: next }
}

/**
 * Which of a fork's messages it copied from its parent. Where it holds fewer than it copied, it was compacted since: what
 * stands before the newest summary can't be told apart, and counts as the parent's.
 */
function copies(metadata: JsonObject, messages: readonly Message[]): (index: number) => boolean {
  const count = numberOf(metadata.forked_from_message_count) ?? 0
  if (messages.length >= count) return index => index < count
  const summary = messages.findLastIndex(isSummaryMessage)
  return index => summary === -1 || index < summary
}

function runningPrompts(source: ByteSource): string[] {
  try {
    const layout = layoutOf(source)
    const close = layout === null ? null : closeOf(source, layout.base)
    if (layout !== null && close !== null) {
      return lastMessages(source, layout, close, promptsOf, RUNNING_PROMPTS)
    }
    const document = parseJson(view(source.read(0, source.size)).toString('utf8'))
    const messages = isObject(document) ? arrayOf(document.messages).filter(isObject) : []
    return messages.flatMap(promptsOf).slice(-RUNNING_PROMPTS)
  } catch {
    return []
  }
}

/** The history that 0.10 writes before it compacts: an array of messages. */
function compactedHistory(source: ByteSource, session: { workspace: string | null }): RecordDraft[] {
  try {
    const messages = arrayOf(parseJson(view(source.read(0, source.size)).toString('utf8'))).filter(isObject)
    const conversation = new Conversation(emptyMemory(), session.workspace)
    const records = new Map<number, RecordDraft>()
    for (const message of messages) {
      for (const draft of conversation.take(message, null)) records.set(draft.seq, draft)
    }
    return [...records.values()].sort((a, b) => a.seq - b.seq)
  } catch {
    return []
  }
}

function refusal(document: JsonObject, metadata: unknown): Problem | null {
  const version = numberOf(document.schema_version) ?? SCHEMA_VERSION
  if (version > SCHEMA_VERSION) {
    return {
      code: 'unsupported',
      reason: `schema_version ${version}, newer than ${SCHEMA_VERSION}, the last that is known`,
    }
  }
  // CodeWhale loads no other ids, and files are named by them.
  if (isObject(metadata) && /^[A-Za-z0-9_-]+$/.test(textOf(metadata.id) ?? '')) return null
  return { code: 'corrupt', reason: 'it is no session: metadata.id of letters, digits, _ and - is expected' }
}

function torn(source: ByteSource): Problem {
  return { code: 'torn', reason: `it ends in the middle, after ${source.size} bytes` }
}

/** What was kept stays as it was. */
function unread(before: State | null, problem: Problem): ReadStep {
  return { state: before, session: null, records: [], usage: [], problems: [problem] }
}
