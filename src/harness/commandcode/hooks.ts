import type { Channel, HookAdapter, HookCall, Moment, ToolUse } from '../hooks.ts'
import { isObject, objectOf, parseJson, textOf, type JsonObject } from '../shared/json.ts'
import { commandResult, fileOutcome, wasRun } from './results.ts'
import { personsWords, withoutRepairNotes } from './text.ts'
import { toolCall } from './tools.ts'

/** The contexts of all hooks of an event are joined and cut at 4,000 characters (1.64.0): ours leaves others their share. */
const room = 2_990

const silent: Channel = { room: 0, carries: [] }

type Base = Pick<Moment, 'agentSession' | 'sessionIsTranscript' | 'transcriptPath' | 'workspace' | 'subagent'>

function baseOf(input: JsonObject, call: HookCall): Base | null {
  const agentSession = textOf(input.session_id) ?? textOf(call.env.COMMANDCODE_SESSION_ID)
  if (agentSession === null) return null
  return {
    agentSession,
    sessionIsTranscript: true,
    transcriptPath: textOf(input.transcript_path),
    workspace: textOf(input.cwd) ?? textOf(call.env.COMMANDCODE_CWD),
    // A nested run's state is called `subagent:<name>`; hooks are not known to run there (1.64.0).
    subagent: agentSession.startsWith('subagent:'),
  }
}

function sourceOf(value: unknown): 'startup' | 'resume' | 'clear' {
  return value === 'resume' || value === 'clear' ? value : 'startup'
}

/** What a tool is about to do. A hook gets a model's own field names, aliases included, as the transcript does. */
function toolUse(input: JsonObject, workspace: string | null): ToolUse {
  const call = toolCall(textOf(input.tool_name) ?? '', input.tool_input, workspace)
  switch (call.type) {
    case 'command':
      return call
    case 'read': {
      const [path] = call.paths
      return path === undefined ? { type: 'other' } : { type: 'file', path, changes: false }
    }
    case 'edit':
    case 'write':
      return { type: 'file', path: call.path, changes: true }
    case 'other':
      return call
  }
}

function afterTool(base: Base, input: JsonObject): Moment {
  const tool = toolUse(input, base.workspace)
  const name = textOf(input.tool_name) ?? ''
  const response = textOf(input.tool_response) ?? ''
  const common = { ...base, type: 'after-tool', callId: textOf(input.tool_use_id), tool, swallowed: false } as const
  if (tool.type === 'command') return { ...common, ...commandResult(name, response, false) }
  const output = wasRun(response) ? withoutRepairNotes(response) : ''
  if (tool.type === 'other') return { ...common, outcome: 'unknown', exitCode: null, output }
  const outcome = fileOutcome(response, false)
  return { ...common, outcome: outcome === 'not-run' ? 'unknown' : outcome, exitCode: null, output }
}

/**
 * Command Code's three shell hooks and the events that the mod posts (`prompt`, `session-end`): there is no shell hook
 * for a prompt, a compaction or a session's end. SessionStart fires in the TUI alone; where none was seen (`-p`), the
 * digest is still owed when the first prompt comes.
 */
export const hooks: HookAdapter = {
  environment: [
    'COMMANDCODE_PROJECT_DIR',
    'COMMANDCODE_CWD',
    'COMMANDCODE_SESSION_ID',
    'COMMANDCODE_HOOK_EVENT',
    'COMMANDCODE_PERMISSION_MODE',
  ],
  bindsByText: false,
  digestAtStart: true,

  parse(call) {
    const parsed = parseJson(call.stdin)
    if (call.stdin.trim() !== '' && !isObject(parsed)) return null
    const input = objectOf(parsed)
    const base = baseOf(input, call)
    if (base === null) return null
    switch (call.event) {
      case 'SessionStart':
        return { ...base, type: 'session-start', source: sourceOf(input.source) }
      case 'PreToolUse':
        return {
          ...base,
          type: 'before-tool',
          callId: textOf(input.tool_use_id),
          tool: toolUse(input, base.workspace),
        }
      case 'PostToolUse':
        return afterTool(base, input)
      case 'prompt': {
        const messageId = textOf(input.message_id)
        const replay = input.replay === true
        return {
          ...base,
          type: 'prompt',
          text: personsWords(textOf(input.prompt) ?? ''),
          cut: input.prompt_cut === true,
          ...(messageId === null ? {} : { messageId }),
          ...(replay ? { replay } : {}),
        }
      }
      case 'session-end':
        return { ...base, type: 'session-end' }
      default:
        return null
    }
  },

  channel(moment) {
    switch (moment.type) {
      case 'session-start':
        return { room, carries: ['digest', 'packet'], packetRoom: room }
      case 'prompt':
        return { room, carries: ['digest', 'recall', 'packet', 'fix'], packetRoom: room }
      case 'before-tool':
        return { room, carries: ['hint', 'fix', 'packet'], packetRoom: room }
      case 'after-tool':
        return { room, carries: ['fix', 'hint', 'packet'], packetRoom: room }
      case 'compaction':
      case 'session-end':
        return silent
    }
  },

  render(moment, frame, call) {
    if (frame === '') return ''
    // The mod puts the frame into the question itself.
    if (moment.type === 'prompt') return frame
    if (hooks.channel(moment).room === 0) return ''
    const output = { hookEventName: call.event, additionalContext: frame }
    // Without `suppressOutput` the client copies the text into its log of hook runs.
    return JSON.stringify({ suppressOutput: true, hookSpecificOutput: output })
  },
}
