import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openArchiveReader, type ArchiveReader } from '../../../src/archive/read/archive-reader.ts'
import { harnesses } from '../../../src/harness/registry.ts'
import { PassageIndex } from '../../../src/index/passage-index.ts'
import { REDACTION_VERSION, redact } from '../../../src/ingest/redaction/redact.ts'
import { River } from '../../../src/ingest/river.ts'
import { writeCodebuddy } from '../corpus/codebuddy.ts'
import { writeCodewhale } from '../corpus/codewhale.ts'
import { writeCommandcode } from '../corpus/commandcode.ts'
import type { Random } from '../corpus/random.ts'
import type { Planted } from './plants.ts'

/** A home with stores on the disk, read by the real river in: what a search looks into. */
export class Bed {
  readonly home: string
  index = new PassageIndex()
  #archive: ArchiveReader | null = null

  constructor(home: string) {
    this.home = home
  }

  get archive(): ArchiveReader {
    if (this.#archive === null) throw new Error('nothing was read yet')
    return this.#archive
  }

  /** Whether an earlier run left its archive here. */
  get isFilled(): boolean {
    return existsSync(join(this.home, 'filled'))
  }

  noteFilled(): void {
    mkdirSync(join(this.home, 'filled'))
  }

  /** @returns the transcript's path */
  write(random: Random, { harness, made }: Planted): string {
    switch (harness) {
      case 'codewhale':
        return writeCodewhale(random, join(this.home, '.codewhale', 'sessions'), made, { restamped: false }).path
      case 'commandcode':
        return writeCommandcode(random, join(this.home, '.commandcode', 'projects'), made, {}).path
      case 'codebuddy':
        return writeCodebuddy(random, join(this.home, '.codebuddy', 'projects'), made, {}).path
    }
  }

  /** Takes in what is there now, full text included, and what has gone from there. The index is built anew. */
  async read(): Promise<void> {
    const path = join(this.home, 'deja', 'archive.db')
    this.#archive?.close()
    this.index = new PassageIndex()
    const river = new River(
      {
        archive: path,
        environments: () => [{ HOME: this.home }],
        harnesses,
        redactor: { version: REDACTION_VERSION, redact },
        exclude: { projects: [], paths: [] },
        reader: { subagents: 'default' },
        now: () => Date.now(),
      },
      event => {
        if (event.type === 'passages') {
          this.index.add(event.upserts)
          this.index.remove(event.removed)
        } else if (event.type === 'session') this.index.updateSession(event.session)
        setImmediate(() => river.taken())
      },
    )
    this.#archive = openArchiveReader(path, { version: REDACTION_VERSION, redact })
    const running = river.run()
    await river.settle()
    river.stop()
    await running
  }

  close(): void {
    this.#archive?.close()
    this.#archive = null
  }

  remove(): void {
    this.close()
    rmSync(this.home, { recursive: true, force: true })
  }
}
