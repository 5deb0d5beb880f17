import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { codebuddyLifecycle, workbuddyLifecycle } from '../../../src/harness/codebuddy/lifecycle.ts'
import { codebuddyHomes, storeOf, workbuddyHomes } from '../../../src/harness/codebuddy/store.ts'
import { everyTranscript, readFixture, readText } from './fixture.ts'
import type { KeptSession, Restored } from '../../../src/harness/lifecycle.ts'
import type { RecordDraft, SessionFacts, SessionRecord } from '../../../src/shared/model.ts'

const codebuddy = codebuddyLifecycle(env => storeOf(codebuddyHomes, 'DEJA_CODEBUDDY_ROOT').roots(env))
const workbuddy = workbuddyLifecycle(env => storeOf(workbuddyHomes, 'DEJA_WORKBUDDY_ROOT').roots(env))
const root = '/home/dev/.codebuddy/projects'
const now = '2026-12-01T10:00:00.000Z'
const context = { now, newId: () => randomUUID() }

function kept(facts: SessionFacts, relative: string, more: Partial<KeptSession> = {}): KeptSession {
  const path = `${root}/${relative}`
  return { harness: 'codebuddy', root, path, paths: [path], deleted: true, ...facts, ...more }
}

const main: SessionFacts = {
  id: 'a-1',
  title: null,
  workspace: '/home/dev/acme-api',
  startedAt: '2026-11-30T10:00:00.000Z',
  updatedAt: '2026-11-30T10:00:00.000Z',
  parentId: null,
  kind: 'main',
  model: 'm',
  archived: false,
}
const subagent: SessionFacts = { ...main, id: 'agent-0a1b2c3d', kind: 'subagent', parentId: 'a-1' }

describe('resume', () => {
  const there = { directoryExists: true, platform: 'linux' as const }

  it('reopens a session in its directory', () => {
    expect(codebuddy.resume(kept(main, 'p/a-1.jsonl'), there)).toEqual({
      ok: true,
      command: ['codebuddy', '-r', 'a-1'],
      directory: '/home/dev/acme-api',
      note: null,
    })
  })

  it('says what is lost where the directory is gone', () => {
    const resume = codebuddy.resume(kept(main, 'p/a-1.jsonl'), { ...there, directoryExists: false })
    expect(resume).toMatchObject({ ok: true, directory: null, note: expect.stringContaining('is gone') as string })
  })

  it("refuses a sub-agent, with its parent's id, and WorkBuddy altogether", () => {
    for (const lifecycle of [codebuddy, workbuddy]) {
      const resume = lifecycle.resume(kept(subagent, 'p/a-1/subagents/agent-0a1b2c3d.jsonl'), there)
      expect(resume).toMatchObject({ ok: false, reason: expect.stringContaining('a-1') as string })
    }
    expect(workbuddy.resume(kept(main, 'p/a-1.jsonl'), there)).toMatchObject({ ok: false })
  })
})

describe('the whole set of a session', () => {
  it('is everything beside it and the copies for /rewind, never the memory', () => {
    const files = codebuddy.files(kept(main, 'p/a-1.jsonl', { subagents: ['agent-1'] }), {})
    expect(files).toEqual([
      `${root}/p/a-1.jsonl`,
      `${root}/p/a-1.meta.json`,
      `${root}/p/a-1.file-rollback.ndjson`,
      `${root}/p/a-1.quickask`,
      `${root}/p/a-1`,
      '/home/dev/.codebuddy/file-history/a-1',
      '/home/dev/.codebuddy/file-history/agent-1',
    ])
  })

  it('is in each project that the session was resumed in', () => {
    const files = codebuddy.files(
      kept(main, 'p/a-1.jsonl', { paths: [`${root}/p/a-1.jsonl`, `${root}/q/a-1.jsonl`] }),
      {},
    )
    expect(files).toEqual(expect.arrayContaining([`${root}/p/a-1`, `${root}/q/a-1.jsonl`, `${root}/q/a-1`]))
  })

  it("is a sub-agent's own alone", () => {
    const files = codebuddy.files(kept(subagent, 'p/a-1/subagents/agent-0a1b2c3d.jsonl'), {})
    expect(files.every(file => file.includes('agent-0a1b2c3d'))).toBe(true)
  })

  it('has no file history where the root is no home of the client', () => {
    const files = codebuddy.files(
      kept(main, 'x', { root: '/x', path: '/x/p/a-1.jsonl', paths: ['/x/p/a-1.jsonl'] }),
      {},
    )
    expect(files.every(file => file.startsWith('/x/p/a-1'))).toBe(true)
  })
})

