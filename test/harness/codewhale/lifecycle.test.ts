import { describe, expect, test } from 'vitest'
import { lifecycle } from '../../../src/harness/codewhale/lifecycle.ts'
import { store } from '../../../src/harness/codewhale/store.ts'
import type { KeptSession } from '../../../src/harness/lifecycle.ts'
import { applied, documentOf, agent, call, read, readAll, readFixture, user } from './documents.ts'

const id = '7c41e9d2-1f6b-4c0a-b7d5-93e8a2f05c32'
const path = `/h/.codewhale/sessions/${id}.json`

function kept(more: Partial<KeptSession> = {}): KeptSession {
  const { session } = readFixture(id)
  if (session === null) throw new Error('no session')
  return {
    ...session,
    harness: 'codewhale',
    path,
    root: '/h/.codewhale/sessions',
    paths: [path],
    deleted: false,
    ...more,
  }
}

describe('resume', () => {
  test('by id, in its workspace', () => {
    expect(lifecycle.resume(kept(), { directoryExists: true, platform: 'linux' })).toEqual({
      ok: true,
      command: ['codewhale', '--resume', id],
      directory: '/home/dev/work/tidewatch',
      note: null,
    })
  })

  test('where you are, and said so, when the workspace is gone', () => {
    const resume = lifecycle.resume(kept(), { directoryExists: false, platform: 'linux' })
    expect(resume).toMatchObject({ ok: true, directory: null })
    expect(resume.ok && resume.note).toContain('/home/dev/work/tidewatch')
  })

  test('not when its file is gone, nor a sub-agent', () => {
    const context = { directoryExists: true, platform: 'linux' } as const
    expect(lifecycle.resume(kept({ deleted: true }), context)).toMatchObject({ ok: false })
    const child = lifecycle.resume(kept({ kind: 'subagent', parentId: 'the-parent' }), context)
    expect(!child.ok && child.reason).toContain('the-parent')
  })
})

test('a session takes its sub-agents and all that stands under its id with it', () => {
  const files = lifecycle.files(kept({ subagents: ['child-1'] }), { HOME: '/h' })
  const root = '/h/.codewhale/sessions'
  expect(files).toEqual(expect.arrayContaining([`${root}/child-1.json`, `${root}/child-1`]))
  // Every companion that the store knows by a session's id goes with the session.
  for (const name of [
    `checkpoints/offline_queue/${id}.json`,
    `checkpoints/offline_queue/${id}.lease`,
    `.late-usage/${id}.jsonl`,
    `.journal-archive/${id}.jsonl`,
    `.goals/${id}.json`,
  ]) {
    expect(store.classify(name).role).toBe('companion')
    expect(files).toContain(`${root}/${name}`)
  }
})

test("a session's files are its own, in every root it stands in", () => {
  const legacy = `/h/.deepseek/sessions/${id}.json`
  const files = lifecycle.files(kept({ paths: [path, legacy] }), { HOME: '/h' })
  expect(files).toContain(path)
  expect(files).toContain(legacy)
  expect(files).toContain(`/h/.codewhale/sessions/${id}`)
  expect(files).toContain(`/h/.codewhale/sessions/checkpoints/${id}.json`)
  expect(files.every(file => file.includes(id))).toBe(true)
})

test('the 50 newest stay', () => {
  expect(lifecycle.retention(null, {})).toEqual({ days: null, settingsFile: null })
})

