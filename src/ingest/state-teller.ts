import type { IngestState } from './events.ts'
import type { Outbox } from './outbox.ts'

/** Between two states told while there is work. */
const betweenMs = 200

type Look = () => Omit<IngestState, 'degraded' | 'lastError'> & { trouble: string | null }

/** Tells the main thread how things stand: often enough for a progress bar, and at once when there is nothing more to do. */
export class StateTeller {
  readonly #outbox: Outbox
  readonly #now: () => number
  /** The state but for what is kept here. */
  readonly #look: Look
  #due = true
  #next = 0
  #archiveTrouble: string | null = null
  #lastError: IngestState['lastError'] = null

  constructor(outbox: Outbox, now: () => number, look: Look) {
    this.#outbox = outbox
    this.#now = now
    this.#look = look
  }

  /** Something changed that is part of the state. */
  changed(): void {
    this.#due = true
  }

  /** When a state that is due will be told; `Infinity`: none is. */
  get next(): number {
    return this.#due ? this.#next : Infinity
  }

  noteError(message: string): void {
    this.#lastError = { at: new Date(this.#now()).toISOString(), message }
    this.#due = true
  }

  /** The archive can't be written just now. */
  archiveFailed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    this.noteError(message)
    this.#archiveTrouble = `The archive can't be written: ${message}.`
    this.tell()
  }

  archiveWorks(): void {
    if (this.#archiveTrouble !== null) this.#due = true
    this.#archiveTrouble = null
  }

  /** `atOnce`: there is nothing else to do, so what is due needn't wait. */
  tellIfDue(atOnce: boolean): void {
    const now = this.#now()
    const soon = now < this.#next && this.#next - now <= betweenMs
    if (this.#due && (atOnce || !soon)) this.tell()
  }

  tell(): void {
    this.#due = false
    this.#next = this.#now() + betweenMs
    const { trouble, ...rest } = this.#look()
    const degraded = [trouble, this.#archiveTrouble].filter(sentence => sentence !== null)
    this.#outbox.send({ type: 'state', state: { ...rest, degraded, lastError: this.#lastError } })
  }
}
