import type { SessionRecord, Time } from '../../shared/model.ts'

/** A message to be written, and when it was said. */
export interface WrittenMessage {
  message: { role: string; content: Block[] }
  at: Time
}

type Block = Readonly<Record<string, unknown>>

interface Result {
  content: string
  isError?: boolean
}

/**
 * Records as CodeWhale's messages, so that reading them gives the same records. An answer and the calls behind it share
 * a message; each call's result follows in one of its own, as CodeWhale writes them.
 */
export function messagesOf(records: readonly SessionRecord[], workspace: string | null): WrittenMessage[] {
  const messages: WrittenMessage[] = []
  const say = (role: string, at: Time, content: Block[]): void => {
    messages.push({ message: { role, content }, at })
  }
  let index = 0
  for (let next = 0; next < records.length; next++) {
    const record = records[next]
    if (record === undefined) continue
    const { kind, at, text = '' } = record
    if (kind === 'prompt') say('user', at, [{ type: 'text', text }, ...envelope(at, workspace)])
    else if (kind === 'summary') say('user', at, [{ type: 'text', text }, ...envelope(at, workspace)])
    else if (kind === 'answer') {
      say(record.partial === true ? 'assistant_interrupted' : 'assistant', at, [{ type: 'text', text }])
    } else {
      const output = kind === 'output' ? record : outputBehind(records, next)
      if (kind !== 'output' && output !== null) next++
      const id = `call_deja_${String(++index).padStart(4, '0')}`
      const [name, input, result] = callOf(record, output?.text ?? '')
      say('assistant', at, [{ type: 'tool_use', id, name, input }])
      const block = { type: 'tool_result', tool_use_id: id, content: result.content }
      say('user', output?.at ?? at, [result.isError === true ? { ...block, is_error: true } : block])
    }
  }
  return messages
}

/** The output that belongs to a call: it stands right behind and names the same tool. */
function outputBehind(records: readonly SessionRecord[], index: number): SessionRecord | null {
  const [call, next] = [records[index], records[index + 1]]
  if (call === undefined || next?.kind !== 'output' || next.tool !== call.tool) return null
  return call.kind === 'command' || call.kind === 'read' ? next : null
}

/** Keeps a turn's date where only that is known. */
function envelope(at: Time, workspace: string | null): Block[] {
  if (at === null) return []
  const place = workspace === null ? '' : `Current workspace: ${workspace}\n`
  return [{ type: 'text', text: `<turn_meta>\nCurrent local date: ${at.slice(0, 10)}\n${place}</turn_meta>` }]
}

type Call = readonly [name: string, input: Block, result: Result]

function callOf(record: SessionRecord, output: string): Call {
  const tool = record.tool ?? ''
  switch (record.kind) {
    case 'command':
      return commandOf(record, tool === '' ? 'bash' : tool, output)
    case 'read':
      if (tool === 'File') return [tool, { action: 'read', path: record.path }, { content: output }]
      return [tool === 'read_file' ? tool : 'read', { path: record.path }, { content: output }]
    case 'write':
      return writeOf(record, tool)
    case 'edit':
      return editOf(record, tool)
    default:
      // An edit that printed something is one that failed.
      if (/^(?:edit|write|apply_patch|fim_edit|File$)/.test(tool)) {
        return [tool, {}, { content: `Error: ${output}`, isError: true }]
      }
      return [tool === '' ? 'tool' : tool, inputOf(record), { content: output }]
  }
}

/** What is known of a call that left its output alone. */
function inputOf({ tool, detail }: SessionRecord): Block {
  if (detail === undefined) return {}
  return tool === 'load_skill' ? { name: detail } : { action: 'start', type: detail }
}

function commandOf(record: SessionRecord, tool: string, output: string): Call {
  const { command, outcome, exitCode } = record
  if (tool === 'terminal/run' || tool === 'task_shell_start') return [tool, { command }, { content: output }]
  if (tool === 'exec_shell' || tool === 'Bash') {
    if (outcome === 'unknown') return [tool, { command, background: true }, { content: output }]
    if (outcome === 'ok') return [tool, { command }, { content: output }]
    const said = typeof exitCode === 'number' ? `failed (exit code ${exitCode})` : 'failed (terminated by signal)'
    return [tool, { command }, { content: `Command ${said}\n\nSTDOUT:\n${output}\n\nSTDERR:\n` }]
  }
  if (outcome === 'ok') return ['bash', { command }, { content: output === '' ? '(no output)' : output }]
  const end =
    outcome === 'failed' ? `Command exited with code ${exitCode ?? -1}` : output === '' ? null : 'Command aborted'
  const content =
    end === null
      ? 'Tool call interrupted by process exit; terminal status: crashed_and_repaired.'
      : `Error: ${output}\n\n${end}`
  return ['bash', { command }, { content, isError: true }]
}

function writeOf({ path, added = '' }: SessionRecord, tool: string): Call {
  const done = { content: `Successfully wrote ${added.length} bytes to ${path ?? ''}` }
  if (tool === 'apply_patch') return [tool, { replace: [{ path, content: added }] }, { content: receipt(path) }]
  if (tool === 'File') return [tool, { action: 'write', path, content: added }, done]
  return [tool === 'write_file' ? tool : 'write', { path, content: added }, done]
}

function editOf({ path, removed = '', added = '' }: SessionRecord, tool: string): Call {
  const done = { content: `Successfully replaced 1 block(s) in ${path ?? ''}.` }
  switch (tool) {
    case 'edit_file':
      return [tool, { path, search: removed, replace: added }, done]
    case 'File':
      return [tool, { action: 'edit', path, search: removed, replace: added }, done]
    case 'fim_edit': {
      const content = JSON.stringify({ success: true, path, generated_text: added }, null, 2)
      return [tool, { path, prefix_anchor: '', suffix_anchor: '' }, { content }]
    }
    case 'apply_patch':
      return [tool, { patch: patchOf(path ?? '', removed, added) }, { content: receipt(path) }]
    default:
      return ['edit', { path, edits: [{ oldText: removed, newText: added }] }, done]
  }
}

function patchOf(path: string, removed: string, added: string): string {
  const side = (text: string, sign: string): string[] =>
    text === '' ? [] : text.split('\n').map(line => `${sign}${line}`)
  const [minus, plus] = [side(removed, '-'), side(added, '+')]
  return [`--- ${path}`, `+++ ${path}`, `@@ -1,${minus.length} +1,${plus.length} @@`, ...minus, ...plus, ''].join('\n')
}

function receipt(path: string | undefined): string {
  return JSON.stringify({ success: true, files_applied: 1, files_total: 1, touched_files: [path] }, null, 2)
}
