import { lstatSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isCorrupt } from '../archive/database.ts'
import type { Redactor } from '../archive/redactor.ts'
import { ArchiveWriter } from '../archive/write/archive-writer.ts'
import type { ForgottenSession, ForgetTarget } from '../archive/write/forget.ts'
import type { Harness, ReaderOptions } from '../harness/harness.ts'
import { errorSignatures } from '../index/errors.ts'
import { searchText } from '../index/tokens.ts'
import type { Environment } from '../shared/environment.ts'
import type { Problem, SessionRef } from '../shared/model.ts'
import { Catalog, refOf, type SeenFile, type WatchedRoot } from './catalog.ts'
import { DirectoryWatch } from './directory-watch.ts'
import type { HarnessState, IngestEvent, IngestState } from './events.ts'
import { Exclusions } from './exclusions.ts'
import { Outbox } from './outbox.ts'
import { buildPassages } from './passage-building.ts'
import { ProjectCache } from './project-cache.ts'
import { look, rootStats, scanRoot } from './scan.ts'
import { readCompaction, readRunning, recentMs } from './side-files.ts'
import {
  parseProblems,
  passes,
  TranscriptReading,
  type ReadingContext,
  type ReadingResult,
} from './transcript-reading.ts'

export interface RiverOptions {
  /** archive.db */
  archive: string
  /** The environments whose stores are read: the daemon's own, and those that `install` recorded. */
  environments: readonly Environment[]
  harnesses: readonly Harness[]
  redactor: Redactor
  exclude: { projects: readonly string[]; paths: readonly string[] }
  reader: ReaderOptions
  now: () => number
  /** Notes the transcript that is being read, so that one which ends the worker is known afterwards. */
  reading?: (path: string | null) => void
}

/** After a change, how long to wait for more of it. */
const settleMs = { append: 40, document: 200 } as const
/** How long a file must be missing before its session counts as deleted: some programs save by deleting first. */
const goneMs = 300
const mostTries = 3
/** A file this large is marked in the archive while it is read: it may be what ends the process. */
const heavyBytes = 32 << 20
const sweepMs = { usual: 30_000, degraded: 2_000, absent: 1_000 } as const
/** A sweep takes at most this share of the time. */
const sweepShare = 0.01
const fullTextBudget = 60_000
const stateMs = 200
const promptsTold = 20

interface Waiter {
  resolve: () => void
}

/** The river in: from the stores to the archive, and what came of it to the main thread. Runs in the worker. */
export class River {
  readonly #options: RiverOptions
  readonly #outbox: Outbox
  readonly #catalog = new Catalog()
  readonly #roots: WatchedRoot[]
  readonly #watch: DirectoryWatch
  readonly #context: ReadingContext
  readonly #peeks = new Map<string, Waiter[]>()
  readonly #commands: (() => Promise<void>)[] = []
  /** Changed files and when to look at them. */
  readonly #changed = new Map<string, number>()
  readonly #missing = new Map<string, number>()
  readonly #sides = new Map<string, number>()
  readonly #readings = new Map<string, TranscriptReading>()
  /** Files that nothing is kept of, by their change: not looked at again until they change. */
  readonly #left = new Map<string, { mark: string; why: NonNullable<ReadingResult['left']> }>()
  readonly #problems = new Map<string, Problem[]>()
  readonly #failed = new Map<string, { mark: string; tries: number; reason: string }>()
  #fill: string[] = []
  #replay: number[] = []
  #settled: Waiter[] = []
  #filling = true
  #scanned = false
  #degraded = new Map<string, string>()
  #lastError: IngestState['lastError'] = null
  #progress = { doneBytes: 0, totalBytes: 0, doneFiles: 0, totalFiles: 0 }
  #nextSweep = 0
  #nextState = 0
  #stateDue = true
  #redactionDone = false
  #wake: (() => void) | null = null
  #stopped = false
  #turn = 0

