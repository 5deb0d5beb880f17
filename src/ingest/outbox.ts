import type { IngestEvent } from './events.ts'
import type { PassageChange } from './passage-building.ts'

const slice = 200
/** Events under way that the main thread hasn't taken in yet; beyond it what can wait does. */
const mostUnderWay = 8

/** Events on their way to the main thread, no more at once than it takes in. */
export class Outbox {
  readonly #post: (event: IngestEvent) => void
  #underWay = 0
  #waiting: (() => void)[] = []

  constructor(post: (event: IngestEvent) => void) {
    this.#post = post
  }

  send(event: IngestEvent): void {
    this.#underWay++
    this.#post(event)
  }

  passages({ upserts, removed }: PassageChange): void {
    for (let at = 0; at < Math.max(upserts.length, removed.length); at += slice) {
      this.send({ type: 'passages', upserts: upserts.slice(at, at + slice), removed: removed.slice(at, at + slice) })
    }
  }

  /** One event was taken in. */
  taken(): void {
    this.#underWay--
    if (this.#underWay > mostUnderWay / 2) return
    for (const go of this.#waiting.splice(0)) go()
  }

  get full(): boolean {
    return this.#underWay >= mostUnderWay
  }

  /** Until there is room again. */
  async room(): Promise<void> {
    if (this.full) await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}
