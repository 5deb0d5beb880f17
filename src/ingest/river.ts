import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { isCorrupt } from '../archive/database.ts'
import type { ForgottenSession, ForgetTarget } from '../archive/write/forget.ts'
import { Alarm } from './alarm.ts'
import { ArchiveWatch } from './archive-watch.ts'
import { Behind } from './behind.ts'
import { Commands } from './commands.ts'
import { DueQueue } from './due-queue.ts'
import type { IngestEvent } from './events.ts'
import { FileReads } from './file-reads.ts'
import { FillQueue } from './fill-queue.ts'
import { nextToFill } from './next-to-fill.ts'
import { carryOutForgetting, takeBack } from './forgetting.ts'
import { noteGone } from './gone.ts'
import { harnessStates } from './harness-states.ts'
import { Outbox } from './outbox.ts'
import { Packing } from './packing.ts'
import { Peeks } from './peeks.ts'
import type { UnforgetTarget } from './protocol.ts'
import { ReadingAhead } from './reading-ahead.ts'
import { Replay } from './replay.ts'
import { openContext } from './river-context.ts'
import type { RiverOptions } from './river-options.ts'
import { recentMs } from './side-files.ts'
import { readSide } from './side-work.ts'
import { StateTeller } from './state-teller.ts'
import { Stores } from './stores.ts'
import type { ReadingContext } from './transcript-reading.ts'

/** Passages of the archive that are told before anything else is done. */
const toldFirst = 1000
const calmAfterMs = 2000
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
  readonly #behind: Behind
  readonly #changed: DueQueue
  readonly #sides: DueQueue
  readonly #missing: DueQueue
  readonly #peeks = new Peeks()
  readonly #settled: (() => void)[] = []
  readonly #archive: ArchiveWatch
  #replay: Replay | null = null
  #filling = true
  #turn = 0
  #lastPeek = 0
  readonly #alarm = new Alarm()
  readonly #commands = new Commands(() => {
    this.#alarm.ring()
  })
  #stopped = false

  /** Opens the archive; throws `archive` when it can't be. Nothing is read before `run`. */
  constructor(options: RiverOptions, post: (event: IngestEvent) => void) {
    this.#options = options
    const { archive, now, harnesses, environments, helper } = options
    this.#ahead = helper ? new ReadingAhead(helper.begin, helper.most, () => this.#alarm.ring()) : null
    this.#outbox = new Outbox(post)
    this.#context = openContext(options, this.#ahead)
    const { writer } = this.#context
    this.#archive = new ArchiveWatch(archive, now)
    this.#packing = new Packing(writer, now)
    this.#behind = new Behind(this.#context, this.#outbox)
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
    await this.#commands.put(() => this.#sweep())
    await new Promise<void>(resolve => {
      this.#settled.push(resolve)
      this.#alarm.ring()
    })
  }

  /** Reads everything that is still on disk once more; what is gone from there stays. */
  rebuild(): Promise<void> {
    return this.#commands.put(async () => {
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
    return this.#commands.put(async () => {
      const { forget } = this.#context.writer
      if (dryRun) return forget.matches(target)
      const found = forget.decide(target, new Date(this.#options.now()).toISOString())
      await carryOutForgetting(this.#context, this.#outbox)
      return found
    })
  }

  /** Takes a tombstone back. What is still on disk is read again: the sessions themselves, and copies in others. */
  unforget(target: UnforgetTarget): Promise<boolean> {
    return this.#commands.put(async () => {
      if (!takeBack(target, this.#context)) return false
      this.#reads.forgiveAll()
      await this.#sweep()
      return true
    })
  }

  /** Keeps a durable note for a project. */
  remember(project: string, text: string): Promise<void> {
    const { writer, redactor, now } = this.#context
    return this.#commands.put(() => {
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
      this.#archive.check()
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
    if (await this.#commands.next()) return true
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
      this.#behind.written()
      this.#state.changed()
    }
    const called = Math.abs(this.#options.now() - this.#lastPeek) < calmAfterMs
    const worked = await this.#behind.work(called, this.#replay)
    if (worked === 'full text') this.#state.changed()
    if (worked !== null) return true
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
    const more = this.#fill.size > 0
    readSide(path, { sides: this.#sides, stores: this.#stores, context: this.#context, outbox: this.#outbox, more })
    this.#state.changed()
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
      this.#archive.next,
      this.#state.next,
      Math.max(this.#packing.next, this.#lastPeek + calmAfterMs),
    )
    return this.#alarm.sleep(Math.max(1, Math.min(next - this.#options.now(), longestSleepMs)))
  }
}
