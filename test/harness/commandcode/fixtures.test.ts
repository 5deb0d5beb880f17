import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { store } from '../../../src/harness/commandcode/store.ts'
import { fixture, projects, readFixture, readMigrated, stateOf, type Kept } from './transcripts.ts'

const commands = (kept: Kept) =>
  kept.of('command').map(({ command, exitCode, outcome }) => [command, exitCode, outcome])

describe('fixtures/commandcode, row by row', () => {
  it('2925c652: failure and fix', () => {
    const kept = readFixture('2925c652')
    expect(kept.session).toEqual({
      id: '2925c652-a16d-48ad-abdc-a37145dd8159',
      title: 'Fix rate limiter off-by-none',
      workspace: '/home/dev/acme-api',
      startedAt: '2026-09-14T08:02:11.120Z',
      updatedAt: '2026-09-14T08:03:00.120Z',
      parentId: null,
      kind: 'main',
      model: 'stub/stub-model',
      archived: false,
    })
    expect(kept.texts('prompt')).toEqual([expect.stringMatching(/^The rate limiter test fails/)])
    expect(commands(kept)).toEqual([
      ['npm test -- limiter', 1, 'failed'],
      ['grep -rn resetWindow docs', 1, 'ok'],
      ['npm test -- limiter', null, 'ok'],
    ])
    expect(kept.of('read').map(record => record.path)).toEqual(['/home/dev/acme-api/src/limiter.ts'])
    expect(kept.of('edit')).toMatchObject([
      {
        path: '/home/dev/acme-api/src/limiter.ts',
        removed: '  return hits <= LIMIT;',
        added: '  hits += 1;\n  return hits <= LIMIT;',
        outcome: 'ok',
      },
    ])
    expect(kept.of('write')).toMatchObject([{ path: '/home/dev/acme-api/src/reset.ts' }])
    expect(kept.texts('output').join('\n')).toContain('AssertionError: expected 429, got 200')
    expect(JSON.stringify(kept.all())).not.toContain('Run the test first, then')
    expect(kept.texts('answer').at(-1)).toMatch(/^Fixed: the limiter compared/)
  })

  it('ccfa55c5: tools', () => {
    const kept = readFixture('ccfa55c5')
    expect(commands(kept)).toEqual([
      ['go test ./...', 2, 'failed'],
      ["git commit -m 'gateway: retry on 503'", null, 'ok'],
      ['npm run dev', null, 'unknown'],
      ['Get-Content .\\gateway\\retry.go | Select-String backoff', 3, 'failed'],
      ['go vet ./...', 1, 'failed'],
      ['npm run e2e', null, 'failed'],
      ['npm run dev', null, 'unknown'],
    ])
    expect(kept.of('read').map(record => record.path)).toEqual([
      '/home/dev/acme-api/gateway/retry.go',
      '/home/dev/acme-api/gateway/backoff.go',
      '/home/dev/acme-api/README.md',
    ])
    expect(JSON.stringify(kept.all())).not.toContain('repair_note')
  })

  it('8b7fb59c: compaction and tree', () => {
    const kept = readFixture('8b7fb59c')
    expect(kept.session?.title).toBe('nightly export')
    const [compaction, branch] = kept.of('summary')
    expect(compaction?.text).toMatch(/^The nightly export skipped customers/)
    expect(branch?.text).toBe('A UNION variant was tried and dropped because of duplicate rows.')
    expect(kept.compactedAt).toBe(compaction?.seq)
    expect(commands(kept)).toEqual([['psql -f sql/export.sql', 3, 'failed']])
    expect(kept.of('edit')).toMatchObject([{ removed: 'JOIN tax_profile', added: 'LEFT JOIN tax_profile' }])
    expect(kept.texts('prompt')).toEqual([
      'Why does the nightly export skip customers without a VAT id?',
      'Try a UNION instead.',
      'Use the left join and run the export again.',
      '/deja vat export',
      'Is the left join covered by a test?',
    ])
    expect(JSON.stringify(kept.all())).not.toMatch(
      /INJECTED RECALL|turn-counter|Stop hook feedback|Monitor exited|Mod text/,
    )
    expect(
      kept
        .all()
        .filter(record => record.aside)
        .map(record => record.text),
    ).toEqual(['Try a UNION instead.', 'ABANDONED BRANCH: a UNION would duplicate rows.'])
  })

  it('23700fb5: torn', () => {
    const kept = readFixture('23700fb5')
    expect(kept.session?.workspace).toBe('/home/dev/acme_api')
    expect(commands(kept)).toEqual([['node -v', null, 'ok']])
    expect(kept.texts('answer')).toEqual(['Node 24.4.0.'])
    expect(kept.problems).toEqual([{ code: 'waiting', reason: "Line 6 isn't complete yet." }])
  })

  it('4490e94d: flat v2', () => {
    const kept = readFixture('4490e94d')
    expect(kept.session).toMatchObject({ workspace: null, title: null, startedAt: '2026-05-03T17:20:04.000Z' })
    expect(kept.texts('prompt')).toEqual(['The docker build fails at the npm ci step, can you look?'])
    expect(commands(kept)).toEqual([['docker build .', 1, 'failed']])
    expect(kept.of('edit')).toMatchObject([{ path: '/home/dev/acme-api/Dockerfile', removed: 'RUN npm ci' }])
    expect(kept.of('write')).toMatchObject([{ path: '/home/dev/acme-api/.dockerignore' }])
    expect(kept.of('read').map(record => [record.path, record.outcome])).toEqual([
      ['/home/dev/acme-api/package-lock.json', 'failed'],
      ['/home/dev/acme-api/package.json', 'ok'],
    ])
    expect(kept.texts('answer')).toEqual([
      'Building the image to see the error.',
      'The lock file was not copied into the image before npm ci; it is now.',
    ])
  })

  it('72ec0e3a: flat v1', () => {
    const kept = readFixture('72ec0e3a')
    expect(kept.session?.workspace).toBeNull()
    expect(kept.texts('prompt')).toEqual(['Why is the cache key different on every request?'])
    expect(commands(kept)).toEqual([['node scripts/key.js', 1, 'failed']])
    expect(kept.texts('output')).toEqual([
      'TypeError: Cannot read properties of undefined (reading "locale")',
      'a flat line whose role is neither user nor assistant is tool output',
    ])
  })

  it('1dc7be12: migrated', () => {
    const kept = readFixture('1dc7be12')
    expect(kept.all().map(record => [record.kind, record.text])).toEqual([
      ['prompt', 'Which port does the worker listen on?'],
      ['answer', 'Port 7070, from WORKER_PORT.'],
    ])
  })

  it('seven transcripts, nine companions, nothing unknown', () => {
    const roles = new Map<string, number>()
    for (const name of readdirSync(join(projects, 'home-dev-acme-api'))) {
      const { role } = store.classify(`home-dev-acme-api/${name}`)
      roles.set(role, (roles.get(role) ?? 0) + 1)
    }
    expect(Object.fromEntries(roles)).toEqual({ transcript: 7, companion: 9 })
  })

  it('keeps no text of the conversation in its state', () => {
    const { text } = fixture('8b7fb59c')
    expect(text).toContain('nightly export')
    expect(JSON.stringify(stateOf('8b7fb59c'))).not.toMatch(/nightly|VAT|psql/)
  })

  it('takes what the client made of the flat files as the same conversation', () => {
    for (const id of ['4490e94d', '72ec0e3a']) {
      const before = readFixture(id)
      const after = readMigrated(id)
      expect(after.texts('prompt')).toEqual(before.texts('prompt'))
      expect(after.texts('answer')).toEqual(before.texts('answer'))
      expect(commands(after)).toEqual(commands(before))
      expect(after.of('edit', 'write').map(({ path, added }) => [path, added])).toEqual(
        before.of('edit', 'write').map(({ path, added }) => [path, added]),
      )
      expect(after.session).toMatchObject({ id: before.session?.id, workspace: '/home/dev/acme-api' })
    }
  })
})
