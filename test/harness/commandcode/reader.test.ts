import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reader } from '../../../src/harness/commandcode/reader.ts'
import {
  bytesOf,
  called,
  fileOf,
  fixture,
  gave,
  readAll,
  readGrowing,
  said,
  typed,
  v3,
  type Kept,
} from './transcripts.ts'

const file = fileOf('5d1f6f0e-0000-4000-8000-000000000001')
const ids = ['2925c652', 'ccfa55c5', '8b7fb59c', '23700fb5', '4490e94d', '72ec0e3a', '1dc7be12']

function ran(result: string, name = 'shell_command', input: unknown = { command: 'make' }) {
  const [command] = readAll(v3(typed('Build it.'), called(name, input), gave(result))).of('command')
  return [command?.exitCode, command?.outcome]
}

describe('a transcript that grows', () => {
  it('gives the same, however the bytes arrive', () => {
    for (const id of ids) {
      const { file, text } = fixture(id)
      const bytes = Buffer.from(text)
      const whole = readGrowing(file, bytes, [])
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), cuts => {
          const grown = readGrowing(
            file,
            bytes,
            cuts.sort((a, b) => a - b),
          )
          expect(grown.whole()).toEqual(whole.whole())
        }),
        { numRuns: 60 },
      )
    }
  })

  it('reads a command when it is called, and its code when the result arrives', () => {
    const text = v3(typed('Build it.'), called('shell_command', { command: 'make' }), gave('Exit code: 2\nboom'))
    const cut = Buffer.from(text.slice(0, text.lastIndexOf('{"id"')))
    const called_ = readGrowing(file, cut, [])
    expect(called_.of('command')).toMatchObject([{ command: 'make', exitCode: null, outcome: 'unknown' }])
    const whole = readGrowing(file, Buffer.from(text), [cut.length])
    expect(whole.of('command')).toMatchObject([{ command: 'make', exitCode: 2, outcome: 'failed', seq: 1 }])
    expect(whole.of('output')).toMatchObject([{ text: 'boom', tool: 'shell_command' }])
  })

  it('takes a last line without its newline, once', () => {
    const text = v3(typed('First.'), typed('Second.'))
    const bytes = Buffer.from(text)
    const kept = readGrowing(file, bytes, [bytes.length - 1])
    expect(kept.texts('prompt')).toEqual(['First.', 'Second.'])
    expect(kept.problems).toEqual([])
  })

  it('counts what it has to drop', () => {
    const text =
      v3(typed('First.')) + 'nonsense\n\0\0\n[]\n{"type":"message","message":{}}\n' + '{"role":"user","content":"x"}\n'
    const kept = readAll(text)
    expect(kept.problems.map(({ reason }) => reason)).toEqual([
      'Line 3 is not JSON.',
      'Line 4 is not JSON.',
      'Line 5 is no JSON object.',
      'Line 6 (message) lacks id, parentId or timestamp.',
    ])
    const many = readAll(v3(typed('First.')) + 'nonsense\n'.repeat(1_000))
    expect(many.problems).toHaveLength(11)
    expect(many.problems.at(-1)?.reason).toBe('990 more lines before line 1003 were skipped.')
    expect(kept.texts('prompt')).toEqual(['First.', 'x'])
  })

  it('refuses a newer format, and what follows in it', () => {
    const text = v3(typed('First.')).replace('"version":3', '"version":4')
    const step = reader.read(file, null, bytesOf(text), { subagents: 'default' })
    expect(step.session).toBeNull()
    expect(step.records).toEqual([])
    expect(step.problems).toEqual([{ code: 'unsupported', reason: expect.stringContaining('version 4') as string }])
    expect(reader.offsetOf(step.state)).toBe(Buffer.byteLength(text))
    expect(reader.read(file, step.state, bytesOf(text + text), { subagents: 'default' }).records).toEqual([])
  })

  it('is no session before the first message', () => {
    expect(readAll('').session).toBeNull()
    expect(readAll(v3()).session).toBeNull()
    expect(readAll(v3({ type: 'model_change', model: 'x' })).session).toBeNull()
  })

  it('reads entries without a header, by the name of the file', () => {
    const text = v3(typed('First.'))
    const kept = readAll(text.slice(text.indexOf('\n') + 1), fileOf('aaaa'))
    expect(kept.session).toMatchObject({ id: 'aaaa', workspace: null, startedAt: '2026-10-01T10:00:00.000Z' })
  })

  it('never throws, whatever the lines hold', () => {
    const value = fc.letrec(tie => ({
      json: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('message', 'session', 'tool_use', 'tool_result', 'text', 'user', 'assistant', 'read_file'),
        fc.string(),
        fc.double(),
        fc.constant(null),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'type',
            'id',
            'parentId',
            'timestamp',
            'message',
            'role',
            'content',
            'meta',
            'usage',
            'input',
            'name',
            'text',
            'tool_use_id',
            'summary',
            'paths',
            'args',
            'command',
          ),
          tie('json'),
        ),
      ),
    })).json
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), values => {
        const kept = readAll(v3() + values.map(each => JSON.stringify(each) + '\n').join(''))
        expect(kept.problems.length).toBeLessThan(10)
      }),
    )
  })
})

