import { describe, expect, test } from 'vitest'
import type { RecordDraft } from '../../../src/shared/model.ts'
import { agent, call, documentOf, meta, read, user, type Message } from './documents.ts'

function recordsOf(...messages: (Message | Message[])[]): RecordDraft[] {
  return read(documentOf([user('go'), ...messages.flat()])).records.slice(1)
}

function resultOf(tool: string, input: unknown, content: string, isError = false): RecordDraft[] {
  return recordsOf(call('c1', tool, input, content, isError))
}

describe('what became of a command', () => {
  test.each([
    // bash (0.9.6+): a failure is an error that ends with its code
    ['bash', '(no output)', false, 'ok', 0],
    ['bash', 'tail of fail.log\n\nCommand exited with code 2', false, 'ok', 0],
    ['bash', 'Error: no tests ran\n\n\nCommand exited with code 5', true, 'failed', 5],
    ['bash', 'Error: x\n\nCommand exited with code -1', true, 'failed', null],
    ['bash', 'Error: was denied by the server\n\nCommand exited with code 1', true, 'failed', 1],
    ['bash', 'Error: half\n\nCommand timed out after 60 seconds', true, 'failed', null],
    ['bash', 'Error: half\n\nCommand aborted', true, 'unknown', null],
    ['bash', "Error: Permission denied: tool 'bash' was denied by user", true, 'unknown', null],
    ['bash', "Error: policy denied tool 'bash'", true, 'unknown', null],
    ['bash', 'Error: Invalid input: missing field `command`\n\n{"expected":"…"}', true, 'unknown', null],
    ['bash', 'Tool call interrupted by process exit; terminal status: crashed_and_repaired.', true, 'unknown', null],
    [
      'bash',
      'Error: [bash output compacted to protect context]\nSnippet: a\n…\nCommand exited with code 7\n(Original: 9000 chars, omitted: 8000 chars.)',
      true,
      'failed',
      7,
    ],
    // exec_shell and Bash (to 0.9.5): no is_error, the first line says it
    ['exec_shell', 'fine\n\nSTDERR:\nwarning', false, 'ok', 0],
    ['exec_shell', 'Command failed (exit code 3)\n\nSTDOUT:\nx\n\nSTDERR:\ny', false, 'failed', 3],
    ['exec_shell', 'Command failed (exit code -1073741819, 0xC0000005)\n\nSTDERR:\ny', false, 'failed', -1073741819],
    ['exec_shell', 'Command failed (terminated by signal 9)\n\nSTDOUT:\n', false, 'failed', null],
    ['exec_shell', 'Command timed out after 120000ms; process killed.\n\nSTDOUT:\nx', false, 'failed', null],
    ['exec_shell', 'Command failed (exit code: Some(101))\n\nSTDOUT:\n\n\nSTDERR:\nx', false, 'failed', 101],
    ['exec_shell', 'Command failed (exit code: None)\n\nSTDOUT:\n\n\nSTDERR:\nx', false, 'failed', null],
    [
      'exec_shell',
      'Command timed out after 1000ms; process killed.\n\nForeground exec_shell is for bounded commands. The timed-out process was killed.\n\nSTDOUT:\nx\n\nSTDERR:\n',
      false,
      'failed',
      null,
    ],
    ['exec_shell', 'Command canceled; process killed.\n\nSTDOUT:\nhalf\n\nSTDERR:\n', false, 'unknown', null],
    [
      'exec_shell',
      'Python build dependency missing: setuptools is not available.\n\nCommand failed (exit code 1)\n\nSTDOUT:\n\n\nSTDERR:\nx',
      false,
      'failed',
      1,
    ],
    [
      'exec_shell',
      'Shell command blocked: Plan mode runs shell commands in a read-only sandbox.\n\nCommand failed (exit code 6)\n\nSTDOUT:\n\n\nSTDERR:\n',
      false,
      'failed',
      6,
    ],
    ['exec_shell', 'Shell command blocked by read-only shell policy. Switch to Act mode.', false, 'unknown', null],
    ['exec_shell', 'BLOCKED: This command was blocked for safety reasons.\n\nReasons: rm', false, 'unknown', null],
    ['exec_shell', 'Shell execution failed: No such file or directory', false, 'unknown', null],
    ['exec_shell', 'Command moved to background: shell_1\n\nPoll with exec_shell_wait.', false, 'unknown', null],
    ['Bash', 'Foreground shell wait moved to /jobs: shell_1\n\nReturns immediately.', false, 'unknown', null],
    ['exec_shell', 'Interactive command completed (exit code: Some(0))', false, 'ok', 0],
    ['exec_shell', 'Interactive command completed (exit code: Some(130))', false, 'failed', 130],
    ['exec_shell', 'Command failed (exit code 1) was what the log said', false, 'ok', 0],
    ['exec_shell', 'build log:\nCommand failed (exit code 1)\n\nSTDOUT:\n', false, 'ok', 0],
    ['exec_shell', 'Background task started: shell_1', false, 'unknown', null],
    ['exec_shell', 'access was denied by the proxy, retrying: done', false, 'ok', 0],
    ['exec_shell', "Error: tool 'exec_shell' was denied", true, 'unknown', null],
    ['Bash', 'Command failed (exit code 2)', false, 'failed', 2],
    ['terminal/run', 'make: *** [lint] Error 1', false, 'unknown', null],
    ['task_shell_start', 'Background task started: shell_2', false, 'unknown', null],
  ])('%s: %j', (tool, content, isError, outcome, exitCode) => {
    const [command] = resultOf(tool, { command: 'make' }, content, isError)
    expect(command).toMatchObject({ kind: 'command', command: 'make', tool, outcome, exitCode })
  })

  test('its output is what it printed, without what CodeWhale wrote around it', () => {
    const outputs = [
      resultOf('bash', { command: 'x' }, 'Error: one\n\n\nCommand exited with code 5', true),
      resultOf(
        'exec_shell',
        { command: 'x' },
        '[approval] This tool call required approval and was approved by the user before execution.\n\nCommand failed (exit code 1)\n\nSTDOUT:\ntwo\n\nSTDERR:\n',
      ),
      resultOf('bash', { command: 'x' }, 'three\n\n[hook context] a\nb\n\n[hook context] c'),
      resultOf('bash', { command: 'x' }, 'four\n\n[hook context] <deja-recall>\nold\n</deja-recall>'),
      resultOf(
        'exec_shell',
        { command: 'x' },
        '[exec_shell output compacted to protect context]\nSummary: s\nSnippet: five\n(Original: 9000 chars, omitted: 8000 chars.)',
      ),
    ].map(records => records.find(({ kind }) => kind === 'output')?.text)
    expect(outputs).toEqual(['one', 'two', 'three', 'four', 'five'])
  })

  test('what never ran printed nothing', () => {
    expect(resultOf('bash', { command: 'rm -rf x' }, "Error: tool 'bash' was denied by user", true)).toHaveLength(1)
  })

  test.each([
    ['Bash', { action: 'wait', task_id: 's' }],
    ['exec_shell_wait', { task_id: 's' }],
    ['exec_shell_interact', { task_id: 's', input: 'y' }],
    ['task_shell_wait', { task_id: 's' }],
    ['terminal/send', { command: 'y' }],
  ])('%s is no command of its own', (tool, input) => {
    expect(resultOf(tool, input, 'text').map(({ kind }) => kind)).toEqual(['output'])
  })

  test.each([
    ['agent', { action: 'start', type: 'explorer', prompt: 'p' }, 'explorer'],
    ['agent', { action: 'status', agent_id: 'a1' }, undefined],
    ['agent', { action: 'start', type: 'a\nb' }, undefined],
    ['load_skill', { name: 'release-notes' }, 'release-notes'],
  ])('%s %j tells its skill or its type', (tool, input, detail) => {
    expect(resultOf(tool, input, 'text')[0]?.detail).toBe(detail)
  })

  test('a background run of the old shells is not over with its result', () => {
    expect(resultOf('Bash', { command: 'serve', background: true }, 'listening')[0]).toMatchObject({
      outcome: 'unknown',
    })
  })
})

