import type { Passage, SessionHead } from '../index/passage.ts'
import type { IngestEvent } from '../ingest/events.ts'

/** Adding a passage takes up to 10 ms; between slices of this length hooks are answered. */
const SLICE_MS = 5

/** The part of PassageIndex that is fed. */
export interface FedIndex {
  add(passages: Passage[]): void
  remove(ids: number[]): void
  updateSession(head: SessionHead): void
  forgetSession(key: number): void
}

type Task = { add: Passage } | { remove: number[] } | { session: SessionHead }

/**
 * Takes what ingest found into the index, in slices, in order; what stands in the archive since earlier comes behind
 * everything new.
 */
export class IndexFeed {
  readonly #index: FedIndex
  readonly #onError: (error: unknown) => void
  readonly #tasks: Task[] = []
  #backlog: Iterator<Passage> | null = null
  readonly #seen = new Set<number>()
  #scheduled = false
  #stopped = false

  constructor(index: FedIndex, onError: (error: unknown) => void) {
    this.#index = index
    this.#onError = onError
  }

  /** Whether the index lacks something that is known. */
  get behind(): boolean {
    return this.#tasks.length > 0 || this.#backlog !== null
  }

  onIngest(event: IngestEvent): void {
    if (event.type === 'passages') {
      if (event.removed.length > 0) this.#tasks.push({ remove: event.removed })
      for (const passage of event.upserts) this.#tasks.push({ add: passage })
    } else if (event.type === 'session' || event.type === 'compacted') {
      this.#tasks.push({ session: event.session })
    } else if (event.type === 'forgotten') {
      this.#forget(new Set(event.sessions))
    }
    this.#schedule()
  }

  /** The archive's passages, newest first. Those that came in through ingest meanwhile are newer and stay. */
  fill(backlog: Iterable<Passage>): void {
    this.#backlog = backlog[Symbol.iterator]()
    this.#schedule()
  }

  stop(): void {
    this.#stopped = true
    this.#tasks.length = 0
    this.#backlog?.return?.()
    this.#backlog = null
  }

  /** Binds at once, also for what still waits. */
  #forget(keys: ReadonlySet<number>): void {
    for (const key of keys) this.#index.forgetSession(key)
    const kept = this.#tasks.filter(
      task => !('add' in task && keys.has(task.add.session.key)) && !('session' in task && keys.has(task.session.key)),
    )
    this.#tasks.splice(0, this.#tasks.length, ...kept)
  }

  #schedule(): void {
    if (this.#scheduled || this.#stopped) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (this.#stopped) return
      try {
        this.#slice()
      } catch (error) {
        this.#onError(error)
      }
      if (this.behind) this.#schedule()
    })
  }

  #slice(): void {
    const end = performance.now() + SLICE_MS
    let done = 0
    try {
      while (done < this.#tasks.length && performance.now() < end) {
        const task = this.#tasks[done++]
        if (task !== undefined) this.#do(task)
      }
    } finally {
      // Also the one that failed: it isn't tried for ever.
      this.#tasks.splice(0, done)
    }
    while (this.#backlog !== null && this.#tasks.length === 0 && performance.now() < end) {
      const next = this.#backlog.next()
      if (next.done === true) {
        this.#backlog = null
        this.#seen.clear()
      } else if (!this.#seen.has(next.value.id)) this.#index.add([next.value])
    }
  }

  #do(task: Task): void {
    if ('add' in task) this.#index.add([task.add])
    else if ('remove' in task) this.#index.remove(task.remove)
    else this.#index.updateSession(task.session)
    if (this.#backlog === null) return
    const ids = 'add' in task ? [task.add.id] : 'remove' in task ? task.remove : []
    for (const id of ids) this.#seen.add(id)
  }
}
