import type { Problem, RecordDraft, SessionFacts, Time, UsageDraft } from '../../shared/model.ts'
import type { ByteSource, Reader, ReadStep, TranscriptFile } from '../harness.ts'
import { isObject, objectOf, parseJson, textOf, type JsonObject } from '../shared/json.ts'
import { readLines, type Line } from '../shared/lines.ts'
import { isOwnJson, isOwnTool, stripRecall, withoutRecall } from '../shared/own.ts'
import { openCall, OpenCalls, recordsOf, textAt, type OpenCall } from './calls.ts'
import { parseLine, timeOf, type Message, type Part, type Place, type TranscriptLine } from './lines.ts'
import { commandResult, fileOutcome, unreadPaths, wasRun } from './results.ts'
import { fresh, isState, newestVersion, type State } from './state.ts'
import { idOfTranscript } from './store.ts'
import { personsWords, withoutRepairNotes } from './text.ts'
import { Tree } from './tree.ts'

/** A last line without its newline is tried if it isn't longer than this. */
const longestTail = 8 << 20
/** So many dropped lines are told one by one. */
const mostNamed = 10

class Pass {
  readonly state: State
  readonly #file: TranscriptFile
  readonly #source: ByteSource
  readonly #tree: Tree
  readonly #before: number
  readonly #drafts = new Map<number, { draft: RecordDraft; entry: number }>()
  readonly #usage: UsageDraft[] = []
  readonly #calls: OpenCalls
  #name: string | undefined
  #compactedAt: number | undefined

  constructor(file: TranscriptFile, state: State, source: ByteSource) {
    this.state = { ...state }
    this.#file = file
    this.#source = source
    this.#tree = new Tree(state.tree)
    this.#before = this.#tree.size
    this.#calls = new OpenCalls(state.calls)
  }

  line(line: Line): void {
    const { state } = this
    state.offset = line.end
    state.lines++
    if (state.unsupported !== null) return
    if (line.text === undefined) {
      this.#drop('oversized', 'is longer than 64 MiB')
      return
    }
    const text = line.text.trim()
    if (text === '') return
    const json = parseJson(text)
    const parsed = json === undefined ? ({ type: 'bad', reason: 'is not JSON' } as const) : parseLine(json)
    if (parsed.type === 'bad') {
      this.#drop('corrupt', parsed.reason)
      return
    }
    if (parsed.type === 'header') {
      this.#header(parsed)
      return
    }
    this.#forkOfMeta()
    const { place } = parsed
    const first = state.next
    const entry = this.#tree.add(place.id, place.id === null ? undefined : place.parentId)
    switch (parsed.type) {
      case 'message':
        this.#message(parsed.message, place, entry, line)
        break
      case 'summary':
        this.#said(place, place.at)
        this.#summary(parsed.text, place, entry, parsed.compaction)
        break
      case 'name':
        state.name = parsed.name === '' ? null : [line.offset, line.end - line.offset]
        this.#name = parsed.name
        break
      case 'model':
        if (parsed.model !== '') state.model = parsed.model
        break
      case 'other':
        break
    }
    this.#tree.count(state.next - first)
  }

