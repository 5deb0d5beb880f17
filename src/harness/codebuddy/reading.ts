import { isObject, objectOf, parseJson, textOf } from '../shared/json.ts'
import { isOwnJson, withoutRecall } from '../shared/own.ts'
import { insertedSummary, saidText, typedText } from './items.ts'
import { commandResult, failed, persisted, placeOfOutput, printedText, rawResponse, resultText } from './results.ts'
import { factsOf, later, problemsOf, timeOf, titlePlace } from './state.ts'
import { titleFromPrompt, titleOf } from './titles.ts'
import { asksDeja, commandOf, detailOf, fileRecords, isCommandTool, toolCall } from './tools.ts'
import { usageOf } from './usage.ts'
import type { RecordDraft, RecordKind, Time, UsageDraft } from '../../shared/model.ts'
import type { ByteSource, ReadStep } from '../harness.ts'
import type { JsonObject } from '../shared/json.ts'
import type { Awaited, LinePlace, Pending, State, TitleSource } from './state.ts'
import type { ToolCall } from './tools.ts'

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

/** A call whose place among the records is settled. */
interface Open {
  call: ToolCall
  seq: number
  at: Time
  workspace: string | null
  copied: boolean
}

/** One read: the state that it goes on from (its own copy) and what it brings. */
export class Reading {
  readonly state: State
  readonly #source: ByteSource
  readonly #records: RecordDraft[] = []
  readonly #usage: UsageDraft[] = []
  readonly #wants: string[] = []
  readonly #pending: Map<string, Pending>
  readonly #awaited: Map<string, Awaited>
  /** Calls of this read whose result may come in it, too. */
  readonly #called = new Map<string, JsonObject>()
  /** The last item's time, which the items of a response share. */
  #timestamp: unknown
  #at: Time = null
  #compactedAt: number | undefined

  constructor(state: State, source: ByteSource) {
    this.state = state
    this.#source = source
    this.#pending = new Map(Object.entries(state.pending))
    this.#awaited = new Map(Object.entries(state.awaited))
  }

