import { dirname, join } from 'node:path'
import { EMPTY } from './results.ts'
import { titleFromPrompt } from './titles.ts'
import type { SessionRecord } from '../../shared/model.ts'
import type { KeptSession, Restored } from '../lifecycle.ts'

/**
 * A session as the client wrote it: a chain of items with ids, epoch times, session and directory. Each record comes
 * back as the same record when the file is read, so that the write-back is no second session. 2.117.0 resumes such a
 * file. What was never kept (a signal's name, a command's second stream apart from the first) isn't made up.
 */
export function itemsOf(
  session: KeptSession,
  records: readonly SessionRecord[],
  now: string,
  newId: () => string,
): Restored[] {
  const file = new RestoredFile(session, now, newId)
  for (let n = 0; n < records.length; n++) {
    const [record, next] = [records[n], records[n + 1]]
    if (record === undefined) continue
    const output = next?.kind === 'output' && next.tool === record.tool && TAKES_OUTPUT.has(record.kind) ? next : null
    file.put(record, output)
    if (output !== null) n++
  }
  return file.done(records)
}

/** A call whose output is told apart from it. */
const TAKES_OUTPUT: ReadonlySet<string> = new Set(['command', 'read'])

type Item = Record<string, unknown>

class RestoredFile {
  readonly #session: KeptSession
  readonly #now: string
  readonly #newId: () => string
  readonly #items: Item[] = []
  #parentId: string | null = null
  /** The item before a compaction: the chain begins anew there, so that the client sends what came after it alone. */
  #logicalParentId: string | null = null
  #time: number

  constructor(session: KeptSession, now: string, newId: () => string) {
    this.#session = session
    this.#now = now
    this.#newId = newId
    this.#time = Date.parse(session.startedAt ?? now)
  }

  put(record: SessionRecord, output: SessionRecord | null): void {
    const text = record.text ?? ''
    switch (record.kind) {
      case 'prompt':
        this.#item(record, { type: 'message', role: 'user', content: [{ type: 'input_text', text }], ...said })
        break
      case 'answer':
        this.#item(record, {
          type: 'message',
          role: 'assistant',
          status: record.partial === true ? 'incomplete' : 'completed',
          content: [{ type: 'output_text', text }],
          providerData: { messageId: this.#newId(), model: this.#session.model, agent: 'cli' },
        })
        break
      case 'summary':
        this.#logicalParentId = this.#parentId
        this.#parentId = null
        this.#item(record, { type: 'message', role: 'user', content: [summaryPart(text)], providerData: SUMMARY })
        break
      case 'output':
        this.#call(record, output, inputOf(record), text)
        break
      case 'command':
        this.#call(record, output, { command: record.command ?? '' }, shellText(record, output), shellResponse(record))
        break
      case 'read':
        this.#call(record, output, { file_path: record.path }, output?.text ?? EMPTY)
        break
      case 'write':
        this.#call(record, output, { file_path: record.path, content: record.added ?? '' }, changed(record))
        break
      case 'edit':
        this.#call(record, output, editInput(record), changed(record))
    }
  }

  /** A call and its result, each an item of its own. */
  #call(record: SessionRecord, output: SessionRecord | null, input: Item, text: string, rawResponse?: Item): void {
    const callId = `call_${this.#newId()}`
    const { name, args } = wrapped(record, input)
    const providerData = { messageId: this.#newId(), agent: 'cli' }
    this.#item(record, {
      type: 'function_call',
      callId,
      name,
      arguments: JSON.stringify(args),
      providerData: { ...providerData, model: this.#session.model },
    })
    this.#item(output ?? record, {
      type: 'function_call_result',
      callId,
      name,
      status: 'completed',
      output: { type: 'text', text },
      providerData: { ...providerData, toolResult: { content: text, ...(rawResponse && { rawResponse }) } },
    })
  }

  #item({ at }: SessionRecord, rest: Item): void {
    const id = this.#newId()
    const time = Date.parse(at ?? '')
    if (!Number.isNaN(time)) this.#time = time
    const links = {
      ...(this.#parentId !== null && { parentId: this.#parentId }),
      ...(this.#logicalParentId !== null && { logicalParentId: this.#logicalParentId }),
    }
    this.#logicalParentId = null
    const { id: sessionId, workspace } = this.#session
    const cwd = workspace === null ? {} : { cwd: workspace }
    this.#items.push({ id, ...links, timestamp: this.#time, ...rest, sessionId, ...cwd })
    this.#parentId = id
  }

  done(records: readonly SessionRecord[]): Restored[] {
    const { id, title, path, workspace, kind, parentId, startedAt } = this.#session
    const first = records.find(record => record.kind === 'prompt')?.text ?? null
    if (title !== null && title !== titleFromPrompt(first)) {
      const timestamp = Date.parse(this.#now)
      const cwd = workspace === null ? {} : { cwd: workspace }
      this.#items.push({
        id: this.#newId(),
        timestamp,
        type: 'custom-title',
        customTitle: title,
        sessionId: id,
        ...cwd,
      })
    }
    const text = this.#items.map(item => JSON.stringify(item) + '\n').join('')
    const transcript = { path, text }
    if (kind !== 'fork' || parentId === null) return [transcript]
    const meta = { forkedFrom: parentId, ...(startedAt !== null && { forkedAt: Date.parse(startedAt) }) }
    return [transcript, { path: join(dirname(path), `${id}.meta.json`), text: JSON.stringify(meta, null, 2) }]
  }
}

