import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ForgottenSession, ForgetTarget } from '../archive/write/forget.ts'
import type { Settings } from '../settings/settings.ts'
import type { Environment } from '../shared/environment.ts'
import { DejaError } from '../shared/errors.ts'
import type { IngestEvent, IngestState } from './events.ts'
import type { Call, Failure, FromWorker, ToWorker, UnforgetTarget, WorkerStart } from './protocol.ts'
import { notedReading, readingNote } from './reading-note.ts'

export interface IngestOptions {
  /** `$DEJA_HOME`: archive.db and forgotten.jsonl stand in it. */
  dataDir: string
  /** The environments whose stores are read: the daemon's own first, then those that `install` has recorded so far. */
  env: Environment
  homes?: readonly Environment[]
  settings: Pick<Settings, 'exclude' | 'subagents'>
  /** The worker's bundle. Default: `ingest-worker.js` beside this one. */
  worker?: URL
}

/** Takes in an event; a promise holds further ones back until it is through. */
export type IngestListener = (event: IngestEvent) => void | Promise<void>

/** Waits between starts of a worker that keeps ending: doubled each time. */
const firstWaitMs = 200
const longestWaitMs = 30_000
/** A worker that ran so long is no longer counted as failing. */
const steadyMs = 60_000

interface Waiting {
  call: Call
  resolve: (result: ForgottenSession[] | boolean | null) => void
  reject: (error: Error) => void
}

const beginning: IngestState = {
  phase: 'filling',
  pending: 0,
  progress: { doneBytes: 0, totalBytes: 0, doneFiles: 0, totalFiles: 0 },
  harnesses: [],
  degraded: [],
  lastError: null,
}

/** The river in, as the main thread holds it: a worker that is started again when it ends. */
export class Ingest {
  readonly #options: IngestOptions
  readonly #listeners = new Set<IngestListener>()
  readonly #calls = new Map<number, Waiting>()
  readonly #note = readingNote()
  readonly #early: IngestEvent[] = []
  #worker: Worker | null = null
  #state = beginning
  #nextCall = 1
  #archive: string | null = null
  #stopping = false
  #failures = 0
  #restart: NodeJS.Timeout | null = null
  #trouble: string | null = null

  /** Resolves once the archive stands open; reading goes on behind it. Rejects with `archive` when it can't be opened. */
  readonly opened: Promise<void>

  private constructor(options: IngestOptions) {
    this.#options = options
    this.opened = this.#launch(null)
    // whoever awaits it is told; until then it may have failed already
    this.opened.catch(() => undefined)
  }

  /** Begins; `opened` is to be awaited. Events that come before the first `on` are kept for it. */
  static begin(options: IngestOptions): Ingest {
    return new Ingest(options)
  }

  /** Begins, and waits until the archive stands open. */
  static async start(options: IngestOptions): Promise<Ingest> {
    const ingest = Ingest.begin(options)
    await ingest.opened
    return ingest
  }

