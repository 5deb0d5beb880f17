import type { SessionRecord } from '../../shared/model.ts'
import { isOwnCommand, isOwnSkill, isOwnTool, stripRecall } from '../shared/own.ts'
import { arrayOf, firstText, isObject, objectOf, parseJson, textOf, type JsonObject } from '../shared/json.ts'
import { nameOf } from '../shared/names.ts'
import { parsePatch } from '../shared/patch.ts'
import { absolutePath } from '../shared/paths.ts'
import type { Tools } from '../harness.ts'
import type { ToolUse } from '../hooks.ts'

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:bash|Bash|exec_shell\w*|task_shell\w*|terminal\/\w+|shell)$/, 'Bash'],
  [/^(?:read|read_file)$/, 'Read'],
  [/^(?:write|write_file)$/, 'Write'],
  [/^(?:edit|edit_file|apply_patch|fim_edit)$/, 'Edit'],
  [/^(?:list_dir|file_search)$/, 'Glob'],
  [/^grep_files$/, 'Grep'],
  [/^(?:web_search|web\.run|Web)$/, 'WebSearch'],
  [/^fetch_url$/, 'WebFetch'],
  [/^(?:agent|agents\/\w+)$/, 'Agent'],
  [/^load_skill$/, 'Skill'],
  [/^(?:todo_write|update_plan)$/, 'Todo'],
  [/^request_user_input$/, 'AskUser'],
]

export const tools: Tools = {
  normalName: tool => NAMES.find(([pattern]) => pattern.test(tool))?.[1] ?? tool,
}

/** How a command's result tells what became of it: by its version of the shell tool. */
export type Shell =
  /** `bash` (0.9.6+): a failure is an error result that ends with its code. */
  | 'primitive'
  /** `exec_shell`, `Bash` (to 0.9.5): a failure is said in the text's first line, never by `is_error`. */
  | 'classic'
  /** `terminal/run`, background tasks: the result is there before the command has ended. */
  | 'detached'

/** What a tool call asks for. */
export type Call =
  | { type: 'command'; shell: Shell; command: string; own: boolean }
  | { type: 'read'; path: string }
  /** Records of what it changes when it succeeds. `generates`: a fim_edit, whose text stands in the result. */
  | { type: 'change'; records: SessionRecord[]; generates?: string }
  /** deja's own tool or skill: neither call nor result is evidence. */
  | { type: 'own' }
  /** `detail`: the skill that it loads, the type of the sub-agent that it starts. */
  | { type: 'other'; detail?: string }

/** Reads a call's input, whatever version of CodeWhale shaped it. Paths become absolute on the workspace. */
export function callOf(name: string, input: unknown, workspace: string | null): Call {
  const fields = objectOf(typeof input === 'string' ? parseJson(input) : input)
  const at = (path: string): string => absolutePath(path, workspace)
  if (isOwnTool(name)) return { type: 'own' }
  switch (name) {
    case 'bash':
      return commandCall('primitive', fields)
    case 'Bash':
    case 'exec_shell': {
      const action = textOf(fields.action) ?? 'run'
      if (action !== 'run') return { type: 'other' }
      return commandCall(fields.background === true ? 'detached' : 'classic', fields)
    }
    case 'task_shell_start':
    case 'terminal/run':
      return commandCall('detached', fields)
    case 'read':
    case 'read_file':
      return readCall(fields, at)
    case 'write':
    case 'write_file':
      return change(writes(fields, at))
    case 'edit':
    case 'edit_file':
      return change(edits(fields, at))
    case 'fim_edit':
      return fimCall(fields, at)
    case 'apply_patch':
      return change(patches(fields, at))
    case 'File':
      return fileCall(fields, at)
    case 'load_skill':
      return isOwnSkill(textOf(fields.name) ?? '') ? { type: 'own' } : other(nameOf(fields.name))
    case 'agent':
      return other(nameOf(fields.type))
    default:
      return { type: 'other' }
  }
}

type Place = (path: string) => string

function other(detail: string | undefined): Call {
  return { type: 'other', ...(detail === undefined ? {} : { detail }) }
}

function commandCall(shell: Shell, fields: JsonObject): Call {
  const command = stripRecall(textOf(fields.command) ?? '').trim()
  return command === '' ? { type: 'other' } : { type: 'command', shell, command, own: isOwnCommand(command) }
}

