import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { field, framed, House } from './house.ts'

let house: House

const context = (out: string): string => {
  const text = field(field(out, 'hookSpecificOutput'), 'additionalContext')
  return typeof text === 'string' ? text : ''
}

afterEach(() => house.end())

describe('Command Code', () => {
  const session = '3f9a6c1e-6b0e-4a55-9d0c-1d6f0a7b2c11'
  const payload = (event: string, more: object = {}): object => ({
    session_id: session,
    transcript_path: `/home/dev/.commandcode/projects/home-dev-acme-api/${session}.jsonl`,
    cwd: '/home/dev/acme-api',
    hook_event_name: event,
    permission_mode: 'default',
    ...more,
  })
  const hook = (event: string, more: object = {}, arrives: 'given' | 'owed' | 'open' = 'given'): Promise<string> =>
    house.hook('commandcode', { event, stdin: JSON.stringify(payload(event, more)), env: {} }, arrives)
  const shell = (id: string, tool_input: object, more: object = {}): Promise<string> =>
    hook('tool_response' in more ? 'PostToolUse' : 'PreToolUse', {
      tool_use_id: id,
      tool_name: 'shell_command',
      tool_display_name: 'SHELL',
      tool_input,
      ...more,
    })

  beforeEach(async () => {
    house = new House()
    house.fixture('commandcode/projects', '.commandcode/projects')
    house.age('.commandcode/projects')
    await house.open()
  })

  it('gets the digest at its start, the file’s history before a change, the fix after a failure', async () => {
    const digest = context(await hook('SessionStart', { source: 'startup' }))
    expect(framed(digest)).toMatch(/limiter|export|docker/i)
    expect(Array.from(digest).length).toBeLessThanOrEqual(2400)
    const hint = context(
      await hook('PreToolUse', {
        tool_use_id: 'call_1',
        tool_name: 'edit_file',
        tool_display_name: 'EDIT',
        tool_input: { file_path: '/home/dev/acme-api/sql/export.sql', old_string: 'a', new_string: 'b' },
      }),
    )
    expect(framed(hint)).toMatch(/export\.sql/)
    const failure =
      'Exit code: 1\n\n> acme-api@1.4.0 test\n> vitest run limiter\n\n FAIL  src/limiter.test.ts > burst > rejects the 11th call\nAssertionError: expected 429, got 200\n    at src/limiter.test.ts:44:18'
    const fix = context(
      await shell('call_2', { command: 'npm', args: ['test', '--', 'limiter'] }, { tool_response: failure }),
    )
    expect(framed(fix)).toMatch(/hits \+= 1|src\/limiter\.ts/)
    expect(Array.from(fix).length).toBeLessThanOrEqual(500)
    expect(await shell('call_3', { command: 'ls' })).toBe('')
    expect(await shell('call_4', { command: 'ls' }, { tool_response: 'src' })).toBe('')
  })

  it('parks a fix that did not arrive, and drops it when the command has passed meanwhile', async () => {
    const failed = {
      tool_response: 'Exit code: 1\n\nAssertionError: expected 429, got 200\n    at src/limiter.test.ts:44:18',
    }
    const input = { command: 'npm test -- limiter' }
    await hook('PostToolUse', { tool_use_id: 'c1', tool_name: 'shell_command', tool_input: input, ...failed }, 'owed')
    expect(context(await shell('c2', { command: 'ls' }))).toMatch(/limiter\.ts/)
    await hook(
      'PostToolUse',
      { session_id: 'other', tool_use_id: 'c3', tool_name: 'shell_command', tool_input: input, ...failed },
      'owed',
    )
    await hook('PostToolUse', {
      session_id: 'other',
      tool_use_id: 'c4',
      tool_name: 'shell_command',
      tool_input: input,
      tool_response: 'ok',
    })
    expect(
      await hook('PreToolUse', {
        session_id: 'other',
        tool_use_id: 'c5',
        tool_name: 'shell_command',
        tool_input: { command: 'ls' },
      }),
    ).toBe('')
  })

  it('gets its packet at the next tool after a compaction line, once', async () => {
    const id = '8b7fb59c-3402-43e2-aa5a-a578e5f624dd'
    const transcript = join(house.home, `.commandcode/projects/home-dev-acme-api/${id}.jsonl`)
    const ask = (call: string): Promise<string> =>
      hook('PreToolUse', {
        session_id: id,
        transcript_path: transcript,
        tool_use_id: call,
        tool_name: 'shell_command',
        tool_display_name: 'SHELL',
        tool_input: { command: 'ls -la' },
      })
    expect(await ask('call_0')).toBe('')
    const last = readFileSync(transcript, 'utf8').trimEnd().split('\n').at(-1) ?? ''
    appendFileSync(
      transcript,
      `${JSON.stringify({ type: 'compaction', id: 'c0c0c0c0', parentId: field(last, 'id'), timestamp: new Date().toISOString(), summary: 'Left join work.', firstKeptEntryId: field(last, 'id'), tokensBefore: 90000 })}\n`,
    )
    const packet = context(await ask('call_1'))
    expect(framed(packet)).toMatch(/left join/i)
    expect(packet).toMatch(/sql\/export\.sql/)
    expect(Array.from(packet).length).toBeLessThan(3000)
    expect(await ask('call_2')).toBe('')
  })

  it('gives a message the same bytes again, also after a restart; one that went out without stays without', async () => {
    const ask = (
      message_id: string,
      prompt: string,
      more: object = {},
      arrives: 'given' | 'owed' = 'given',
    ): Promise<string> => hook('prompt', { prompt, message_id, ...more }, arrives)
    await hook('SessionStart', { source: 'startup' })
    const question = 'Why did the nightly export skip customers without a VAT id?'
    const block = await ask('m1', question)
    expect(framed(block)).toMatch(/left join|tax_profile/i)
    expect(await ask('m1', question)).toBe(block)
    await house.reopen()
    expect(await ask('m1', question)).toBe(block)
    const other = 'What made the rate limiter test fail on CI with expected 429, got 200?'
    expect(await ask('m2', other, {}, 'owed')).not.toBe('')
    expect(await ask('m2', other)).toBe('')
    expect(await ask('m3', 'Why is the cache key different on every request?', { replay: true })).toBe('')
    expect(await ask('m3', 'Why is the cache key different on every request?')).toBe('')
  })

  it('answers the same event from two wirings once', async () => {
    const start = await Promise.all([
      hook('SessionStart', { source: 'startup' }),
      hook('SessionStart', { source: 'startup' }),
    ])
    expect(start.filter(out => out !== '')).toHaveLength(1)
  })

  it('recalls what another session settled, not the asker’s own', async () => {
    const answer = await hook('prompt', {
      session_id: '8b7fb59c-3402-43e2-aa5a-a578e5f624dd',
      prompt: 'Why does the nightly export skip customers without a VAT id?',
    })
    expect(answer).not.toMatch(/8b7fb59c/)
  })
})

