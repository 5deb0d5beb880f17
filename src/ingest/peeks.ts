/** Transcripts that are to be read before everything else, and who waits for that. */
export class Peeks {
  readonly #waiting = new Map<string, (() => void)[]>()

  get size(): number {
    return this.#waiting.size
  }

  first(): string | null {
    const next = this.#waiting.keys().next()
    return next.done ? null : next.value
  }

  wait(path: string): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.set(path, [...(this.#waiting.get(path) ?? []), resolve])
    })
  }

  answer(path: string): void {
    const waiting = this.#waiting.get(path) ?? []
    this.#waiting.delete(path)
    for (const resolve of waiting) resolve()
  }
}
