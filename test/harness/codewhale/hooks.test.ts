import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { hooks } from '../../../src/harness/codewhale/hooks.ts'
import type { HookCall, Moment } from '../../../src/harness/hooks.ts'

const directory = new URL('../../../fixtures/codewhale/hooks/', import.meta.url).pathname
const frame = '<deja-recall>\nHistory.\n</deja-recall>'

/** A fixture's call, as CodeWhale would make it. */
function fixture(name: string, event: string, more: { stdin?: object; env?: Record<string, string> } = {}): HookCall {
  const { stdin, env } = JSON.parse(readFileSync(`${directory}${name}.json`, 'utf8')) as {
    stdin: object | ''
    env: Record<string, string>
  }
  const body =
    stdin === '' && more.stdin === undefined ? '' : JSON.stringify({ ...(stdin || {}), ...more.stdin }) + '\n'
  return { event, stdin: body, env: { ...env, ...more.env } }
}

function momentOf(call: HookCall): Moment {
  const moment = hooks.parse(call)
  if (moment === null) throw new Error(`${call.event} is no moment`)
  return moment
}

const base = {
  agentSession: 'sess_3fa9c1d2',
  sessionIsTranscript: false,
  transcriptPath: null,
  workspace: '/home/dev/work/tidewatch',
  subagent: false,
}

describe('message_submit', () => {
  const call = fixture('message_submit', 'message_submit')

  test('is a prompt', () => {
    const text = 'Why did the tide parser drop rows?'
    expect(momentOf(call)).toEqual({ ...base, type: 'prompt', text, cut: false })
    expect(hooks.channel(momentOf(call))).toMatchObject({ room: 8000 })
    expect(hooks.channel(momentOf(call)).carries).toContain('packet')
  })

  test("gives the person's words back byte for byte, the frame behind them", () => {
    const text = '  Naïve “q”\r\n\t$(id) \\n \u{1F30A} \ud800 <x> \u2028 '
    const awkward = fixture('message_submit', 'message_submit', { stdin: { text } })
    const answer = JSON.parse(hooks.render(momentOf(awkward), frame, awkward)) as Record<string, string>
    expect(answer).toEqual({ text: `${text}\n\n${frame}` })
  })

  test('a text that was cut is left alone', () => {
    const cut = fixture('message_submit', 'message_submit', { stdin: { text_truncated: true } })
    expect(hooks.channel(momentOf(cut)).room).toBe(0)
    expect(hooks.render(momentOf(cut), frame, cut)).toBe('')
  })

  test('a long text leaves as much room as CodeWhale takes in all', () => {
    const long = (length: number): number =>
      hooks.channel(momentOf(fixture('message_submit', 'message_submit', { stdin: { text: 'x'.repeat(length) } }))).room
    expect(long(20_000)).toBe(8000)
    expect(long(30_000)).toBe(1998)
    expect(long(31_990)).toBe(0)
  })

  test('without its session in the payload, the environment names it; without either it is nothing', () => {
    const bare = { event: 'message_submit', stdin: '{"text":"x"}', env: { DEEPSEEK_SESSION_ID: 'sess_0' } }
    expect(momentOf(bare)).toMatchObject({ agentSession: 'sess_0', workspace: null, text: 'x' })
    expect(hooks.parse({ ...bare, env: {} })).toBe(null)
  })
})

describe('tool_call_before', () => {
  const before = (name: string, args: string): Moment =>
    momentOf(
      fixture('tool_call_before', 'tool_call_before', { env: { DEEPSEEK_TOOL_NAME: name, DEEPSEEK_TOOL_ARGS: args } }),
    )

  test('tells what is about to run', () => {
    const call = fixture('tool_call_before', 'tool_call_before')
    const tool = { type: 'command', command: 'python -m pytest -q' }
    expect(momentOf(call)).toEqual({ ...base, type: 'before-tool', callId: 'toolu_b04', tool })
    expect(hooks.channel(momentOf(call))).toEqual({
      room: 1900,
      carries: ['hint', 'fix', 'packet'],
      packetRoom: 1900,
    })
    expect(JSON.parse(hooks.render(momentOf(call), frame, call))).toEqual({ additionalContext: frame })
  })

  const at = (path: string, changes: boolean): unknown => ({
    type: 'file',
    path: `/home/dev/work/tidewatch/${path}`,
    changes,
  })
  test.each([
    ['edit', '{"path":"src/a.py","edits":[{"oldText":"a","newText":"b"}]}', at('src/a.py', true)],
    ['read', '{"path":"src/a.py"}', at('src/a.py', false)],
    ['apply_patch', '{"patch":"--- a/b.py\\n+++ b/b.py\\n@@ -1 +1 @@\\n-1\\n+2\\n"}', at('b.py', true)],
    ['fim_edit', '{"path":"c.py","prefix_anchor":"x","suffix_anchor":"y"}', at('c.py', true)],
    ['write', '{"path":"d.py","content":"xxxx...[truncated]', at('d.py', true)],
    ['edit', '{"path":"d.py","edits":[{"oldText":"x...[truncated]', at('d.py', true)],
    ['bash', '{"command":"make...[truncated]', { type: 'other' }],
    ['grep_files', '{"pattern":"x"}', { type: 'other' }],
    ['mcp_deja_deja', '{"mode":"recall"}', { type: 'other' }],
    ['bash', 'null', { type: 'other' }],
  ])('%s %s', (name, args, tool) => expect(before(name, args)).toMatchObject({ tool }))
})

