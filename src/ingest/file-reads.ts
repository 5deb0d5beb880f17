import { isArchiveError } from '../archive/database.ts'
import type { TranscriptRow } from '../archive/rows.ts'
import type { Problem } from '../shared/model.ts'
import { refOf, type Catalog, type SeenFile } from './catalog.ts'
import { passes } from './file-source.ts'
import type { Outbox } from './outbox.ts'
import { parseProblems } from './problems.ts'
import { recentMs } from './side-files.ts'
import { TranscriptReading, type ReadingContext, type ReadingResult } from './transcript-reading.ts'

const mostTries = 3
/** A file this large is marked in the archive while it is read: it may be what ends the process. */
const heavyBytes = 32 << 20
/** Prompts of one read that are told: binding looks at the newest alone. */
const promptsTold = 20

/** What became of one step. */
export type ReadOutcome =
  | { type: 'more' | 'done'; bytes: number }
  /** Once more after so many milliseconds; null: not until the file changes. */
  | { type: 'failed'; againMs: number | null }

/** Reads transcripts step by step, and remembers which of them are better left alone. */
export class FileReads {
  readonly #context: ReadingContext
  readonly #catalog: Catalog
  readonly #outbox: Outbox
  /** Notes the path that is being read, so that one which ends the worker is known afterwards. */
  readonly #note: (path: string | null) => void
  readonly #readings = new Map<string, TranscriptReading>()
  /** Files that nothing is kept of, as they were: not looked at again until they change. */
  readonly #left = new Map<string, { mark: string; why: NonNullable<ReadingResult['left']> }>()
  readonly #problems = new Map<string, Problem[]>()
  readonly #failed = new Map<string, { mark: string; tries: number; reason: string }>()

  constructor(context: ReadingContext, catalog: Catalog, outbox: Outbox, note: (path: string | null) => void) {
    this.#context = context
    this.#catalog = catalog
    this.#outbox = outbox
    this.#note = note
    for (const { path, problems } of context.writer.transcripts.all()) {
      if (problems !== null) this.#problems.set(path, parseProblems(problems))
    }
  }

