import type { RecordDraft, SessionRecord, Time } from '../../shared/model.ts'
import { arrayOf, isObject, numberOf, objectOf, parseJson, textOf, type JsonObject } from '../shared/json.ts'
import { isOwnJson, stripRecall } from '../shared/own.ts'
import { commandResult, otherResult } from './results.ts'
import { callOf, edited, type Shell } from './tools.ts'

/** A message of `messages[]`, as far as it matters. */
export type Message = JsonObject

/** A call whose result hasn't come yet. Its place among the records is kept for it. */
interface Pending {
  id: string
  tool: string
  /** Its first `seq`; the records follow, the output last. */
  seq: number
  shell?: Shell
  own?: boolean
  generates?: string
  detail?: string
  records: SessionRecord[]
}

/** What is carried from message to message. JSON. */
export interface Memory {
  /** The next free `seq`. */
  next: number
  /** The local day of the turn, from its `<turn_meta>`. */
  day: string | null
  pending: Pending[]
}

export function emptyMemory(): Memory {
  return { next: 0, day: null, pending: [] }
}

/** Calls that never got a result are forgotten when so many newer ones wait. */
const PENDING_KEPT = 64

/** Begins a compaction's summary in role user (0.9.6+); contained in one before. */
const SUMMARY_START = 'Another language model started to solve this problem'
const SUMMARY_OLD = 'Conversation Summary (Auto-Generated)'
/** A projection of the journal's compaction entry, in role system (0.10). */
const SUMMARY_SYSTEM = '[compaction summary] '

/** Texts in role user that CodeWhale wrote itself. */
const MACHINE = [
  '<codewhale:runtime_event',
  '<codewhale:runtime_state',
  '[runtime]',
  '[tool_history_repair]',
  '[Codewhale restored',
]

/**
 * Turns messages into records, one after the other. The same messages give the same records however they are parted
 * over several readings. Records come with every reading of their message; a later one with the same `seq` replaces.
 */
export class Conversation {
  readonly memory: Memory
  /** The first `seq` of every call that was taken, by the call's id. */
  readonly calls = new Map<string, number>()
  readonly #workspace: string | null
  #at: Time = null

  constructor(memory: Memory, workspace: string | null) {
    this.memory = structuredClone(memory)
    this.#workspace = workspace
  }

  /** `at` is the journal's time for this message, or null. */
  take(message: Message, at: Time): RecordDraft[] {
    const blocks = blocksOf(message)
    const role = textOf(message.role)
    const drafts: RecordDraft[] = []
    const envelopes = role === 'user' && blocks.length > 1 ? blocks.filter(isEnvelope) : []
    for (const envelope of envelopes) {
      this.memory.day = /^Current local date: (\d{4}-\d\d-\d\d)\b/m.exec(envelopeText(envelope))?.[1] ?? this.memory.day
    }
    this.#at = at ?? this.memory.day
    if (role === 'user') this.#user(blocks, envelopes, drafts)
    else if (role === 'assistant' || role === 'assistant_interrupted') {
      this.#assistant(blocks, role === 'assistant_interrupted', drafts)
    } else if (role === 'system') {
      const text = joinedText(blocks)
      if (text.startsWith(SUMMARY_SYSTEM)) this.#say('summary', text.slice(SUMMARY_SYSTEM.length), drafts)
    }
    return drafts
  }

