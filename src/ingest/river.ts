import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { identityOf, isCorrupt } from '../archive/database.ts'
import type { Redactor } from '../archive/redactor.ts'
import { ArchiveWriter } from '../archive/write/archive-writer.ts'
import type { ForgottenSession, ForgetTarget } from '../archive/write/forget.ts'
import type { Harness, ReaderOptions } from '../harness/harness.ts'
import { errorSignatures } from '../index/errors.ts'
import { TermScanner } from '../index/term-scanner.ts'
import type { Environment } from '../shared/environment.ts'
import { DejaError } from '../shared/errors.ts'
import { Alarm } from './alarm.ts'
import { DueQueue } from './due-queue.ts'
import type { IngestEvent } from './events.ts'
import { Exclusions } from './exclusions.ts'
import { FileReads } from './file-reads.ts'
import { FillQueue } from './fill-queue.ts'
import { nextToFill } from './next-to-fill.ts'
import { carryOutForgetting, takeBack } from './forgetting.ts'
import { noteGone } from './gone.ts'
import { harnessStates } from './harness-states.ts'
import { Outbox } from './outbox.ts'
import { Packing } from './packing.ts'
import { Peeks } from './peeks.ts'
import { ProjectCache } from './project-cache.ts'
import type { UnforgetTarget } from './protocol.ts'
import { ReadingAhead } from './reading-ahead.ts'
import { Replay } from './replay.ts'
import { readCompaction, readRunning, recentMs } from './side-files.ts'
import { StateTeller } from './state-teller.ts'
import { Stores } from './stores.ts'
import type { ReadingContext } from './transcript-reading.ts'

export interface RiverOptions {
  /** archive.db */
  archive: string
  /** The environments whose stores are read: the daemon's own, and those that `install` recorded. The same array until they change. */
  environments: () => readonly Environment[]
  harnesses: readonly Harness[]
  redactor: Redactor
  exclude: { projects: readonly string[]; paths: readonly string[] }
  reader: ReaderOptions
  now: () => number
  /** Starts a helper that reads transcripts ahead while much is to be read; absent: the river reads all by itself. */
  helper?: { begin: () => Worker; most: number }
  /** Notes the transcript that is being read, so that one which ends the worker is known afterwards. */
  reading?: (path: string | null) => void
}

/** Passages of the archive that are told before anything else is done. */
const toldFirst = 1000
/**
 * Characters that full text takes in at once: while agents call, so few that a peek waits no longer than a few
 * milliseconds; else more, since each time a segment is written, to be merged with others later.
 */
