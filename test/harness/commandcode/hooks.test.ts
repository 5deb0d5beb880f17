import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hooks } from '../../../src/harness/commandcode/hooks.ts'
import type { HookCall } from '../../../src/harness/hooks.ts'

const session = '3f9a6c1e-6b0e-4a55-9d0c-1d6f0a7b2c11'
const captured = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/commandcode/hooks/${name}.stdin.json`, import.meta.url), 'utf8')

const call = (event: string, stdin: unknown, env: Record<string, string> = {}): HookCall => {
  return { event, stdin: typeof stdin === 'string' ? stdin : JSON.stringify(stdin), env }
}
const base = {
  agentSession: session,
  sessionIsTranscript: true,
  transcriptPath: `/home/dev/.commandcode/projects/home-dev-acme-api/${session}.jsonl`,
  workspace: '/home/dev/acme-api',
  subagent: false,
}

describe('events as moments', () => {
  it('SessionStart', () => {
    const moment = hooks.parse(call('SessionStart', captured('session-start')))
    expect(moment).toEqual({ ...base, type: 'session-start', source: 'startup' })
  })

  it('PreToolUse of a command, with its arguments', () => {
    const moment = hooks.parse(call('PreToolUse', captured('pre-tool-use')))
    const tool = { type: 'command', command: "npm test -- 'rate limit'" }
    expect(moment).toEqual({ ...base, type: 'before-tool', callId: 'call_1', tool })
  })

  it('PreToolUse of an edit with old field names', () => {
    const moment = hooks.parse(call('PreToolUse', captured('pre-tool-use-edit-camel')))
    const tool = { type: 'file', path: '/home/dev/acme-api/a.ts', changes: true }
    expect(moment).toEqual({ ...base, type: 'before-tool', callId: 'call_2', tool })
  })

  it('PostToolUse of a command that failed', () => {
    const moment = hooks.parse(call('PostToolUse', captured('post-tool-use')))
    expect(moment).toEqual({
      ...base,
      type: 'after-tool',
      callId: 'call_1',
      tool: { type: 'command', command: 'npm test' },
      outcome: 'failed',
      exitCode: 1,
      output: 'fail',
      swallowed: false,
    })
  })

  it('PostToolUse of a search, a read and a failed edit', () => {
    const after = (tool_name: string, tool_input: unknown, tool_response: string) => {
      const stdin = { session_id: session, cwd: '/home/dev/acme-api', tool_name, tool_input, tool_response }
      return hooks.parse(call('PostToolUse', stdin))
    }
    expect(after('grep', { pattern: 'x' }, 'No matches found')).toMatchObject({
      tool: { type: 'other' },
      outcome: 'unknown',
    })
    expect(after('read_file', { file_path: 'src/a.ts' }, 'Read 1/1 file, 1 lines\n1: x')).toMatchObject({
      tool: { type: 'file', path: '/home/dev/acme-api/src/a.ts', changes: false },
      outcome: 'ok',
    })
    expect(after('edit_file', { file_path: 'a.ts', old_string: 'x' }, 'No occurrences of x')).toMatchObject({
      tool: { type: 'file', changes: true },
      outcome: 'failed',
    })
    expect(after('shell_command', { command: 'grep x y' }, 'Exit code: 1 (No matches found)')).toMatchObject({
      outcome: 'ok',
      exitCode: 1,
    })
  })

  it('the mod: a prompt without its envelopes, a replay, an end', () => {
    const prompt = '<ide-context>x</ide-context>\nWhy is it slow?'
    const asked = { session_id: session, cwd: '/home/dev/acme-api', prompt, message_id: 'm1' }
    const moment = {
      ...base,
      transcriptPath: null,
      type: 'prompt',
      text: 'Why is it slow?',
      cut: false,
      messageId: 'm1',
    }
    expect(hooks.parse(call('prompt', asked))).toEqual(moment)
    expect(hooks.parse(call('prompt', { ...asked, replay: true }))).toEqual({ ...moment, replay: true })
    expect(hooks.parse(call('session-end', { session_id: session }))).toMatchObject({ type: 'session-end' })
  })

  it('nothing of others, and nothing malformed', () => {
    expect(hooks.parse(call('Stop', captured('stop')))).toBeNull()
    expect(hooks.parse(call('PreToolUse', '{"session_id":'))).toBeNull()
    expect(hooks.parse(call('PreToolUse', '[]'))).toBeNull()
    expect(hooks.parse(call('PreToolUse', ''))).toBeNull()
    for (const stdin of ['{"session_id":7}', '{"session_id":"x","tool_input":7,"tool_name":{}}']) {
      for (const event of ['SessionStart', 'PreToolUse', 'PostToolUse', 'prompt', 'session-end']) {
        expect(() => hooks.parse(call(event, stdin))).not.toThrow()
      }
    }
  })

  it('takes the session from the environment where stdin brought nothing', () => {
    const env = { COMMANDCODE_SESSION_ID: session, COMMANDCODE_CWD: '/home/dev/acme-api' }
    expect(hooks.parse(call('SessionStart', '', env))).toMatchObject({ agentSession: session, type: 'session-start' })
  })
})

describe('replies', () => {
  it('are what the client takes, and stay out of its log', () => {
    for (const event of ['SessionStart', 'PreToolUse', 'PostToolUse']) {
      const given = call(event, captured(event === 'SessionStart' ? 'session-start' : 'post-tool-use'))
      const moment = hooks.parse(given)
      if (moment === null) throw new Error(event)
      expect(JSON.parse(hooks.render(moment, 'a frame', given))).toEqual({
        suppressOutput: true,
        hookSpecificOutput: { hookEventName: event, additionalContext: 'a frame' },
      })
      expect(hooks.render(moment, '', given)).toBe('')
      expect(hooks.channel(moment).room).toBeLessThan(3_000)
    }
  })

  it('are the frame alone for the mod, and none at the end', () => {
    const asked = call('prompt', { session_id: session, prompt: 'x' })
    const ended = call('session-end', { session_id: session })
    const [prompt, end] = [hooks.parse(asked), hooks.parse(ended)]
    expect(prompt && hooks.render(prompt, 'a frame', asked)).toBe('a frame')
    expect(end && hooks.render(end, 'a frame', ended)).toBe('')
  })
})