describe('CodeBuddy', () => {
  const id = '11111111-2222-4333-8444-555555555555'
  const hook = (event: string, more: object, arrives: 'given' | 'owed' = 'given'): Promise<string> =>
    house.hook(
      'codebuddy',
      {
        event,
        stdin: JSON.stringify({
          session_id: id,
          transcript_path: `/home/dev/.codebuddy/projects/home-dev-acme-api/${id}.jsonl`,
          permission_mode: 'default',
          hook_event_name: event,
          ...more,
        }),
        env: { CODEBUDDY_PROJECT_DIR: '/home/dev/acme-api' },
      },
      arrives,
    )

  beforeEach(async () => {
    house = new House()
    for (const name of ['tools', 'compact-auto', 'signals', 'big-output', 'missing-tool'])
      house.fixture(`codebuddy/${name}/projects`, '.codebuddy/projects')
    await house.open()
  })

  it('gets the digest at its start and recall with a prompt, and not a byte otherwise', async () => {
    expect(framed(context(await hook('SessionStart', { source: 'startup' })))).toMatch(/retry/i)
    for (const prompt of ['continue', 'thanks', 'write a haiku about spring rain in Kyoto'])
      expect(await hook('UserPromptSubmit', { cwd: '/home/dev/acme-api', prompt })).toBe('')
    const asked = context(
      await hook('UserPromptSubmit', {
        cwd: '/home/dev/acme-api',
        prompt: 'What did we set maxAttempts and delayMs to in src/retry.js?',
      }),
    )
    expect(framed(asked)).toMatch(/five attempts|maxAttempts = 5|delayMs = 100/)
  })

  it('gets the digest with the first prompt of a resumed session', async () => {
    expect(await hook('SessionStart', { source: 'resume' })).toBe('')
    expect(framed(context(await hook('UserPromptSubmit', { cwd: '/home/dev/acme-api', prompt: 'hello' })))).toMatch(
      /retry/i,
    )
  })

  it('speaks of a file after it was read or changed, since nothing arrives before', async () => {
    const read = (file_path: string): Promise<string> =>
      hook('PostToolUse', {
        cwd: '/home/dev/acme-api',
        tool_name: 'Read',
        tool_input: { file_path },
        tool_response: 'x',
        call_id: file_path,
      })
    expect(framed(context(await read('/home/dev/acme-api/src/retry.js')))).toMatch(/src\/retry\.js/)
    expect(await read('/home/dev/acme-api/src/other.js')).toBe('')
  })

  it('gets what fixed a failing command at once', async () => {
    const failed = {
      exitCode: 1,
      signal: null,
      interrupted: false,
      tool_error_code: '8002',
      is_error: true,
      error: 'expected 5 attempts, got 3\n',
    }
    const fix = await hook('PostToolUse', {
      cwd: '/home/dev/acme-api',
      tool_name: 'Bash',
      tool_input: { command: 'node test/retry.test.js' },
      tool_response: failed,
      call_id: 'c1',
    })
    expect(framed(context(fix))).toMatch(/src\/retry\.js/)
  })

  it('gets its packet when it says that it was compacted', async () => {
    const compacted = await house.hook('codebuddy', {
      event: 'SessionStart',
      stdin: JSON.stringify({
        session_id: '7e38c5a5-5bea-4110-9218-dfd3ec0e5702',
        hook_event_name: 'SessionStart',
        source: 'compact',
      }),
      env: { CODEBUDDY_PROJECT_DIR: '/home/dev/acme-api' },
    })
    const packet = framed(context(compacted))
    expect(packet).toMatch(/Raise the retry cap to five attempts/)
    expect(packet).toMatch(/node test\/retry\.test\.js`: passed/)
    expect(packet).toMatch(/src\/retry\.js/)
  })
})

it('WorkBuddy has the same moments in its own home', async () => {
  house = new House()
  house.fixture('codebuddy/tools/projects', '.workbuddy/projects')
  await house.open()
  const stdin = JSON.stringify({ session_id: 'w', hook_event_name: 'SessionStart', source: 'startup' })
  expect(
    framed(
      context(
        await house.hook('workbuddy', {
          event: 'SessionStart',
          stdin,
          env: { CODEBUDDY_PROJECT_DIR: '/home/dev/acme-api' },
        }),
      ),
    ),
  ).toMatch(/retry/i)
  writeFileSync(join(house.home, 'done'), '')
})