function readCall(fields: JsonObject, at: Place): Call {
  const path = pathIn(fields)
  return path === null ? { type: 'other' } : { type: 'read', path: at(path) }
}

function fimCall(fields: JsonObject, at: Place): Call {
  const path = pathIn(fields)
  return path === null ? { type: 'other' } : { type: 'change', records: [], generates: at(path) }
}

/** The action family of 0.9.1–0.9.5. `replace` is a string for an edit, an array for a patch. */
function fileCall(fields: JsonObject, at: Place): Call {
  switch (textOf(fields.action) ?? 'read') {
    case 'read':
      return readCall(fields, at)
    case 'write':
      return change(writes(fields, at))
    case 'edit':
      return change(edits(fields, at))
    case 'patch':
      return change(patches(fields, at))
    default:
      return { type: 'other' }
  }
}

function change(records: SessionRecord[]): Call {
  return records.length === 0 ? { type: 'other' } : { type: 'change', records }
}

function pathIn(fields: JsonObject): string | null {
  return textOf(firstText(fields, 'path', 'file_path', 'filePath'))
}

function writes(fields: JsonObject, at: Place): SessionRecord[] {
  const path = pathIn(fields)
  const content = firstText(fields, 'content')
  return path === null || content === undefined ? [] : [written(at(path), content)]
}

function edits(fields: JsonObject, at: Place): SessionRecord[] {
  const path = pathIn(fields)
  if (path === null) return []
  // `edits` may be a JSON string; a pair beside it is appended (0.9.6).
  const list = typeof fields.edits === 'string' ? parseJson(fields.edits) : fields.edits
  const pairs = [...(isObject(list) ? [list] : arrayOf(list)), fields].filter(isObject)
  return pairs.flatMap(pair => {
    const removed = firstText(pair, 'oldText', 'search', 'old_string', 'old_str')
    const added = firstText(pair, 'newText', 'replace', 'new_string', 'new_str')
    return removed === undefined && added === undefined ? [] : [edited(at(path), removed ?? '', added ?? '')]
  })
}

function patches(fields: JsonObject, at: Place): SessionRecord[] {
  const path = pathIn(fields)
  // `changes` is the deprecated name of `replace`.
  const replaced = [...arrayOf(fields.replace), ...arrayOf(fields.changes)].filter(isObject).flatMap(file => {
    const target = pathIn(file) ?? path
    const content = firstText(file, 'content')
    return target === null || content === undefined ? [] : [written(at(target), content)]
  })
  const patched = parsePatch(firstText(fields, 'patch') ?? '', path).flatMap(file => {
    if (file.path === '') return []
    return [
      file.type === 'write' ? written(at(file.path), file.added) : edited(at(file.path), file.removed, file.added),
    ]
  })
  return [...patched, ...replaced]
}

export function edited(path: string, removed: string, added: string): SessionRecord {
  return { kind: 'edit', at: null, path, removed: stripRecall(removed), added: stripRecall(added) }
}

function written(path: string, content: string): SessionRecord {
  return { kind: 'write', at: null, path, added: stripRecall(content) }
}

/** The same for a hook, whose arguments may be cut: a path that stands before the cut is still one. */
export function toolUseOf(name: string, args: string, workspace: string | null): ToolUse {
  const parsed = parseJson(args)
  const call = callOf(name, isObject(parsed) ? parsed : cutInput(args), workspace)
  if (call.type === 'command') return { type: 'command', command: call.command }
  if (call.type === 'read') return { type: 'file', path: call.path, changes: false }
  if (call.type === 'change') {
    const path = call.generates ?? call.records[0]?.path
    return path === undefined ? { type: 'other' } : { type: 'file', path, changes: true }
  }
  return { type: 'other' }
}

function cutInput(args: string): JsonObject {
  const path = /"(?:path|file_path)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(args)?.[1]
  if (path === undefined) return {}
  const action = /"action"\s*:\s*"(\w+)"/.exec(args)?.[1]
  // The cut took what was to be written; that something is written stays known.
  return { path: parseJson(path), content: '', oldText: '', ...(action === undefined ? {} : { action }) }
}
