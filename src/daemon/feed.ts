import type { PackedPassage } from '../index/packed-passages.ts'
import type { Passage, SessionHead } from '../index/passage.ts'
import type { IngestEvent } from '../ingest/events.ts'

/** Adding a passage takes up to 10 ms; between slices of this length hooks are answered. */
const SLICE_MS = 5

/** The part of PassageIndex that is fed. */
export interface FedIndex {
  add(passages: readonly Passage[]): void
  addPacked(session: SessionHead, terms: readonly string[], passage: PackedPassage): void
  remove(ids: readonly number[]): void
  updateSession(head: SessionHead): void
  forgetSession(key: number): void
}

interface Packed {
  session: SessionHead
  terms: readonly string[]
  passage: PackedPassage
}

type Task =
  { add: Passage } | { packed: Packed } | { remove: number[] } | { session: SessionHead } | { done: () => void }

/** Takes what ingest found into the index, in order and in slices. */
export class IndexFeed {
  readonly #index: FedIndex
  readonly #onError: (error: unknown) => void
  /** The sessions that the index may know. */
  readonly #sessions = new Set<number>()
  #tasks: Task[] = []
  #scheduled = false
  #stopped = false

  constructor(index: FedIndex, onError: (error: unknown) => void) {
    this.#index = index
    this.#onError = onError
  }

  /** Whether the index lacks something that is known. */
  get behind(): boolean {
    return this.#tasks.length > 0
  }

  /** Resolves once the event is taken in: until then ingest holds the next ones back. */
  onIngest(event: IngestEvent): Promise<void> {
    switch (event.type) {
      case 'passages':
        if (event.removed.length > 0) this.#tasks.push({ remove: event.removed })
        for (const passage of event.upserts) this.#tasks.push({ add: passage })
        break
      case 'packed': {
        const { session, packed } = event
        for (const passage of packed.passages) this.#tasks.push({ packed: { session, terms: packed.terms, passage } })
        break
      }
      case 'session':
      case 'compacted':
        this.#tasks.push({ session: event.session })
        break
      case 'forgotten':
        this.#forget(new Set(event.sessions))
        break
      case 'reopened':
        this.#forget(new Set(this.#sessions))
        break
      default:
    }
    if (!this.behind || this.#stopped) return Promise.resolve()
    return new Promise(resolve => {
      this.#tasks.push({ done: resolve })
      this.#schedule()
    })
  }

  stop(): void {
    this.#stopped = true
    for (const task of this.#tasks) if ('done' in task) task.done()
    this.#tasks = []
  }

  /** Binds at once, also for what still waits. */
  #forget(keys: ReadonlySet<number>): void {
    const dropped = (task: Task) =>
      ('add' in task && keys.has(task.add.session.key)) ||
      ('packed' in task && keys.has(task.packed.session.key)) ||
      ('session' in task && keys.has(task.session.key))
    this.#tasks = this.#tasks.filter(task => !dropped(task))
    for (const key of keys) {
      this.#index.forgetSession(key)
      this.#sessions.delete(key)
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#stopped) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (this.#stopped) return
      this.#slice()
      if (this.behind) this.#schedule()
    })
  }

  #slice(): void {
    const end = performance.now() + SLICE_MS
    let done = 0
    for (const task of this.#tasks) {
      if (done > 0 && performance.now() >= end) break
      done++
      try {
        this.#do(task)
      } catch (error) {
        // That one is left out rather than tried for ever.
        this.#onError(error)
      }
    }
    this.#tasks.splice(0, done)
  }

  #do(task: Task): void {
    if ('done' in task) task.done()
    else if ('remove' in task) this.#index.remove(task.remove)
    else if ('add' in task) {
      this.#sessions.add(task.add.session.key)
      this.#index.add([task.add])
    } else if ('packed' in task) {
      const { session, terms, passage } = task.packed
      this.#sessions.add(session.key)
      this.#index.addPacked(session, terms, passage)
    } else {
      this.#sessions.add(task.session.key)
      this.#index.updateSession(task.session)
    }
  }
}
