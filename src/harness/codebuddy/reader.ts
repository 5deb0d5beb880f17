import { isObject, objectOf, parseJson, textOf } from '../shared/json.ts'
import { readLines } from '../shared/lines.ts'
import { isOwnJson } from '../shared/own.ts'
import { cleaned, insertedSummary, saidText, typedText } from './items.ts'
import { commandResult, failed, persisted, printedText, rawResponse, resultText } from './results.ts'
import { basisOf, factsOf, isState, later, newState, timeOf, titleFromPrompt, titleOf } from './state.ts'
import { asksDeja, commandOf, fileRecords, isCommandTool, toolCall } from './tools.ts'
import { usageOf } from './usage.ts'
import type { Problem, RecordDraft, RecordKind, UsageDraft } from '../../shared/model.ts'
import type { ByteSource, Reader, ReaderOptions, ReaderState, ReadStep, TranscriptFile } from '../harness.ts'
import type { JsonObject } from '../shared/json.ts'
import type { Pending, State } from './state.ts'

/** What a sub-agent leaves by default: its task, its answers, its edits. */
const OF_SUBAGENTS: ReadonlySet<RecordKind> = new Set<RecordKind>(['prompt', 'answer', 'edit', 'write'])

/** Calls without a result that are remembered; older ones were cut off with their process. */
const PENDING = 256
/** Outputs in files of their own that are remembered until they are attached. */
const AWAITED = 256

/** Bookkeeping of the client: known, nothing to read. `summary` is the first prompt once more, for the client's list. */
const SILENT = new Set([
  'reasoning',
  'file-history-snapshot',
  'summary',
  'goal-result',
  'goal-progress',
  'resend-fork-notice',
  'session-meta',
  'turn-metrics',
])

/** One read: the state that it goes on from (its own copy) and what it brings. */
class Reading {
  readonly state: State
  readonly records: RecordDraft[] = []
  readonly usage: UsageDraft[] = []
  readonly problems: Problem[] = []
  readonly wants: string[] = []
  compactedAt: number | undefined

  constructor(state: State) {
    this.state = state
  }

  step(more = false): ReadStep {
    const { state, records, usage, problems, wants, compactedAt } = this
    return {
      state,
      session: factsOf(state),
      records,
      usage,
      problems,
      ...(wants.length > 0 && { wants }),
      ...(more && { more }),
      ...(compactedAt !== undefined && { compactedAt }),
    }
  }

  line(text: string, offset: number): void {
    if (text.trim() === '') return
    const item = parseJson(text)
    if (!isObject(item)) {
      this.problems.push({ code: 'corrupt', reason: `the line at byte ${offset} is no JSON object and was left out` })
      return
    }
    this.place(item)
    switch (item.type) {
      case 'message':
        this.message(item)
        break
      case 'function_call':
        this.call(item)
        break
      case 'function_call_result':
        this.result(item)
        break
      case 'custom-title':
        this.state.titles.custom = titleOf(textOf(item.customTitle)) ?? this.state.titles.custom
        break
      case 'ai-title':
        this.state.titles.ai = titleOf(textOf(item.aiTitle)) ?? this.state.titles.ai
        break
      case 'topic':
        this.state.titles.topic = titleOf(textOf(item.topic)) ?? this.state.titles.topic
        break
      default:
        this.other(textOf(item.type) ?? '(none)', offset)
    }
  }

  /** Notes where the item stands: directory, and whether the file is the beginning of its session. */
  place(item: JsonObject): void {
    const { state } = this
    state.workspace ??= textOf(item.cwd)
    const id = textOf(item.id)
    if (state.continues !== null || id === null) return
    const parent = textOf(item.parentId)
    if (parent === null) state.heads = [...state.heads.slice(-15), id]
    if (item.type === 'message' || item.type === 'function_call') {
      state.continues = parent !== null && !state.heads.includes(parent)
      state.heads = []
    }
  }

  message(item: JsonObject): void {
    const at = timeOf(item.timestamp)
    const copied = this.isCopied(item)
    const text = item.role === 'user' ? typedText(item) : null
    if (text !== null && text !== '') {
      this.state.titles.prompt ??= titleFromPrompt(text)
      this.add({ kind: 'prompt', at, text, seq: this.take() }, copied)
    }
    const said = item.role === 'assistant' ? saidText(item) : null
    const summary = item.role === 'user' ? insertedSummary(item) : said?.kind === 'summary' ? said.text : null
    if (summary !== null) {
      const seq = this.take()
      const added = this.add({ kind: 'summary', at, text: summary, seq }, copied)
      if (added && !copied) this.compactedAt = seq
    } else if (said !== null) {
      this.add(
        { kind: 'answer', at, text: said.text, ...(said.partial && { partial: true }), seq: this.take() },
        copied,
      )
    }
    if (item.role === 'assistant') this.response(item)
  }

