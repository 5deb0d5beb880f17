import { setTimeout as sleep } from 'node:timers/promises'
import { callDaemon, type CallResult } from '../client/client.ts'
import type { ClientContext } from '../client/start.ts'
import { statusEndpoint, type Endpoint } from '../daemon/api.ts'
import { DejaError } from '../shared/errors.ts'

/** For one call, a start of the daemon included: an agent waits for it. */
const DEADLINE_MS = 10_000

/** The server's way to the daemon: one start for calls that come at once, and a deadline for each. */
export class DaemonLink {
  readonly #context: ClientContext
  readonly #closing = new AbortController()
  #start: Promise<unknown> | null = null

  constructor(context: ClientContext) {
    this.#context = context
  }

  /** Starts a daemon that is away, or waits for the start that is under way. Never rejects. */
  async wake(): Promise<void> {
    this.#start ??= callDaemon(this.#context, statusEndpoint, undefined, {
      deadlineMs: DEADLINE_MS,
      signal: this.#closing.signal,
    }).finally(() => (this.#start = null))
    await this.#start
  }

  /** Never throws; `unavailable` where the daemon doesn't answer in time. */
  async call<Input, Output>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    signal: AbortSignal,
  ): Promise<CallResult<Output>> {
    const until = new AbortController()
    const signals = AbortSignal.any([signal, this.#closing.signal, until.signal])
    const asked = this.#ask(endpoint, input, signals)
    const late = sleep(DEADLINE_MS, null, { signal: signals, ref: false }).then(
      () => failed<Output>(`The daemon is starting or busy: no answer within ${DEADLINE_MS / 1000} s.`),
      () => failed<Output>('The call was cancelled.'),
    )
    try {
      return await Promise.race([asked, late])
    } finally {
      until.abort()
    }
  }

  /** Gives up what is under way. */
  close(): void {
    this.#closing.abort()
  }

  async #ask<Input, Output>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    signal: AbortSignal,
  ): Promise<CallResult<Output>> {
    if (this.#start !== null) await this.#start
    const options = { deadlineMs: DEADLINE_MS, signal }
    const answered = await callDaemon(this.#context, endpoint, input, { ...options, autostart: false })
    if (answered.ok || answered.error.code !== 'unavailable' || signal.aborted) return answered
    // it is away: calls that find out at once share one start
    await this.wake()
    return callDaemon(this.#context, endpoint, input, options)
  }
}

const failed = <T>(message: string): CallResult<T> => ({
  ok: false,
  error: new DejaError('unavailable', message),
  durationMs: DEADLINE_MS,
})
