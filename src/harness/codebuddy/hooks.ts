import { isObject, objectOf, parseJson, textOf } from '../shared/json.ts'
import { commandResult } from './results.ts'
import { isCommandTool, toolCall, toolUse } from './tools.ts'
import type { Channel, HookAdapter, HookCall, ItemKind, Moment } from '../hooks.ts'
import type { JsonObject } from '../shared/json.ts'

/** Characters for everything in one reply (CONTRACT, "The frame"). */
const ROOM = 8_000
const SILENT: Channel = { room: 0, carries: [] }

function carrying(...carries: ItemKind[]): Channel {
  return { room: ROOM, carries }
}

type Base = Pick<Moment, 'agentSession' | 'sessionIsTranscript' | 'transcriptPath' | 'workspace' | 'subagent'>

/** Null without a session: `Notification` has none before the first prompt. */
function baseOf(payload: JsonObject, call: HookCall): Base | null {
  const session = textOf(payload.session_id)
  if (session === null) return null
  const transcript = textOf(payload.transcript_path)
  // A sub-agent's tools report under the parent's session, with a transcript of an inner id that never exists (2.117.0).
  const stem = transcript
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/\.jsonl$/, '')
  const subagent = textOf(payload.agent_id) !== null || (stem !== undefined && stem !== session)
  return {
    agentSession: session,
    sessionIsTranscript: true,
    transcriptPath: subagent ? null : transcript,
    // Absent on SessionStart.
    workspace: textOf(payload.cwd) ?? textOf(call.env.CODEBUDDY_PROJECT_DIR),
    subagent,
  }
}

function eventOf(payload: JsonObject, call: HookCall): string {
  return textOf(payload.hook_event_name) ?? call.event
}

function started(base: Base, source: unknown): Moment {
  if (source === 'compact') return { ...base, type: 'compaction' }
  return { ...base, type: 'session-start', source: source === 'resume' || source === 'clear' ? source : 'startup' }
}

function afterTool(base: Base, payload: JsonObject): Moment {
  const call = toolCall(textOf(payload.tool_name) ?? '', payload.tool_input)
  const response = payload.tool_response
  const shell = isCommandTool(call.tool)
    ? commandResult(textOf(response) ?? '', isObject(response) ? response : payload, null)
    : null
  return {
    ...base,
    type: 'after-tool',
    callId: textOf(payload.call_id) ?? textOf(payload.tool_use_id),
    tool: toolUse(call, base.workspace),
    outcome: shell?.outcome ?? (objectOf(response).is_error === true ? 'failed' : 'ok'),
    exitCode: shell?.exitCode ?? null,
    output: shell !== null && shell.printed !== '' ? shell.printed : printed(response),
    // Nothing is said before a tool here, so nothing can be lost with it.
    swallowed: false,
  }
}

/** A tool that threw: what its result would have been is told by the event itself. A person's interruption is no failure. */
function threw(moment: Moment, payload: JsonObject): Moment {
  if (moment.type !== 'after-tool') return moment
  const isShell = moment.tool?.type === 'command'
  const outcome = payload.is_interrupt === true ? 'unknown' : isShell ? moment.outcome : 'failed'
  return { ...moment, outcome, output: textOf(payload.error) ?? '' }
}

/** A shell's response has no standard output, and of a failure standard error alone (2.117.0). */
function printed(response: unknown): string {
  if (typeof response === 'string') return response
  if (Array.isArray(response)) {
    return response
      .map((part: unknown) => (typeof part === 'string' ? part : (textOf(objectOf(part).text) ?? '')))
      .join('\n')
  }
  return textOf(objectOf(response).error)?.trimEnd() ?? ''
}

function channelOf(moment: Moment): Channel {
  switch (moment.type) {
    case 'session-start':
      // With -r and -c the hook runs and its context is dropped: the first prompt carries what it would have said.
      return moment.source === 'resume' ? SILENT : carrying('digest', 'packet')
    case 'compaction':
      return carrying('packet')
    case 'prompt':
      return carrying('digest', 'packet', 'recall', 'fix', 'hint')
    case 'after-tool':
      return moment.subagent ? carrying('fix', 'hint') : carrying('packet', 'fix', 'hint')
    default:
      return SILENT
  }
}

/**
 * CodeBuddy Code's hooks (2.117.0). What stands in `additionalContext` reaches the model at a session's start, with a
 * prompt and after a tool; before a tool it doesn't, so that event isn't wired. Any other text on stdout would reach it
 * too, an empty object included: nothing to say is no byte at all.
 */
export const hooks: HookAdapter = {
  environment: ['CODEBUDDY_PROJECT_DIR'],
  bindsByText: false,
  digestAtStart: true,

  parse(call: HookCall): Moment | null {
    const payload = parseJson(call.stdin)
    if (!isObject(payload)) return null
    const base = baseOf(payload, call)
    if (base === null) return null
    switch (eventOf(payload, call)) {
      case 'SessionStart':
        return started(base, payload.source)
      case 'UserPromptSubmit':
        return typeof payload.prompt === 'string' ? { ...base, type: 'prompt', text: payload.prompt, cut: false } : null
      case 'PostToolUse':
        return textOf(payload.tool_name) === null ? null : afterTool(base, payload)
      case 'PostToolUseFailure':
        return textOf(payload.tool_name) === null ? null : threw(afterTool(base, payload), payload)
      case 'SessionEnd':
        return { ...base, type: 'session-end' }
      default:
        return null
    }
  },

  channel: channelOf,

  render(moment: Moment, frame: string, call: HookCall): string {
    if (frame === '' || channelOf(moment).room === 0) return ''
    const hookEventName = eventOf(objectOf(parseJson(call.stdin)), call)
    return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: frame } })
  },
}