  get archivePath(): string {
    return join(this.#options.dataDir, 'archive.db')
  }

  on(listener: IngestListener): () => void {
    this.#listeners.add(listener)
    for (const event of this.#early.splice(0)) void this.#deliver(event)
    return () => this.#listeners.delete(listener)
  }

  /** Reads a transcript now, when it is one of a store's. Resolves when that is done, or after `deadlineMs`. Never rejects. */
  async peek(path: string, deadlineMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, deadlineMs)
    })
    const read = this.#call({ name: 'peek', path }).then(
      () => undefined,
      () => undefined,
    )
    await Promise.race([read, late])
    clearTimeout(timer)
  }

  /** Resolves when all that can be read now was read, and stands in full text. */
  async settle(): Promise<void> {
    await this.#call({ name: 'settle' })
  }

  /** Reads everything that is still on disk once more; resolves when that is done. */
  async rebuild(): Promise<void> {
    await this.#call({ name: 'rebuild' })
  }

  /** Drops sessions on purpose; gives those that it took, or with `dryRun` would take. */
  async forget(target: ForgetTarget, { dryRun = false }: { dryRun?: boolean } = {}): Promise<ForgottenSession[]> {
    const result = await this.#call({ name: 'forget', target, dryRun })
    return Array.isArray(result) ? result : []
  }

  /** Takes it back. False: nothing of that kind was forgotten. */
  async unforget(target: UnforgetTarget): Promise<boolean> {
    return (await this.#call({ name: 'unforget', target })) === true
  }

  /** Keeps a durable note for a project, redacted; resolves once it stands in the archive. */
  async remember(project: string, text: string): Promise<void> {
    await this.#call({ name: 'remember', project, text })
  }

  state(): IngestState {
    return this.#trouble === null ? this.#state : { ...this.#state, degraded: [...this.#state.degraded, this.#trouble] }
  }

  /** Ends the worker after the step that it is in. */
  async stop(): Promise<void> {
    this.#stopping = true
    if (this.#restart) clearTimeout(this.#restart)
    const worker = this.#worker
    if (worker) {
      const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
      this.#post({ type: 'stop' })
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>(resolve => {
        timer = setTimeout(resolve, 5000)
      })
      await Promise.race([ended, late])
      clearTimeout(timer)
      await worker.terminate()
    }
    for (const { reject } of this.#calls.values()) reject(new DejaError('unavailable', 'The daemon is stopping.'))
    this.#calls.clear()
  }

  #launch(crashedOn: string | null): Promise<void> {
    const { dataDir, env, homes = [], settings, worker: bundle } = this.#options
    const workerData: WorkerStart = {
      dataDir,
      archive: this.archivePath,
      env,
      homes,
      settings: { exclude: settings.exclude, subagents: settings.subagents },
      crashedOn,
      reading: this.#note,
    }
    const worker = new Worker(bundle ?? new URL('./ingest-worker.js', import.meta.url), { workerData, name: 'ingest' })
    this.#worker = worker
    const steady = setTimeout(() => (this.#failures = 0), steadyMs)
    steady.unref()
    return new Promise((resolve, reject) => {
      let failure: Error | null = null
      worker.on('message', (message: FromWorker) => {
        switch (message.type) {
          case 'opened':
            this.#trouble = null
            if (this.#archive !== null && this.#archive !== message.archive) void this.#deliver({ type: 'reopened' })
            this.#archive = message.archive
            for (const [id, { call }] of this.#calls) this.#post({ type: 'call', id, call })
            resolve()
            break
          case 'failed':
            failure = errorOf(message.failure)
            reject(failure)
            break
          case 'event':
            this.#take(message.event)
            break
          case 'reply':
            this.#calls.get(message.id)?.resolve(message.result)
            this.#calls.delete(message.id)
            break
          case 'refused':
            this.#calls.get(message.id)?.reject(errorOf(message.failure))
            this.#calls.delete(message.id)
            break
        }
      })
      worker.on('error', (error: Error) => {
        failure = error
      })
      worker.on('exit', () => {
        clearTimeout(steady)
        if (this.#worker === worker) this.#worker = null
        reject(failure ?? new DejaError('internal', 'The ingest worker ended before it had begun.'))
        if (this.#archive !== null && !this.#stopping) this.#startAgain(failure)
      })
    })
  }

  #startAgain(failure: Error | null): void {
    if (!existsSync(this.#options.dataDir)) {
      // taken away on purpose, most likely: it is not for us to make it again
      this.#trouble = `The data directory ${this.#options.dataDir} is gone.`
      return
    }
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** this.#failures++)
    this.#trouble = `Reading was interrupted${failure ? ` (${failure.message})` : ''} and begins again.`
    const crashedOn = notedReading(this.#note)
    new Int32Array(this.#note, 0, 1)[0] = 0
    this.#restart = setTimeout(() => {
      // a failed start comes back here through the worker's exit
      this.#launch(crashedOn).catch(() => undefined)
    }, wait)
  }

  #take(event: IngestEvent): void {
    if (event.type === 'state') this.#state = event.state
    void this.#deliver(event).finally(() => this.#post({ type: 'taken' }))
  }

  async #deliver(event: IngestEvent): Promise<void> {
    if (this.#listeners.size === 0) {
      if (event.type !== 'state') this.#early.push(event)
      return
    }
    for (const listener of this.#listeners) await listener(event)
  }

  #call(call: Call): Promise<ForgottenSession[] | boolean | null> {
    if (this.#stopping) return Promise.reject(new DejaError('unavailable', 'The daemon is stopping.'))
    const id = this.#nextCall++
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { call, resolve, reject })
      if (this.#worker) this.#post({ type: 'call', id, call })
    })
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message)
  }
}

function errorOf({ code, message, path, hint }: Failure): DejaError {
  return new DejaError(code, message, { ...(path !== undefined && { path }), ...(hint !== undefined && { hint }) })
}