  /** The model, and the usage where this is its response's last item. */
  response(item: JsonObject): void {
    const model = textOf(objectOf(item.providerData).model)
    if (model !== null) this.state.model = model
    if (this.isCopied(item)) return
    const { basis, offset } = this.state
    const usage = usageOf(item, timeOf(item.timestamp), `${basis.id}/${textOf(item.id) ?? offset}`)
    if (usage !== null && !this.leftOut()) this.usage.push(usage)
  }

  call(item: JsonObject): void {
    const call = toolCall(textOf(item.name) ?? '(unnamed)', item.arguments)
    const workspace = textOf(item.cwd) ?? this.state.workspace
    const pending = this.pend(call, item, workspace)
    const command = commandOf(call)
    if (command !== null) this.add(commandDraft(pending, command), pending.copied)
    const callId = textOf(item.callId)
    if (callId !== null) this.state.pending = bounded(this.state.pending, callId, pending, PENDING)
    this.response(item)
  }

  /** Gives a call its place: a `seq` for each record that may come of it, and one for its output. */
  pend(call: Pending['call'], item: JsonObject, workspace: string | null): Pending {
    const records = Math.max(1, fileRecords(call, workspace).length)
    return {
      seq: this.take(records + 1),
      call,
      at: timeOf(item.timestamp),
      workspace,
      copied: this.isCopied(item),
    }
  }

  result(item: JsonObject): void {
    const callId = textOf(item.callId) ?? ''
    const text = resultText(item)
    // The call may stand in the file that this one goes on from.
    const pending =
      (Object.hasOwn(this.state.pending, callId) ? this.state.pending[callId] : undefined) ??
      this.pend(toolCall(textOf(item.name) ?? '(unnamed)', {}), item, textOf(item.cwd) ?? this.state.workspace)
    this.state.pending = without(this.state.pending, callId)
    if (isCommandTool(pending.call.tool)) this.commandResult(item, pending, text)
    else this.toolResult(item, pending, text)
  }

  commandResult(item: JsonObject, pending: Pending, text: string): void {
    const { call, copied } = pending
    const asked = commandOf(call)
    const result = commandResult(text, rawResponse(item), asked)
    const command = result.command ?? asked
    let draft: RecordDraft | null = null
    if (command !== null) {
      const { exitCode, outcome } = result
      draft = { ...commandDraft(pending, command), exitCode, outcome }
      this.add(draft, copied)
    }
    this.output(item, pending, pending.seq + 1, result.printed, draft?.outcome === 'unknown' ? draft : null)
  }

  toolResult(item: JsonObject, pending: Pending, text: string): void {
    const { call, copied } = pending
    const drafts = fileRecords(call, pending.workspace)
    const went = !failed(item, text)
    if (went) {
      drafts.forEach((draft, n) => {
        this.add({ ...draft, at: pending.at, tool: call.tool, seq: pending.seq + n }, copied)
      })
    }
    // "Successfully edited file: …" says nothing that the edit doesn't.
    if (went && drafts.some(draft => draft.kind !== 'read')) return
    this.output(item, pending, pending.seq + Math.max(1, drafts.length), printedText(call.tool, text), null)
  }

  output(item: JsonObject, pending: Pending, seq: number, text: string, command: RecordDraft | null): void {
    const { call, copied } = pending
    const at = timeOf(item.timestamp)
    const apart = persisted(text)
    const shown = apart?.preview ?? text
    if (shown === '' || asksDeja(call) || isOwnJson(shown)) return
    const added = this.add({ kind: 'output', at, tool: call.tool, text: shown, seq }, copied)
    if (apart === null || !added || copied) return
    const wanted = placeOfOutput(apart.path, this.state.basis.parentId, this.state.basis.kind === 'subagent')
    if (wanted === null) return
    this.state.awaited = bounded(this.state.awaited, wanted, { seq, tool: call.tool, at, command }, AWAITED)
    this.wants.push(wanted)
  }

  other(type: string, offset: number): void {
    const { unknownTypes } = this.state
    if (SILENT.has(type) || unknownTypes.includes(type) || unknownTypes.length > 50) return
    unknownTypes.push(type)
    const reason = `items of type ${JSON.stringify(type)} (the first at byte ${offset}) are not known and were left out`
    this.problems.push({ code: 'unsupported', reason })
  }

