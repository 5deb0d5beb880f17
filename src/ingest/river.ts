import { statSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { isCorrupt } from '../archive/database.ts'
import type { Redactor } from '../archive/redactor.ts'
import { ArchiveWriter } from '../archive/write/archive-writer.ts'
import type { ForgottenSession, ForgetTarget } from '../archive/write/forget.ts'
import type { Harness, ReaderOptions } from '../harness/harness.ts'
import { errorSignatures } from '../index/errors.ts'
import { searchText } from '../index/tokens.ts'
import type { Environment } from '../shared/environment.ts'
import { DejaError } from '../shared/errors.ts'
import { DueQueue } from './due-queue.ts'
import type { IngestEvent, IngestState } from './events.ts'
import { Exclusions } from './exclusions.ts'
import { FileReads } from './file-reads.ts'
import { FillQueue } from './fill-queue.ts'
import { harnessStates } from './harness-states.ts'
import { Outbox } from './outbox.ts'
import { buildPassages } from './passage-building.ts'
import { ProjectCache } from './project-cache.ts'
import type { UnforgetTarget } from './protocol.ts'
import { readCompaction, readRunning, recentMs } from './side-files.ts'
import { Stores } from './stores.ts'
import type { ReadingContext } from './transcript-reading.ts'

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

/** Passages of the archive that are told before anything else is done. */
const toldFirst = 1000
/** Characters that full text takes in at once, so that a peek waits no longer than a few milliseconds. */
const fullTextBudget = 60_000
/** Between two states told while there is work. */
const stateMs = 200
/** Between two looks whether the archive is still the file that was opened. */
const archiveCheckMs = 1000
const longestSleepMs = 30_000

/** The river in: from the stores to the archive, and what came of it to the main thread. Runs in the worker. */
export class River {
  readonly #options: RiverOptions
  readonly #outbox: Outbox
  readonly #context: ReadingContext
  readonly #stores: Stores
  readonly #reads: FileReads
  readonly #fill: FillQueue
  readonly #changed: DueQueue
  readonly #sides: DueQueue
  readonly #missing: DueQueue
  readonly #peeks = new Map<string, (() => void)[]>()
  readonly #commands: (() => Promise<void>)[] = []
  readonly #settled: (() => void)[] = []
  readonly #inode: string
  /** Row ids of sessions whose passages are to be told, the newest last. */
  #replay: number[] = []
  #filling = true
  #redactionDone = false
  #turn = 0
  #diskTrouble: string | null = null
  #lastError: IngestState['lastError'] = null
  #nextState = 0
  #stateDue = true
  #nextArchiveCheck = 0
  #wake: (() => void) | null = null
  #stopped = false

  /** Opens the archive; throws `archive` when it can't be. Nothing is read before `run`. */
  constructor(options: RiverOptions, post: (event: IngestEvent) => void) {
    this.#options = options
    const { archive, redactor, now, harnesses, environments } = options
    const writer = new ArchiveWriter(archive, { redactor, searchText, errorSignatures, now })
    this.#outbox = new Outbox(post)
    this.#inode = inodeOf(archive) ?? ''
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
      this.#note(
        `The archive was broken (${reason}) and was put aside as ${path}; what is still on disk is read again.`,
      )
    }
    this.#changed = new DueQueue(now)
    this.#sides = new DueQueue(now)
    this.#missing = new DueQueue(now)
    const queues = { changed: this.#changed, sides: this.#sides, missing: this.#missing }
    this.#stores = new Stores({ harnesses, environments, writer, queues, now, wake: () => this.#wakeUp() })
    this.#reads = new FileReads(this.#context, this.#stores.catalog, this.#outbox, options.reading ?? (() => undefined))
    this.#fill = new FillQueue(this.#stores.catalog)
  }

  /** An event was taken in by the main thread. */
  taken(): void {
    this.#outbox.taken()
  }

  /** Reads a transcript now, if it is one of a store's. Resolves when it was read as far as it goes. */
  async peek(path: string): Promise<void> {
    if (this.#stores.lookAt(path)?.role.role !== 'transcript') return
    await new Promise<void>(resolve => {
      this.#peeks.set(path, [...(this.#peeks.get(path) ?? []), resolve])
      this.#wakeUp()
    })
  }

  /** Everything that can be read now is read and in full text. Looks at the stores once more first. */
  async settle(): Promise<void> {
    await this.#command(() => this.#sweep())
    await new Promise<void>(resolve => {
      this.#settled.push(resolve)
      this.#wakeUp()
    })
  }

  /** Reads everything that is still on disk once more; what is gone from there stays. */
  rebuild(): Promise<void> {
    return this.#command(async () => {
      const { writer } = this.#context
      writer.transcripts.allAnew()
      this.#reads.forgiveAll()
      this.#fill.begin()
      this.#filling = true
      await this.#sweep()
    })
  }

  /** Drops sessions on purpose. Resolves when nothing of them is left in the archive's files. */
  forget(target: ForgetTarget, dryRun: boolean): Promise<ForgottenSession[]> {
    return this.#command(async () => {
      const { forget } = this.#context.writer
      if (dryRun) return forget.matches(target)
      const found = forget.decide(target, this.#iso())
      await this.#finishForgetting()
      return found
    })
  }

  /** Takes a tombstone back. What is still on disk is read again: the sessions themselves, and copies in others. */
  unforget(target: UnforgetTarget): Promise<boolean> {
    return this.#command(async () => {
      const { tombstones, transcripts } = this.#context.writer
      const at = this.#iso()
      const done =
        'session' in target
          ? tombstones.remove(target.session, at)
          : 'project' in target
            ? tombstones.removeRule('project', target.project, at)
            : tombstones.removeRule('before', target.before, at)
      if (!done) return false
      transcripts.allAnew()
      this.#reads.forgiveAll()
      await this.#sweep()
      return true
    })
  }

  /** Keeps a durable note for a project. */
  remember(project: string, text: string): Promise<void> {
    const { writer, redactor, now } = this.#context
    return this.#command(
      () =>
        new Promise<void>(resolve => {
          writer.notes.add(project, new Date(now()).toISOString(), redactor.redact(text))
          resolve()
        }),
    )
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

  /** Runs until `stop`. Throws when the archive is broken or gone: then only a new start helps. */
  async run(): Promise<void> {
    const { writer } = this.#context
    if (writer.forget.isDue() || writer.forget.purgeIsDue()) await this.#finishForgetting()
    this.#replay = writer.heads.newestFirst().reverse()
    await this.#replaySome(toldFirst)
    while (!this.#stopped) {
      this.#checkArchive()
      try {
        const worked = await this.#work()
        if (worked) this.#diskTrouble = null
        this.#tellState(!worked)
        if (worked) await nextTurn()
        else await this.#sleep()
      } catch (error) {
        if (isCorrupt(error)) throw error
        this.#fail(error)
        await pause(500)
      }
    }
    this.#stores.close()
    this.#reads.close()
    writer.close()
  }

  /** The most urgent piece of work, at most some 8 MB of it. False: there is nothing to do just now. */
  async #work(): Promise<boolean> {
    const peek = this.#peeks.keys().next()
    if (!peek.done) {
      if (this.#read(peek.value) !== 'more') this.#answerPeek(peek.value)
      return true
    }
    const command = this.#commands.shift()
    if (command) {
      await command()
      return true
    }
    return this.#workOnChanges() || (await this.#workOnRest())
  }

  #workOnChanges(): boolean {
    const changed = this.#changed.first()
    if (changed !== null) {
      this.#changed.delete(changed)
      if (this.#read(changed) === 'more') this.#changed.put(changed, 0)
      return true
    }
    const side = this.#sides.first()
    if (side !== null) {
      this.#readSide(side)
      return true
    }
    const missing = this.#missing.first()
    if (missing !== null) {
      this.#missing.delete(missing)
      this.#noteGone(missing)
      return true
    }
    return false
  }

  async #workOnRest(): Promise<boolean> {
    if (this.#stores.sweepIsDue()) {
      await this.#sweep()
      return true
    }
    const next = this.#fill.next()
    if (next !== null || this.#replay.length > 0) {
      if (this.#outbox.full) await Promise.race([this.#outbox.room(), pause(20)])
      // the archive's own passages and what is new on disk take turns: both are wanted soon
      else if (next === null || (this.#replay.length > 0 && ++this.#turn % 2 === 0)) await this.#replaySome(50)
      else if (this.#read(next) !== 'more') this.#fill.done(next)
      return true
    }
    if (this.#filling) {
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
      else this.#tellSession(due, true)
      return true
    }
    if (this.#waiting() === 0 && this.#settled.length > 0) {
      this.#sendState()
      for (const resolve of this.#settled.splice(0)) resolve()
    }
    return false
  }

  #read(path: string): 'more' | 'done' | 'failed' {
    const outcome = this.#reads.read(path)
    this.#stateDue = true
    if (outcome.type !== 'failed') this.#fill.credit(path, outcome.bytes)
    else if (this.#stores.isGone(path)) this.#missing.put(path, 0)
    else if (outcome.againMs !== null) this.#changed.postpone(path, outcome.againMs)
    return outcome.type
  }

  #readSide(path: string): void {
    this.#sides.delete(path)
    this.#stateDue = true
    const file = this.#stores.catalog.get(path)
    if (!file) return
    if (file.role.role === 'running') readRunning(file, this.#context, this.#outbox)
    else if (
      readCompaction(file, this.#stores.catalog, this.#context, this.#outbox) === 'waits' &&
      this.#fill.size > 0
    ) {
      // its session's transcript is still to be read
      this.#sides.postpone(path, 500)
    }
  }

  /** Tells the passages that the archive holds, newest sessions first, at least `passages` of them. */
  async #replaySome(passages: number): Promise<void> {
    let told = 0
    while (told < passages && !this.#stopped && this.#peeks.size === 0) {
      const key = this.#replay.pop()
      if (key === undefined) return
      told += this.#tellSession(key, false)
      if (this.#outbox.full) await Promise.race([this.#outbox.room(), pause(20)])
    }
  }

  /** Tells a session's passages, by today's redaction. */
  #tellSession(key: number, onlyIfChanged: boolean): number {
    const { writer } = this.#context
    const changed = writer.redactAgain.run(key)
    if (onlyIfChanged && !changed) return 0
    const passages = writer.transaction(() => buildPassages(writer, key, 0))
    this.#outbox.passages(passages)
    return passages.upserts.length + 1
  }

  async #sweep(): Promise<void> {
    const first = !this.#stores.scanned
    const found = await this.#stores.sweep()
    const rows = new Map(this.#context.writer.transcripts.all().map(row => [row.path, row]))
    const due: string[] = []
    for (const file of found) {
      const { role } = file.role
      if (role === 'running' || role === 'compaction') {
        if (first || this.#options.now() - file.mtimeMs < recentMs) this.#sides.put(file.path, 0)
      } else if (role === 'transcript' && !this.#changed.has(file.path)) {
        // at a start all are opened once: a sidecar may have changed while nobody watched
        if (
          !this.#reads.isThrough(file, rows.get(file.path)) ||
          (first && (rows.get(file.path)?.session_id ?? null) !== null)
        ) {
          due.push(file.path)
        }
      }
    }
    this.#fill.add(due)
    this.#stateDue = true
  }

  /** A file that is missing: its session is deleted when it was the last one. */
  #noteGone(path: string): void {
    if (!this.#stores.isGone(path)) return
    const { writer, unwritten } = this.#context
    const { catalog } = this.#stores
    const row = writer.transcripts.find(path)
    const file = catalog.remove(path)
    const heirs = file ? catalog.worse(file) : []
    for (const heir of heirs) {
      this.#reads.forgive(heir.path)
      this.#changed.put(heir.path, 0)
    }
    this.#reads.drop(path)
    this.#stateDue = true
    if (!row || row.gone_at !== null) return
    const at = this.#iso()
    const session = row.session_id
    writer.transaction(() => {
      writer.transcripts.setGone(row.id, at)
      unwritten.delete(row.id)
      if (session === null || heirs.length > 0) return
      if (writer.transcripts.ofSession(session).every(other => other.gone_at !== null)) {
        writer.sessions.setDeleted(session, at)
      }
    })
    const head = session === null ? null : writer.heads.get(session)
    if (head) this.#outbox.send({ type: 'session', session: head, prompts: [], path, writtenAt: 0 })
  }

  #answerPeek(path: string): void {
    const waiting = this.#peeks.get(path) ?? []
    this.#peeks.delete(path)
    this.#changed.delete(path)
    for (const resolve of waiting) resolve()
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

  /** Changed files that can be read; one that failed is unread, and tried again by and by. */
  #waiting(): number {
    let count = [...this.#sides.paths()].length
    for (const path of this.#changed.paths()) if (!this.#reads.isFailing(path)) count++
    return count
  }

  async #sleep(): Promise<void> {
    const { now } = this.#options
    const next = Math.min(
      this.#stores.nextSweep,
      this.#changed.next(),
      this.#sides.next(),
      this.#missing.next(),
      this.#nextArchiveCheck,
      this.#stateDue ? this.#nextState : Infinity,
    )
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.#wake = resolve
      timer = setTimeout(resolve, Math.max(1, Math.min(next - now(), longestSleepMs)))
    })
    clearTimeout(timer)
    this.#wake = null
  }

  #wakeUp(): void {
    this.#wake?.()
  }

  /** The archive may be deleted or replaced under us; what is then written goes nowhere. */
  #checkArchive(): void {
    const now = this.#options.now()
    if (now < this.#nextArchiveCheck && this.#nextArchiveCheck - now <= archiveCheckMs) return
    this.#nextArchiveCheck = now + archiveCheckMs
    if (inodeOf(this.#options.archive) === this.#inode) return
    throw new DejaError('archive', 'The archive was deleted or replaced while it was in use.', {
      path: this.#options.archive,
    })
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    this.#note(message)
    this.#diskTrouble = `The archive can't be written: ${message}.`
    this.#sendState()
  }

  #note(message: string): void {
    this.#lastError = { at: this.#iso(), message }
    this.#stateDue = true
  }

  #tellState(idle: boolean): void {
    const now = this.#options.now()
    const soon = now < this.#nextState && this.#nextState - now <= stateMs
    if (this.#stateDue && (!soon || (idle && !this.#filling))) this.#sendState()
  }

  #sendState(): void {
    this.#stateDue = false
    this.#nextState = this.#options.now() + stateMs
    const { writer } = this.#context
    const degraded = [this.#stores.trouble, this.#diskTrouble].filter(sentence => sentence !== null)
    const state: IngestState = {
      phase: this.#filling ? 'filling' : 'watching',
      pending: this.#fill.size + this.#waiting() + writer.fullText.waiting(),
      progress: this.#fill.progress(),
      harnesses: harnessStates(this.#stores, this.#reads, writer),
      degraded,
      lastError: this.#lastError,
    }
    this.#outbox.send({ type: 'state', state })
  }

  #iso(): string {
    return new Date(this.#options.now()).toISOString()
  }
}

function inodeOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return null
  }
}