describe('outcomes', () => {
  it.each([
    ['Exit code: 1\nboom', 1, 'failed'],
    ['Exit code: 0\nfine', 0, 'ok'],
    ['Exit code: 1 (No matches found)', 1, 'ok'],
    ['Exit code: 1 (Files differ)\n1c1', 1, 'ok'],
    ['Exit code: -1\n', -1, 'failed'],
    ['<repair_note>Renamed.</repair_note>\n<repair_note>Twice.</repair_note>\nExit code: 4\nx', 4, 'failed'],
    ['Exit code: 2\nCommand timed out after 10ms', 2, 'failed'],
    ['half\nCommand timed out after 120000ms', null, 'failed'],
    ['half\nCommand aborted', null, 'unknown'],
    ['Signal: SIGKILL\n', null, 'failed'],
    ['half\nSignal: SIGTERM', null, 'failed'],
    ['Started shell command in the background.\nTask: a\nStatus: running', null, 'unknown'],
    ['Permission denied by the user.', null, 'unknown'],
    ['Skipped — another tool call in this batch was denied.', null, 'unknown'],
    [
      'No.\n(Blocked by hook policy. Do not retry this tool — choose another approach or ask the user.)',
      null,
      'unknown',
    ],
    ['(no output)', null, 'ok'],
    ['all good\nExit code: 7', null, 'ok'],
  ])('%j', (result, exitCode, outcome) => {
    expect(ran(result)).toEqual([exitCode, outcome])
  })

  it("reads PowerShell's meaning on the second line", () => {
    expect(ran('Exit code: 1\n(No matches found)', 'powershell')).toEqual([1, 'ok'])
    expect(ran('Exit code: 1\n(No matches found)')).toEqual([1, 'failed'])
  })

  it("gives a background task's code to no command", () => {
    const kept = readAll(
      v3(typed('Go.'), called('shell_output', { taskId: 'a' }), gave('Task: a\n\nExit code: 1\nboom')),
    )
    expect(kept.of('command')).toEqual([])
    expect(kept.of('output')).toHaveLength(1)
  })

  it('keeps no change of a call that failed or was refused', () => {
    for (const result of [
      'No occurrences of old_string were found.',
      'Found 3 matches, expected 1.',
      'File not found: a.ts',
      'Permission denied by the user.',
    ]) {
      const kept = readAll(
        v3(typed('Go.'), called('edit_file', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }), gave(result)),
      )
      expect(kept.of('edit', 'write')).toEqual([])
    }
  })

  it('tells the files of a read that were not read', () => {
    const result =
      'Read 1/2 files\nErrors:\n  - gone.ts: file not found or not readable\n--- File Contents ---\n\n// File: a.ts (text)\n1: x'
    const kept = readAll(v3(typed('Go.'), called('read_file', { paths: ['a.ts', 'gone.ts'] }), gave(result)))
    expect(kept.of('read').map(({ path, outcome }) => [path, outcome])).toEqual([
      ['/home/dev/acme-api/a.ts', 'ok'],
      ['/home/dev/acme-api/gone.ts', 'failed'],
    ])
  })
})

