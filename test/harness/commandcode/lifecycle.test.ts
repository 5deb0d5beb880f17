import { describe, expect, it } from 'vitest'
import { lifecycle } from '../../../src/harness/commandcode/lifecycle.ts'
import type { KeptSession } from '../../../src/harness/lifecycle.ts'
import type { RecordDraft } from '../../../src/shared/model.ts'
import { called, fileOf, fixture, gave, readAll, readFixture, said, typed, v3, type Kept } from './transcripts.ts'

const root = '/home/dev/.commandcode/projects'
const id = '2925c652-a16d-48ad-abdc-a37145dd8159'
const path = `${root}/home-dev-acme-api/${id}.jsonl`

function keptSession(more: Partial<KeptSession> = {}): KeptSession {
  return {
    ...{ id, harness: 'commandcode', title: null, workspace: '/home/dev/acme-api', model: null, parentId: null },
    ...{ startedAt: null, updatedAt: null, kind: 'main', archived: false, deleted: false },
    ...{ path, root, paths: [path] },
    ...more,
  }
}

describe('resume', () => {
  const linux = { directoryExists: true, platform: 'linux' } as const

  it('goes by directory where there is one', () => {
    expect(lifecycle.resume(keptSession(), linux)).toEqual({
      ok: true,
      command: ['cmd', '--resume', id],
      directory: '/home/dev/acme-api',
      note: null,
    })
    expect(lifecycle.resume(keptSession(), { ...linux, platform: 'win32' })).toMatchObject({
      command: ['cmdc', '--resume', id],
    })
  })

  it('searches all projects where the directory is gone or was never recorded', () => {
    const gone = lifecycle.resume(keptSession(), { ...linux, directoryExists: false })
    expect(gone).toMatchObject({ command: ['cmd', '--session', id], directory: null })
    expect(gone).toMatchObject({ note: expect.stringContaining('/home/dev/acme-api is gone') as string })
    expect(lifecycle.resume(keptSession({ workspace: null }), linux)).toMatchObject({
      command: ['cmd', '--session', id],
      note: expect.stringContaining('records no directory') as string,
    })
  })
})

it('lists everything that belongs to a session', () => {
  const base = path.replace('.jsonl', '')
  expect(lifecycle.files(keptSession(), { HOME: '/home/dev' })).toEqual([
    path,
    `${base}.meta.json`,
    `${base}.checkpoints.jsonl`,
    `${base}.prompts.jsonl`,
    `${base}.share.json`,
    `${base}.scheduled-tasks.json`,
    `${base}.v2.bak`,
    `/home/dev/.commandcode/file-history/${id}`,
    `/home/dev/.commandcode/sessions/hooks-audit-${id}.jsonl`,
  ])
})

it('knows of no clean-up by the client', () => {
  expect(lifecycle.retention(null, {}).days).toBeNull()
})

describe('restore', () => {
  function restored(kept: Kept): { text: string; kept: Kept } {
    const facts = kept.session
    if (facts === null) throw new Error('no session')
    let n = 0
    const place = `${root}/home-dev-acme-api/${facts.id}.jsonl`
    const session: KeptSession = { ...keptSession(), ...facts, path: place, paths: [place] }
    const result = lifecycle.restore(session, kept.all(), {
      now: '2026-11-30T12:00:00.000Z',
      newId: () => `${(0x10000000 + n++).toString(16)}-0000-4000-8000-000000000000`,
    })
    if (!result.ok) throw new Error(result.reason)
    const [file] = result.files
    if (file === undefined) throw new Error('no file')
    expect(result.files).toHaveLength(1)
    expect(file.path).toBe(place)
    return { text: file.text, kept: readAll(file.text, fileOf(facts.id)) }
  }
  const told = (kept: Kept) =>
    kept.all().map(record => {
      const bare: Partial<RecordDraft> = { ...record }
      delete bare.seq
      return bare
    })

  it.each(['2925c652', 'ccfa55c5', '8b7fb59c', '23700fb5', '1dc7be12'])('gives %s back as it was', prefix => {
    const before = readFixture(prefix)
    const { kept, text } = restored(before)
    expect(told(kept)).toEqual(told(before))
    expect(kept.session).toEqual(before.session)
    expect(kept.problems).toEqual([])
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    const seen = new Set<unknown>([null])
    for (const line of lines.slice(1)) {
      expect(line.id).toMatch(/^[0-9a-f]{8}$/)
      expect(seen.has(line.parentId)).toBe(true)
      seen.add(line.id)
    }
    expect(seen.size).toBe(lines.length)
  })

  it.each(['4490e94d', '72ec0e3a'])('gives the flat %s back as v3', prefix => {
    const before = readFixture(prefix)
    const { kept } = restored(before)
    const said = (each: Kept) =>
      told(each).map(({ kind, text, command, exitCode, outcome, path }) => [
        kind,
        text,
        command,
        exitCode,
        outcome,
        path,
      ])
    expect(said(kept)).toEqual(said(before))
    expect(kept.session).toMatchObject({ id: before.session?.id, workspace: null })
  })

  it('keeps how commands ended', () => {
    const results = [
      'Exit code: 1 (No matches found)',
      '',
      '(no output)',
      'half\nCommand aborted',
      'half\nCommand timed out after 9ms',
      'Permission denied by the user.',
      'Signal: SIGKILL',
      'fine',
    ]
    const entries = results.flatMap((result, n) => [
      called('shell_command', { command: `step ${n}` }, `c${n}`),
      gave(result, `c${n}`),
    ])
    const before = readAll(v3(typed('Go.'), ...entries, said('Done.')))
    const { kept, text } = restored(before)
    expect(told(kept)).toEqual(told(before))
    expect(text).not.toContain('"text":""')
  })

  it('says to the client which branch is the active one', () => {
    const { text } = fixture('8b7fb59c')
    expect(text).toContain('ABANDONED')
    const { kept } = restored(readFixture('8b7fb59c'))
    expect(
      kept
        .all()
        .filter(record => record.aside)
        .map(record => record.text),
    ).toEqual(['Try a UNION instead.', 'ABANDONED BRANCH: a UNION would duplicate rows.'])
  })

  it('has nothing to write where nothing was kept', () => {
    expect(lifecycle.restore(keptSession(), [], { now: '', newId: () => '' })).toMatchObject({ ok: false })
  })
})
