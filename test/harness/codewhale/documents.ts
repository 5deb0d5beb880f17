import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ByteSource, ReadStep, ReaderState } from '../../../src/harness/harness.ts'
import { reader } from '../../../src/harness/codewhale/reader.ts'
import type { RecordDraft } from '../../../src/shared/model.ts'

export const home = new URL('../../../fixtures/codewhale/home/', import.meta.url).pathname
export const sessions = join(home, '.codewhale/sessions')

export interface Message {
  role: string
  content: Record<string, unknown>[]
}

export const meta = '<turn_meta>\nCurrent local date: 2026-10-02\nCurrent workspace: /w\n</turn_meta>'

export function user(text: string): Message {
  return {
    role: 'user',
    content: [
      { type: 'text', text },
      { type: 'text', text: meta },
    ],
  }
}

export function agent(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

/** A call and its result, as two messages. */
export function call(id: string, name: string, input: unknown, content: string, isError = false): Message[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }],
    },
  ]
}

export interface Shape {
  metadata?: Record<string, unknown>
  /** Times of the journal's entries; none: no journal. */
  stamps?: string[]
  indent?: number | string
}

/** A session document as serde writes it. */
export function documentOf(messages: readonly Message[], { metadata = {}, stamps, indent = 2 }: Shape = {}): string {
  const entries = messages.map((message, index) => ({
    id: `e${index}`,
    ...(index === 0 ? {} : { parent_id: `e${index - 1}` }),
    kind: 'message',
    message,
    created_at: stamps?.[index],
    spawn_depth: 0,
  }))
  const leaf_id = entries.at(-1)?.id
  return JSON.stringify(
    {
      schema_version: 1,
      metadata: {
        id: '11111111-0000-4000-8000-000000000001',
        title: 'A session',
        created_at: '2026-10-02T09:00:00.000000Z',
        updated_at: '2026-10-02T10:00:00.000000Z',
        message_count: messages.length,
        total_tokens: 10,
        model: 'm',
        model_provider: 'p',
        workspace: '/w',
        mode: 'agent',
        cost: {},
        spawn_depth: 0,
        ...metadata,
      },
      messages,
      ...(stamps === undefined ? {} : { journal: { entries, leaf_id, schema_version: 1, spawn_depth: 0 }, leaf_id }),
      system_prompt: 'You are Codewhale.\n'.repeat(50),
    },
    null,
    indent,
  )
}

export class CountingSource implements ByteSource {
  readonly size: number
  bytesRead = 0
  readonly #bytes: Buffer

  constructor(content: string | Buffer) {
    this.#bytes = Buffer.from(content)
    this.size = this.#bytes.length
  }

  read(offset: number, length: number): Uint8Array {
    const bytes = this.#bytes.subarray(offset, offset + length)
    this.bytesRead += bytes.length
    return bytes
  }
}

export const file = { path: '/store/a.json', relative: 'a.json', sidecars: {} }

export function read(content: string | Buffer, state: ReaderState = null): ReadStep {
  return reader.read(file, state, new CountingSource(content), { subagents: 'default' })
}

export function readFixture(id: string): ReadStep {
  return read(readFileSync(join(sessions, id.endsWith('.json') ? id : `${id}.json`)))
}

/** What stands in the archive after some steps: records by `seq`, the branches that were left marked. */
export function applied(steps: readonly ReadStep[]): RecordDraft[] {
  const records = new Map<number, RecordDraft>()
  for (const step of steps) {
    for (const record of step.records) records.set(record.seq, record)
    for (const { seqs, aside } of step.aside ?? []) {
      for (const seq of seqs) {
        const record = records.get(seq)
        if (record === undefined) continue
        if (aside) records.set(seq, { ...record, aside })
        else delete record.aside
      }
    }
  }
  return [...records.values()].sort((a, b) => a.seq - b.seq)
}

/** Reads one version of a file after the other, each to its end; the state goes through JSON as in the archive. */
export function readAll(versions: readonly (string | Buffer)[]): ReadStep[] {
  const steps: ReadStep[] = []
  let state: ReaderState = null
  for (const version of versions) {
    const source = new CountingSource(version)
    for (let more = true; more;) {
      const step = reader.read(file, state, source, { subagents: 'default' })
      steps.push(step)
      state = JSON.parse(JSON.stringify(step.state)) as ReaderState
      more = step.more ?? false
    }
  }
  return steps
}

/** Kind and content alone. */
export function said(records: readonly RecordDraft[]): string[] {
  return records.map(({ kind, text, command, path, aside }) => {
    return `${aside === true ? '(aside) ' : ''}${kind}: ${text ?? command ?? path ?? ''}`
  })
}