  step(more: boolean, waiting: number): ReadStep {
    const { state } = this
    state.pending = Object.fromEntries(this.#pending)
    state.awaited = Object.fromEntries(this.#awaited)
    return {
      state,
      session: factsOf(state, this.#title()),
      records: this.#records,
      usage: this.#usage,
      problems: problemsOf(state, waiting),
      ...(this.#wants.length > 0 && { wants: this.#wants }),
      ...(more && { more }),
      ...(this.#compactedAt !== undefined && { compactedAt: this.#compactedAt }),
    }
  }

  line(text: string, place: LinePlace): void {
    if (text.trim() === '') return
    const { state } = this
    const item = parseJson(text)
    if (!isObject(item)) {
      state.corrupt = { count: (state.corrupt?.count ?? 0) + 1, first: state.corrupt?.first ?? place[0] }
      return
    }
    this.#locate(item)
    switch (item.type) {
      case 'message':
        this.#message(item, place)
        break
      case 'function_call':
        this.#call(item, place)
        break
      case 'function_call_result':
        this.#result(item)
        break
      case 'custom-title':
        this.#titled('custom', titleOf(textOf(item.customTitle)), place)
        break
      case 'ai-title':
        this.#titled('ai', titleOf(textOf(item.aiTitle)), place)
        break
      case 'topic':
        this.#titled('topic', titleOf(textOf(item.topic)), place)
        break
      default:
        this.#other((textOf(item.type) ?? '(none)').slice(0, 40))
    }
  }

  /** Notes the directory, and whether the file is the beginning of its session. */
  #locate(item: JsonObject): void {
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

  #time({ timestamp }: JsonObject): Time {
    if (timestamp !== this.#timestamp) {
      this.#timestamp = timestamp
      this.#at = timeOf(timestamp)
    }
    return this.#at
  }

  #titled(source: TitleSource, title: string | null, place: LinePlace): void {
    if (title !== null) this.state.titles[source] = place
  }

  #title(): string | null {
    const place = titlePlace(this.state)
    const item = place === null ? {} : this.#itemAt(place)
    const given = textOf(item.customTitle) ?? textOf(item.aiTitle) ?? textOf(item.topic)
    return item.type === 'message' ? titleFromPrompt(this.#typed(item)) : titleOf(given)
  }

  #itemAt([offset, bytes]: LinePlace): JsonObject {
    return objectOf(parseJson(new TextDecoder().decode(this.#source.read(offset, bytes))))
  }

  #message(item: JsonObject, place: LinePlace): void {
    const at = this.#time(item)
    const copied = this.#isCopied(item)
    const text = item.role === 'user' ? this.#typed(item) : null
    if (text !== null && text !== '') {
      if (this.state.titles.prompt === undefined) this.#titled('prompt', titleFromPrompt(text), place)
      this.#add({ kind: 'prompt', at, text, seq: this.#take() }, copied)
    }
    const said = item.role === 'assistant' ? saidText(item) : null
    const summary = item.role === 'user' ? insertedSummary(item) : said?.kind === 'summary' ? said.text : null
    if (summary !== null) {
      const seq = this.#take()
      const added = this.#add({ kind: 'summary', at, text: summary, seq }, copied)
      if (added && !copied) this.#compactedAt = seq
    } else if (said !== null) {
      const { text: answer, partial } = said
      this.#add({ kind: 'answer', at, text: answer, ...(partial && { partial }), seq: this.#take() }, copied)
    }
    if (item.role === 'assistant') this.#response(item, place)
  }

  #typed(item: JsonObject): string | null {
    return typedText(item, this.state.basis.kind === 'subagent')
  }

  /** The model, and the usage where this is its response's last item. */
  #response(item: JsonObject, [offset]: LinePlace): void {
    const model = textOf(objectOf(item.providerData).model)
    if (model !== null) this.state.model = model
    if (this.#isCopied(item) || this.#isLeftOut()) return
    const usage = usageOf(item, this.#time(item), `${this.state.basis.id}/${offset}`)
    if (usage !== null) this.#usage.push(usage)
  }

  /**
   * A command is told at once, and again when its result is there. What a call did to files is told by its result
   * alone: it may have failed. Their places in the order are kept, one for each record and one for the output.
   */
  #call(item: JsonObject, place: LinePlace): void {
    const open = this.#open(item, null)
    const command = commandOf(open.call)
    if (command !== null) this.#add(commandDraft(open, command), open.copied)
    const callId = textOf(item.callId)
    if (callId !== null) {
      this.#called.set(callId, item)
      remember(this.#pending, callId, { line: place, seq: open.seq }, PENDING)
    }
    this.#response(item, place)
  }

  /** `seq`: the call's place if it has one already. */
  #open(item: JsonObject, seq: number | null): Open {
    const call = toolCall(textOf(item.name) ?? '(unnamed)', item.arguments)
    const workspace = textOf(item.cwd) ?? this.state.workspace
    const records = Math.max(1, fileRecords(call, workspace).length)
    return {
      call,
      seq: seq ?? this.#take(records + 1),
      at: this.#time(item),
      workspace,
      copied: this.#isCopied(item),
    }
  }

  #result(item: JsonObject): void {
    const callId = textOf(item.callId) ?? ''
    const known = this.#pending.get(callId)
    this.#pending.delete(callId)
    // Without a call here, it may stand in the file that this one goes on from.
    const open =
      known === undefined
        ? this.#open(item, null)
        : this.#open(this.#called.get(callId) ?? this.#itemAt(known.line), known.seq)
    this.#called.delete(callId)
    const text = resultText(item)
    if (isCommandTool(open.call.tool)) this.#commandResult(item, open, text)
    else this.#toolResult(item, open, text)
  }

  #commandResult(item: JsonObject, open: Open, text: string): void {
    const asked = commandOf(open.call)
    const { command, exitCode, outcome, printed } = commandResult(text, rawResponse(item), asked?.length ?? null)
    const ran = command ?? asked
    if (ran !== null) this.#add({ ...commandDraft(open, ran), exitCode, outcome }, open.copied)
    const unsettled = ran !== null && outcome === 'unknown' ? { seq: open.seq, at: open.at, length: ran.length } : null
    this.#output(open, this.#time(item), open.seq + 1, printed, unsettled)
  }

  #toolResult(item: JsonObject, open: Open, text: string): void {
    const { call, seq, at } = open
    const drafts = fileRecords(call, open.workspace)
    const went = !failed(item, text)
    if (went) drafts.forEach((draft, n) => void this.#add({ ...draft, at, tool: call.tool, seq: seq + n }, open.copied))
    // "Successfully edited file: …" says nothing that the edit doesn't.
    if (went && drafts.some(draft => draft.kind !== 'read')) return
    this.#output(open, this.#time(item), seq + Math.max(1, drafts.length), printedText(call.tool, text), null)
  }

  #output(open: Open, at: Time, seq: number, text: string, command: Unsettled | null): void {
    const { call, copied } = open
    const { basis } = this.state
    const apart = persisted(text)
    const shown = apart?.preview ?? text
    if (shown === '' || asksDeja(call) || isOwnJson(shown)) return
    const detail = detailOf(call)
    const of = { tool: call.tool, ...(detail !== undefined && { detail }) }
    const added = this.#add({ kind: 'output', at, ...of, text: shown, seq }, copied)
    if (apart === null || !added || copied) return
    const wanted = placeOfOutput(apart.path, basis.kind === 'subagent' ? basis.parentId : null)
    if (wanted === null) return
    remember(this.#awaited, wanted, { seq, ...of, at, command }, AWAITED)
    this.#wants.push(wanted)
  }

  #other(type: string): void {
    const { unknownTypes } = this.state
    if (!SILENT.has(type) && !unknownTypes.includes(type) && unknownTypes.length < 20) unknownTypes.push(type)
  }

  #add(record: RecordDraft, copied: boolean): boolean {
    const { state } = this
    const { kind, subagents } = state.basis
    state.began = true
    state.startedAt ??= record.at
    state.updatedAt = later(state.updatedAt, record.at)
    if (this.#isLeftOut()) return false
    if (kind === 'subagent' && subagents === 'default' && !OF_SUBAGENTS.has(record.kind)) return false
    const said = withoutRecall(record)
    this.#records.push(copied ? { ...said, copied: true } : said)
    return true
  }

  #isLeftOut(): boolean {
    const { kind, subagents } = this.state.basis
    return kind === 'subagent' && subagents === 'none'
  }

  #isCopied(item: JsonObject): boolean {
    const { forkedAt } = this.state.basis
    return forkedAt !== null && typeof item.timestamp === 'number' && item.timestamp <= forkedAt
  }

  #take(count = 1): number {
    const { seq } = this.state
    this.state.seq += count
    return seq
  }
}

type Unsettled = NonNullable<Awaited['command']>

function commandDraft({ seq, at, call }: Open, command: string): RecordDraft {
  return { kind: 'command', at, tool: call.tool, command, exitCode: null, outcome: 'unknown', seq }
}

/** Adds an entry as the newest; beyond the limit the oldest goes. */
function remember<T>(entries: Map<string, T>, key: string, value: T, limit: number): void {
  entries.delete(key)
  entries.set(key, value)
  for (const oldest of entries.keys()) {
    if (entries.size <= limit) break
    entries.delete(oldest)
  }
}
