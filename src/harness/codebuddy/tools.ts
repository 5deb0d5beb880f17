import { firstText, isObject, objectOf, parseJson, textOf } from '../shared/json.ts'
import { nameOf } from '../shared/names.ts'
import { isOwnCommand, isOwnSkill, isOwnTool } from '../shared/own.ts'
import { absolutePath } from '../shared/paths.ts'
import type { SessionRecord } from '../../shared/model.ts'
import type { Tools } from '../harness.ts'
import type { ToolUse } from '../hooks.ts'
import type { JsonObject } from '../shared/json.ts'

/** A tool call, told by the tool that really ran. */
export interface ToolCall {
  tool: string
  args: JsonObject
}

/**
 * Deferred tools, all of MCP among them, are called through `DeferExecuteTool` (2.117.0): the transcript has only the
 * wrapper's name, the tool itself is an argument.
 */
export function toolCall(name: string, input: unknown): ToolCall {
  const args = objectOf(typeof input === 'string' ? parseJson(input) : input)
  const real = name === 'DeferExecuteTool' ? textOf(args.toolName) : null
  if (real === null) return { tool: name, args }
  return { tool: real, args: objectOf(typeof args.params === 'string' ? parseJson(args.params) : args.params) }
}

/** Tools that run a command line. */
export function commandOf(call: ToolCall): string | null {
  return call.tool === 'Bash' || call.tool === 'PowerShell' ? textOf(call.args.command) : null
}

export function isCommandTool(tool: string): boolean {
  return tool === 'Bash' || tool === 'PowerShell'
}

/** What a file tool's call is about; null: no file, or a tool that names its files otherwise. */
function fileOf(call: ToolCall): { path: string; changes: boolean } | null {
  const path = firstText(call.args, 'file_path', 'notebook_path')
  if (path === undefined || path === '') return null
  if (call.tool === 'Read') return { path, changes: false }
  return ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'].includes(call.tool) ? { path, changes: true } : null
}

type FileRecord = Pick<SessionRecord, 'kind' | 'path' | 'removed' | 'added'>

/** What a call did to files if it went well: one record an edit. */
export function fileRecords(call: ToolCall, workspace: string | null): FileRecord[] {
  const file = fileOf(call)
  if (file === null) return []
  const path = absolutePath(file.path, workspace)
  switch (call.tool) {
    case 'Read':
      return [{ kind: 'read', path }]
    case 'Write':
      return [{ kind: 'write', path, added: firstText(call.args, 'content') ?? '' }]
    case 'NotebookEdit':
      return [{ kind: 'edit', path, added: firstText(call.args, 'new_source') ?? '' }]
    case 'MultiEdit': {
      const edits = Array.isArray(call.args.edits) ? call.args.edits.filter(isObject) : []
      return edits.map(edit => edited(path, edit))
    }
    default:
      return [edited(path, call.args)]
  }
}

function edited(path: string, args: JsonObject): FileRecord {
  return {
    kind: 'edit',
    path,
    removed: firstText(args, 'old_string') ?? '',
    added: firstText(args, 'new_string') ?? '',
  }
}

/** The same for a hook's event. */
export function toolUse(call: ToolCall, workspace: string | null): ToolUse {
  const command = commandOf(call)
  if (command !== null) return { type: 'command', command }
  const file = fileOf(call)
  if (file === null) return { type: 'other' }
  return { type: 'file', path: absolutePath(file.path, workspace), changes: file.changes }
}

/** The skill that a call loads, or the type of the sub-agent that it starts. */
export function detailOf({ tool, args }: ToolCall): string | undefined {
  if (tool === 'Skill') return nameOf(args.skill)
  return tool === 'Agent' || tool === 'Task' ? nameOf(args.subagent_type) : undefined
}

/** Whether what the call printed is deja's own words. */
export function asksDeja(call: ToolCall): boolean {
  if (isOwnTool(call.tool)) return true
  if (call.tool === 'Skill') return isOwnSkill(textOf(call.args.skill) ?? '')
  const command = commandOf(call)
  return command !== null && isOwnCommand(command)
}

const NORMAL: Readonly<Record<string, string>> = {
  PowerShell: 'Bash',
  MultiEdit: 'Edit',
  NotebookEdit: 'Edit',
  Task: 'Agent',
  TaskCreate: 'Todo',
  TaskGet: 'Todo',
  TaskUpdate: 'Todo',
  TaskList: 'Todo',
  AskUserQuestion: 'AskUser',
}

export const tools: Tools = {
  normalName(tool: string): string {
    return Object.hasOwn(NORMAL, tool) ? (NORMAL[tool] ?? tool) : tool
  },
}
