import type { Tools } from '../harness.ts'
import { arrayOf, firstText, objectOf, parseJson, type JsonObject } from '../shared/json.ts'
import { nameOf } from '../shared/names.ts'
import { absolutePath } from '../shared/paths.ts'

const normalNames = new Map([
  ['shell_command', 'Bash'],
  ['powershell', 'Bash'],
  ['monitor_command', 'Bash'],
  ['shell_output', 'Bash'],
  ['shell_tasks', 'Bash'],
  ['kill_shell', 'Bash'],
  ['read_file', 'Read'],
  ['read_multiple_files', 'Read'],
  ['write_file', 'Write'],
  ['edit_file', 'Edit'],
  ['glob', 'Glob'],
  ['read_directory', 'Glob'],
  ['grep', 'Grep'],
  ['web_search', 'WebSearch'],
  ['web_fetch', 'WebFetch'],
  ['agent', 'Agent'],
  ['skill', 'Skill'],
  ['todo_write', 'Todo'],
  ['task_create', 'Todo'],
  ['task_update', 'Todo'],
  ['task_list', 'Todo'],
  ['task_get', 'Todo'],
  ['ask_user_question', 'AskUser'],
])

export const tools: Tools = { normalName: tool => normalNames.get(tool.toLowerCase()) ?? tool }

/** What a call asked for. The transcript keeps it as the model wrote it: aliases are repaired for execution only. */
export type ToolCall =
  | { type: 'command'; command: string }
  | { type: 'read'; paths: string[] }
  | { type: 'edit'; path: string; removed: string; added: string }
  | { type: 'write'; path: string; added: string }
  /** Leaves no record but what it prints. */
  | { type: 'other' }

const commandNames = ['command', 'cmd', 'bash', 'shell', 'script', 'commandLine']
const pathNames = ['file_path', 'path', 'filePath', 'target_file', 'file', 'absolute_path', 'absolutePath', 'fileName']
const listNames = ['paths', 'include', 'files', 'file_paths', 'patterns']
const oldNames = [
  ...['old_string', 'oldValue', 'old_value', 'oldString', 'old', 'old_str'],
  ...['from', 'oldText', 'old_text', 'oldContent', 'old_content'],
]
const newNames = [
  ...['new_string', 'newValue', 'new_value', 'newString', 'new', 'new_str'],
  ...['to', 'newText', 'new_text', 'newContent', 'new_content'],
]
const contentNames = ['content', 'text', 'body', 'data', 'contents', 'fileContent', 'file_content']

/** A call's meaning, with paths absolute on `workspace` where that is known. */
export function toolCall(name: string, given: unknown, workspace: string | null): ToolCall {
  const input = objectOf(typeof given === 'string' ? parseJson(given) : given)
  switch (name.toLowerCase()) {
    case 'shell_command':
    case 'monitor_command':
    case 'powershell': {
      const command = commandLine(input)
      return command === '' ? { type: 'other' } : { type: 'command', command }
    }
    case 'read_file':
    case 'read_multiple_files': {
      const paths = pathsRead(input, workspace)
      return paths.length === 0 ? { type: 'other' } : { type: 'read', paths }
    }
    case 'write_file': {
      const path = firstText(input, ...pathNames)
      const added = firstText(input, ...contentNames)
      if (!path || added === undefined) return { type: 'other' }
      return { type: 'write', path: absolutePath(path, workspace), added }
    }
    case 'edit_file': {
      const path = firstText(input, ...pathNames)
      if (!path) return { type: 'other' }
      const absolute = absolutePath(path, workspace)
      const removed = firstText(input, ...oldNames) ?? ''
      const added = firstText(input, ...newNames) ?? ''
      // An edit that replaces nothing makes the file.
      return removed === ''
        ? { type: 'write', path: absolute, added }
        : { type: 'edit', path: absolute, removed, added }
    }
    default:
      return { type: 'other' }
  }
}

const safeWord = /^[\w@%+=:,./~^-]+$/

/** One argument as a person would type it: quoted where the shell would split it or read something into it. */
function quoted(word: string): string {
  return safeWord.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The command and its arguments. The client runs them quoted one by one: an argument with spaces stays one. */
function commandLine(input: JsonObject): string {
  const command = commandNames.map(name => input[name]).find(value => typeof value === 'string' || Array.isArray(value))
  const head = typeof command === 'string' ? command.trim() : texts(command).map(quoted).join(' ')
  return [head, ...texts(input.args).map(quoted)].join(' ').trim()
}

/** A list of texts; the client also takes one that was written as a JSON string, or a single text. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') {
    const parsed = value.trimStart().startsWith('[') ? parseJson(value) : undefined
    return Array.isArray(parsed) ? texts(parsed) : value === '' ? [] : [value]
  }
  return arrayOf(value).flatMap(item =>
    typeof item === 'string' ? [item] : typeof item === 'number' || typeof item === 'boolean' ? [String(item)] : [],
  )
}

const glob = /[*?[{]/

/** The files that a read names. An entry with `*`, `?`, `[` or `{` is a pattern for the client, and no file. */
function pathsRead(input: JsonObject, workspace: string | null): string[] {
  const list = listNames.flatMap(name => texts(input[name]))
  const single = firstText(input, ...pathNames)
  const named = single === undefined ? list : [...texts(single), ...list]
  const target = firstText(input, 'target_directory', 'targetDirectory')
  const base = target === undefined || target === '' ? workspace : absolutePath(target, workspace)
  const paths = named.filter(path => path !== '' && !glob.test(path)).map(path => absolutePath(path, base))
  return [...new Set(paths)]
}

/** The skill that a call loads, or the type of the sub-agent that it starts. */
export function detailOf(name: string, given: unknown): string | undefined {
  const input = objectOf(typeof given === 'string' ? parseJson(given) : given)
  switch (name.toLowerCase()) {
    case 'skill':
      return nameOf(firstText(input, 'skill', 'name', 'skill_name'))
    case 'agent':
      return nameOf(firstText(input, 'subagent_type', 'agent_type', 'agent', 'type', 'name'))
    default:
      return undefined
  }
}
