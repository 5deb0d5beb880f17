import type { Outcome } from '../../shared/model.ts'
import type { Channel, HookAdapter, HookCall, Moment, ToolUse } from '../hooks.ts'
import { isObject, numberOf, objectOf, parseJson, textOf, type JsonObject } from '../shared/json.ts'
import { commandResult, otherResult } from './results.ts'
import { toolUseOf } from './tools.ts'

const EVENTS = ['message_submit', 'tool_call_before', 'tool_call_after', 'session_end']

/** A message's replacement may have 32,000 characters in all (0.8.58–0.10). */
const MESSAGE_MOST = 32_000
const MESSAGE_ROOM = 8_000
/** A tool's context is cut at 2,000; we stay below. */
const TOOL_ROOM = 1_900
/** Less than this holds no frame worth reading. */
const ROOM_LEAST = 200

/** CodeWhale marks what it cut of a variable's value. */
const CUT = '...[truncated]'

type MomentBase = Pick<Moment, 'agentSession' | 'sessionIsTranscript' | 'transcriptPath' | 'workspace' | 'subagent'>

export const hooks: HookAdapter = {
  environment: [
    'CODEWHALE_SESSION_ID',
    'DEEPSEEK_SESSION_ID',
    'DEEPSEEK_WORKSPACE',
    'DEEPSEEK_TOOL_NAME',
    'CODEWHALE_TOOL_CALL_ID',
    'DEEPSEEK_TOOL_CALL_ID',
    'DEEPSEEK_TOOL_ARGS',
    'DEEPSEEK_TOOL_RESULT',
    'DEEPSEEK_TOOL_SUCCESS',
    'DEEPSEEK_TOOL_STATUS',
    'DEEPSEEK_TOOL_EXIT_CODE',
    'DEEPSEEK_TOOL_EXECUTION_RECEIPT',
    'DEJA_RECALL',
  ],
  // `sess_…` for one launch; the transcript has a UUID (all versions).
  bindsByText: true,
  // What session_start prints is discarded.
  digestAtStart: false,
  parse,
  channel,
  render,
}

function parse(call: HookCall): Moment | null {
  if (!EVENTS.includes(call.event)) return null
  const stdin = objectOf(parseJson(call.stdin))
  const agentSession = textOf(stdin.session_id) ?? variable(call, 'CODEWHALE_SESSION_ID', 'DEEPSEEK_SESSION_ID')
  if (agentSession === null) return null
  const workspace = textOf(stdin.workspace) ?? variable(call, 'DEEPSEEK_WORKSPACE')
  const base: MomentBase = {
    agentSession,
    sessionIsTranscript: false,
    transcriptPath: null,
    workspace,
    subagent: false,
  }
  switch (call.event) {
    case 'message_submit': {
      const text = typeof stdin.text === 'string' ? stdin.text : null
      return text === null ? null : { ...base, type: 'prompt', text, cut: stdin.text_truncated === true }
    }
    case 'tool_call_before': {
      const tool = variable(call, 'DEEPSEEK_TOOL_NAME')
      if (tool === null) return null
      const args = variable(call, 'DEEPSEEK_TOOL_ARGS') ?? ''
      return { ...base, type: 'before-tool', callId: callId(call, stdin), tool: toolUseOf(tool, args, workspace) }
    }
    case 'tool_call_after':
      return { ...base, type: 'after-tool', callId: callId(call, stdin), ...whatCame(call, stdin) }
    default:
      return { ...base, type: 'session-end' }
  }
}

function variable(call: HookCall, ...names: string[]): string | null {
  for (const name of names) {
    const value = textOf(call.env[name])
    if (value !== null) return value
  }
  return null
}

function callId(call: HookCall, stdin: JsonObject): string | null {
  return textOf(stdin.tool_call_id) ?? variable(call, 'CODEWHALE_TOOL_CALL_ID', 'DEEPSEEK_TOOL_CALL_ID')
}

interface WhatCame {
  tool: ToolUse | null
  outcome: Outcome
  exitCode: number | null
  output: string
  swallowed: boolean
}