describe('restore', () => {
  const bare = (records: RecordDraft[]): SessionRecord[] =>
    records.map(
      record => Object.fromEntries(Object.entries(record).filter(([key]) => key !== 'seq')) as unknown as SessionRecord,
    )

  it('reads back as the same records, facts and all', () => {
    for (const file of everyTranscript()) {
      const before = readText(file.relative, file.bytes, { subagents: 'all' }, Object.values(file.sidecars)[0])
      if (before.session === null) continue
      const restored = codebuddy.restore(kept(before.session, file.relative), bare(before.records), context)
      if (!restored.ok) throw new Error(restored.reason)
      const [transcript, meta]: (Restored | undefined)[] = restored.files
      expect(transcript?.path).toBe(`${root}/${file.relative}`)
      const after = readText(file.relative, transcript?.text ?? '', { subagents: 'all' }, meta?.text)
      expect(bare(after.records), file.relative).toEqual(bare(before.records))
      expect(after.problems).toEqual([])
      // Its first prompt stands in another file, which is not written here.
      const title = before.session.title ?? after.session?.title
      expect(after.session, file.relative).toEqual({ ...before.session, title })
    }
  })

  it('writes items as the client does: a chain of ids, epoch times, session and directory', () => {
    const { session, records } = readFixture('tools', '7e38c5a5')
    if (session === null) throw new Error('no session')
    const restored = codebuddy.restore(kept(session, 'p/x.jsonl'), bare(records), context)
    if (!restored.ok) throw new Error(restored.reason)
    const lines = (restored.files[0]?.text ?? '').trimEnd().split('\n')
    const items = lines.map(line => JSON.parse(line) as Record<string, unknown>)
    items.forEach((item, n) => {
      expect(item).toMatchObject({
        sessionId: session.id,
        cwd: session.workspace,
        timestamp: expect.any(Number) as number,
      })
      expect(item.parentId).toBe(items[n - 1]?.id)
    })
    const calls = items.filter(item => item.type === 'function_call').map(item => item.callId)
    const results = items.filter(item => item.type === 'function_call_result').map(item => item.callId)
    expect(results).toEqual(calls)
    expect(new Set(items.map(item => item.id)).size).toBe(items.length)
  })

  it('gives back what was rejected, cut off, and a deferred tool', () => {
    const at = '2026-11-30T10:00:00.000Z'
    const records: SessionRecord[] = [
      { kind: 'prompt', at, text: 'Do <it>' },
      {
        kind: 'command',
        at,
        tool: 'PowerShell',
        command: "cat <<'E'\nStdout: x\nE",
        exitCode: null,
        outcome: 'unknown',
      },
      { kind: 'command', at, tool: 'Bash', command: 'x', exitCode: null, outcome: 'failed' },
      { kind: 'command', at, tool: 'Bash', command: 'y', exitCode: 0, outcome: 'ok' },
      { kind: 'output', at, tool: 'Bash', text: 'one\nStderr: two' },
      { kind: 'read', at, tool: 'Read', path: '/home/dev/acme-api/empty' },
      { kind: 'output', at, tool: 'mcp__docs__find', text: 'found' },
      { kind: 'edit', at, tool: 'MultiEdit', path: '/a', removed: '1', added: '2' },
      { kind: 'edit', at, tool: 'NotebookEdit', path: '/n.ipynb', added: 'x' },
      { kind: 'answer', at, text: 'Half an ans', partial: true },
    ]
    const restored = codebuddy.restore(kept({ ...main, title: 'Kept title' }, 'p/a-1.jsonl'), records, context)
    if (!restored.ok) throw new Error(restored.reason)
    const after = readText('p/a-1.jsonl', restored.files[0]?.text ?? '')
    expect(bare(after.records)).toEqual(records)
    expect(after.session?.title).toBe('Kept title')
  })

  it('refuses what it has nothing of, and WorkBuddy with the reason', () => {
    expect(codebuddy.restore(kept(main, 'p/a-1.jsonl'), [], context)).toMatchObject({ ok: false })
    expect(
      workbuddy.restore(kept(main, 'p/a-1.jsonl'), [{ kind: 'prompt', at: null, text: 'x' }], context),
    ).toMatchObject({
      ok: false,
      reason: expect.stringContaining('WorkBuddy') as string,
    })
  })
})

describe("the client's own clean-up", () => {
  const HOME = '/home/dev'

  it('takes a transcript after thirty days, or as its settings say', () => {
    expect(codebuddy.retention(null, { HOME })).toEqual({
      days: 30,
      settingsFile: '/home/dev/.codebuddy/settings.json',
    })
    expect(codebuddy.retention('{\n // mine\n "cleanupPeriodDays": 90,\n}', { HOME }).days).toBe(90)
    for (const broken of ['{"cleanupPeriodDays": "7"}', 'not json', '']) {
      expect(codebuddy.retention(broken, { HOME }).days, broken).toBe(30)
    }
  })

  it('can be switched off', () => {
    const env = (value: string) => ({ HOME, CODEBUDDY_DISABLE_SESSION_HISTORY_CLEANUP: value })
    expect(['1', 'true', '0', ''].map(value => codebuddy.retention(null, env(value)).days)).toEqual([
      null,
      null,
      30,
      30,
    ])
  })
})
