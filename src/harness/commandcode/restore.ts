import { dirname, join } from 'node:path'
import type { SessionRecord } from '../../shared/model.ts'
import type { KeptSession } from '../lifecycle.ts'

interface Entry {
  type: string
  id: string
  parentId: string | null
  timestamp: string
  [field: string]: unknown
}

interface Call {
  name: string
  input: Record<string, unknown>
  /** The beginning of its result, in the client's words. */
  head: string
  /** What it printed. */
  output: string
  /** Stands for a result that isn't known, where nothing was printed. */
  instead?: string
  failed: boolean
}

/** Writes a session as the client's v3 chain, each entry hanging off the one before it. */
class Chain {
  readonly entries: Entry[] = []
  readonly #newId: () => string
  readonly #used = new Set<string>()
  #leaf: string | null = null
  /** The newest entry of the active branch while one that was left is being written. */
  #trunk: string | null | undefined
  #time: string

  constructor(start: string, newId: () => string) {
    this.#time = start
    this.#newId = newId
  }

  /** Goes over to a branch that the person left, or back. */
  turn(aside: boolean): void {
    if (aside && this.#trunk === undefined) this.#trunk = this.#leaf
    else if (!aside && this.#trunk !== undefined) {
      this.#leaf = this.#trunk
      this.#trunk = undefined
    }
  }

  add(type: string, at: SessionRecord['at'], fields: Record<string, unknown>): string {
    this.#time = at ?? this.#time
    const id = this.#entryId()
    this.entries.push({ type, id, parentId: this.#leaf, timestamp: this.#time, ...fields })
    this.#leaf = id
    return id
  }

  message(role: 'user' | 'assistant', source: string, at: SessionRecord['at'], content: unknown[]): string {
    const createdAt = at === null ? {} : { createdAt: Date.parse(at) }
    return this.add('message', at, {
      message: { role, content, meta: { source, ...createdAt, messageId: this.#newId() } },
    })
  }

  /** Eight hex digits, as the client's own. */
  #entryId(): string {
    for (;;) {
      const id = this.#newId()
        .replaceAll(/[^0-9a-f]/gi, '')
        .slice(0, 8)
        .toLowerCase()
        .padStart(8, '0')
      if (this.#used.has(id)) continue
      this.#used.add(id)
      return id
    }
  }
}

/**
 * A kept session as a v3 transcript: the same id and place, so that it is the same session to the client and to deja. Of
 * calls that left no record but their output (searches, MCP) the input is lost; so are thoughts and pictures.
 */
export function restoredTranscript(
  session: KeptSession,
  records: readonly SessionRecord[],
  now: string,
  newId: () => string,
): string {
  const start = session.startedAt ?? records.find(record => record.at !== null)?.at ?? now
  const chain = new Chain(start, newId)
  if (session.model !== null) chain.add('model_change', null, { model: session.model })
  let lastPrompt: string | null = null
  for (let n = 0; n < records.length;) {
    const record = records[n]
    if (record === undefined) break
    chain.turn(record.aside === true)
    if (record.kind === 'prompt') {
      lastPrompt = chain.message('user', 'user', record.at, [{ type: 'text', text: record.text ?? '' }])
      n++
    } else if (record.kind === 'summary') {
      const kept = lastPrompt === null ? {} : { firstKeptEntryId: lastPrompt }
      chain.add('compaction', record.at, { summary: record.text ?? '', ...kept, tokensBefore: 0 })
      n++
    } else {
      const round = roundAt(records, n)
      writeRound(chain, round)
      n += round.length
    }
  }
  chain.turn(false)
  // A line is younger than what was said in it: the last one tells when the session was worked last.
  const last = chain.entries.findLast(entry => entry.type === 'message')
  if (last !== undefined && session.updatedAt !== null && session.updatedAt > last.timestamp)
    last.timestamp = session.updatedAt
  // The newest line tells the active branch: one that lies on it ends the file.
  if (session.title === null) chain.add('custom', null, { customType: 'deja/restored', data: { at: now } })
  else chain.add('session_info', null, { name: session.title })
  const parent =
    session.parentId === null ? {} : { parentSession: join(dirname(session.path), `${session.parentId}.jsonl`) }
  const header = {
    type: 'session',
    version: 3,
    id: session.id,
    timestamp: start,
    cwd: session.workspace ?? '',
    ...parent,
  }
  return [header, ...chain.entries].map(line => JSON.stringify(line) + '\n').join('')
}

/** One message of the agent, and the outputs of its calls: what it says and calls at once has one time. */
function roundAt(records: readonly SessionRecord[], from: number): SessionRecord[] {
  const round: SessionRecord[] = []
  let [called, printed] = [false, false]
  for (const record of records.slice(from)) {
    const first = round[0] ?? record
    if (record.kind === 'prompt' || record.kind === 'summary') break
    if (record.aside !== first.aside || record.copied !== first.copied) break
    if (record.kind !== 'output') {
      if (printed || record.at !== first.at || (called && record.kind === 'answer')) break
      called ||= record.kind !== 'answer'
    } else printed = true
    round.push(record)
  }
  return round
}

function writeRound(chain: Chain, round: readonly SessionRecord[]): void {
  const calls: Call[] = []
  // Outputs stand in their calls' order: each belongs to the next call of its tool.
  let next = 0
  for (const record of round) {
    if (record.kind === 'answer') continue
    if (record.kind !== 'output') {
      calls.push(callOf(record))
      continue
    }
    const index = calls.findIndex((call, n) => n >= next && call.name === record.tool)
    const call = calls[index]
    if (call === undefined) calls.push(callOfOutput(record))
    else call.output = record.text ?? ''
    next = call === undefined ? calls.length : index + 1
  }
  const place = chain.entries.length
  const said = round.filter(({ kind }) => kind === 'answer').map(({ text = '' }) => ({ type: 'text', text }))
  const uses = calls.map(({ name, input }, n) => ({ type: 'tool_use', id: `call_${place}_${n}`, name, input }))
  chain.message('assistant', 'model', round[0]?.at ?? null, [...said, ...uses])
  if (calls.length === 0) return
  const results = calls.map((call, n) => ({
    type: 'tool_result',
    tool_use_id: `call_${place}_${n}`,
    content: [{ type: 'text', text: resultText(call) }],
    ...(call.failed ? { is_error: true } : {}),
  }))
  chain.message('user', 'tool', round.find(({ kind }) => kind === 'output')?.at ?? null, results)
}

function resultText({ head, output, instead }: Call): string {
  if (output === '' && instead !== undefined) return instead
  return [head, output].filter(text => text !== '').join('\n') || '(no output)'
}

function callOfOutput(record: SessionRecord): Call {
  const { tool = 'tool', detail, text = '' } = record
  const input = detail === undefined ? {} : { [tool.toLowerCase() === 'skill' ? 'skill' : 'subagent_type']: detail }
  return { name: tool, input, head: '', output: text, failed: false }
}

function callOf(record: SessionRecord): Call {
  const file_path = record.path ?? ''
  const added = record.added ?? ''
  switch (record.kind) {
    case 'read':
      return {
        name: record.tool ?? 'read_file',
        input: record.tool === 'read_multiple_files' ? { include: [file_path] } : { file_path },
        head: '',
        output: '',
        failed: record.outcome === 'failed',
      }
    case 'edit':
    case 'write': {
      const edits = record.kind === 'edit' || record.tool === 'edit_file'
      const edit = { file_path, old_string: record.removed ?? '', new_string: added }
      return {
        name: edits ? 'edit_file' : 'write_file',
        input: edits ? edit : { file_path, content: added },
        head: edits ? `Edited ${file_path} (1 replacement)` : `File created successfully at: ${file_path}`,
        output: '',
        failed: false,
      }
    }
    default:
      return {
        name: record.tool ?? 'shell_command',
        input: { command: record.command ?? '' },
        output: '',
        ...ended(record),
      }
  }
}

/** The client's words for how a command ended. */
function ended({ exitCode = null, outcome }: SessionRecord): Pick<Call, 'head' | 'failed' | 'instead'> {
  if (exitCode !== null) {
    const harmless = outcome === 'ok' && exitCode !== 0 ? ' (Not a failure)' : ''
    return { head: `Exit code: ${exitCode}${harmless}`, failed: false }
  }
  if (outcome === 'unknown') return { head: '', failed: false, instead: 'Skipped — its result was not recorded.' }
  return { head: '', failed: outcome === 'failed' }
}
