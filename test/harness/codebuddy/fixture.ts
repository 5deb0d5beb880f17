import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reader } from '../../../src/harness/codebuddy/reader.ts'
import { metaOf, storeOf, codebuddyHomes } from '../../../src/harness/codebuddy/store.ts'
import type { Problem, RecordDraft, RecordKind, SessionFacts, UsageDraft } from '../../../src/shared/model.ts'
import type { ByteSource, ReaderOptions, ReaderState, ReadStep, TranscriptFile } from '../../../src/harness/harness.ts'

export const fixtures = join(import.meta.dirname, '../../../fixtures/codebuddy')
export const usual: ReaderOptions = { subagents: 'default' }

export function bytesOf(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) }
}

/** Everything that a transcript gave, the steps put together as the archive does. */
export interface Whole {
  session: SessionFacts | null
  records: RecordDraft[]
  usage: UsageDraft[]
  problems: Problem[]
  wants: string[]
  compactedAt: number | undefined
}

/** A kept transcript between reads: upserts by `seq` and by key. */
export class Kept {
  state: ReaderState = null
  session: SessionFacts | null = null
  compactedAt: number | undefined
  problems: Problem[] = []
  readonly wants: string[] = []
  readonly #records = new Map<number, RecordDraft>()
  readonly #usage = new Map<string, UsageDraft>()

  /** What `attach` gave: records only. */
  attach(step: ReadStep | undefined): void {
    if (step === undefined) throw new Error('nothing can be attached')
    this.state = step.state
    for (const record of step.records) this.#records.set(record.seq, record)
  }

  take(step: ReadStep): void {
    this.state = step.state
    this.session = step.session
    this.problems = step.problems
    for (const record of step.records) this.#records.set(record.seq, record)
    for (const usage of step.usage) this.#usage.set(usage.key, usage)
    this.wants.push(...(step.wants ?? []))
    this.compactedAt = step.compactedAt ?? this.compactedAt
  }

  whole(): Whole {
    return {
      session: this.session,
      records: [...this.#records.values()].sort((one, other) => one.seq - other.seq),
      usage: [...this.#usage.values()],
      problems: this.problems,
      wants: this.wants,
      compactedAt: this.compactedAt,
    }
  }
}

export function readText(relative: string, text: string | Uint8Array, options = usual, meta?: string): Whole {
  const sidecars = meta === undefined ? {} : { [metaOf(relative)]: meta }
  const file: TranscriptFile = { path: `/store/${relative}`, relative, sidecars }
  const source = bytesOf(typeof text === 'string' ? Buffer.from(text) : text)
  const kept = new Kept()
  let step
  do kept.take((step = reader.read(file, kept.state, source, options)))
  while (step.more)
  return kept.whole()
}

export interface FixtureFile extends TranscriptFile {
  bytes: Buffer
}

/** A transcript of the fixtures by the scenario's folder and the beginning of its id. */
export function fixtureFile(scenario: string, id: string, project = 'home-dev-acme-api'): FixtureFile {
  const root = join(fixtures, scenario, 'projects')
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const relative = names.find(name => name.startsWith(project) && name.includes(`/${id}`) && name.endsWith('.jsonl'))
  if (relative === undefined) throw new Error(`no ${id} in ${scenario}`)
  const meta = metaOf(relative)
  const sidecars = existsSync(join(root, meta)) ? { [meta]: readFileSync(join(root, meta), 'utf8') } : {}
  return { path: join(root, relative), relative, sidecars, bytes: readFileSync(join(root, relative)) }
}

export function readFixture(scenario: string, id: string, options = usual, project?: string): Whole {
  const file = fixtureFile(scenario, id, project)
  const kept = new Kept()
  kept.take(reader.read(file, null, bytesOf(file.bytes), options))
  return kept.whole()
}

/** Every transcript of the fixtures. */
export function everyTranscript(): FixtureFile[] {
  const store = storeOf(codebuddyHomes, 'DEJA_CODEBUDDY_ROOT')
  return readdirSync(fixtures, { withFileTypes: true }).flatMap(scenario => {
    const root = join(fixtures, scenario.name, 'projects')
    if (!existsSync(root)) return []
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(name => store.classify(name).role === 'transcript')
      .map(name => fixtureFile(scenario.name, name.split('/').at(-1)?.replace('.jsonl', '') ?? '', name.split('/')[0]))
  })
}

export function of(whole: Whole, kind: RecordKind): RecordDraft[] {
  return whole.records.filter(record => record.kind === kind)
}

export function texts(whole: Whole, kind: RecordKind): (string | undefined)[] {
  return of(whole, kind).map(record => record.text)
}

/** Input with what came from the cache, output, cache reads: as the fixtures' README counts. */
export function spent(...wholes: Whole[]): [input: number, output: number, cached: number] {
  const usage = new Map(wholes.flatMap(whole => whole.usage).map(draft => [draft.key, draft.tokens]))
  const sum = { input: 0, output: 0, cached: 0 }
  for (const tokens of usage.values()) {
    sum.input += (tokens.input ?? 0) + (tokens.cacheRead ?? 0)
    sum.output += tokens.output ?? 0
    sum.cached += tokens.cacheRead ?? 0
  }
  return [sum.input, sum.output, sum.cached]
}