  /** Opens the archive; throws `archive` when it can't be. Nothing is read before `run`. */
  constructor(options: RiverOptions, post: (event: IngestEvent) => void) {
    this.#options = options
    this.#outbox = new Outbox(post)
    const { redactor, now } = options
    const writer = new ArchiveWriter(options.archive, { redactor, searchText, errorSignatures, now })
    this.#context = {
      writer,
      redactor,
      options: options.reader,
      exclusions: new Exclusions(options.exclude),
      projects: new ProjectCache(now),
      unwritten: new Map(),
      now,
    }
    if (writer.setAside) {
      const { path, reason } = writer.setAside
      this.#lastError = {
        at: this.#iso(),
        message: `The archive was broken (${reason}) and was put aside as ${path}; what is still on disk is read again.`,
      }
    }
    this.#roots = rootsOf(options)
    this.#watch = new DirectoryWatch(
      (directory, name) => this.#onChange(directory, name),
      code => {
        this.#degraded.set(
          'watch',
          code === 'ENOSPC'
            ? 'The system has no file watches left (fs.inotify.max_user_watches); changes are found by looking every few seconds.'
            : 'Too many open files; changes are found by looking every few seconds.',
        )
        this.#nextSweep = 0
      },
    )
    for (const { path, problems } of writer.transcripts.all()) {
      if (problems !== null) this.#problems.set(path, parseProblems(problems))
    }
  }

  /** Event taken in by the main thread. */
  taken(): void {
    this.#outbox.taken()
  }

  /** Reads a transcript now, if it is one of a store's. Resolves when it was read as far as it goes. */
  async peek(path: string): Promise<void> {
    const file = this.#catalog.get(path) ?? this.#lookAt(path)
    if (file?.role.role !== 'transcript') return
    await new Promise<void>(resolve => {
      const waiting = this.#peeks.get(path) ?? []
      this.#peeks.set(path, [...waiting, { resolve }])
      this.#wakeUp()
    })
  }

  /** Everything that can be read now is read and in full text. Looks at the stores once more first. */
  async settle(): Promise<void> {
    await this.#command(() => this.#sweep())
    await new Promise<void>(resolve => {
      this.#settled.push({ resolve })
      this.#wakeUp()
    })
  }

  /** Reads everything that is still on disk once more; what is gone from there stays. */
  async rebuild(): Promise<void> {
    await this.#command(async () => {
      const { writer } = this.#context
      writer.transaction(() => writer.transcripts.allAnew())
      this.#failed.clear()
      this.#left.clear()
      this.#beginPass()
      await this.#sweep()
    })
  }

  async forget(target: ForgetTarget, dryRun: boolean): Promise<ForgottenSession[]> {
    return this.#command(async () => {
      const { forget } = this.#context.writer
      if (dryRun) return forget.matches(target)
      const found = forget.decide(target, this.#iso())
      await this.#finishForgetting()
      return found
    })
  }

  /** Takes a tombstone back: a session's, or a project's or date's by its value. What is still on disk is read again. */
  async unforget(target: { session: SessionRef } | { project: string } | { before: string }): Promise<boolean> {
    return this.#command(async () => {
      const { tombstones, transcripts } = this.#context.writer
      const at = this.#iso()
      const done =
        'session' in target
          ? tombstones.remove(target.session, null, at)
          : 'project' in target
            ? tombstones.removeRule('project', target.project, at)
            : tombstones.removeRule('before', target.before, at)
      if (!done) return false
      for (const row of transcripts.all()) {
        if (row.session_id !== null) continue
        const file = this.#catalog.get(row.path)
        const known = transcripts.find(row.path)
        if (known) transcripts.save({ ...known, inode: null, size: 0, mtime_ms: 0, reader: -1 })
        this.#left.delete(row.path)
        if (file) this.#changed.set(row.path, 0)
      }
      // what forks and copies carried was dropped from them: they are read again as well
      transcripts.allAnew()
      await this.#sweep()
      return true
    })
  }

  /** Runs until `stop`. Throws when the archive itself fails. */
  async run(): Promise<void> {
    const { writer } = this.#context
    if (writer.forget.isDue() || writer.forget.purgeIsDue()) await this.#finishForgetting()
    this.#replay = writer.heads.newestFirst().reverse()
    this.#progress = { doneBytes: 0, totalBytes: 0, doneFiles: 0, totalFiles: 0 }
    await this.#replaySome(1000)
    await this.#sweep()
    while (!this.#stopped) {
      try {
        const worked = await this.#work()
        this.#tellState(!worked)
        if (worked) await nextTurn()
        else await this.#sleep()
      } catch (error) {
        if (isCorrupt(error)) throw error
        this.#fail(error)
        await new Promise(resolve => setTimeout(resolve, 500))
      }
    }
    this.#watch.close()
    for (const reading of this.#readings.values()) reading.close()
    writer.close()
  }

  stop(): void {
    this.#stopped = true
    this.#wakeUp()
  }

  /** A file during whose reading an earlier worker ended. */
  crashedOn(path: string): void {
    const { transcripts } = this.#context.writer
    const row = transcripts.find(path)
    if (row) transcripts.setTries(row.id, row.tries + 1)
  }

  /** The most urgent piece of work, at most some 8 MB of it. False: there is nothing to do just now. */
  async #work(): Promise<boolean> {
    const peek = this.#peeks.keys().next()
    if (!peek.done) {
      if (!this.#read(peek.value)) this.#answerPeek(peek.value)
      return true
    }
    const command = this.#commands.shift()
    if (command) {
      await command()
      return true
    }
    const now = this.#options.now()
    const changed = firstDue(this.#changed, now)
    if (changed !== null) {
      if (!this.#read(changed)) this.#changed.delete(changed)
      return true
    }
    const side = firstDue(this.#sides, now)
    if (side !== null) {
      this.#readSide(side)
      return true
    }
    const missing = firstDue(this.#missing, now)
    if (missing !== null) {
      this.#missing.delete(missing)
      this.#noteGone(missing)
      return true
    }
    if (now >= this.#nextSweep || this.#nextSweep - now > 10 * sweepMs.usual) {
      await this.#sweep()
      return true
    }
    // the archive's own passages and what is new on disk take turns: both are wanted soon
    this.#turn++
    if (!this.#outbox.full) {
      if (this.#replay.length > 0 && (this.#turn % 2 === 0 || this.#fill.length === 0)) {
        await this.#replaySome(50)
        return true
      }
      const next = this.#fill.at(-1)
      if (next !== undefined) {
        if (!this.#read(next)) this.#fill.pop()
        return true
      }
    } else if (this.#replay.length > 0 || this.#fill.length > 0) {
      await Promise.race([this.#outbox.room(), new Promise(resolve => setTimeout(resolve, 20))])
      return true
    }
    if (this.#filling && this.#scanned) {
      this.#filling = false
      this.#stateDue = true
    }
    if (this.#context.writer.fullText.drain(fullTextBudget) > 0) {
      this.#stateDue = true
      return true
    }
    if (!this.#redactionDone) {
      const [due] = this.#context.writer.redactAgain.due(1)
      if (due === undefined) this.#redactionDone = true
      else this.#replayOne(due, true)
      return true
    }
    if (this.#waiting() === 0 && this.#settled.length > 0) {
      this.#sendState()
      for (const { resolve } of this.#settled.splice(0)) resolve()
    }
    return false
  }

  /** One step of reading a file. True: there is more of it. */
  #read(path: string): boolean {
    const file = this.#catalog.get(path)
    if (file?.role.role !== 'transcript') return false
    const mark = `${file.inode}:${file.size}:${file.mtimeMs}`
    const failed = this.#failed.get(path)
    if (failed?.mark === mark && failed.tries >= mostTries) return false
    if (this.#catalog.better(file)) {
      this.#shadow(file)
      return false
    }
    const begun = this.#readings.get(path)
    const reading = begun ?? new TranscriptReading(this.#context, refOf(file))
    if (!begun && !this.#mayTry(file, mark)) return false
    this.#options.reading?.(path)
    try {
      const result = reading.step()
      if (result.more) this.#readings.set(path, reading)
      else this.#readings.delete(path)
      this.#failed.delete(path)
      this.#take(file, mark, result)
      return result.more
    } catch (error) {
      this.#readings.delete(path)
      if (isCorrupt(error)) throw error
      this.#failRead(file, mark, error)
      return false
    } finally {
      this.#options.reading?.(null)
    }
  }

  /** A file that ended a worker several times is left alone until it changes. */
  #mayTry(file: SeenFile, mark: string): boolean {
    const { transcripts } = this.#context.writer
    const row = transcripts.find(file.path)
    const asBefore = row?.inode === file.inode && row.size === file.size && row.mtime_ms === file.mtimeMs
    if (row && row.tries >= mostTries && (asBefore || !this.#failed.has(file.path))) {
      this.#failed.set(file.path, {
        mark,
        tries: mostTries,
        reason: 'Reading it ended the reader three times; it is left alone until it changes.',
      })
      this.#stateDue = true
      if (asBefore) return false
      transcripts.save({ ...row, inode: file.inode, size: file.size, mtime_ms: file.mtimeMs, prefix: null })
      return false
    }
    if (file.size >= heavyBytes) {
      const heavy =
        row ??
        transcripts.ensure({
          harness: file.watched.harness.id,
          root: file.watched.root.path,
          path: file.path,
          rank: file.watched.root.rank,
        })
      if (!asBefore) transcripts.setTries(heavy.id, heavy.tries + 1)
    }
    return true
  }

  #take(file: SeenFile, mark: string, result: ReadingResult): void {
    const { path } = file
    this.#progress.doneBytes += result.bytes
    if (result.left) this.#left.set(path, { mark, why: result.left })
    else this.#left.delete(path)
    if (result.problems.length > 0) this.#problems.set(path, result.problems)
    else this.#problems.delete(path)
    if (!result.more) this.#progress.doneFiles++
    this.#stateDue = true
    if (!result.session) return
    const { key } = result.session
    this.#outbox.passages(result.passages)
    const session = this.#context.writer.heads.get(key)
    if (!session) return
    const prompts = result.prompts.slice(-promptsTold)
    this.#outbox.send({ type: 'session', session, prompts, path, writtenAt: Math.round(result.writtenAt) })
    if (this.#options.now() - result.writtenAt < recentMs) {
      for (const compacted of result.compacted) {
        this.#outbox.send({ type: 'compacted', session, key: compacted.key, at: Math.round(result.writtenAt) })
      }
    }
  }

  #failRead(file: SeenFile, mark: string, error: unknown): void {
    const { path } = file
    if (!look(file.watched, file.relative)) {
      this.#missing.set(path, this.#options.now() + goneMs)
      return
    }
    const reason = error instanceof Error ? error.message : String(error)
    const known = this.#failed.get(path)
    const tries = known?.mark === mark ? known.tries + 1 : 1
    this.#failed.set(path, {
      mark,
      tries,
      reason: passes(error) ? `It can't be read just now: ${reason}` : `Reading it failed: ${reason}`,
    })
    this.#stateDue = true
    if (tries < mostTries) this.#changed.set(path, this.#options.now() + 200 * 4 ** tries)
  }

  #shadow(file: SeenFile): void {
    const { writer } = this.#context
    const row = writer.transcripts.find(file.path)
    if (row && row.session_id !== null) writer.transcripts.shadow(row.id)
    this.#left.set(file.path, { mark: `${file.inode}:${file.size}:${file.mtimeMs}`, why: 'shadowed' })
  }

  #readSide(path: string): void {
    this.#sides.delete(path)
    const file = this.#catalog.get(path)
    if (!file) return
    if (file.role.role === 'running') readRunning(file, this.#context, this.#outbox)
    else if (readCompaction(file, this.#catalog, this.#context, this.#outbox) === 'waits' && !this.#isIdle()) {
      // its session's transcript is still to be read
      this.#later(this.#sides, path, 500)
    }
  }

  /** Sends the passages that the archive holds, newest sessions first, at least `passages` of them. */
  async #replaySome(passages: number): Promise<void> {
    let sent = 0
    while (sent < passages && !this.#stopped) {
      const key = this.#replay.pop()
      if (key === undefined) return
      sent += this.#replayOne(key, false)
      if (this.#outbox.full) await Promise.race([this.#outbox.room(), new Promise(resolve => setTimeout(resolve, 20))])
      if (this.#peeks.size > 0) return
    }
  }

  #replayOne(key: number, onlyIfChanged: boolean): number {
    const { writer } = this.#context
    const changed = writer.redactAgain.run(key)
    if (onlyIfChanged && !changed) return 0
    const passages = writer.transaction(() => buildPassages(writer, key, 0))
    this.#outbox.passages(passages)
    return passages.upserts.length + 1
  }

  /** Looks through all roots: finds what is new, changed or gone, and watches their directories. */
  async #sweep(): Promise<void> {
    const began = this.#options.now()
    if (!this.#watching()) this.#degraded.delete('watch')
    const found: SeenFile[] = []
    for (const watched of this.#roots) {
      const device = watched.device
      const scan = await scanRoot(watched, nextTurn)
      if (!scan) {
        this.#watch.keep(watched.root.path, new Set())
        continue
      }
      this.#watch.keep(watched.root.path, new Set(scan.directories))
      found.push(...scan.files)
      this.#findGone(watched, device, new Set(scan.files.map(file => file.path)), scan.unreadable)
    }
    for (const file of found) this.#catalog.put(file)
    const due: SeenFile[] = []
    const rows = new Map(this.#context.writer.transcripts.all().map(row => [row.path, row]))
    for (const file of found) {
      if (file.role.role === 'running' || file.role.role === 'compaction') {
        if (!this.#scanned || began - file.mtimeMs < recentMs) this.#later(this.#sides, file.path, 0)
        continue
      }
      if (file.role.role !== 'transcript') continue
      const row = rows.get(file.path)
      const asBefore =
        row?.inode === file.inode &&
        row.size === file.size &&
        row.mtime_ms === file.mtimeMs &&
        row.gone_at === null &&
        row.reader === file.watched.harness.reader.version
      if (asBefore && (row.tries === 0 || row.tries >= mostTries) && this.#scanned) continue
      const mark = `${file.inode}:${file.size}:${file.mtimeMs}`
      const left = this.#left.get(file.path)
      if (left?.mark === mark && (left.why !== 'shadowed' || this.#catalog.better(file))) continue
      const failed = this.#failed.get(file.path)
      if (failed?.mark === mark && failed.tries >= mostTries) continue
      // sidecars may have changed while nobody watched; reading finds that out for two stats
      if (!asBefore || !this.#scanned) due.push(file)
    }
    this.#queue(due)
    this.#scanned = true
    this.#stateDue = true
    const took = Math.max(0, this.#options.now() - began)
    const usual = this.#degraded.size > 0 ? sweepMs.degraded : sweepMs.usual
    const absent = this.#roots.some(root => root.state !== 'read') && took < 20 ? sweepMs.absent : usual
    this.#nextSweep = this.#options.now() + Math.max(Math.min(usual, absent), took / sweepShare)
  }

  /** Newest last in the list, so that they come first. */
  #queue(due: readonly SeenFile[]): void {
    const known = new Set(this.#fill)
    const added = due.filter(file => !known.has(file.path) && !this.#changed.has(file.path))
    for (const file of added) {
      this.#progress.totalBytes += file.size
      this.#progress.totalFiles++
    }
    const age = (path: string) => this.#catalog.get(path)?.mtimeMs ?? 0
    this.#fill = [...this.#fill, ...added.map(file => file.path)].sort((a, b) => age(a) - age(b))
  }

  /** Transcripts of a readable root that are not in it any more. */
  #findGone(
    watched: WatchedRoot,
    device: number | null,
    present: ReadonlySet<string>,
    unreadable: readonly string[],
  ): void {
    const { writer } = this.#context
    // another file system stands where the store was: what it held isn't gone, it is away
    const otherDevice = device !== null && watched.device !== device
    for (const row of writer.transcripts.all()) {
      if (row.root !== watched.root.path || row.gone_at !== null || present.has(row.path)) continue
      if (unreadable.some(directory => row.path.startsWith(directory + sep))) continue
      if (otherDevice || (row.inode !== null && !row.inode.startsWith(`${watched.device}:`))) continue
      if (row.session_id === null) this.#catalog.remove(row.path)
      else this.#missing.set(row.path, this.#missing.get(row.path) ?? this.#options.now())
    }
  }

  /** A file that is missing: its session is deleted when it was the last one. */
  #noteGone(path: string): void {
    const { writer, unwritten } = this.#context
    const row = writer.transcripts.find(path)
    const watched = this.#catalog.get(path)?.watched ?? this.#rootOf(path)
    if (!watched || !rootStats(watched) || look(watched, relativeTo(watched, path))) return
    const file = this.#catalog.remove(path)
    this.#problems.delete(path)
    this.#failed.delete(path)
    this.#stateDue = true
    if (file) for (const other of this.#catalog.worse(file)) this.#takeOver(other)
    if (!row || row.gone_at !== null) return
    const at = this.#iso()
    const session = row.session_id
    writer.transaction(() => {
      writer.transcripts.setGone(row.id, at)
      unwritten.delete(row.id)
      if (session === null || writer.transcripts.ofSession(session).some(other => other.gone_at === null)) return
      if (file && this.#catalog.worse(file).length > 0) return
      writer.sessions.setDeleted(session, at)
    })
    const head = session === null ? null : writer.heads.get(session)
    if (head) this.#outbox.send({ type: 'session', session: head, prompts: [], path, writtenAt: 0 })
  }

  #takeOver(file: SeenFile): void {
    this.#left.delete(file.path)
    this.#later(this.#changed, file.path, 0)
  }

  /** The system told of a change in a directory. */
  #onChange(directory: string, name: string | null): void {
    const watched = this.#rootOf(directory)
    if (!watched) return
    if (name === null || name === basename(directory)) {
      // the directory itself, or the system doesn't tell: look through everything
      if (name === null || !exists(directory)) this.#nextSweep = Math.min(this.#nextSweep, this.#options.now() + 100)
    }
    if (name === null) return
    const path = join(directory, name)
    const stats = statsOf(path)
    if (!stats) {
      if (this.#catalog.get(path)?.role.role === 'transcript') this.#later(this.#missing, path, goneMs)
      else if (this.#catalog.get(path)) this.#catalog.remove(path)
      else if (!name.includes('.')) this.#nextSweep = Math.min(this.#nextSweep, this.#options.now() + goneMs)
      this.#sidecarChanged(path)
      return
    }
    if (stats.isDirectory()) {
      if (watched.harness.store.descends(relativeTo(watched, path))) {
        this.#watch.remove(path)
        this.#watch.add(path)
        // what was written into it before the watch stood
        this.#nextSweep = Math.min(this.#nextSweep, this.#options.now() + 20)
      }
      this.#wakeUp()
      return
    }
    const file = look(watched, relativeTo(watched, path))
    if (!file) return
    this.#catalog.put(file)
    if (file.role.role === 'transcript') {
      this.#later(this.#changed, path, settleMs[watched.harness.reader.mode])
    } else if (file.role.role === 'running' || file.role.role === 'compaction') {
      this.#later(this.#sides, path, settleMs.append)
    } else this.#stateDue = true
    this.#sidecarChanged(path)
  }

  #sidecarChanged(path: string): void {
    for (const transcript of this.#catalog.ofSidecar(path)) this.#later(this.#changed, transcript, settleMs.append)
  }

  #lookAt(path: string): SeenFile | null {
    const watched = this.#rootOf(path)
    const file = watched ? look(watched, relativeTo(watched, path)) : null
    if (file) this.#catalog.put(file)
    return file
  }

  #rootOf(path: string): WatchedRoot | null {
    return this.#roots.find(({ root }) => path === root.path || path.startsWith(root.path + sep)) ?? null
  }

  #later(queue: Map<string, number>, path: string, ms: number): void {
    const due = this.#options.now() + ms
    const known = queue.get(path)
    // the first change sets the time: a file that is written all the time is read all the time
    if (known === undefined || known > due) queue.set(path, due)
    if (queue === this.#changed) this.#failed.delete(path)
    this.#wakeUp()
  }

  #answerPeek(path: string): void {
    const waiting = this.#peeks.get(path) ?? []
    this.#peeks.delete(path)
    this.#changed.delete(path)
    for (const { resolve } of waiting) resolve()
  }

  async #finishForgetting(): Promise<void> {
    const { writer, unwritten } = this.#context
    const { sessions, bereft } = writer.forget.carryOut()
    unwritten.clear()
    if (sessions.length > 0) this.#outbox.send({ type: 'forgotten', sessions: sessions.map(({ key }) => key) })
    for (const { key, removed } of bereft) {
      const passages = writer.transaction(() => buildPassages(writer, key, 0))
      this.#outbox.passages({ upserts: passages.upserts, removed: [...passages.removed, ...removed] })
    }
    this.#stateDue = true
    if (!writer.forget.purgeIsDue()) return
    for (let first = true; writer.fullText.merge(first); first = false) await nextTurn()
    writer.forget.purged()
  }

  #command<T>(run: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#commands.push(() => run().then(resolve, reject))
      this.#wakeUp()
    })
  }

  #beginPass(): void {
    this.#filling = true
    this.#progress = { doneBytes: 0, totalBytes: 0, doneFiles: 0, totalFiles: 0 }
    this.#scanned = false
  }

  /** Changed files that can be read; one that failed is unread, and tried again by and by. */
  #waiting(): number {
    let count = this.#sides.size
    for (const path of this.#changed.keys()) if (!this.#failed.has(path)) count++
    return count
  }

  #isIdle(): boolean {
    return this.#fill.length === 0 && this.#changed.size === 0 && this.#scanned
  }

  async #sleep(): Promise<void> {
    const now = this.#options.now()
    const next = Math.min(
      this.#nextSweep,
      ...this.#changed.values(),
      ...this.#sides.values(),
      ...this.#missing.values(),
      this.#stateDue ? this.#nextState : Infinity,
    )
    const ms = Math.max(1, Math.min(next - now, sweepMs.usual))
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.#wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
    this.#wake = null
  }

  #wakeUp(): void {
    this.#wake?.()
  }

  #watching(): boolean {
    return this.#degraded.has('watch') && this.#watch.size > 0
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    this.#lastError = { at: this.#iso(), message }
    if (/SQLITE_FULL|ENOSPC|disk is full|SQLITE_IOERR|readonly/i.test(message)) {
      this.#degraded.set('disk', `The archive can't be written: ${message}.`)
    }
    this.#stateDue = true
  }

  #tellState(idle: boolean): void {
    const now = this.#options.now()
    if (!this.#stateDue || (now < this.#nextState && this.#nextState - now < 10 * stateMs && !(idle && !this.#filling)))
      return
    this.#sendState()
  }

  #sendState(): void {
    this.#stateDue = false
    this.#nextState = this.#options.now() + stateMs
    this.#outbox.send({ type: 'state', state: this.#state() })
  }

  #state(): IngestState {
    const totals = new Map(this.#context.writer.totals().map(total => [total.harness, total]))
    const harnesses = new Map<string, HarnessState>()
    for (const { harness, root, state } of this.#roots) {
      const total = totals.get(harness.id)
      const known: HarnessState = harnesses.get(harness.id) ?? {
        id: harness.id,
        roots: [],
        sessions: total?.sessions ?? 0,
        records: total?.records ?? 0,
        companions: 0,
        unread: [],
        newestAt: total?.newest ?? null,
      }
      harnesses.set(harness.id, known)
      known.roots.push({ path: root.path, state })
    }
    for (const file of this.#catalog.all()) {
      const harness = harnesses.get(file.watched.harness.id)
      if (!harness) continue
      const { path, role } = file
      if (role.role === 'unknown') harness.unread.push({ path, reason: role.reason, code: 'unknown' })
      else if (role.role !== 'transcript') harness.companions++
      const failed = this.#failed.get(path)
      if (failed) harness.unread.push({ path, reason: failed.reason, code: 'unreadable' })
      const [problem, ...more] = this.#problems.get(path) ?? []
      if (!problem) continue
      const reason = more.length > 0 ? `${problem.reason} (and ${more.length} more)` : problem.reason
      harness.unread.push({ path, reason, code: problem.code })
    }
    const { writer } = this.#context
    return {
      phase: this.#filling ? 'filling' : 'watching',
      pending: this.#fill.length + this.#waiting() + writer.fullText.waiting(),
      progress: { ...this.#progress },
      harnesses: [...harnesses.values()],
      degraded: [...this.#degraded.values()],
      lastError: this.#lastError,
    }
  }

  #iso(): string {
    return new Date(this.#options.now()).toISOString()
  }
}

function rootsOf({ harnesses, environments }: RiverOptions): WatchedRoot[] {
  const roots: WatchedRoot[] = []
  for (const harness of harnesses) {
    let rank = 0
    for (const env of environments) {
      for (const root of harness.store.roots(env)) {
        if (roots.some(known => known.root.path === root.path && known.harness.id === harness.id)) continue
        roots.push({
          harness,
          root: { path: root.path, rank: Math.max(rank, root.rank) },
          state: 'absent',
          device: null,
        })
        rank = Math.max(rank, root.rank) + 1
      }
    }
  }
  return roots
}

function firstDue(queue: ReadonlyMap<string, number>, now: number): string | null {
  for (const [path, due] of queue) {
    // a clock that was set back must not hold anything up
    if (due <= now || due - now > 60_000) return path
  }
  return null
}

function relativeTo({ root }: WatchedRoot, path: string): string {
  return relative(root.path, path).split(sep).join('/')
}

function statsOf(path: string) {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}

function exists(directory: string): boolean {
  return statsOf(directory) !== null && statsOf(dirname(directory)) !== null
}