const fullTextBudget = { calm: 1_000_000, called: 100_000 } as const
const calmAfterMs = 2000
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
  readonly #state: StateTeller
  readonly #fill: FillQueue
  readonly #ahead: ReadingAhead | null
  readonly #packing: Packing
  readonly #changed: DueQueue
  readonly #sides: DueQueue
  readonly #missing: DueQueue
  readonly #peeks = new Peeks()
  readonly #commands: (() => Promise<void>)[] = []
  readonly #settled: (() => void)[] = []
  readonly #identity: string
  #replay: Replay | null = null
  #filling = true
  #tidy = false
  #turn = 0
  #nextArchiveCheck = 0
  #lastPeek = 0
  readonly #alarm = new Alarm()
  #stopped = false

  /** Opens the archive; throws `archive` when it can't be. Nothing is read before `run`. */
  constructor(options: RiverOptions, post: (event: IngestEvent) => void) {
    this.#options = options
    const { archive, redactor, now, harnesses, environments, helper } = options
    this.#ahead = helper ? new ReadingAhead(helper.begin, helper.most, () => this.#alarm.ring()) : null
    const terms = new TermScanner()
    const termsOf = (text: string) => terms.scan(text)
    const writer = new ArchiveWriter(archive, { redactor, termsOf, errorSignatures, now })
    writer.transaction(() => writer.transcripts.readUnder('subagents', options.reader.subagents))
    this.#outbox = new Outbox(post)
    this.#identity = identityOf(archive) ?? ''
    this.#context = {
      writer,
      redactor,
      options: options.reader,
      exclusions: new Exclusions(options.exclude),
      projects: new ProjectCache(now),
      unwritten: new Map(),
      ahead: this.#ahead,
      now,
    }
    this.#packing = new Packing(writer, now)
    this.#changed = new DueQueue(now)
    this.#sides = new DueQueue(now)
    this.#missing = new DueQueue(now)
    const queues = { changed: this.#changed, sides: this.#sides, missing: this.#missing }
    this.#stores = new Stores({
      harnesses,
      environments,
      writer,
      queues,
      now,
      wake: () => {
        this.#alarm.ring()
      },
    })
    this.#reads = new FileReads(this.#context, this.#stores.catalog, this.#outbox, options.reading ?? (() => undefined))
    this.#fill = new FillQueue(this.#stores.catalog)
    this.#state = new StateTeller(this.#outbox, now, () => ({
      phase: this.#filling ? 'filling' : 'watching',
      pending: this.#fill.size + this.#waiting() + writer.fullText.waiting(),
      progress: this.#fill.progress(),
      harnesses: harnessStates(this.#stores, this.#reads, writer),
      trouble: this.#stores.trouble,
    }))
    if (writer.setAside) {
      const { path, reason } = writer.setAside
      this.#state.noteError(
        `The archive was broken (${reason}) and was put aside as ${path}; what is still on disk is read again.`,
      )
    }
  }

  /** An event was taken in by the main thread. */
  taken(): void {
    this.#outbox.taken()
  }

  /** Reads a transcript now, if it is one of a store's. Resolves when it was read as far as it goes. */
  async peek(path: string): Promise<void> {
    if (this.#stores.lookAt(path)?.role.role !== 'transcript') return
    this.#stores.noteLive(path)
    this.#stores.lookBeside(path)
    this.#lastPeek = this.#options.now()
    for (const side of this.#sides.paths()) this.#sides.put(side, 0)
    const read = this.#peeks.wait(path)
    this.#alarm.ring()
    await read
  }

  /** Everything that can be read now is read and in full text. Looks at the stores once more first. */
  async settle(): Promise<void> {
    await this.#command(() => this.#sweep())
    await new Promise<void>(resolve => {
      this.#settled.push(resolve)
      this.#alarm.ring()
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
      const found = forget.decide(target, new Date(this.#options.now()).toISOString())
      await carryOutForgetting(this.#context, this.#outbox)
      return found
    })
  }

  /** Takes a tombstone back. What is still on disk is read again: the sessions themselves, and copies in others. */
  unforget(target: UnforgetTarget): Promise<boolean> {
    return this.#command(async () => {
      if (!takeBack(target, this.#context)) return false
      this.#reads.forgiveAll()
      await this.#sweep()
      return true
    })
  }

  /** Keeps a durable note for a project. */
  remember(project: string, text: string): Promise<void> {
    const { writer, redactor, now } = this.#context
    return this.#command(() => {
      writer.notes.add(project, new Date(now()).toISOString(), redactor.redact(text))
    })
  }

  stop(): void {
    this.#stopped = true
    this.#alarm.ring()
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
    if (writer.forget.isDue() || writer.forget.purgeIsDue()) await carryOutForgetting(this.#context, this.#outbox)
    this.#replay = new Replay(this.#context, this.#outbox)
    await this.#replay.some(toldFirst, () => this.#isUrgent())
    while (!this.#stopped) {
      this.#checkArchive()
      this.#stores.glance()
      try {
        const worked = await this.#work()
        if (worked) this.#state.archiveWorks()
        this.#state.tellIfDue(!worked && !this.#filling)
        if (worked) await nextTurn()
        else await this.#sleep()
      } catch (error) {
        if (isCorrupt(error)) throw error
        this.#state.archiveFailed(error)
        await pause(500)
      }
    }
    this.#stores.close()
    this.#reads.close()
    this.#ahead?.rest()
    writer.close()
  }

  /** The most urgent piece of work, at most some 8 MB of it. False: there is nothing to do just now. */
  async #work(): Promise<boolean> {
    const peek = this.#peeks.first()
    if (peek !== null) {
      // what was written beside the transcript belongs to what the caller wants to know
      const side = this.#sides.first()
      if (side !== null) {
        this.#readSide(side)
        return true
      }
      if (this.#read(peek) !== 'more') {
        this.#changed.delete(peek)
        this.#peeks.answer(peek)
      }
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
      if (!this.#stores.isGone(missing)) return true
      this.#reads.drop(missing)
      for (const heir of noteGone(missing, this.#context, this.#stores, this.#outbox)) {
        this.#reads.forgive(heir)
        this.#changed.put(heir, 0)
      }
      this.#state.changed()
      return true
    }
    return false
  }

  async #workOnRest(): Promise<boolean> {
    if (this.#stores.sweepIsDue()) {
      await this.#sweep()
      return true
    }
    const next = nextToFill(this.#fill, this.#reads, this.#stores.catalog, this.#ahead)
    const replayed = this.#replay?.done ?? true
    if (next !== null || !replayed) {
      if (this.#outbox.full) await Promise.race([this.#outbox.room(), pause(20)])
      // the archive's own passages and what is new on disk take turns: both are wanted soon
      else if (next === null || (!replayed && ++this.#turn % 2 === 0))
        await this.#replay?.some(50, () => this.#isUrgent())
      else if (next === 'comes') await this.#alarm.sleep(20)
      else if (this.#read(next.path) !== 'more') {
        this.#fill.done(next.path)
        this.#ahead?.drop(next.path)
      }
      return true
    }
    if (this.#filling) {
      this.#filling = false
      this.#ahead?.rest()
      this.#tidy = false
      this.#state.changed()
    }
    const { writer } = this.#context
    const called = Math.abs(this.#options.now() - this.#lastPeek) < calmAfterMs
    if (writer.fullText.drain(called ? fullTextBudget.called : fullTextBudget.calm) > 0) {
      this.#state.changed()
      return true
    }
    if (this.#replay?.redactOne()) return true
    if (writer.forget.purgeIsDue()) {
      await carryOutForgetting(this.#context, this.#outbox)
      return true
    }
    if (!this.#tidy) {
      // after much was written the log is as long as that
      writer.checkpoint()
      this.#tidy = true
    }
    // a file that seems to be gone is looked at once more: until then its session isn't told as deleted
    if (this.#waiting() === 0 && this.#missing.next() === Infinity && this.#settled.length > 0) {
      this.#state.tell()
      for (const resolve of this.#settled.splice(0)) resolve()
    }
    // while agents call, a look at their transcripts would wait for it
    return !called && this.#packing.one()
  }

  #read(path: string): 'more' | 'done' | 'failed' {
    const outcome = this.#reads.read(path)
    this.#state.changed()
    this.#packing.changed()
    if (outcome.type !== 'failed') this.#fill.credit(path, outcome.bytes)
    else if (this.#stores.isGone(path)) this.#missing.put(path, 0)
    else if (outcome.againMs !== null) this.#changed.postpone(path, outcome.againMs)
    return outcome.type
  }

  #readSide(path: string): void {
    this.#sides.delete(path)
    this.#state.changed()
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

  async #sweep(): Promise<void> {
    const first = !this.#stores.scanned
    const found = await this.#stores.sweep()
    for (const file of found) {
      const { role } = file.role
      if (role !== 'running' && role !== 'compaction') continue
      if (first || this.#options.now() - file.mtimeMs < recentMs) this.#sides.put(file.path, 0)
    }
    this.#fill.add(this.#reads.due(found, first).filter(path => !this.#changed.has(path)))
    this.#state.changed()
  }

  #isUrgent(): boolean {
    return this.#stopped || this.#peeks.size > 0
  }

  #command<T>(run: () => T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#commands.push(async () => {
        await Promise.resolve().then(run).then(resolve, reject)
      })
      this.#alarm.ring()
    })
  }

  /** Changed files that can be read; one that failed is unread, and tried again by and by. */
  #waiting(): number {
    let count = [...this.#sides.paths()].length
    for (const path of this.#changed.paths()) if (!this.#reads.isFailing(path)) count++
    return count
  }

  #sleep(): Promise<void> {
    const next = Math.min(
      this.#stores.nextSweep,
      this.#changed.next(),
      this.#sides.next(),
      this.#missing.next(),
      this.#nextArchiveCheck,
      this.#state.next,
      Math.max(this.#packing.next, this.#lastPeek + calmAfterMs),
    )
    return this.#alarm.sleep(Math.max(1, Math.min(next - this.#options.now(), longestSleepMs)))
  }

  /** The archive may be deleted or replaced under us; what is then written goes nowhere. */
  #checkArchive(): void {
    const now = this.#options.now()
    if (now < this.#nextArchiveCheck && this.#nextArchiveCheck - now <= archiveCheckMs) return
    this.#nextArchiveCheck = now + archiveCheckMs
    if (identityOf(this.#options.archive) === this.#identity) return
    throw new DejaError('archive', 'The archive was deleted or replaced while it was in use.', {
      path: this.#options.archive,
    })
  }
}