describe('what was changed', () => {
  const edit = (removed: string, added: string): unknown => ({ kind: 'edit', path: '/w/a.py', removed, added })
  test.each([
    ['edit', { path: 'a.py', edits: [{ oldText: '1', newText: '2' }] }, [edit('1', '2')]],
    ['edit', { path: 'a.py', edits: '[{"oldText":"1","newText":"2"}]' }, [edit('1', '2')]],
    [
      'edit',
      { path: 'a.py', edits: [{ oldText: '1', newText: '2' }], oldText: '3', newText: '4' },
      [edit('1', '2'), edit('3', '4')],
    ],
    ['edit', { path: 'a.py', oldText: '1', newText: '2' }, [edit('1', '2')]],
    ['edit_file', { path: 'a.py', search: '1', replace: '2' }, [edit('1', '2')]],
    ['edit_file', { file_path: '/w/a.py', old_string: '1', new_string: '' }, [edit('1', '')]],
    ['edit_file', { path: 'a.py', old_str: '1', new_str: '2' }, [edit('1', '2')]],
    ['File', { action: 'edit', path: 'a.py', search: '1', replace: '2' }, [edit('1', '2')]],
    ['File', { action: 'write', path: 'a.py', content: 'x' }, [{ kind: 'write', path: '/w/a.py', added: 'x' }]],
    [
      'File',
      { action: 'patch', replace: [{ path: 'a.py', content: 'x' }] },
      [{ kind: 'write', path: '/w/a.py', added: 'x' }],
    ],
    ['write', { path: './b/../a.py', content: 'x' }, [{ kind: 'write', path: '/w/a.py', added: 'x' }]],
    ['write_file', { path: 'a.py', content: '' }, [{ kind: 'write', path: '/w/a.py', added: '' }]],
    ['apply_patch', { patch: '--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+2\n' }, [edit('1', '2')]],
    ['apply_patch', { patch: '@@ -1 +1 @@\n-1\n+2\n', path: 'a.py' }, [edit('1', '2')]],
    ['apply_patch', { patch: '--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n' }, [edit('1', '')]],
    [
      'apply_patch',
      { patch: '--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x\n' },
      [{ kind: 'write', path: '/w/a.py', added: 'x' }],
    ],
    ['apply_patch', { changes: [{ path: 'a.py', content: 'x' }] }, [{ kind: 'write', path: '/w/a.py', added: 'x' }]],
  ])('%s %j', (tool, input, expected) => {
    const records = resultOf(tool, input, 'Done.')
    expect(records).toHaveLength(expected.length)
    expect(records).toMatchObject(expected.map(record => ({ ...(record as object), tool })))
    expect(resultOf(tool, input, 'Error: no such file', true).map(({ kind }) => kind)).toEqual(['output'])
  })

  test('a fim_edit gives what was generated', () => {
    const receipt = { success: true, path: 'a.py', generated_text: 'x = 1\n', prefix_end: 1, suffix_start: 1 }
    const input = { path: 'a.py', prefix_anchor: 'a', suffix_anchor: 'b' }
    expect(resultOf('fim_edit', input, JSON.stringify(receipt, null, 2))).toMatchObject([edit('', 'x = 1\n')])
    expect(resultOf('fim_edit', input, '{"success":false}').filter(({ kind }) => kind === 'edit')).toEqual([])
  })

  test('a patch that applied in part changed what its receipt names', () => {
    const patch = '--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+2\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-1\n+2\n'
    const receipt = { success: true, files_applied: 1, files_total: 2, touched_files: ['a.py'] }
    expect(resultOf('apply_patch', { patch }, JSON.stringify(receipt))).toMatchObject([edit('1', '2')])
    expect(resultOf('apply_patch', { patch }, JSON.stringify({ success: false })).map(({ kind }) => kind)).toEqual([
      'output',
    ])
  })

  test('a call without a result changed nothing', () => {
    const [asked] = call('c', 'write', { path: 'a.py', content: 'x' }, '')
    expect(recordsOf(asked ?? [])).toEqual([])
  })
})

