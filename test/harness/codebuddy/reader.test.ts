import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reader } from '../../../src/harness/codebuddy/reader.ts'
import {
  bytesOf,
  everyTranscript,
  fixtureFile,
  Kept,
  of,
  readFixture,
  readText,
  spent,
  texts,
  usual,
} from './fixture.ts'

/** One test a row of the fixtures' README. */
describe('what a correct reader must extract', () => {
  it('tools: codes though every status says completed, failed edits and reads change nothing', () => {
    const whole = readFixture('tools', '7e38c5a5')
    expect(texts(whole, 'prompt')).toEqual(['[[scenario:tools]] Raise the retry cap to five attempts.'])
    expect(of(whole, 'answer')).toHaveLength(2)
    expect(of(whole, 'command').map(({ command, exitCode, outcome }) => [command, exitCode, outcome])).toEqual([
      ['ls -1 && echo done', 0, 'ok'],
      ['node test/retry.test.js', 1, 'failed'],
      ['node test/retry.test.js', 0, 'ok'],
      ['echo out; echo err >&2; exit 3', 3, 'failed'],
    ])
    expect(of(whole, 'read').map(record => record.path)).toEqual(['/home/dev/acme-api/src/retry.js'])
    expect(of(whole, 'edit').map(({ path, removed, added }) => [path, removed, added])).toEqual([
      ['/home/dev/acme-api/src/retry.js', 'const maxAttempts = 3;', 'const maxAttempts = 5;'],
      ['/home/dev/acme-api/src/retry.js', 'delayMs = 50', 'delayMs = 100'],
      ['/home/dev/acme-api/src/retry.js', '// TODO: jitter', '// jitter is left to the caller'],
    ])
    expect(of(whole, 'write')).toMatchObject([
      { path: '/home/dev/acme-api/docs/retry.md', added: '# Retry\n\nFive attempts, 100 ms apart.\n' },
    ])
    expect(whole.usage).toHaveLength(11)
    expect(spent(whole)).toEqual([11_066, 286, 6_600])
    expect(whole.usage.every(usage => usage.model === 'stub-large')).toBe(true)
    expect(whole.session).toMatchObject({
      id: '7e38c5a5-5bea-4110-9218-dfd3ec0e5702',
      kind: 'main',
      workspace: '/home/dev/acme-api',
      model: 'stub-large',
      startedAt: new Date(1796033369710).toISOString(),
      title: '[[scenario:tools]] Raise the retry cap to five attempts.',
    })
    expect(whole.problems).toEqual([])
  })

  it('tools: outputs are what was printed, both streams, errors and lists unwrapped', () => {
    const outputs = of(readFixture('tools', '7e38c5a5'), 'output').map(({ tool, text }) => [tool, text])
    expect(outputs).toContainEqual(['Bash', 'docs\nsrc\ntest\ndone'])
    expect(outputs).toContainEqual(['Bash', 'expected 5 attempts, got 3'])
    expect(outputs).toContainEqual(['Bash', 'out\nerr'])
    expect(outputs).toContainEqual(['Read', 'File does not exist. Did you mean src/client.js?'])
    expect(outputs.find(([tool]) => tool === 'Grep')?.[1]).toMatch(
      /^\/home\/dev\/acme-api\/test\/retry\.test\.js:const/,
    )
    expect(outputs.filter(([tool]) => tool === 'Edit').map(([, text]) => text)).toEqual([
      'Error: Edit error on /home/dev/acme-api/src/retry.js: String to replace not found in file.\nString: "this text is not there"',
    ])
    expect(outputs.filter(([tool]) => tool === 'Write')).toEqual([])
  })

  it('subagent: the parent has the answer, the child stands for itself under the folder that it lies in', () => {
    const parent = readFixture('subagent', '7f43d09e')
    expect(texts(parent, 'prompt')).toEqual(['[[scenario:agent]] Who calls retry?'])
    expect(texts(parent, 'answer')).toEqual(['A sub-agent will search.', 'The sub-agent found one caller.'])
    expect(of(parent, 'output')).toMatchObject([{ tool: 'Agent', detail: 'general-purpose' }])
    expect(of(parent, 'output')[0]?.text).toContain('[Agent ID: agent-ca6ef4ce]')
    expect(spent(parent).slice(0, 2)).toEqual([2005, 45])
    const child = readFixture('subagent', 'agent-ca6ef4ce', { subagents: 'all' }, 'home-dev-acme-api/7f43d09e')
    expect(child.session).toMatchObject({
      id: 'agent-ca6ef4ce',
      kind: 'subagent',
      parentId: '7f43d09e-5c74-4454-bc07-c4d1b3be8353',
    })
    expect(child.records.map(record => record.kind)).toEqual(['prompt', 'command', 'output', 'answer'])
    expect(of(child, 'command')).toMatchObject([{ command: 'grep -rn retry src', exitCode: 0, outcome: 'ok' }])
    expect(spent(child)).toEqual([2005, 45, 1200])
    expect(child.usage.map(usage => usage.key)).not.toContain(parent.usage[0]?.key)
  })

  it('subagent: by default its task and answer, on request everything or nothing', () => {
    const kinds = (subagents: 'default' | 'all' | 'none') =>
      readFixture('subagent', 'agent-ca6ef4ce', { subagents }, 'home-dev-acme-api/7f43d09e').records.map(r => r.kind)
    expect(kinds('default')).toEqual(['prompt', 'answer'])
    expect(kinds('all')).toHaveLength(4)
    expect(kinds('none')).toEqual([])
    const none = readFixture('subagent', 'agent-ca6ef4ce', { subagents: 'none' }, 'home-dev-acme-api/7f43d09e')
    expect([none.session, none.usage]).toEqual([null, []])
  })

  it('subagent: in background the answer is only in the child', () => {
    const parent = readFixture('subagent', '38630a00')
    expect(of(parent, 'output')[0]?.text).toContain('task_id: agent-463c51fd')
    const child = readFixture('subagent', 'agent-463c51fd', usual, 'home-dev-acme-api/38630a00')
    expect(texts(child, 'prompt')).toEqual(['[[scenario:sub]] Find every caller of retry in src.'])
    expect(texts(child, 'answer').at(-1)).toContain('src/client.js')
    expect(child.session?.parentId).toMatch(/^38630a00/)
  })

  it('resume: one session in two files', () => {
    const first = readFixture('resume', '0051098d')
    const second = readFixture('resume', '0051098d', usual, 'home-dev-other')
    const [prompts, commands, answers] = (['prompt', 'command', 'answer'] as const).map(kind => [
      ...of(first, kind),
      ...of(second, kind),
    ])
    expect([prompts?.length, commands?.length, answers?.length]).toEqual([3, 2, 3])
    expect(commands?.every(record => record.exitCode === 0)).toBe(true)
    expect(spent(first, second).slice(0, 2)).toEqual([5007, 107])
    expect(second.session?.id).toBe(first.session?.id)
    expect(second.session).toMatchObject({ kind: 'main', workspace: '/home/dev/other', title: null })
    expect((first.session?.startedAt ?? '') < (second.session?.startedAt ?? '')).toBe(true)
  })

  it('hook-context: what hooks appended is gone, and the code is not on the last line', () => {
    const whole = readFixture('hook-context', '49dfbe7e')
    expect(of(whole, 'prompt')).toHaveLength(1)
    expect(of(whole, 'command')).toMatchObject([{ exitCode: 1, outcome: 'failed' }])
    expect(of(whole, 'edit')).toEqual([])
    expect(texts(whole, 'answer')).toEqual(['The retry test fails.'])
    expect(texts(whole, 'output')).toEqual([
      'expected 5 attempts, got 3',
      'Error: File has not been read yet: /home/dev/acme-api/src/retry.js. Read it first before writing to it.',
    ])
    expect(JSON.stringify(whole)).not.toMatch(/CTX-|deja-recall|system-reminder/)
  })

  it('compact-command: the two items are no turn, the answer is the digest', () => {
    const whole = readFixture('compact-command', 'edb79173')
    expect(texts(whole, 'prompt')).toEqual(['[[scenario:one]] Print one.', '[[scenario:one]] Once more.'])
    expect(of(whole, 'command')).toHaveLength(2)
    expect(texts(whole, 'answer')).toEqual(['It printed one.', 'It printed one.'])
    expect(of(whole, 'summary')).toMatchObject([
      { text: expect.stringMatching(/^1\. \*\*Primary Request.*\n2\. .*fixed delay\.$/) as string },
    ])
    expect(whole.compactedAt).toBe(of(whole, 'summary')[0]?.seq)
    expect(whole.usage).toHaveLength(5)
    expect(spent(whole).slice(0, 2)).toEqual([5007, 107])
  })

  it('compact-auto: the digest and the order to go on are no prompts', () => {
    const whole = readFixture('compact-auto', '0ef8d742')
    expect(texts(whole, 'prompt')).toEqual(['[[scenario:full]] Fill the context.'])
    expect(of(whole, 'command')).toHaveLength(1)
    expect(texts(whole, 'summary')).toEqual(['The retry helper was given a cap of five attempts and its test passes.'])
    expect(texts(whole, 'answer')).toEqual(['No scenario was named.'])
    expect(whole.compactedAt).toBe(of(whole, 'summary')[0]?.seq)
    expect(spent(whole).slice(0, 2)).toEqual([196_003, 73])
  })

  it('branch: the original', () => {
    const whole = readFixture('branch', 'f2cb307a')
    expect(whole.records.map(record => record.kind)).toEqual(['prompt', 'command', 'output', 'answer'])
    expect(whole.session).toMatchObject({ title: 'Raise the retry cap', kind: 'main', parentId: null })
    expect(spent(whole)).toEqual([2005, 45, 1200])
  })

  it('branch: the copy is a fork, its records are marked and its usage counts for nothing', () => {
    const whole = readFixture('branch', 'e707c784')
    expect(whole.session).toMatchObject({
      kind: 'fork',
      parentId: 'f2cb307a-641c-4c78-8ed9-2d4622e254ff',
      title: 'Side path',
      startedAt: new Date(1796033800506).toISOString(),
    })
    expect(texts(whole, 'prompt')).toEqual(['[[scenario:one]] Print one please.'])
    expect(whole.records.map(record => record.kind)).toEqual(['prompt', 'command', 'output', 'answer'])
    expect(whole.records.every(record => record.copied === true)).toBe(true)
    expect(whole.usage).toEqual([])
    expect(JSON.stringify(whole)).not.toMatch(/CTX-|deja-recall|system-reminder|user_query/)
  })

  it('branch: a turn after the fork is its own', () => {
    const { relative, sidecars, bytes } = fixtureFile('branch', 'e707c784')
    const own = {
      id: 'x',
      timestamp: 1796033900000,
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Now two.' }],
    }
    const whole = readText(relative, `${bytes.toString()}\n${JSON.stringify(own)}\n`, usual, Object.values(sidecars)[0])
    expect(whole.records.at(-1)).toMatchObject({ kind: 'prompt', text: 'Now two.' })
    expect(whole.records.at(-1)).not.toHaveProperty('copied')
  })

  it('branch: a sidecar that comes late makes copies of what was read before', () => {
    const file = fixtureFile('branch', 'e707c784')
    const source = bytesOf(file.bytes)
    const kept = new Kept()
    kept.take(reader.read({ ...file, sidecars: {} }, null, source, usual))
    expect(kept.whole().records.some(record => record.copied)).toBe(false)
    kept.take(reader.read(file, kept.state, source, usual))
    expect(kept.whole().records.every(record => record.copied)).toBe(true)
    expect(kept.session?.kind).toBe('fork')
  })

  it('branch: after /clear only what was typed is a turn', () => {
    const whole = readFixture('branch', 'dbf3fc82')
    expect(texts(whole, 'prompt')).toEqual(['[[scenario:bgagent]] After the clear.'])
    expect(texts(whole, 'answer')).toEqual(['The sub-agent runs behind.'])
    const child = readFixture('branch', 'agent-ea443847', usual, 'home-dev-acme-api/dbf3fc82')
    expect(child.session?.parentId).toMatch(/^dbf3fc82/)
  })

  it('titles: the one that a person gave before the generated one', () => {
    const renamed = readFixture('titles', '05abdf3a')
    expect([renamed.session?.title, of(renamed, 'prompt').length]).toEqual(['Retry cap work', 1])
    expect(readFixture('titles', 'b26c915e').session?.title).toBe('Raise the retry cap')
  })

  it('extras: a deferred tool is told by its own name; what deja answered is not kept', () => {
    const file = fixtureFile('extras', '2deb4317')
    const whole = readText(file.relative, file.bytes)
    expect(of(whole, 'output').map(record => record.tool)).toEqual(['ToolSearch'])
    const other = readText(file.relative, file.bytes.toString().replaceAll('mcp__deja__search', 'mcp__docs__search'))
    expect(of(other, 'output').at(-1)).toMatchObject({ tool: 'mcp__docs__search', text: 'deja found retry cap' })
  })

  it('extras: a custom command as it was typed', () => {
    expect(texts(readFixture('extras', '91117903'), 'prompt')).toEqual(['/deja retry cap'])
  })

  it("extras: deja's own skill is no evidence, another one is an output", () => {
    const file = fixtureFile('extras', '627ff853')
    expect(of(readText(file.relative, file.bytes), 'output')).toEqual([])
    const other = readText(file.relative, file.bytes.toString().replaceAll('deja-history', 'release-notes'))
    expect(of(other, 'output')).toMatchObject([{ tool: 'Skill' }])
  })

  it('signals: a time limit, a signal and a refusal have no code and did not succeed', () => {
    const commands = of(readFixture('signals', '7e94fc46'), 'command')
    expect(commands.map(({ command, exitCode, outcome }) => [command, exitCode, outcome])).toEqual([
      ['sleep 5', null, 'failed'],
      ['kill -9 $$', null, 'failed'],
      ['sleep 1; echo later', null, 'unknown'],
    ])
  })

  it('big-output: a preview until the companion file is attached', () => {
    const file = fixtureFile('big-output', '83cb2905')
    const kept = new Kept()
    kept.take(reader.read(file, null, bytesOf(file.bytes), usual))
    const wanted = '83cb2905-4315-4988-a058-4e9063843914/tool-results/call_0001_0.txt'
    expect(kept.wants).toEqual([wanted])
    expect(of(kept.whole(), 'command')).toMatchObject([{ exitCode: 0, outcome: 'ok' }])
    expect(of(kept.whole(), 'output')[0]?.text).toMatch(/^1\n2\n3\n[\s\S]*\n532$/)
    const text = readFileSync(join(dirname(file.path), wanted), 'utf8')
    kept.attach(reader.attach?.(file, kept.state, wanted, text, usual))
    expect(of(kept.whole(), 'output')).toHaveLength(1)
    expect(of(kept.whole(), 'output')[0]?.text).toBe(text.trimEnd())
  })

  it('missing-tool: errors and advice of the client are no turns', () => {
    const whole = readFixture('missing-tool', '196a5429')
    expect(whole.records.map(record => record.kind)).toEqual(['prompt'])
    expect(whole.usage).toEqual([])
  })

  it('api-error: the error is no answer', () => {
    expect(readFixture('api-error', 'c381950f').records.map(record => record.kind)).toEqual(['prompt'])
  })

  it('interrupted: a call without a result has no outcome', () => {
    const whole = readFixture('interrupted', '076a9371')
    expect(whole.records.map(record => record.kind)).toEqual(['prompt', 'command'])
    expect(of(whole, 'command')).toMatchObject([{ exitCode: null, outcome: 'unknown' }])
  })

  it('blocked: an empty file is no session and no error', () => {
    const whole = readFixture('blocked', '5f930324')
    expect([whole.session, whole.records, whole.problems]).toEqual([null, [], []])
  })
})

