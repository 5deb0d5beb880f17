import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ByteSource, ReadStep, TranscriptFile } from '../../../src/harness/harness.ts'
import { reader } from '../../../src/harness/commandcode/reader.ts'
import type { RecordDraft, RecordKind, SessionFacts, UsageDraft } from '../../../src/shared/model.ts'

export const projects = new URL('../../../fixtures/commandcode/projects/', import.meta.url).pathname
const folder = 'home-dev-acme-api'

export function bytesOf(text: string | Uint8Array): ByteSource {
  const bytes = Buffer.from(text)
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) }
}

export function fileOf(id: string, sidecar?: string): TranscriptFile {
  const relative = `${folder}/${id}.jsonl`
  const sidecars = sidecar === undefined ? {} : { [`${folder}/${id}.meta.json`]: sidecar }
  return { path: join(projects, relative), relative, sidecars }
}

/** A fixture by the beginning of its name. */
export function fixture(prefix: string): { file: TranscriptFile; text: string } {
  const names = readdirSync(join(projects, folder)).filter(name => name.startsWith(prefix))
  const name = names.find(each => /^[0-9a-f-]+\.jsonl$/.test(each))
  if (name === undefined) throw new Error(`no fixture ${prefix}`)
  const meta = names.find(each => each.endsWith('.meta.json'))
  const text = (each: string) => readFileSync(join(projects, folder, each), 'utf8')
  return { file: fileOf(basename(name, '.jsonl'), meta && text(meta)), text: text(name) }
}

/** What a transcript came to after some steps, as the archive would hold it. */
export class Kept {
  session: SessionFacts | null = null
  readonly records = new Map<number, RecordDraft>()
  usage: UsageDraft[] = []
  problems: ReadStep['problems'] = []
  compactedAt: number | undefined

  take(step: ReadStep): void {
    this.session = step.session
    for (const record of step.records) this.records.set(record.seq, record)
    for (const { seqs, aside } of step.aside ?? []) {
      for (const seq of seqs) {
        const record = this.records.get(seq)
        if (record === undefined) continue
        const moved = { ...record }
        delete moved.aside
        this.records.set(seq, aside ? { ...moved, aside } : moved)
      }
    }
    this.usage.push(...step.usage)
    this.problems = step.problems
    this.compactedAt = step.compactedAt ?? this.compactedAt
  }

  /** Everything in one value, to compare. */
  whole(): unknown {
    const { session, usage, problems, compactedAt } = this
    return { session, usage, problems, compactedAt, records: this.all() }
  }

  all(): RecordDraft[] {
    return [...this.records.values()].sort((a, b) => a.seq - b.seq)
  }

  of(...kinds: RecordKind[]): RecordDraft[] {
    return this.all().filter(record => kinds.includes(record.kind))
  }

  texts(kind: RecordKind): (string | undefined)[] {
    return this.of(kind).map(record => record.text)
  }
}

/** Reads a file as it grows: once at each of these sizes in bytes, the state going through JSON as in the archive. */
export function readGrowing(file: TranscriptFile, bytes: Uint8Array, sizes: readonly number[]): Kept {
  const kept = new Kept()
  let state: unknown = null
  for (const size of [...sizes, bytes.length]) {
    for (let more = true; more;) {
      const step = reader.read(file, state, bytesOf(bytes.subarray(0, size)), { subagents: 'default' })
      state = JSON.parse(JSON.stringify(step.state)) as unknown
      kept.take(step)
      more = step.more === true
    }
  }
  return kept
}

export function readAll(text: string, file: TranscriptFile = fileOf('5d1f6f0e-0000-4000-8000-000000000001')): Kept {
  return readGrowing(file, Buffer.from(text), [])
}

export function readFixture(prefix: string): Kept {
  const { file, text } = fixture(prefix)
  return readAll(text, file)
}

/** A v3 transcript: each entry hangs off the one before it unless it names another parent. */
export function v3(...entries: Record<string, unknown>[]): string {
  let parentId: string | null = null
  const lines = entries.map((entry, n) => {
    const id = `0000000${n}`.slice(-8)
    const line = { id, parentId, timestamp: `2026-10-01T10:00:${String(n).padStart(2, '0')}.000Z`, ...entry }
    parentId = line.id
    return line
  })
  const header = {
    type: 'session',
    version: 3,
    id: '5d1f6f0e-0000-4000-8000-000000000001',
    timestamp: '2026-10-01T09:00:00.000Z',
    cwd: '/home/dev/acme-api',
  }
  return [header, ...lines].map(line => JSON.stringify(line) + '\n').join('')
}

export const typed = (text: string) => ({
  type: 'message',
  message: { role: 'user', content: [{ type: 'text', text }], meta: { source: 'user', messageId: `m-${text}` } },
})

export const said = (text: string) => ({
  type: 'message',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
})

export const called = (name: string, input: unknown, id = 'call_1') => ({
  type: 'message',
  message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
})

export const gave = (text: string, id = 'call_1') => ({
  type: 'message',
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text }] }],
    meta: { source: 'tool' },
  },
})

export function stateOf(prefix: string): unknown {
  const { file, text } = fixture(prefix)
  return reader.read(file, null, bytesOf(text), { subagents: 'default' }).state
}

/** What the client's own migration made of a flat fixture. */
export function readMigrated(prefix: string): Kept {
  const { file } = fixture(prefix)
  const references = join(projects, '..', 'reference')
  const name = readdirSync(references).find(each => each.startsWith(prefix))
  if (name === undefined) throw new Error(`no reference ${prefix}`)
  return readAll(readFileSync(join(references, name), 'utf8'), file)
}