describe('restore', () => {
  let ids = 0
  const context = { now: '2026-10-03T00:00:00.000Z', newId: () => `new-${ids++}` }
  const bare = (records: readonly object[]): unknown[] => records.map(record => ({ ...record, seq: undefined }))

  test.each([
    ['0.8', '5b0c1e52-7c1d-4f0a-9a57-0f6f2b1d8e01'],
    ['0.9', '0a7d3f10-52c4-4b8e-8d3e-2b9c6a1f4e21'],
    ['0.10', id],
    ['compacted', 'c9d8b7a6-0e1f-4233-9445-5a6b7c8d9e54'],
    ['crashed', '5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8e'],
    ['fork', 'e5f0a6b8-3d27-4c91-a2c4-6d1b7e9f0a43'],
  ])('what is written back reads as the same session, and adds nothing to it: %s', (_, one) => {
    const before = readFixture(one)
    const facts = before.session
    if (facts === null) throw new Error('no session')
    const records = applied([before])
    const restored = lifecycle.restore({ ...kept(), ...facts, deleted: true }, records, context)
    if (!restored.ok) throw new Error(restored.reason)
    const [written] = restored.files
    const text = written?.text ?? ''
    expect(written?.path).toBe(path)
    expect(JSON.parse(text)).toMatchObject({
      schema_version: 1,
      metadata: { id: facts.id, workspace: facts.workspace, title: facts.title },
    })
    const after = read(text)
    expect(after.session).toEqual(facts)
    expect(bare(applied([after]))).toEqual(bare(records))
    expect(after.usage).toEqual([])
    // The reader goes on from what it knew.
    expect(read(text, before.state)).toMatchObject({ records: [], problems: [] })
    expect(read(text, before.state).aside).toBe(undefined)
  })

  test('calls have their results, and the person begins', () => {
    const records = applied([readFixture(id)])
    const restored = lifecycle.restore(kept({ deleted: true }), records, context)
    const document = JSON.parse(restored.ok ? (restored.files[0]?.text ?? '') : '') as {
      messages: { role: string; content: { type: string; id?: string; tool_use_id?: string }[] }[]
    }
    const blocks = document.messages.flatMap(({ content }) => content)
    const calls = blocks.flatMap(block => (block.type === 'tool_use' ? [block.id] : []))
    expect(calls.length).toBeGreaterThan(7)
    expect(blocks.flatMap(block => (block.type === 'tool_result' ? [block.tool_use_id] : []))).toEqual(calls)
    expect(document.messages[0]?.role).toBe('user')
  })

  test('redacted text comes back as its marker and is the same session still', () => {
    const original = documentOf([user('deploy it'), agent('Set token to hunter2-correct-horse')])
    const before = read(original)
    const records = applied([before]).map(record => ({
      ...record,
      text: record.text?.replace('hunter2-correct-horse', '[redacted:secret]') ?? '',
    }))
    const restored = lifecycle.restore({ ...kept(), ...before.session, deleted: true }, records, context)
    const text = restored.ok ? (restored.files[0]?.text ?? '') : ''
    expect(text).toContain('[redacted:secret]')
    expect(read(text, before.state).records).toEqual([])
  })

  test('what was put aside or copied stays out; nothing left is a reason', () => {
    const steps = readAll([
      documentOf([user('first question'), agent('first answer'), user('second question, the wrong one')]),
      documentOf([user('first question'), agent('first answer'), user('third question, the right one')]),
    ])
    const restored = lifecycle.restore(kept(), applied(steps), context)
    const text = restored.ok ? (restored.files[0]?.text ?? '') : ''
    expect(text).toContain('third question')
    expect(text).not.toContain('second question')
    expect(lifecycle.restore(kept(), [], context)).toMatchObject({ ok: false })
  })

  test('every kind of result survives the way there and back', () => {
    const messages = [
      user('go'),
      ...call('1', 'exec_shell', { command: 'a' }, 'Command failed (exit code 3)\n\nSTDOUT:\nx\n\nSTDERR:\ny'),
      ...call('2', 'exec_shell', { command: 'b', background: true }, 'started'),
      ...call('3', 'bash', { command: 'c' }, 'Error: x\n\nCommand exited with code -1', true),
      ...call('4', 'bash', { command: 'd' }, 'Error: half\n\nCommand aborted', true),
      ...call('5', 'File', { action: 'write', path: 'f', content: 'x' }, 'ok'),
      ...call('6', 'File', { action: 'edit', path: 'f', search: 'x', replace: 'y' }, 'ok'),
      ...call('7', 'File', { action: 'read', path: 'f' }, 'y'),
      ...call('8', 'apply_patch', { patch: '--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-y\n-z\n+w\n' }, '{"success":true}'),
      ...call('9', 'edit', { path: 'g', oldText: 'x', newText: 'y' }, 'Error: no such file', true),
      ...call('10', 'grep_files', { pattern: 'x' }, '{"matches":[]}'),
    ]
    const before = read(documentOf(messages))
    const restored = lifecycle.restore(kept({ workspace: '/w' }), applied([before]), context)
    const after = read(restored.ok ? (restored.files[0]?.text ?? '') : '')
    expect(bare(applied([after]))).toEqual(bare(applied([before])))
  })
})