/** What became of a call: by its receipt (0.10.1, shells only), else by the environment. */
function whatCame(call: HookCall, stdin: JsonObject): WhatCame {
  const tool = textOf(stdin.tool_name) ?? variable(call, 'DEEPSEEK_TOOL_NAME') ?? ''
  const fromEnvironment = environmentResult(call, tool)
  const receipt = isObject(stdin.execution_receipt) ? stdin.execution_receipt : null
  const fallback = parseJson(variable(call, 'DEEPSEEK_TOOL_EXECUTION_RECEIPT') ?? '')
  const known = receipt ?? (isObject(fallback) ? fallback : null)
  if (known === null) return fromEnvironment
  const command = known.command_truncated === true ? null : textOf(known.command)
  const exitCode = numberOf(known.exit_code) ?? numberOf(Number(variable(call, 'DEEPSEEK_TOOL_EXIT_CODE') ?? NaN))
  const started = known.execution === undefined || known.execution === 'started'
  const ended = textOf(known.completion) ?? textOf(known.state)
  const output = [textOf(known.stdout), textOf(known.stderr)].filter(text => text !== null).join('\n')
  return {
    tool: command === null ? null : { type: 'command', command },
    outcome: started ? receiptOutcome(exitCode, ended) : 'unknown',
    exitCode: started ? exitCode : null,
    output: output === '' ? fromEnvironment.output : output,
    swallowed: fromEnvironment.swallowed || !started,
  }
}

function receiptOutcome(exitCode: number | null, ended: string | null): Outcome {
  if (exitCode !== null) return exitCode === 0 ? 'ok' : 'failed'
  if (ended === 'failed' || ended === 'timed_out') return 'failed'
  return ended === 'completed' ? 'ok' : 'unknown'
}

/** 0.9 gives neither arguments nor a code: the text's tail tells the code, unless more than 10,000 bytes cut it off. */
function environmentResult(call: HookCall, tool: string): WhatCame {
  const whole = variable(call, 'DEEPSEEK_TOOL_RESULT') ?? ''
  const cut = whole.endsWith(CUT)
  const text = whole.slice(0, cut ? -CUT.length : undefined).replace(/^Failed to execute tool: /, '')
  const failed =
    variable(call, 'DEEPSEEK_TOOL_SUCCESS') === 'false' || variable(call, 'DEEPSEEK_TOOL_STATUS') === 'failed'
  const shell = SHELLS[tool]
  // An old shell's failure is a result like any other; `bash` and all the rest fail by an error, which drops the context.
  const isError = failed && (shell !== 'classic' || whole.startsWith('Failed to execute tool: '))
  const result = shell === undefined ? otherResult(text, isError) : commandResult(shell, text, isError)
  const code = numberOf(Number(variable(call, 'DEEPSEEK_TOOL_EXIT_CODE') ?? NaN))
  const known = { tool: null, output: result.output, swallowed: isError }
  if (code !== null) return { ...known, exitCode: code, outcome: code === 0 ? 'ok' : 'failed' }
  // Where the tail is cut off, so much output says that it ran.
  if (shell !== undefined && failed && cut) return { ...known, exitCode: null, outcome: 'failed' }
  return { ...known, exitCode: result.exitCode, outcome: shell === undefined && isError ? 'failed' : result.outcome }
}

const SHELLS: Readonly<Record<string, 'primitive' | 'classic' | 'detached'>> = {
  bash: 'primitive',
  Bash: 'classic',
  exec_shell: 'classic',
  'terminal/run': 'detached',
  task_shell_start: 'detached',
}

const SILENT: Channel = { room: 0, carries: [] }

function channel(moment: Moment): Channel {
  if (moment.type === 'prompt') {
    // A cut text can't be given back whole, so nothing is said with it.
    const room = Math.min(MESSAGE_ROOM, MESSAGE_MOST - moment.text.length - 2)
    if (moment.cut || room < ROOM_LEAST) return SILENT
    return { room, carries: ['digest', 'recall', 'fix', 'hint', 'packet'] }
  }
  if (moment.type === 'before-tool') {
    return { room: TOOL_ROOM, carries: ['hint', 'fix', 'packet'], packetRoom: TOOL_ROOM }
  }
  // What tool_call_after and session_end print is ignored.
  return SILENT
}

function render(moment: Moment, frame: string): string {
  if (frame === '' || channel(moment).room === 0) return ''
  // The text replaces the person's: their words come first, byte for byte.
  if (moment.type === 'prompt') return JSON.stringify({ text: `${moment.text}\n\n${frame}` })
  return JSON.stringify({ additionalContext: frame })
}
