import { describe, expect, it } from 'vitest'
import { passageCaps, passagesOf, type KeptRecord } from '../../src/index/passage-of.ts'
import type { SessionRecord } from '../../src/shared/model.ts'
import { headOf } from './making.ts'

const head = headOf(1)
const records = (...list: (Partial<SessionRecord> & Pick<SessionRecord, 'kind'>)[]): KeptRecord[] =>
  list.map((record, i) => ({ id: i + 1, at: null, ...record }))

describe('passagesOf', () => {
  it('makes one of a prompt and what came of it until the next', () => {
    const passages = passagesOf(
      records(
        { kind: 'prompt', text: 'Fix the limiter', at: '2026-05-01T10:00:00.000Z' },
        { kind: 'command', command: 'npm test -- limiter', exitCode: 1, outcome: 'failed', tool: 'Bash' },
        { kind: 'output', text: 'AssertionError: expected 429, got 200', tool: 'Bash' },
        { kind: 'edit', path: '/home/dev/acme/src/limiter.ts', tool: 'Edit' },
        { kind: 'answer', text: 'Fixed: it compared too late.' },
        { kind: 'prompt', text: 'Thanks' },
      ),
      head,
    )
    expect(passages).toMatchObject([
      {
        id: 1,
        n: 0,
        at: '2026-05-01T10:00:00.000Z',
        prompt: 'Fix the limiter',
        commands: 'npm test -- limiter',
        errors: 'AssertionError: expected 429, got 200',
        outputs: 'AssertionError: expected 429, got 200',
        paths: '/home/dev/acme/src/limiter.ts',
        answer: 'Fixed: it compared too late.',
      },
      { id: 6, n: 1, prompt: 'Thanks', answer: '' },
    ])
  })

  it('gives what stands before the first prompt a passage of its own, and goes on counting from where it is told', () => {
    const passages = passagesOf(
      records({ kind: 'summary', text: 'So far: …' }, { kind: 'prompt', text: 'go on' }),
      head,
      4,
    )
    expect(passages.map(({ n, prompt, summary }) => [n, prompt, summary])).toEqual([
      [4, '', 'So far: …'],
      [5, 'go on', ''],
    ])
  })

  it('leaves out copies, left branches, frames, reminders and what deja itself said', () => {
    const passages = passagesOf(
      records(
        { kind: 'prompt', text: 'copied', copied: true },
        { kind: 'prompt', text: 'aside', aside: true },
        {
          kind: 'prompt',
          text: 'Real <deja-recall>\nINJECTED\n</deja-recall> words <system-reminder>NOISE</system-reminder>',
        },
        { kind: 'command', command: 'deja search tide', tool: 'Bash' },
        { kind: 'output', text: 'FOUND BY DEJA', tool: 'Bash' },
        { kind: 'command', command: 'cd x && /usr/local/bin/deja fix -', tool: 'Bash' },
        { kind: 'output', text: 'FOUND BY DEJA', tool: 'Bash' },
        { kind: 'output', text: 'FOUND BY MCP', tool: 'mcp__deja__deja' },
        { kind: 'command', command: 'ls deja', tool: 'Bash' },
        { kind: 'output', text: 'README.md', tool: 'Bash' },
      ),
      head,
    )
    expect(passages).toHaveLength(1)
    expect(JSON.stringify(passages)).not.toMatch(/INJECTED|NOISE|FOUND|copied"|"aside/)
    expect(passages[0]).toMatchObject({ commands: 'ls deja', outputs: 'README.md' })
    expect(passages[0]?.prompt).toMatch(/^Real\s+words$/)
  })

  it('caps every part, keeping the conclusion and the newest', () => {
    const many: (Partial<SessionRecord> & Pick<SessionRecord, 'kind'>)[] = [{ kind: 'prompt', text: 'p'.repeat(9_000) }]
    for (let i = 0; i < 200; i++) {
      many.push(
        { kind: 'command', command: `run step ${String(i)} ${'c'.repeat(50)}` },
        { kind: 'output', text: 'o'.repeat(5_000) },
      )
      many.push(
        { kind: 'edit', path: `/home/dev/acme/src/file-${String(i)}.ts` },
        { kind: 'answer', text: `Progress ${String(i)}. ${'a'.repeat(800)}` },
      )
    }
    many.push({ kind: 'answer', text: `${'z'.repeat(9_000)} and so we keep SQLite.` })
    const [passage] = passagesOf(records(...many), head)
    expect(passage?.prompt.length).toBeLessThanOrEqual(passageCaps.prompt)
    expect(passage?.answer.length).toBeLessThanOrEqual(passageCaps.answer)
    expect(passage?.answer).toMatch(/and so we keep SQLite\.$/)
    expect(passage?.commands.length).toBeLessThanOrEqual(passageCaps.commands)
    expect(passage?.commands).toContain('run step 199')
    expect(passage?.commands).not.toContain('run step 3 ')
    expect(passage?.paths.length).toBeLessThanOrEqual(passageCaps.paths)
    expect(passage?.paths).toContain('file-199.ts')
    expect(passage?.outputs.length).toBeLessThanOrEqual(passageCaps.outputs)
  })
})
