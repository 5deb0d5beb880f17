import type { Moment } from '../harness/hooks.ts'

/** Two wirings call within this time of one another. */
const windowMs = 2_500
/** A tool call's id doesn't come twice. */
const callWindowMs = 10 * 60_000
const mostKept = 2_000

/**
 * The same event from two wirings (the user's and the project's, an old build and a new one) is answered once. A person
 * may say the same twice in a row, too: so only an event that was answered, or is being answered, makes the next a repeat.
 */
export class Repeats {
  readonly #seen = new Map<string, number>()

  isRepeat(harness: string, moment: Moment, now: number): boolean {
    const name = nameOf(harness, moment)
    const before = this.#seen.get(name)
    const within = 'callId' in moment && moment.callId !== null ? callWindowMs : windowMs
    if (before !== undefined && now - before < within) return true
    this.#seen.delete(name)
    this.#seen.set(name, now)
    if (this.#seen.size > mostKept)
      for (const old of [...this.#seen.keys()].slice(0, mostKept / 4)) this.#seen.delete(old)
    return false
  }

  /** There was nothing to say. */
  unanswered(harness: string, moment: Moment): void {
    this.#seen.delete(nameOf(harness, moment))
  }
}

const nameOf = (harness: string, moment: Moment): string =>
  `${harness} ${moment.agentSession} ${moment.type} ${what(moment)}`

function what(moment: Moment): string {
  switch (moment.type) {
    case 'prompt':
      return moment.text
    case 'session-start':
      return moment.source
    case 'before-tool':
      return moment.callId ?? JSON.stringify(moment.tool)
    case 'after-tool':
      return moment.callId ?? `${JSON.stringify(moment.tool)} ${moment.output.slice(0, 500)}`
    case 'compaction':
    case 'session-end':
      return ''
  }
}