  add(record: RecordDraft, copied: boolean): boolean {
    const { state } = this
    state.began = true
    state.startedAt ??= record.at
    state.updatedAt = later(state.updatedAt, record.at)
    if (this.leftOut()) return false
    const { basis } = state
    if (basis.kind === 'subagent' && basis.subagents === 'default' && !OF_SUBAGENTS.has(record.kind)) return false
    this.records.push(copied ? { ...record, copied: true } : record)
    return true
  }

  leftOut(): boolean {
    const { basis } = this.state
    return basis.kind === 'subagent' && basis.subagents === 'none'
  }

  isCopied(item: JsonObject): boolean {
    const { forkedAt } = this.state.basis
    return forkedAt !== null && typeof item.timestamp === 'number' && item.timestamp <= forkedAt
  }

  take(count = 1): number {
    const { seq } = this.state
    this.state.seq += count
    return seq
  }
}

function commandDraft(pending: Pending, command: string): RecordDraft {
  const { seq, at, call } = pending
  return { kind: 'command', at, tool: call.tool, command, exitCode: null, outcome: 'unknown', seq }
}

/** With one more entry, the oldest dropped. */
function bounded<T>(entries: Record<string, T>, key: string, value: T, limit: number): Record<string, T> {
  const kept = Object.entries(without(entries, key))
  return Object.fromEntries([...kept.slice(1 - limit), [key, value]])
}

function without<T>(entries: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([name]) => name !== key))
}

const PLAIN = /^[^/\\]*[^/\\.][^/\\]*$/

/**
 * Where an output that is kept apart stands, relative to the transcript's directory: `<id>/tool-results/<name>`. The
 * path in the transcript is absolute and of the machine that wrote it, so only its last parts count.
 */
function placeOfOutput(path: string, parentId: string | null, isSubagent: boolean): string | null {
  const [owner = '', directory, name = ''] = path.split(/[\\/]/).slice(-3)
  if (directory !== 'tool-results' || !PLAIN.test(owner) || !PLAIN.test(name)) return null
  return isSubagent && owner === parentId ? `../tool-results/${name}` : `${owner}/tool-results/${name}`
}

function restart(file: TranscriptFile, state: ReaderState, options: ReaderOptions): State | null {
  const basis = basisOf(file, options)
  if (basis === null) return null
  if (!isState(state)) return newState(basis)
  // The sidecar of a branch may come after its first lines: what was read before is then read once more, as copies.
  return JSON.stringify(state.basis) === JSON.stringify(basis) ? structuredClone(state) : newState(basis)
}

/** CodeBuddy Code's transcripts as 2.117.0 writes them: one JSON item a line, only ever appended to. */
export const reader: Reader = {
  version: 1,
  mode: 'append',

  read(file: TranscriptFile, from: ReaderState, source: ByteSource, options: ReaderOptions): ReadStep {
    const state = restart(file, from, options)
    if (state === null) {
      const reason = `${file.relative} is not where a transcript stands`
      return { state: from, session: null, records: [], usage: [], problems: [{ code: 'unreadable', reason }] }
    }
    const reading = new Reading(state)
    const { lines, end, more } = readLines(source, state.offset)
    for (const { text, offset, end: next } of lines) {
      if (text === undefined) {
        reading.problems.push({ code: 'oversized', reason: `the line at byte ${offset} is longer than 64 MiB` })
      } else reading.line(text, offset)
      state.offset = next
    }
    state.offset = end
    if (!more && end < source.size) {
      const reason = `the line at byte ${end} has no end yet (${source.size - end} bytes)`
      reading.problems.push({ code: 'waiting', reason })
    }
    return reading.step(more)
  },

  offsetOf(state: ReaderState): number {
    return isState(state) ? state.offset : 0
  },

  attach(_file: TranscriptFile, from: ReaderState, wanted: string, text: string): ReadStep {
    if (!isState(from)) return { state: from, session: null, records: [], usage: [], problems: [] }
    const state = structuredClone(from)
    const reading = new Reading(state)
    const awaited = Object.hasOwn(state.awaited, wanted) ? state.awaited[wanted] : undefined
    // A running shell's file may be empty still.
    if (awaited === undefined || text.trim() === '') return reading.step()
    state.awaited = without(state.awaited, wanted)
    const whole = cleaned(text).trimEnd()
    if (isOwnJson(whole)) return reading.step()
    const { seq, tool, at, command } = awaited
    const result = commandResult(whole, {}, command?.command ?? null)
    const printed = isCommandTool(tool) ? result.printed : printedText(tool, whole)
    reading.add({ kind: 'output', at, tool, text: printed, seq }, false)
    if (command !== null && result.outcome !== 'unknown') {
      const { exitCode, outcome } = result
      reading.add({ ...command, exitCode, outcome }, false)
    }
    return reading.step()
  },
}