describe('bytes arrive as they like', () => {
  it('reads the same in any pieces', () => {
    const files = everyTranscript()
    expect(files.length).toBeGreaterThan(20)
    const anyFile = fc.constantFrom(...files.filter(file => file.bytes.length > 0))
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
    fc.assert(
      fc.property(anyFile, cuts, fc.constantFrom('default' as const, 'all' as const), (file, fractions, subagents) => {
        const once = new Kept()
        once.take(reader.read(file, null, bytesOf(file.bytes), { subagents }))
        const pieces = new Kept()
        const ends = [
          ...fractions.map(part => Math.floor(part * file.bytes.length)).sort((a, b) => a - b),
          file.bytes.length,
        ]
        for (const end of ends) {
          const before: unknown = JSON.parse(JSON.stringify(pieces.state))
          const step = reader.read(file, before, bytesOf(file.bytes.subarray(0, end)), { subagents })
          expect(JSON.stringify(pieces.state)).toBe(JSON.stringify(before))
          pieces.take(step)
        }
        expect(pieces.whole()).toEqual(once.whole())
        expect(reader.offsetOf(pieces.state)).toBe(reader.offsetOf(once.state))
      }),
      { numRuns: 150 },
    )
  })

  it('waits for the end of a line and says so', () => {
    const line = JSON.stringify({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Half' }] })
    const half = readText('p/a.jsonl', line.slice(0, 30))
    expect([half.session, half.problems.map(problem => problem.code)]).toEqual([null, ['waiting']])
    for (const end of ['\n', '']) expect(texts(readText('p/a.jsonl', line + end), 'prompt')).toEqual(['Half'])
  })

  it('counts what it leaves out: lines that are no items, types that are not known', () => {
    const text = [
      '{"type":"message"',
      '[1]',
      '{"type":"new-thing"}',
      '{"type":"new-thing"}',
      '{"type":"turn-metrics"}',
      '',
    ]
    expect(readText('p/a.jsonl', text.join('\n')).problems).toEqual([
      { code: 'corrupt', reason: '2 lines were left out: not a JSON object, at byte 0 first.' },
      { code: 'unsupported', reason: 'Items of types that are not known were left out: new-thing.' },
    ])
  })

  it('never throws, whatever the items hold', () => {
    const type = fc.constantFrom('message', 'function_call', 'function_call_result', 'custom-title', 'topic', 'x')
    const keys = ['role', 'content', 'providerData', 'callId', 'name', 'arguments', 'output', 'timestamp', 'cwd', 'id']
    const item = fc.tuple(type, fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()))
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), items => {
        const lines = items.map(([kind, rest]) => JSON.stringify({ ...rest, type: kind }) + '\n')
        expect(readText('p/a.jsonl', lines.join('')).problems.every(p => p.code === 'unsupported')).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('what is kept between reads', () => {
  it('holds no text of the conversation', () => {
    const line = (more: object) => JSON.stringify({ timestamp: 1, cwd: '/p', ...more }) + '\n'
    const secret = 'sk-not-for-the-archive'
    const text =
      line({ type: 'message', role: 'user', content: [{ type: 'input_text', text: secret }] }) +
      line({ type: 'custom-title', customTitle: secret }) +
      line({ type: 'function_call', callId: 'c', name: 'Bash', arguments: JSON.stringify({ command: secret }) })
    const file = { path: '/s/p/a.jsonl', relative: 'p/a.jsonl', sidecars: {} }
    const step = reader.read(file, null, bytesOf(Buffer.from(text)), usual)
    expect(step.session?.title).toBe(secret)
    expect(JSON.stringify(step.state)).not.toContain(secret)
  })
})

describe('single rules', () => {
  let line = 0
  const item = (more: object) =>
    JSON.stringify({ id: `i${line++}`, timestamp: 1796033369710 + line, cwd: '/home/dev/p', ...more }) + '\n'
  const user = (text: string, providerData: object = { agent: 'cli' }) =>
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }], providerData })
  const call = (name: string, args: object) =>
    item({ type: 'function_call', callId: 'c1', name, arguments: JSON.stringify(args) })
  const result = (name: string, text: unknown, toolResult: object = {}) =>
    item({
      type: 'function_call_result',
      callId: 'c1',
      name,
      status: 'completed',
      output: text,
      providerData: { toolResult },
    })
  const read = (...lines: string[]) => readText('home-dev-p/a.jsonl', lines.join(''))

  it("gives an output its result's time, a command its call's", () => {
    const whole = read(call('Bash', { command: 'x' }), result('Bash', 'Error: no'))
    expect(whole.records.map(record => record.at)).toEqual([...whole.records.map(record => record.at)].sort())
    expect(new Set(whole.records.map(record => record.at)).size).toBe(2)
  })

  it('takes only the query where the prompt is wrapped', () => {
    const text =
      '<system-reminder data-role="memory">a <system-reminder>b</system-reminder> c</system-reminder>\nstray\n<user_query>Do it\nnow</user_query>'
    expect(texts(read(user(text)), 'prompt')).toEqual(['Do it\nnow'])
  })

  it('keeps a reminder tag that a person only mentions', () => {
    expect(texts(read(user('What does <system-reminder> do?')), 'prompt')).toEqual(['What does <system-reminder> do?'])
  })

  it("passes over a teammate's message and what the client put in", () => {
    expect(read(user('<teammate-message teammate_id="x">Done</teammate-message>')).session).toBeNull()
    for (const mark of ['teammateMessage', 'skipRun', 'isMeta', 'isCompactInternal', 'compactType']) {
      expect(read(user('Hello', { [mark]: true })).session, mark).toBeNull()
    }
  })

  it('reads a slash command without its own note', () => {
    const text =
      '<command-message>x</command-message> <command-name>/x</command-name> <command-args>a b</command-args>\nBody'
    expect(texts(read(user(text)), 'prompt')).toEqual(['/x a b'])
  })

  it('takes the command from the result, where a hook changed the call', () => {
    const whole = read(
      call('Bash', { command: 'npm test' }),
      result('Bash', {
        type: 'text',
        text: 'Command: npm test -- --ci\nStdout: fine\n\nStderr: (empty)\nExit Code: 0\nSignal: (none)',
      }),
    )
    expect(of(whole, 'command')).toMatchObject([{ command: 'npm test -- --ci', exitCode: 0, outcome: 'ok' }])
    expect(texts(whole, 'output')).toEqual(['fine'])
  })

  it('is not misled by a command or an output that looks like the five lines', () => {
    const command = "cat <<'E'\nStdout: no\nE"
    const text = `Command: ${command}\nStdout: Exit Code: 9\nSignal: (none)\n\nStderr: (empty)\nExit Code: 0\nSignal: (none)`
    const whole = read(call('Bash', { command }), result('Bash', { type: 'text', text }))
    expect(of(whole, 'command')).toMatchObject([{ command, exitCode: 0, outcome: 'ok' }])
    expect(texts(whole, 'output')).toEqual(['Exit Code: 9\nSignal: (none)'])
  })

  it('knows a veto from a failure: what was not run has no outcome', () => {
    const whole = read(
      call('Bash', { command: 'rm x' }),
      result('Bash', [{ type: 'input_text', text: 'Error: not here' }]),
    )
    expect(of(whole, 'command')).toMatchObject([{ exitCode: null, outcome: 'unknown' }])
  })

  it('takes the code from the end of a companion file when nothing else has it', () => {
    const stub =
      '<persisted-output>\nOutput too large (60KB). Full output saved to: /x/projects/home-dev-p/a/tool-results/c1.txt\n\nPreview (first 2048 bytes):\nCommand: make\nStdout: one\n...\n</persisted-output>'
    const bytes = Buffer.from(call('Bash', { command: 'make' }) + result('Bash', { type: 'text', text: stub }))
    const file = { path: '/s/home-dev-p/a.jsonl', relative: 'home-dev-p/a.jsonl', sidecars: {} }
    const kept = new Kept()
    kept.take(reader.read(file, null, bytesOf(bytes), usual))
    expect(kept.wants).toEqual(['a/tool-results/c1.txt'])
    expect(of(kept.whole(), 'command')).toMatchObject([{ outcome: 'unknown' }])
    const empty = reader.attach?.(file, kept.state, 'a/tool-results/c1.txt', '', usual)
    expect(empty?.records).toEqual([])
    const text = 'Command: make\nStdout: one\ntwo\n\nStderr: bad\n\nExit Code: 2\nSignal: (none)\n'
    kept.attach(reader.attach?.(file, kept.state, 'a/tool-results/c1.txt', text, usual))
    expect(of(kept.whole(), 'command')).toMatchObject([{ exitCode: 2, outcome: 'failed' }])
    expect(texts(kept.whole(), 'output')).toEqual(['one\ntwo\nbad'])
  })

  it('wants no file outside the session folders', () => {
    for (const path of ['/etc/passwd', '/x/../tool-results/..', '/x/a/tool-results/']) {
      const stub = `<persisted-output>\nOutput too large (60KB). Full output saved to: ${path}\n\nPreview (first 2048 bytes):\nx\n</persisted-output>`
      expect(read(call('Read', {}), result('Read', stub)).wants, path).toEqual([])
    }
  })

  it('reads older and deferred file tools', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'd' },
    ]
    expect(
      of(read(call('MultiEdit', { file_path: 'x.ts', edits }), result('MultiEdit', 'Done')), 'edit'),
    ).toMatchObject([
      { path: '/home/dev/p/x.ts', removed: 'a', added: 'b' },
      { path: '/home/dev/p/x.ts', removed: 'c', added: 'd' },
    ])
    const params = { notebook_path: '/n.ipynb', new_source: 'x = 1' }
    const notebook = read(
      call('DeferExecuteTool', { toolName: 'NotebookEdit', params }),
      result('DeferExecuteTool', 'Done'),
    )
    expect(of(notebook, 'edit')).toMatchObject([{ tool: 'NotebookEdit', path: '/n.ipynb', added: 'x = 1' }])
  })

  it("keeps no output of deja's own command", () => {
    const text = 'Command: deja search x\nStdout: found\n\nStderr: (empty)\nExit Code: 0\nSignal: (none)'
    const whole = read(call('Bash', { command: 'deja search x' }), result('Bash', { type: 'text', text }))
    expect(whole.records.map(record => record.kind)).toEqual(['command'])
  })

  it('falls back to the topic, then to the first prompt that is one', () => {
    expect(read(user('/compact now'), user('Real question\nmore')).session?.title).toBe('Real question')
    expect(
      read(user('Question'), item({ type: 'topic', topic: 'T' }), item({ type: 'ai-title', aiTitle: ' ' })).session
        ?.title,
    ).toBe('T')
  })
})

it('many calls that never got a result cost each their line', () => {
  const line = (n: number) =>
    JSON.stringify({ type: 'function_call', id: `i${n}`, callId: `c${n}`, name: 'Bash', arguments: '{"command":"ls"}' })
  const begun = performance.now()
  const kept = readText('p/s.jsonl', Array.from({ length: 20_000 }, (_, n) => line(n) + '\n').join(''))
  expect(of(kept, 'command')).toHaveLength(20_000)
  expect(performance.now() - begun).toBeLessThan(5_000)
})