  #user(blocks: readonly JsonObject[], envelopes: readonly JsonObject[], drafts: RecordDraft[]): void {
    // A provenance line says that the person didn't type the message (0.9).
    const typed = !envelopes.some(envelope => /^Input provenance: /m.test(envelopeText(envelope)))
    let image = false
    const said: string[] = []
    for (const block of blocks) {
      if (block.type === 'image_url') image = true
      else if (block.type === 'text' && !envelopes.includes(block)) {
        // What follows an image is CodeWhale's notice about it.
        if (!image) said.push(textOf(block.text) ?? '')
      } else this.#result(block, drafts)
    }
    const text = said.join('\n\n')
    if (isSummary(text)) this.#say('summary', text, drafts)
    else if (typed && !isMachine(text)) this.#say('prompt', text, drafts)
  }

  #assistant(blocks: readonly JsonObject[], partial: boolean, drafts: RecordDraft[]): void {
    for (const block of blocks) {
      if (block.type === 'text') {
        this.#say('answer', withoutThinking(textOf(block.text) ?? ''), drafts, partial)
      } else if (block.type === 'tool_use' || block.type === 'server_tool_use') this.#call(block, drafts)
      else this.#result(block, drafts)
    }
  }

  #say(kind: 'prompt' | 'answer' | 'summary', text: string, drafts: RecordDraft[], partial = false): void {
    const kept = stripRecall(text).trim()
    if (kept === '' || isOwnJson(kept)) return
    drafts.push({ seq: this.#reserve(1), kind, at: this.#at, text: kept, ...(partial ? { partial } : {}) })
  }

  #call(block: JsonObject, drafts: RecordDraft[]): void {
    const [id, tool] = [textOf(block.id), textOf(block.name)]
    if (id === null || tool === null) return
    const call = callOf(tool, block.input, this.#workspace)
    if (call.type === 'own') return
    const pending: Pending = { id, tool, seq: 0, records: [] }
    if (call.type === 'command') {
      const { shell, command, own } = call
      pending.shell = shell
      if (own) pending.own = true
      pending.records.push({ kind: 'command', at: this.#at, tool, command, exitCode: null, outcome: 'unknown' })
    } else if (call.type === 'read') pending.records.push({ kind: 'read', at: this.#at, tool, path: call.path })
    else if (call.type === 'change') {
      pending.records = call.records.map(record => ({ ...record, at: this.#at, tool }))
      if (call.generates !== undefined) pending.generates = call.generates
    } else if (call.detail !== undefined) pending.detail = call.detail
    pending.seq = this.#reserve(pending.records.length + 1)
    this.calls.set(id, pending.seq)
    // A command is known at once, whatever becomes of it; other calls only when they succeeded.
    if (pending.shell !== undefined) pending.records.forEach(record => drafts.push({ ...record, seq: pending.seq }))
    this.memory.pending.push(pending)
    if (this.memory.pending.length > PENDING_KEPT) this.memory.pending.shift()
  }

  #result(block: JsonObject, drafts: RecordDraft[]): void {
    const id = textOf(block.tool_use_id)
    if (id === null || !String(block.type).endsWith('tool_result')) return
    const index = this.memory.pending.findIndex(pending => pending.id === id)
    const pending = this.memory.pending[index]
    if (pending === undefined) return // deja's own, or a result that stands there twice
    this.memory.pending.splice(index, 1)
    const content = typeof block.content === 'string' ? block.content : JSON.stringify(block.content ?? '')
    const isError = block.is_error === true
    if (pending.shell !== undefined) this.#commandResult(pending, pending.shell, content, isError, drafts)
    else this.#otherResult(pending, content, isError, drafts)
  }

  #commandResult(pending: Pending, shell: Shell, content: string, isError: boolean, drafts: RecordDraft[]): void {
    const { output, outcome, exitCode } = commandResult(shell, content, isError)
    const [command] = pending.records
    if (command !== undefined) drafts.push({ ...command, seq: pending.seq, exitCode, outcome })
    if (pending.own !== true) this.#output(pending, pending.seq + 1, output, drafts)
  }

  #otherResult(pending: Pending, content: string, isError: boolean, drafts: RecordDraft[]): void {
    const { output, outcome } = otherResult(content, isError)
    const done = outcome === 'ok' ? completed(pending, output, this.#at) : []
    done.forEach((record, index) => drafts.push({ ...record, seq: pending.seq + index }))
    // What a change prints when it succeeds repeats the change.
    const repeats = done.some(record => record.kind !== 'read')
    if (!repeats) this.#output(pending, pending.seq + pending.records.length, output, drafts)
  }

  #output(pending: Pending, seq: number, output: string, drafts: RecordDraft[]): void {
    const text = stripRecall(output)
    if (text.trim() === '' || isOwnJson(text)) return
    const { tool, detail } = pending
    drafts.push({ seq, kind: 'output', at: this.#at, tool, ...(detail === undefined ? {} : { detail }), text })
  }

  #reserve(count: number): number {
    const seq = this.memory.next
    this.memory.next += count
    return seq
  }
}

/** The records of a call that succeeded: a fim_edit's text and a patch's true extent stand in the result. */
function completed(pending: Pending, output: string, at: Time): SessionRecord[] {
  const receipt = objectOf(output.startsWith('{') ? parseJson(output) : undefined)
  if (receipt.success === false) return []
  if (pending.generates !== undefined) {
    const generated = textOf(receipt.generated_text)
    if (generated === null) return []
    return [{ ...edited(pending.generates, '', generated), at, tool: pending.tool }]
  }
  const [applied, total] = [numberOf(receipt.files_applied), numberOf(receipt.files_total)]
  if (applied === null || total === null || applied >= total) return pending.records
  const touched = arrayOf(receipt.touched_files)
  return pending.records.filter(({ path }) =>
    touched.some(file => typeof file === 'string' && (path === file || path?.endsWith(`/${file}`) === true)),
  )
}

/** The person's own texts of a message, as their hook saw them; nothing for any other message. */
export function promptsOf(message: Message): string[] {
  const drafts = new Conversation(emptyMemory(), null).take(message, null)
  return drafts.flatMap(({ kind, text }) => (kind === 'prompt' && text !== undefined ? [text] : []))
}

function blocksOf(message: Message): JsonObject[] {
  if (typeof message.content === 'string') return [{ type: 'text', text: message.content }]
  return arrayOf(message.content).filter(isObject)
}

function joinedText(blocks: readonly JsonObject[]): string {
  return blocks.map(block => textOf(block.text) ?? '').join('\n\n')
}

/** Whether a message is what a compaction left of the history before it. */
export function isSummaryMessage(message: Message): boolean {
  const text = joinedText(blocksOf(message))
  return message.role === 'user' ? isSummary(text) : message.role === 'system' && text.startsWith(SUMMARY_SYSTEM)
}

/** A whole `<turn_meta>` block: the last one since 0.8.54, the first before. */
function isEnvelope(block: JsonObject): boolean {
  const text = block.type === 'text' ? envelopeText(block) : ''
  return text.startsWith('<turn_meta>') && text.endsWith('</turn_meta>')
}

function envelopeText(block: JsonObject): string {
  return (textOf(block.text) ?? '').trim()
}

function isSummary(text: string): boolean {
  return text.trimStart().startsWith(SUMMARY_START) || text.slice(0, 400).includes(SUMMARY_OLD)
}

function isMachine(text: string): boolean {
  const start = text.trimStart()
  return MACHINE.some(mark => start.startsWith(mark))
}

/** Thoughts that a provider mixed into its text. What isn't closed is one where the text begins with it, else talk of the tag. */
function withoutThinking(text: string): string {
  if (!/<(?:think|thinking|reasoning)>/.test(text)) return text
  return text
    .replace(/<(think|thinking|reasoning)>[\s\S]*?<\/\1>/g, '')
    .replace(/^\s*<(?:think|thinking|reasoning)>[\s\S]*$/, '')
}