describe('calls as models write them', () => {
  it.each([
    [{ command: 'go', args: ['test', './...'] }, 'go test ./...'],
    [{ command: 'go', args: '["test","./..."]' }, 'go test ./...'],
    [{ command: 'git commit', args: ['-m', "it's done", ''] }, String.raw`git commit -m 'it'\''s done' ''`],
    [{ cmd: 'ls' }, 'ls'],
    [{ commandLine: 'ls' }, 'ls'],
    [{ script: 'ls' }, 'ls'],
    [{ command: ['npm', 'run', 'a b'] }, "npm run 'a b'"],
  ])('%j', (input, command) => {
    const [record] = readAll(v3(typed('Go.'), called('shell_command', input), gave('x'))).of('command')
    expect(record?.command).toBe(command)
  })

  it.each([
    ['edit_file', { filePath: 'a.ts', oldValue: 'x', newValue: 'y' }, 'edit', 'x', 'y'],
    ['edit_file', { target_file: 'a.ts', oldText: 'x', newText: 'y' }, 'edit', 'x', 'y'],
    ['edit_file', { path: './a.ts', from: 'x', to: 'y' }, 'edit', 'x', 'y'],
    ['edit_file', { file_path: 'a.ts', old_string: '', new_string: 'y' }, 'write', undefined, 'y'],
    ['write_file', { fileName: 'a.ts', fileContent: 'y' }, 'write', undefined, 'y'],
    ['write_file', { absolutePath: '/home/dev/acme-api/a.ts', text: 'y' }, 'write', undefined, 'y'],
  ])('%s %j', (name, input, kind, removed, added) => {
    const [record] = readAll(v3(typed('Go.'), called(name, input), gave('Done.'))).of('edit', 'write')
    expect(record).toMatchObject({ kind, path: '/home/dev/acme-api/a.ts', added })
    expect(record?.removed).toBe(removed)
  })

  it.each([
    [{ file_path: 'src/*.ts' }, []],
    [{ paths: '["a.ts","b?.ts"]' }, ['/home/dev/acme-api/a.ts']],
    [{ include: ['a.ts'], targetDirectory: 'lib' }, ['/home/dev/acme-api/lib/a.ts']],
    [{ absolutePath: '/etc/hosts' }, ['/etc/hosts']],
  ])('read_file %j', (input, paths) => {
    const kept = readAll(v3(typed('Go.'), called('read_file', input), gave('Read 1/1 file, 1 lines\n1: x')))
    expect(kept.of('read').map(record => record.path)).toEqual(paths)
  })
})

describe('who said it', () => {
  const user = (text: string, meta?: Record<string, unknown>) => ({
    type: 'message',
    message: { role: 'user', content: [{ type: 'text', text }], ...(meta === undefined ? {} : { meta }) },
  })

  it('takes what was typed while the agent ran for the person', () => {
    const kept = readAll(
      v3(user('a', { source: 'steering' }), user('b', { source: 'followup' }), user('c', { source: 'cli' }), user('d')),
    )
    expect(kept.texts('prompt')).toEqual(['a', 'b', 'c', 'd'])
  })

  it('takes nothing that no person typed', () => {
    const machine = [
      { source: 'stop_hook', isAutomated: true },
      { source: 'scheduled-loop:x', isMeta: true },
      { source: 'mod:acme' },
      { source: 'skill' },
      { source: 'branch-summary' },
      { messageId: '1a494b5e' },
    ]
    const kept = readAll(v3(typed('mine'), ...machine.map(meta => user('Error: 529 overloaded', meta))))
    expect(kept.all().map(record => record.text)).toEqual(['mine'])
  })

  it('strips envelopes, and what deja itself put there', () => {
    const kept = readAll(
      v3(
        typed('<ide-context>\nActive file: a.ts\n</ide-context>\n<system-reminder>Be brief.</system-reminder>\nWhy?'),
        typed('How?\n\n<deja-recall>\nold\n</deja-recall>'),
        typed('<hook_context source="SessionStart">&lt;deja-recall&gt;x&lt;/deja-recall&gt;</hook_context>\nWho?'),
        typed('<command-message>review</command-message>\n<command-name>/review</command-name>'),
        typed('<ide-context>only</ide-context>'),
      ),
    )
    expect(kept.texts('prompt')).toEqual(['Why?', 'How?', 'Who?', '/review'])
  })

  it('takes nothing that deja printed for evidence', () => {
    const kept = readAll(
      v3(
        typed('Ask it.'),
        called('mcp__deja__deja', { mode: 'recall' }, 'a'),
        gave('a recalled text', 'a'),
        called('shell_command', { command: 'deja search limiter' }, 'b'),
        gave('a found text', 'b'),
        called('shell_command', { command: 'cat x.json' }, 'c'),
        gave('{"schemaVersion":1,"query":"x","hits":[]}', 'c'),
        called('skill', { skill: 'deja-history' }, 'd'),
        gave('how to ask', 'd'),
      ),
    )
    expect(kept.of('output')).toEqual([])
  })
})