const said = { providerData: { agent: 'cli' } }
const SUMMARY = {
  skipRun: false,
  compactType: 'emergency-auto',
  isCompactInternal: true,
  isCompacted: true,
  isSummary: true,
  agent: 'cli',
}

function summaryPart(text: string): Item {
  const whole = `<conversation_history_summary>\n<summary>\n${text}\n</summary>\n</conversation_history_summary>`
  return { type: 'input_text', text: whole }
}

/** MCP tools can only be called through the wrapper. */
function wrapped({ tool, kind }: SessionRecord, input: Item): { name: string; args: Item } {
  const name = tool ?? NAMES[kind] ?? 'Agent'
  if (!name.startsWith('mcp__')) return { name, args: input }
  return { name: 'DeferExecuteTool', args: { toolName: name, params: input } }
}

/** What is known of a call that left its output alone. */
function inputOf({ tool, detail }: SessionRecord): Item {
  if (detail === undefined) return {}
  return tool === 'Skill' ? { skill: detail } : { subagent_type: detail }
}

const NAMES: Partial<Record<SessionRecord['kind'], string>> = {
  command: 'Bash',
  read: 'Read',
  edit: 'Edit',
  write: 'Write',
}

function editInput({ tool, path, removed = '', added = '' }: SessionRecord): Item {
  if (tool === 'NotebookEdit') return { notebook_path: path, new_source: added }
  const edit = { old_string: removed, new_string: added }
  return tool === 'MultiEdit' ? { file_path: path, edits: [edit] } : { file_path: path, ...edit }
}

function changed({ kind, path = '' }: SessionRecord): string {
  return kind === 'write' ? `Successfully created and wrote to new file: ${path}` : `Successfully edited file: ${path}`
}

/** The five lines of a shell's result; what was refused or has no code keeps its own text. */
function shellText(record: SessionRecord, output: SessionRecord | null): string {
  const printed = output?.text ?? ''
  if (record.outcome === 'unknown' && printed !== '') return printed
  const code = record.exitCode ?? '(none)'
  const stdout = printed === '' ? EMPTY : `${printed}\n`
  return `Command: ${record.command ?? ''}\nStdout: ${stdout}\nStderr: ${EMPTY}\nExit Code: ${code}\nSignal: (none)`
}

function shellResponse({ exitCode = null, outcome }: SessionRecord): Item {
  if (outcome === 'ok') return { exitCode, tool_error_code: '0' }
  if (outcome !== 'failed') return {}
  return { exitCode, tool_error_code: exitCode === null ? '8013' : '8002', is_error: true }
}