describe('tool_call_after', () => {
  test('0.10.1: the receipt tells the command and its code; a failing bash swallowed its context', () => {
    const moment = momentOf(fixture('tool_call_after.failed_bash.0.10', 'tool_call_after'))
    expect(moment).toEqual({
      ...base,
      workspace: '/home/dev/work/tidewatch',
      type: 'after-tool',
      callId: 'toolu_b04',
      tool: { type: 'command', command: 'python -m pytest -q tests/test_tz.py' },
      outcome: 'failed',
      exitCode: 2,
      output: "E   ModuleNotFoundError: No module named 'src'\n",
      swallowed: true,
    })
    expect(hooks.channel(moment).room).toBe(0)
    expect(hooks.render(moment, frame, fixture('tool_call_after.failed_bash.0.10', 'tool_call_after'))).toBe('')
  })

  test('0.10.0: the receipt in the environment alone will do', () => {
    const call = fixture('tool_call_after.failed_bash.0.10', 'tool_call_after')
    expect(momentOf({ ...call, stdin: '' })).toMatchObject({
      exitCode: 2,
      outcome: 'failed',
      tool: { type: 'command' },
    })
  })

  test("0.9: the text's tail tells the code", () => {
    expect(momentOf(fixture('tool_call_after.failed_bash.0.9', 'tool_call_after'))).toMatchObject({
      callId: 'toolu_b04',
      tool: null,
      outcome: 'failed',
      exitCode: 2,
      output: "E   ModuleNotFoundError: No module named 'src'\n1 error in 0.08s",
      swallowed: true,
    })
  })

  const after = (name: string, result: string, success: string): Moment => {
    return momentOf(
      fixture('tool_call_after.failed_bash.0.9', 'tool_call_after', {
        env: { DEEPSEEK_TOOL_NAME: name, DEEPSEEK_TOOL_RESULT: result, DEEPSEEK_TOOL_SUCCESS: success },
      }),
    )
  }
  test.each([
    [
      'a tail that was cut off',
      'bash',
      `Failed to execute tool: ${'x'.repeat(9000)}...[truncated]`,
      'false',
      'failed',
      null,
      true,
    ],
    ['a success', 'bash', 'fine', 'true', 'ok', 0, false],
    ['a denial', 'bash', "Failed to execute tool: tool 'bash' was denied by user", 'false', 'unknown', null, true],
    [
      'an old shell that failed',
      'exec_shell',
      'Command failed (exit code 4)\n\nSTDOUT:\nx',
      'false',
      'failed',
      4,
      false,
    ],
    ['a terminal', 'terminal/run', 'text', 'true', 'unknown', null, false],
    ['an edit that failed', 'edit', 'Failed to execute tool: no such file', 'false', 'failed', null, true],
    ['an edit', 'edit', 'Successfully replaced 1 block(s) in a.', 'true', 'ok', null, false],
  ])('0.9: %s', (_, name, result, success, outcome, exitCode, swallowed) => {
    expect(after(name, result, success)).toMatchObject({ outcome, exitCode, swallowed })
  })
})

test('session_end', () => {
  const moment = momentOf(fixture('session_end', 'session_end'))
  expect(moment).toEqual({ ...base, type: 'session-end' })
  expect(hooks.channel(moment).room).toBe(0)
})

test.each([
  ['session_start', ''],
  ['turn_end', '{}'],
  ['message_submit', ''],
  ['message_submit', '{'],
  ['message_submit', '[]'],
  ['message_submit', '{"text":5}'],
  ['tool_call_before', ''],
  ['', ''],
])('%s with %j is nothing for us', (event, stdin) => {
  expect(hooks.parse({ event, stdin, env: { DEEPSEEK_SESSION_ID: 'sess_0' } })).toBe(null)
})
