import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openArchiveReader, type ArchiveReader } from '../../src/archive/read/archive-reader.ts'
import type { Harness } from '../../src/harness/harness.ts'
import type { Passage } from '../../src/index/passage.ts'
import type { IngestEvent, IngestState } from '../../src/ingest/events.ts'
import { REDACTION_VERSION, redact } from '../../src/ingest/redaction/redact.ts'
import { River } from '../../src/ingest/river.ts'
import type { RiverOptions } from '../../src/ingest/river-options.ts'
import { diary } from './diary.ts'

export const redactor = { version: REDACTION_VERSION, redact }

/** A directory with a store and an archive, and the river between them. */
export class Bed {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'deja-river-')))
  readonly store = join(this.base, 'store')
  readonly archive = join(this.base, 'data', 'archive.db')
  readonly events: IngestEvent[] = []
  /** Passages as an index would hold them. */
  readonly passages = new Map<number, Passage>()
  #river: River | null = null
  #running: Promise<void> | null = null
  #reader: ArchiveReader | null = null

  constructor() {
    mkdirSync(this.store, { recursive: true })
  }

  get river(): River {
    if (!this.#river) throw new Error('the river does not run')
    return this.#river
  }

  get reader(): ArchiveReader {
    this.#reader ??= openArchiveReader(this.archive, redactor)
    return this.#reader
  }

  get state(): IngestState | undefined {
    return this.events.flatMap(event => (event.type === 'state' ? [event.state] : [])).at(-1)
  }

  /** Starts the river and waits until all that is there was read. */
  async start(
    harness: Harness = diary([{ path: this.store, rank: 0 }]),
    more: Partial<RiverOptions> = {},
  ): Promise<void> {
    const river = new River(
      {
        archive: this.archive,
        environments: () => [{}],
        harnesses: [harness],
        redactor,
        exclude: { projects: [], paths: [] },
        reader: { subagents: 'default' },
        now: () => Date.now(),
        ...more,
      },
      event => {
        this.events.push(event)
        if (event.type === 'passages') {
          for (const id of event.removed) this.passages.delete(id)
          for (const passage of event.upserts) this.passages.set(passage.id, passage)
        } else if (event.type === 'forgotten') {
          for (const [id, passage] of this.passages) {
            if (event.sessions.includes(passage.session.key)) this.passages.delete(id)
          }
        }
        setImmediate(() => river.taken())
      },
    )
    this.#river = river
    this.#running = river.run()
    await river.settle()
  }

  async stop(): Promise<void> {
    this.#reader?.close()
    this.#reader = null
    this.#river?.stop()
    await this.#running
    this.#river = null
  }

  async end(): Promise<void> {
    await this.stop()
    rmSync(this.base, { recursive: true, force: true })
  }

  path(name: string): string {
    return join(this.store, name)
  }

  write(name: string, ...lines: unknown[]): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  }

  append(name: string, ...lines: unknown[]): void {
    appendFileSync(this.path(name), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  }

  /** A session's records as kind and text. */
  said(id: string): string[] {
    const key = this.reader.sessions.keyOf({ harness: 'diary', id })
    if (key === null) return []
    const { records } = this.reader.records.ofSession(key, { offset: 0, limit: 10_000 })
    return records.map(record => `${record.kind}: ${record.text ?? record.command ?? record.path ?? ''}`)
  }

  ids(id: string): number[] {
    const key = this.reader.sessions.keyOf({ harness: 'diary', id })
    return key === null
      ? []
      : this.reader.records.ofSession(key, { offset: 0, limit: 10_000 }).records.map(record => record.id)
  }
}

export async function until(what: () => boolean, ms = 5000): Promise<void> {
  const end = Date.now() + ms
  while (!what()) {
    if (Date.now() > end) throw new Error('it did not come about in time')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