describe('who said it', () => {
  const message = (role: string, ...texts: string[]): Message => ({
    role,
    content: texts.map(text => ({ type: 'text', text })),
  })

  test.each([
    ['a runtime event', message('user', '<codewhale:runtime_event kind="x">…</codewhale:runtime_event>')],
    ['runtime state', message('user', '<codewhale:runtime_state x>…')],
    ['a runtime note', message('user', '[runtime] queued')],
    ['a repair', message('user', '[tool_history_repair] Repaired 1 crashed tool call(s)')],
    ['a restoration', message('user', '[Codewhale restored 3 messages]')],
    [
      'a sub-agent',
      message(
        'user',
        'The tests pass.',
        '<turn_meta>\nInput provenance: subagent_handoff (non-authoritative)\n</turn_meta>',
      ),
    ],
    ['a branch summary', message('system', '[branch summary] regex')],
    ['a developer', message('developer', 'Be brief')],
    ['nobody', message('user', '  ', meta)],
    ['deja alone', message('user', '<deja-recall>\nold\n</deja-recall>', meta)],
  ])('%s: not the person', (_, one) => expect(recordsOf(one)).toEqual([]))

  test.each([
    ['Another language model started to solve this problem. It did half.'],
    ['# Conversation Summary (Auto-Generated)\n\nIt did half.'],
  ])('%s: a summary', text => expect(recordsOf(message('user', text))).toMatchObject([{ kind: 'summary', text }]))

  test('a lone block is what the person typed, whatever it looks like', () => {
    const lone = '<turn_meta>\nwhat is this?\n</turn_meta>'
    expect(recordsOf(message('user', lone))).toMatchObject([{ kind: 'prompt', text: lone }])
  })

  test('what follows an image is a notice', () => {
    const content = [
      { type: 'text', text: 'like this' },
      { type: 'image_url', image_url: { url: 'data:' } },
      { type: 'text', text: '[image omitted: the model takes none]' },
      { type: 'text', text: meta },
    ]
    expect(recordsOf({ role: 'user', content })).toMatchObject([{ kind: 'prompt', text: 'like this' }])
  })

  test("thoughts are nobody's answer", () => {
    const content = [
      { type: 'thinking', thinking: 'secretly' },
      { type: 'text', text: '<think>hm</think>Yes.' },
      { type: 'text', text: 'The `<think>` tag stays.' },
      { type: 'text', text: '<reasoning>never closed' },
    ]
    expect(recordsOf({ role: 'assistant', content })).toMatchObject([
      { kind: 'answer', text: 'Yes.' },
      { kind: 'answer', text: 'The `<think>` tag stays.' },
    ])
  })

  test("a server's own tool is one, its result any JSON", () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
      { type: 'code_execution_tool_result', tool_use_id: 's', content: [{ url: 'https://x.test' }] },
    ]
    expect(recordsOf({ role: 'assistant', content })).toMatchObject([
      { kind: 'output', tool: 'web_search', text: '[{"url":"https://x.test"}]' },
    ])
  })

  test('unknown blocks and roles pass by', () => {
    expect(recordsOf({ role: 'oracle', content: [{ type: 'omen' }] }, agent('ok'))).toMatchObject([{ text: 'ok' }])
  })
})

