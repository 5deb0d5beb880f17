import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openArchiveReader, type ArchiveReader } from '../../../src/archive/read/archive-reader.ts'
import type { HookCall } from '../../../src/harness/hooks.ts'
import { harnesses } from '../../../src/harness/registry.ts'
import type { Passage } from '../../../src/index/passage.ts'
import { PassageIndex } from '../../../src/index/passage-index.ts'
import type { Weights } from '../../../src/index/weights.ts'
import type { IngestEvent } from '../../../src/ingest/events.ts'
import { REDACTION_VERSION, redact } from '../../../src/ingest/redaction/redact.ts'
import { River } from '../../../src/ingest/river.ts'
import type { Checks } from '../../../src/recall/gates.ts'
import { Recall } from '../../../src/recall/recall.ts'
import { loadSettings } from '../../../src/settings/settings.ts'
import { writeCodebuddy } from '../corpus/codebuddy.ts'
import { writeCodewhale } from '../corpus/codewhale.ts'
import { writeCommandcode } from '../corpus/commandcode.ts'
import { Random } from '../corpus/random.ts'
import type { History } from './histories.ts'
import { worldNow } from './world.ts'

/** A home with stores on the disk, read by the real rivers: what the daemon holds together, without its doors. */
export class Bed {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'deja-bench-recall-')))
  readonly #random: Random
  readonly #passages = new Map<number, Passage>()
  #index = new PassageIndex()
  #river: River | null = null
  #running: Promise<void> | null = null
  #reader: ArchiveReader | null = null
  #recall: Recall | null = null
  #checks: Partial<Checks> = {}

  constructor(seed: number) {
    this.#random = new Random(seed)
  }

  get recall(): Recall {
    if (this.#recall === null) throw new Error('the bed is closed')
    return this.#recall
  }

  /** @returns the transcript's path */
  write({ store, made }: History): string {
    const random = this.#random
    switch (store) {
      case 'codewhale':
        return writeCodewhale(random, join(this.home, '.codewhale', 'sessions'), made, { restamped: false }).path
      case 'commandcode':
        return writeCommandcode(random, join(this.home, '.commandcode', 'projects'), made, {}).path
      case 'codebuddy':
        return writeCodebuddy(random, join(this.home, '.codebuddy', 'projects'), made, {}).path
    }
  }

  /** Reads all that was written. */
  async open(): Promise<void> {
    const data = join(this.home, 'deja')
    mkdirSync(data, { recursive: true, mode: 0o700 })
    const archive = join(data, 'archive.db')
    const river = new River(
      {
        archive,
        environments: () => [{ HOME: this.home }],
        harnesses,
        redactor: { version: REDACTION_VERSION, redact },
        exclude: { projects: [], paths: [] },
        reader: { subagents: 'default' },
        now: () => Date.now(),
      },
      event => {
        this.#take(event)
        setImmediate(() => river.taken())
      },
    )
    this.#river = river
    this.#reader = openArchiveReader(archive, { version: REDACTION_VERSION, redact })
    this.#recall = this.#newRecall(this.#reader, this.#index)
    this.#running = river.run()
    await river.settle()
  }

  async settle(): Promise<void> {
    await this.#river?.settle()
  }

  /** The same archive, with parts of the ranking or gates switched off. */
  reset({ weights = {}, checks = {} }: { weights?: Partial<Weights>; checks?: Partial<Checks> }): void {
    if (this.#reader === null) throw new Error('the bed is closed')
    this.#recall?.close()
    this.#checks = checks
    this.#index = new PassageIndex({ weights })
    this.#index.add([...this.#passages.values()])
    this.#recall = this.#newRecall(this.#reader, this.#index)
  }

  /** What a hook's call gets; it arrives. */
  async hook(harnessId: string, call: HookCall): Promise<string> {
    const harness = harnesses.find(({ id }) => id === harnessId)
    if (harness === undefined) throw new Error(`no harness ${harnessId}`)
    const answer = await this.recall.answer(harness, call)
    answer?.given()
    return answer?.stdout ?? ''
  }

  async end(): Promise<void> {
    this.#river?.stop()
    await this.#running
    this.#recall?.close()
    this.#reader?.close()
    rmSync(this.home, { recursive: true, force: true })
  }

  readonly #now = (): number => worldNow

  #take(event: IngestEvent): void {
    if (event.type === 'passages') {
      this.#index.add(event.upserts)
      this.#index.remove(event.removed)
      for (const passage of event.upserts) this.#passages.set(passage.id, passage)
      for (const id of event.removed) this.#passages.delete(id)
    } else if (event.type === 'session') this.#index.updateSession(event.session)
    else if (event.type === 'forgotten') for (const key of event.sessions) this.#index.forgetSession(key)
    this.#recall?.onIngest(event)
  }

  #newRecall(archive: ArchiveReader, index: PassageIndex): Recall {
    const data = join(this.home, 'deja')
    return new Recall({
      index,
      archive,
      dataDir: data,
      settings: loadSettings(data),
      redactor: { version: REDACTION_VERSION, redact },
      now: this.#now,
      peek: async (file, deadlineMs) => {
        await Promise.race([this.#river?.peek(file), new Promise(resolve => setTimeout(resolve, deadlineMs))])
      },
      checks: this.#checks,
      agentName: id => harnesses.find(harness => harness.id === id)?.name ?? id,
    })
  }
}
