import { setTimeout as pause } from 'node:timers/promises'
import type { Outbox } from './outbox.ts'
import { buildPassages } from './passage-building.ts'
import { packedOf } from './packing.ts'
import type { ReadingContext } from './transcript-reading.ts'

/** Tells the main thread's index what the archive holds already, newest sessions first, all by today's redaction. */
export class Replay {
  readonly #context: ReadingContext
  readonly #outbox: Outbox
  /** Row ids of sessions, the newest last. */
  readonly #sessions: number[]
  #redactionDone = false
  #told = false

  constructor(context: ReadingContext, outbox: Outbox) {
    this.#context = context
    this.#outbox = outbox
    this.#sessions = context.writer.heads.newestFirst().reverse()
  }

  get done(): boolean {
    return this.#sessions.length === 0
  }

  /** At least so many passages, unless something more urgent comes. */
  async some(passages: number, urgent: () => boolean): Promise<void> {
    let told = 0
    while (told < passages && !urgent()) {
      const key = this.#sessions.pop()
      if (key === undefined) break
      this.#context.writer.redactAgain.run(key)
      told += this.#tell(key)
      if (this.#outbox.full) await Promise.race([this.#outbox.room(), pause(20)])
    }
    if (!this.done || this.#told) return
    this.#told = true
    this.#outbox.send({ type: 'replayed' })
  }

  /** Redacts one session again that older rules have written. False: there is none. */
  redactOne(): boolean {
    if (this.#redactionDone) return false
    const [key] = this.#context.writer.redactAgain.due(1)
    if (key === undefined) this.#redactionDone = true
    else if (this.#context.writer.redactAgain.run(key)) this.#tell(key)
    return key !== undefined
  }

  #tell(key: number): number {
    const { writer } = this.#context
    const packed = packedOf(writer, key)
    const head = packed && writer.heads.get(key)
    if (packed && head) {
      if (packed.passages.length > 0) this.#outbox.send({ type: 'packed', session: head, packed })
      return packed.passages.length + 1
    }
    const passages = writer.transaction(() => buildPassages(writer, key, 0))
    this.#outbox.passages(passages)
    return passages.upserts.length + 1
  }
}