describe("deja's own words are no evidence", () => {
  test.each([
    ['its MCP tool', call('c', 'mcp_deja_deja', { mode: 'recall', query: 'x' }, 'secret recalled')],
    ['its skill', call('c', 'load_skill', { name: 'deja-history' }, 'secret recalled')],
    ['its JSON', call('c', 'read_file', {}, '{"schemaVersion":1,"query":"x","hits":["secret recalled"]}')],
    ['its command', call('c', 'bash', { command: 'cd /w && deja search gauge | head' }, 'secret recalled')],
    ['its frame, escaped', [agent('&lt;deja-recall&gt;secret recalled&lt;/deja-recall&gt;')]],
    ['its frame, unclosed', [agent('As it says: <deja-recall>\nsecret recalled')]],
    [
      'its frame in a file',
      call('c', 'write', { path: 'a', content: '<deja-recall>secret recalled</deja-recall>' }, 'ok'),
    ],
  ])('%s', (_, messages) => expect(JSON.stringify(recordsOf(messages))).not.toContain('secret recalled'))

  test('a title that the frame cut into is the words before it', () => {
    const titled = (title: string): unknown => read(documentOf([user('x')], { metadata: { title } })).session?.title
    expect(titled('Why so slow?\n\n<deja-recall>\nThis is hist...')).toBe('Why so slow?')
    expect(titled('Why is it so slow on my machine?\n\n<deja-rec...')).toBe('Why is it so slow on my machine?')
    expect(titled('New Session')).toBe(null)
  })
})

describe('cost', () => {
  const usage = (cost: unknown, more: Record<string, unknown> = {}): unknown => {
    return read(documentOf([user('x')], { metadata: { cost, ...more } })).usage[0]
  }

  test.each([
    [{ session_cost_usd: 0.2, subagent_cost_usd: 0.05, priced_turns: 2 }, 0.25, 'full'],
    [{ session_cost_usd: 0.2, unpriced_turns: 1 }, 0.2, 'part'],
    [{ session_cost_usd: 0.2, missing_usage_sources: { a: 1 } }, 0.2, 'part'],
    [{ session_cost_usd: 0, subagent_cost_usd: 0 }, 0, 'full'],
    [{ session_cost_usd: 0, unpriced_turns: 3 }, null, null],
    [{ session_cost_usd: 0, session_cost_cny: 1.5 }, null, 'elsewhere'],
    [{}, null, null],
  ])('%j', (cost, costUsd, costCoverage) => {
    expect(usage(cost)).toMatchObject({ scope: 'total', costUsd, costCoverage, tokens: { unsplit: 10, input: null } })
  })

  test('nothing is told of a session for which nothing was recorded', () => {
    expect(usage({ session_cost_usd: 0 }, { total_tokens: 0 })).toBe(undefined)
  })
})

test('a sub-agent shows its task, answer and edits; all or none of it when asked', () => {
  const metadata = { parent_session_id: 'p', spawn_depth: 1 }
  const { session, records } = read(
    documentOf([user('task'), ...call('c', 'bash', { command: 'make' }, 'x'), agent('done')], { metadata }),
  )
  expect([session?.kind, ...records.map(({ kind }) => kind)]).toEqual(['subagent', 'prompt', 'answer'])
})
