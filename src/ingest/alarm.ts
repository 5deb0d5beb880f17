/** A sleep that something urgent ends. */
export class Alarm {
  #wake: (() => void) | null = null

  async sleep(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.#wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
    this.#wake = null
  }

  ring(): void {
    this.#wake?.()
  }
}