  /** One step of reading a file. Throws only when the archive fails. */
  read(path: string): ReadOutcome {
    const done: ReadOutcome = { type: 'done', bytes: 0 }
    const file = this.#catalog.get(path)
    if (file?.role.role !== 'transcript') return done
    const failed = this.#failed.get(path)
    if (failed?.mark === file.mark && failed.tries >= mostTries) return done
    if (this.#catalog.better(file)) {
      this.#shadow(file)
      return done
    }
    const begun = this.#readings.get(path)
    if (!begun && !this.#mayTry(file)) return done
    const reading = begun ?? new TranscriptReading(this.#context, refOf(file))
    this.#note(path)
    try {
      const result = reading.step()
      if (result.more) this.#readings.set(path, reading)
      else this.#readings.delete(path)
      this.#failed.delete(path)
      this.#take(file, result)
      return { type: result.more ? 'more' : 'done', bytes: result.bytes }
    } catch (error) {
      this.#readings.delete(path)
      if (isArchiveError(error)) throw error
      return this.#fail(file, error)
    } finally {
      this.#note(null)
    }
  }

  /** Transcripts among what a sweep found that are to be read. `all`: those too whose sidecars alone may have changed. */
  due(found: readonly SeenFile[], all: boolean): string[] {
    const rows = new Map(this.#context.writer.transcripts.all().map(row => [row.path, row]))
    return found.flatMap(file => {
      const row = rows.get(file.path)
      if (file.role.role !== 'transcript') return []
      return !this.#isThrough(file, row) || (all && row && row.session_id !== null) ? [file.path] : []
    })
  }

  #isThrough(file: SeenFile, row: Omit<TranscriptRow, 'state' | 'prefix'> | undefined): boolean {
    const left = this.#left.get(file.path)
    if (left?.mark === file.mark && (left.why !== 'shadowed' || this.#catalog.better(file))) return true
    const failed = this.#failed.get(file.path)
    if (failed?.mark === file.mark && failed.tries >= mostTries) return true
    return (
      row !== undefined &&
      isAsBefore(file, row) &&
      row.gone_at === null &&
      row.reader === file.watched.harness.reader.version &&
      (row.tries === 0 || row.tries >= mostTries)
    )
  }

  /** Whether a reading of it is under way, between two steps. */
  isBegun(path: string): boolean {
    return this.#readings.has(path)
  }

  /** Whether it will be read from its start: it never was, or by another reader. Huge files are no work for helpers. */
  isAnew({ path, size, watched }: SeenFile): boolean {
    if (size >= heavyBytes) return false
    const row = this.#context.writer.transcripts.find(path)
    return row === undefined || row.state === null || row.reader !== watched.harness.reader.version
  }

  isFailing(path: string): boolean {
    return this.#failed.has(path)
  }

  /** The file is another one now, or is to be tried once more. */
  forgive(path: string): void {
    this.#failed.delete(path)
    this.#left.delete(path)
  }

  forgiveAll(): void {
    this.#failed.clear()
    this.#left.clear()
  }

  drop(path: string): void {
    this.#readings.get(path)?.close()
    this.#readings.delete(path)
    this.#problems.delete(path)
    this.#failed.delete(path)
    this.#left.delete(path)
  }

  /** What of a file could not be read. */
  unread(path: string): { reason: string; code: Problem['code'] }[] {
    const failed = this.#failed.get(path)
    const [problem, ...more] = this.#problems.get(path) ?? []
    return [
      ...(failed ? [{ reason: failed.reason, code: 'unreadable' as const }] : []),
      ...(problem
        ? [
            {
              reason: more.length > 0 ? `${problem.reason} (and ${more.length} more)` : problem.reason,
              code: problem.code,
            },
          ]
        : []),
    ]
  }

  close(): void {
    for (const reading of this.#readings.values()) reading.close()
  }

  #take(file: SeenFile, result: ReadingResult): void {
    const { path, mark } = file
    if (result.left) this.#left.set(path, { mark, why: result.left })
    else this.#left.delete(path)
    if (result.problems.length > 0) this.#problems.set(path, result.problems)
    else this.#problems.delete(path)
    if (!result.session) return
    this.#outbox.passages(result.passages)
    const session = this.#context.writer.heads.get(result.session.key)
    if (!session) return
    const writtenAt = Math.round(result.writtenAt)
    this.#outbox.send({ type: 'session', session, prompts: result.prompts.slice(-promptsTold), path, writtenAt })
    if (this.#context.now() - writtenAt > recentMs) return
    for (const { key, at } of result.compacted) this.#outbox.send({ type: 'compacted', session, key, at })
  }

  /** A file that ended a worker several times is left alone until it changes. */
  #mayTry(file: SeenFile): boolean {
    const { transcripts } = this.#context.writer
    const { path, mark, watched } = file
    const row = transcripts.find(path)
    if (row && row.tries >= mostTries && (isAsBefore(file, row) || !this.#failed.has(path))) {
      const reason = 'Reading it ended the reader three times; it is left alone until it changes.'
      this.#failed.set(path, { mark, tries: mostTries, reason })
      transcripts.save({ ...row, inode: file.inode, size: file.size, mtime_ms: file.mtimeMs, prefix: null })
      return false
    }
    if (file.size >= heavyBytes && !(row && isAsBefore(file, row))) {
      const { harness, root } = watched
      const heavy = transcripts.ensure({ harness: harness.id, root: root.path, path, rank: root.rank })
      transcripts.setTries(heavy.id, heavy.tries + 1)
    }
    return true
  }

  #shadow(file: SeenFile): void {
    const { transcripts } = this.#context.writer
    const row = transcripts.find(file.path)
    if (row && row.session_id !== null) transcripts.shadow(row.id)
    this.#left.set(file.path, { mark: file.mark, why: 'shadowed' })
  }

  #fail({ path, mark }: SeenFile, error: unknown): ReadOutcome {
    const message = error instanceof Error ? error.message : String(error)
    const known = this.#failed.get(path)
    const tries = known?.mark === mark ? known.tries + 1 : 1
    const reason = passes(error) ? `It can't be read just now: ${message}` : `Reading it failed: ${message}`
    this.#failed.set(path, { mark, tries, reason })
    return { type: 'failed', againMs: tries < mostTries ? 200 * 4 ** tries : null }
  }
}

function isAsBefore(file: SeenFile, row: Pick<TranscriptRow, 'inode' | 'size' | 'mtime_ms'>): boolean {
  return row.inode === file.inode && row.size === file.size && row.mtime_ms === file.mtimeMs
}