describe('the tree', () => {
  const at = (id: string, parentId: string | null, text: string) => ({ ...typed(text), id, parentId })

  it('keeps what the person went back from, aside, and takes it back when they return', () => {
    const first = [at('a', null, 'A'), at('b', 'a', 'B'), at('c', 'b', 'C'), at('d', 'a', 'D')]
    const asides = (kept: Kept) =>
      kept
        .all()
        .filter(record => record.aside)
        .map(record => record.text)
    expect(asides(readAll(v3(...first)))).toEqual(['B', 'C'])
    const all = [...first, at('e', 'c', 'E')]
    expect(asides(readAll(v3(...all)))).toEqual(['D'])
    const text = v3(...all)
    const sizes = [...text.matchAll(/\n/g)].map(match => match.index + 1)
    expect(asides(readGrowing(file, Buffer.from(text), sizes))).toEqual(['D'])
  })

  it('begins anew at a new root, and goes on where a parent was never read', () => {
    const kept = readAll(v3(at('a', null, 'A'), at('b', null, 'B'), at('c', 'gone', 'C')))
    expect(kept.all().map(({ text, aside }) => [text, aside ?? false])).toEqual([
      ['A', true],
      ['B', false],
      ['C', false],
    ])
  })
})

describe('forks', () => {
  it('knows its parent, and what it only copied', () => {
    const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 0 }
    const text = v3(
      typed('Of the parent.'),
      { ...said('Its answer.'), usage },
      { ...typed('Its own.'), timestamp: '2026-10-02T12:00:01.000Z' },
    )
      .replace('"cwd"', '"parentSession":"/home/dev/.commandcode/projects/x/2925c652-a16d.jsonl","cwd"')
      .replace('2026-10-01T09:00:00.000Z', '2026-10-02T12:00:00.000Z')
    const kept = readAll(text)
    expect(kept.session).toMatchObject({
      kind: 'fork',
      parentId: '2925c652-a16d',
      startedAt: '2026-10-02T12:00:00.000Z',
    })
    expect(kept.all().map(({ text, copied }) => [text, copied ?? false])).toEqual([
      ['Of the parent.', true],
      ['Its answer.', true],
      ['Its own.', false],
    ])
    expect(kept.usage).toEqual([])
  })

  it('learns of it from the file beside it', () => {
    const kept = readAll(v3(typed('x')), fileOf('f', '{"parentSessionId":"p","forkedAt":"2026-09-01T00:00:00.000Z"}'))
    expect(kept.session).toMatchObject({ kind: 'fork', parentId: 'p' })
    expect(kept.all()[0]?.copied).toBeUndefined()
  })
})

describe('titles and usage', () => {
  it("takes the newest name, else the file's beside it, and forgets a name that was taken away", () => {
    const meta = fileOf('m', '{"title":" From meta "}')
    const name = (name: string) => ({ type: 'session_info', name })
    expect(readAll(v3(typed('x')), meta).session?.title).toBe('From meta')
    expect(readAll(v3(typed('x'), name('One'), name('Two')), meta).session?.title).toBe('Two')
    expect(readAll(v3(typed('x'), name('One'), name('')), meta).session?.title).toBe('From meta')
    const text = Buffer.from(v3(name('One'), typed('x')))
    expect(readGrowing(meta, text, [text.length - 5]).session?.title).toBe('One')
  })

  it('counts a response once, cache reads apart, and its recorded cost', () => {
    const usage = { inputTokens: 4210, outputTokens: 96, cacheReadTokens: 3800, cacheWriteTokens: 7, costUsd: 0.02 }
    const answer = said('Done.')
    const text = v3(typed('x'), {
      ...answer,
      message: { ...answer.message, meta: { messageId: 'abc', createdAt: 1790000000000 } },
      usage,
      model: 'm',
    })
    expect(readAll(text).usage).toEqual([
      {
        key: 'abc',
        scope: 'response',
        at: '2026-09-21T14:13:20.000Z',
        model: 'm',
        provider: null,
        tokens: { input: 410, output: 96, cacheRead: 3800, cacheWrite: 7, reasoning: null, unsplit: null },
        costUsd: 0.02,
        costCoverage: 'full',
      },
    ])
  })

  it('drops the skills that a compaction keeps', () => {
    const summary = 'It was a join.\n\n---\n\nPreserved skill content for x:\nsecret sauce'
    expect(
      readAll(v3(typed('x'), { type: 'compaction', summary, firstKeptEntryId: '00000000' })).texts('summary'),
    ).toEqual(['It was a join.'])
  })
})