  #drop(code: Problem['code'], why: string): void {
    const { state } = this
    if (state.dropped++ < mostNamed)
      state.problems = [...state.problems, { code, reason: `Line ${state.lines} ${why}.` }]
  }

  /** Only the first line counts: a header further down says nothing of the session. */
  #header(line: TranscriptLine & { type: 'header' }): void {
    const { state } = this
    if (this.#tree.size > 0 || state.id !== null) return
    if (line.version > newestVersion) state.unsupported = line.version
    state.id = line.id !== null && /^[\w.-]{1,128}$/.test(line.id) ? line.id : null
    state.workspace = line.cwd
    state.startedAt = line.at
    if (line.parent === null) return
    state.parentId = idOfTranscript(line.parent) ?? line.parent
    state.forkedAt = line.at
  }

  /** A fork that its header doesn't tell, but the file beside it does. */
  #forkOfMeta(): void {
    const { state } = this
    if (this.#tree.size > 0 || state.parentId !== null) return
    const meta = metaOf(this.#file)
    state.parentId = textOf(meta.parentSessionId)
    state.forkedAt = state.parentId === null ? null : timeOf(meta.forkedAt)
  }

  #isCopied(place: Place): boolean {
    const { forkedAt } = this.state
    return forkedAt !== null && place.at !== null && place.at < forkedAt
  }

  /** Notes when something was said. A migrated file's header is younger than what it holds. */
  #said(place: Place, at: Time): void {
    const { state } = this
    state.talked = true
    if (this.#isCopied(place)) return
    for (const time of [at, place.at]) {
      if (time === null) continue
      if (state.startedAt === null || time < state.startedAt) state.startedAt = time
      if (state.updatedAt === null || time > state.updatedAt) state.updatedAt = time
    }
  }

  #add(entry: number, place: Place, draft: Omit<RecordDraft, 'seq'>): void {
    const seq = this.state.next++
    this.#put(entry, { seq, ...draft, ...(this.#isCopied(place) ? { copied: true } : {}) })
  }

  #put(entry: number, draft: RecordDraft): void {
    this.#drafts.set(draft.seq, { draft, entry })
  }

  #summary(text: string, place: Place, entry: number, compaction: boolean): void {
    // The bodies of skills may follow, for the model to keep.
    const summary = stripRecall(text.replace(/\n-{3,}\n+Preserved skill content[\s\S]*$/, '')).trim()
    if (compaction && !this.#isCopied(place)) this.#compactedAt = this.state.next
    if (summary !== '') this.#add(entry, place, { kind: 'summary', at: place.at, text: summary })
  }

  #message(message: Message, place: Place, entry: number, line: Line): void {
    const { state } = this
    this.#said(place, message.at)
    if (message.model !== null && message.by === 'agent') state.model = message.model
    if (message.usage !== null && !this.#isCopied(place)) this.#spend(message, place)
    const texts: string[] = []
    for (const part of message.parts) {
      if (part.type === 'call') this.#call(part, message, place, entry, line)
      else if (part.type === 'result') this.#result(part, message, place, entry)
      else if (message.by === 'agent') this.#text('answer', stripRecall(part.text).trim(), message, place, entry)
      else if (message.by === 'tool') this.#text('output', cleanOutput(part.text), message, place, entry)
      else texts.push(part.text)
    }
    if (texts.length === 0) return
    const text = texts.join('\n')
    if (message.by === 'person') this.#text('prompt', personsWords(text), message, place, entry)
    else if (message.by === 'summary') this.#summary(text, place, entry, false)
  }

  #text(kind: 'prompt' | 'answer' | 'output', text: string, { at }: Message, place: Place, entry: number): void {
    if (text !== '') this.#add(entry, place, { kind, at, text })
  }

  #spend(message: Message, place: Place): void {
    if (message.usage === null) return
    const { tokens, costUsd } = message.usage
    this.#usage.push({
      key: message.messageId ?? `${this.#id()}/${place.id ?? String(this.#tree.size)}`,
      scope: 'response',
      at: message.at,
      model: message.model,
      provider: null,
      tokens,
      costUsd,
      costCoverage: costUsd === null ? null : 'full',
    })
  }

  /**
   * A command is told at once, and again when its result is there. What a call did to files is told by its result
   * alone: it may have failed. Their places in the order are kept.
   */
  #call(part: Part & { type: 'call' }, message: Message, place: Place, entry: number, line: Line): void {
    const { state } = this
    const site = { at: message.at, copied: this.#isCopied(place), seq: state.next, entry }
    const open = openCall(part, state.workspace, site)
    state.next += recordsOf(open.call)
    this.#command(open, null, 'unknown')
    if (part.callId !== '') this.#calls.add([part.callId, line.offset, line.end - line.offset, open.seq, entry], open)
  }

  #take(callId: string): OpenCall | undefined {
    return this.#calls.take(callId, this.#source, (line, [, , , seq, entry]) => {
      if (line.type !== 'message') return undefined
      const part = line.message.parts.findLast(each => each.type === 'call' && each.callId === callId)
      const site = { at: line.message.at, copied: this.#isCopied(line.place), seq, entry }
      return part?.type === 'call' ? openCall(part, this.state.workspace, site) : undefined
    })
  }

  #command(open: OpenCall, exitCode: number | null, outcome: 'ok' | 'failed' | 'unknown'): void {
    if (open.call.type !== 'command') return
    const { command } = open.call
    this.#tell(open, open.seq, { kind: 'command', tool: open.tool, command, exitCode, outcome })
  }

  #tell(open: OpenCall, seq: number, draft: Omit<RecordDraft, 'seq' | 'at'>): void {
    const said = withoutRecall(draft)
    this.#put(open.entry, { seq, at: open.at, ...said, ...(open.copied ? { copied: true } : {}) })
  }

  #result(part: Part & { type: 'result' }, message: Message, place: Place, entry: number): void {
    const open = this.#take(part.callId)
    const tool = open?.tool ?? part.tool ?? undefined
    const output = open === undefined ? outputOf(part) : this.#settle(open, part)
    if (open?.own === true || (tool !== undefined && isOwnTool(tool))) return
    const text = cleanOutput(output)
    if (text === '') return
    const detail = open?.detail === undefined ? {} : { detail: open.detail }
    this.#add(entry, place, {
      kind: 'output',
      at: message.at,
      ...(tool === undefined ? {} : { tool }),
      ...detail,
      text,
    })
  }

  /** Tells what came of a call, gives what it printed. */
  #settle(open: OpenCall, part: Part & { type: 'result' }): string {
    const { call, tool } = open
    if (call.type === 'command') {
      const { exitCode, outcome, output } = commandResult(tool, part.text, part.failed)
      this.#command(open, exitCode, outcome)
      return output
    }
    if (call.type === 'other') return outputOf(part)
    const outcome = fileOutcome(part.text, part.failed)
    if (outcome === 'not-run') return ''
    if (call.type === 'read') {
      const unread = unreadPaths(part.text)
      call.paths.forEach((path, n) => {
        const missing = unread.some(name => path === name || path.endsWith(`/${name}`))
        this.#tell(open, open.seq + n, { kind: 'read', tool, path, outcome: missing ? 'failed' : outcome })
      })
      return withoutRepairNotes(part.text)
    }
    if (outcome === 'failed') return withoutRepairNotes(part.text)
    const { type: kind, ...change } = call
    this.#tell(open, open.seq, { kind, tool, ...change, outcome })
    // That the file was changed is told; the snippet repeats it.
    return ''
  }

  #id(): string {
    return this.state.id ?? idOfTranscript(this.#file.relative) ?? this.#file.relative
  }

  #facts(): SessionFacts | null {
    const { state } = this
    if (!state.talked) return null
    if (this.#name === undefined && state.name !== null) {
      const parsed = parseLine(parseJson(textAt(this.#source, ...state.name)))
      this.#name = parsed.type === 'name' ? parsed.name : ''
    }
    const meta = metaOf(this.#file)
    const given = this.#name === undefined || this.#name === '' ? textOf(meta.title) : this.#name
    const title = stripRecall(given ?? '').trim()
    return {
      id: this.#id(),
      title: title === '' ? null : title,
      workspace: state.workspace,
      startedAt: state.startedAt,
      updatedAt: state.updatedAt ?? state.startedAt,
      parentId: state.parentId,
      kind: state.parentId === null ? 'main' : 'fork',
      model: state.model ?? textOf(meta.model),
      archived: false,
    }
  }

  #told(waiting: boolean): Problem[] {
    const { unsupported, lines, dropped, problems } = this.state
    if (unsupported !== null) {
      const reason = `It has format version ${unsupported}; versions up to ${newestVersion} are known.`
      return [{ code: 'unsupported', reason }]
    }
    const told = [...problems]
    const others = dropped - told.length
    if (others > 0)
      told.push({ code: 'corrupt', reason: `${others} more lines before line ${lines + 1} were skipped.` })
    if (waiting) told.push({ code: 'waiting', reason: `Line ${lines + 1} isn't complete yet.` })
    return told
  }

  step(more: boolean, waiting: boolean): ReadStep {
    const { state } = this
    const moved = this.#tree.settle(this.#before)
    state.tree = this.#tree.state()
    state.calls = this.#calls.places()
    const records = [...this.#drafts.values()]
      .map(({ draft, entry }) => (this.#tree.isAside(entry) ? { ...draft, aside: true } : draft))
      .sort((a, b) => a.seq - b.seq)
    return {
      state,
      session: this.#facts(),
      records,
      ...(moved.length === 0 ? {} : { aside: moved }),
      usage: this.#usage,
      problems: this.#told(waiting),
      ...(more ? { more } : {}),
      ...(this.#compactedAt === undefined ? {} : { compactedAt: this.#compactedAt }),
    }
  }
}

function outputOf(part: Part & { type: 'result' }): string {
  return wasRun(part.text) ? withoutRepairNotes(part.text) : ''
}

function cleanOutput(text: string): string {
  const clean = stripRecall(text)
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .trimEnd()
  return clean === '(no output)' || isOwnJson(clean) ? '' : clean
}

function metaOf(file: TranscriptFile): JsonObject {
  const [text] = Object.values(file.sidecars)
  return text === undefined ? {} : objectOf(parseJson(text))
}

export const reader: Reader = {
  version: 1,
  mode: 'append',

  read(file, given, source) {
    const state = isState(given) ? given : fresh
    const pass = new Pass(file, state, source)
    if (state.unsupported !== null) {
      pass.state.offset = source.size
      return pass.step(false, false)
    }
    const { lines, end, more } = readLines(source, state.offset)
    for (const line of lines) pass.line(line)
    // 0.x writes no newline behind the last line of what it rewrites; a whole object can't be half of another.
    const tail = source.size - end
    let waiting = false
    if (!more && tail > 0) {
      const text = tail <= longestTail ? textAt(source, end, tail) : ''
      if (text.trimEnd().endsWith('}') && isObject(parseJson(text))) {
        pass.line({ offset: end, end: source.size, text })
        pass.state.lines-- // its newline, should it come, ends the same line
      } else waiting = text === '' || text.trim() !== ''
    }
    if (pass.state.unsupported !== null) pass.state.offset = source.size
    return pass.step(more && pass.state.unsupported === null, waiting && pass.state.unsupported === null)
  },

  offsetOf(state) {
    return isState(state) ? state.offset : 0
  },
}
