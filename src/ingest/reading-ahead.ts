import type { Worker } from 'node:worker_threads'
import { rememberPacked } from '../archive/text.ts'
import type { HelperAnswer, HelperAsk, ReadAhead } from './helper.ts'
import type { PreparedStep } from './prepared-step.ts'
import { sameSidecars } from './prefix.ts'
import type { TranscriptRef } from './transcript-reading.ts'

/** Transcripts asked of one helper at once: it never waits for the next, and little is held that nobody has written. */
const askedOfEach = 2

/**
 * Reading ahead while stores are filled in: helpers read, redact and pack transcripts that the worker will come to, and it
 * only writes them. What they give counts for a file that is still the same; for any other it is as if nobody had read it.
 */
export class ReadingAhead {
  readonly #begin: () => Worker
  readonly #most: number
  readonly #arrived: () => void
  #helpers: { worker: Worker; asked: Set<string> }[] = []
  /** By path; null: under way. */
  readonly #ahead = new Map<string, ReadAhead | null>()

  /** `begin` starts a helper, of which there are at most `most`. `arrived`: something can be taken. */
  constructor(begin: () => Worker, most: number, arrived: () => void) {
    this.#begin = begin
    this.#most = most
    this.#arrived = arrived
  }

  /** Asks for some of these, the first ones first. */
  ask(refs: readonly TranscriptRef[]): void {
    for (const { harness, root, path, relative } of refs) {
      if (this.#ahead.has(path)) continue
      const helper = this.#free()
      if (!helper) return
      helper.asked.add(path)
      this.#ahead.set(path, null)
      helper.worker.postMessage({ harness: harness.id, root, path, relative } satisfies HelperAsk)
    }
  }

  stateOf(path: string): 'unasked' | 'under way' | 'here' {
    const ahead = this.#ahead.get(path)
    return ahead === undefined ? 'unasked' : ahead === null ? 'under way' : 'here'
  }

  /** The first steps of a file that stands as it did when they were read; else none. */
  take(
    path: string,
    now: { inode: string; size: number; mtime_ms: number },
    sidecars: Record<string, string>,
  ): PreparedStep[] {
    const ahead = this.#ahead.get(path)
    if (ahead) this.#ahead.delete(path)
    if (!ahead || !sameSidecars(ahead.sidecars, sidecars)) return []
    if (ahead.inode !== now.inode || ahead.size !== now.size || ahead.mtime_ms !== now.mtime_ms) return []
    for (const { step, packed } of ahead.steps) {
      step.records.forEach((record, n) => {
        const texts = packed[n]
        if (texts) rememberPacked(record, texts)
      })
    }
    return ahead.steps
  }

  /** Nobody will come for it. */
  drop(path: string): void {
    if (this.#ahead.get(path)) this.#ahead.delete(path)
  }

  /** There is nothing more to read ahead: the helpers end. */
  rest(): void {
    for (const { worker } of this.#helpers.splice(0)) void worker.terminate()
    this.#ahead.clear()
  }

  #free(): { worker: Worker; asked: Set<string> } | null {
    const idle = this.#helpers.find(({ asked }) => asked.size === 0)
    if (idle) return this.#hasRoom() ? idle : null
    if (this.#helpers.length < this.#most) return this.#start()
    return this.#hasRoom() ? (this.#helpers.find(({ asked }) => asked.size < askedOfEach) ?? null) : null
  }

  #hasRoom(): boolean {
    return this.#ahead.size < askedOfEach * this.#most + 2
  }

  #start(): { worker: Worker; asked: Set<string> } {
    const worker = this.#begin()
    const helper = { worker, asked: new Set<string>() }
    worker.on('message', ({ path, ahead }: HelperAnswer) => {
      helper.asked.delete(path)
      if (ahead && this.#ahead.has(path)) this.#ahead.set(path, ahead)
      else this.#ahead.delete(path)
      this.#arrived()
    })
    const ended = () => {
      this.#helpers = this.#helpers.filter(other => other !== helper)
      for (const path of helper.asked) this.#ahead.delete(path)
      this.#arrived()
    }
    worker.on('error', ended)
    worker.on('exit', ended)
    this.#helpers.push(helper)
    return helper
  }
}
