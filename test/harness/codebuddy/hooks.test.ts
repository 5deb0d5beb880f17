import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hooks } from '../../../src/harness/codebuddy/hooks.ts'
import { fixtures } from './fixture.ts'
import type { HookCall } from '../../../src/harness/hooks.ts'

interface Captured {
  stdin: Record<string, unknown>
  env: Record<string, string>
}

/** A captured event as the shim passes it on. */
function captured(name: string, more: object = {}): HookCall {
  const { stdin, env } = JSON.parse(readFileSync(join(fixtures, 'hooks', `${name}.json`), 'utf8')) as Captured
  const passed = Object.fromEntries(Object.entries(env).filter(([key]) => hooks.environment.includes(key)))
  return { event: name.split('.')[0] ?? '', stdin: JSON.stringify({ ...stdin, ...more }), env: passed }
}

const moment = (name: string, more: object = {}) => {
  const parsed = hooks.parse(captured(name, more))
  if (parsed === null) throw new Error(`${name} is no moment`)
  return parsed
}

describe('events as moments', () => {
  it('starts a session by its source, in the directory that the environment names', () => {
    for (const source of ['startup', 'resume', 'clear']) {
      expect(moment(`SessionStart.${source}`)).toMatchObject({
        type: 'session-start',
        source,
        workspace: '/home/dev/acme-api',
        sessionIsTranscript: true,
        subagent: false,
      })
    }
    expect(moment('SessionStart.compact')).toMatchObject({ type: 'compaction' })
  })

  it('takes a prompt as it was typed', () => {
    expect(moment('UserPromptSubmit')).toMatchObject({
      type: 'prompt',
      text: '[[scenario:error]] This request is refused.',
      cut: false,
      agentSession: 'c381950f-cced-4109-bfbd-9a06e137e05e',
    })
  })

  it('tells a command by its code, with standard error as its output', () => {
    expect(moment('PostToolUse.Bash.failed')).toMatchObject({
      type: 'after-tool',
      callId: 'call_0001_0',
      tool: { type: 'command', command: 'node test/retry.test.js' },
      outcome: 'failed',
      exitCode: 1,
      output: 'expected 5 attempts, got 3',
    })
    expect(moment('PostToolUse.Bash')).toMatchObject({ outcome: 'ok', exitCode: 0, output: '' })
    const signalled = { tool_response: { exitCode: null, signal: 'SIGKILL', tool_error_code: '8013' } }
    expect(moment('PostToolUse.Bash', signalled)).toMatchObject({ outcome: 'failed', exitCode: null })
    const refused = { tool_response: { is_error: true, tool_error_code: '8009', error: 'No.' } }
    expect(moment('PostToolUse.Bash', refused)).toMatchObject({ outcome: 'unknown', exitCode: null, output: 'No.' })
  })

  it('tells a file that was read or changed', () => {
    const path = '/home/dev/acme-api/src/retry.js'
    expect(moment('PostToolUse.Read')).toMatchObject({ tool: { type: 'file', path, changes: false }, outcome: 'ok' })
    expect(moment('PostToolUse.Edit')).toMatchObject({ tool: { type: 'file', path, changes: true }, outcome: 'ok' })
    expect(moment('PostToolUse.Write')).toMatchObject({ tool: { type: 'file', changes: true } })
    expect(moment('PostToolUse.Read.failed')).toMatchObject({ outcome: 'failed' })
    expect(moment('PostToolUseFailure.Edit')).toMatchObject({
      tool: { type: 'file', path, changes: true },
      outcome: 'failed',
      output: expect.stringContaining('has not been read yet') as string,
    })
    expect(moment('PostToolUseFailure.Edit', { is_interrupt: true })).toMatchObject({ outcome: 'unknown' })
  })

  it('has nothing to say about other tools, wrapped or not', () => {
    for (const name of ['Grep', 'Agent', 'Skill', 'ToolSearch', 'DeferExecuteTool', 'mcp__deja__search']) {
      expect(moment(`PostToolUse.${name}`), name).toMatchObject({ tool: { type: 'other' } })
    }
  })

  it("marks a sub-agent's events, whose transcript does not exist", () => {
    expect(moment('PostToolUse.Bash.in-subagent')).toMatchObject({ subagent: true, transcriptPath: null })
    expect(moment('PostToolUse.Bash.in-subagent', { agent_id: undefined })).toMatchObject({ subagent: true })
  })

  it('ends a session', () => {
    expect(moment('SessionEnd')).toMatchObject({ type: 'session-end' })
  })

  it('passes over every other event and whatever is malformed', () => {
    const mine = /^(?:SessionStart|UserPromptSubmit|PostToolUse|PostToolUseFailure|SessionEnd)\./
    for (const file of readdirSync(join(fixtures, 'hooks'))) {
      if (!mine.test(file)) expect(hooks.parse(captured(file.replace('.json', ''))), file).toBeNull()
    }
    for (const stdin of ['', '{', '[]', 'null', '{"session_id":7}', '{"session_id":"a"}']) {
      expect(hooks.parse({ event: 'PostToolUse', stdin, env: {} }), stdin).toBeNull()
    }
  })
})

describe('replies', () => {
  it('name the event that they answer', () => {
    for (const name of [
      'SessionStart.startup',
      'SessionStart.compact',
      'UserPromptSubmit',
      'PostToolUseFailure.Edit',
    ]) {
      const reply = hooks.render(moment(name), '<deja-recall>"x"\n</deja-recall>', captured(name))
      expect(JSON.parse(reply)).toEqual({
        hookSpecificOutput: {
          hookEventName: name.split('.')[0],
          additionalContext: '<deja-recall>"x"\n</deja-recall>',
        },
      })
    }
  })

  it('are no byte at all where nothing is said or nothing would arrive', () => {
    expect(hooks.render(moment('UserPromptSubmit'), '', captured('UserPromptSubmit'))).toBe('')
    expect(hooks.render(moment('SessionStart.resume'), 'x', captured('SessionStart.resume'))).toBe('')
    expect(hooks.render(moment('SessionEnd'), 'x', captured('SessionEnd'))).toBe('')
  })

  it('leave the digest of a resumed session to its first prompt', () => {
    expect(hooks.channel(moment('SessionStart.resume')).carries).toEqual([])
    expect(hooks.channel(moment('SessionStart.clear')).carries).toContain('digest')
    expect(hooks.channel(moment('UserPromptSubmit'))).toMatchObject({ room: 8_000 })
    expect(hooks.channel(moment('UserPromptSubmit')).carries).toEqual(
      expect.arrayContaining(['digest', 'recall', 'packet']),
    )
  })

  it('carry hints and fixes after a tool, and packets only to their owner', () => {
    expect(hooks.channel(moment('PostToolUse.Edit')).carries).toEqual(['packet', 'fix', 'hint'])
    expect(hooks.channel(moment('PostToolUse.Bash.in-subagent')).carries).toEqual(['fix', 'hint'])
    expect(hooks.channel(moment('SessionStart.compact')).carries).toEqual(['packet'])
  })
})
