import { carryOutForgetting } from './forgetting.ts'
import type { Outbox } from './outbox.ts'
import type { Replay } from './replay.ts'
import type { ReadingContext } from './transcript-reading.ts'

/**
 * Characters that full text takes in at once: while agents call, so few that a peek waits no longer than a few
 * milliseconds; else more, since each time a segment is written, to be merged with others later.
 */
const fullTextBudget = { calm: 1_000_000, called: 100_000 } as const

/** What the archive needs when nothing is to be read: full text, older redaction, what a `forget` left, the log. */
export class Behind {
  readonly #context: ReadingContext
  readonly #outbox: Outbox
  #tidy = false

  constructor(context: ReadingContext, outbox: Outbox) {
    this.#context = context
    this.#outbox = outbox
  }

  /** Much was written: the log is as long as that. */
  written(): void {
    this.#tidy = false
  }

  /** One piece of it; null: there is nothing to do. `called`: agents are at work. */
  async work(called: boolean, replay: Replay | null): Promise<'full text' | 'other' | null> {
    const { writer } = this.#context
    if (writer.fullText.drain(called ? fullTextBudget.called : fullTextBudget.calm) > 0) return 'full text'
    if (replay?.redactOne()) return 'other'
    if (writer.forget.purgeIsDue()) {
      await carryOutForgetting(this.#context, this.#outbox)
      return 'other'
    }
    if (!this.#tidy) {
      writer.checkpoint()
      this.#tidy = true
    }
    return null
  }
}
