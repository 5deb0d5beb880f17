import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const bufferCharacters = 1 << 20

/** A file that is written as it grows: no transcript is in memory as a whole. Its time becomes that of its last message. */
export class TextFile {
  readonly path: string
  readonly #descriptor: number
  #waiting = ''
  #bytes = 0

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true })
    this.path = path
    this.#descriptor = openSync(path, 'w', 0o600)
  }

  write(text: string): void {
    this.#waiting += text
    if (this.#waiting.length >= bufferCharacters) this.#flush()
  }

  /** @returns its bytes */
  close(changedAt: number): number {
    this.#flush()
    closeSync(this.#descriptor)
    utimesSync(this.path, changedAt / 1000, changedAt / 1000)
    return this.#bytes
  }

  #flush(): void {
    this.#bytes += writeSync(this.#descriptor, this.#waiting)
    this.#waiting = ''
  }
}

export function writeTextFile(path: string, text: string, changedAt: number): number {
  const file = new TextFile(path)
  file.write(text)
  return file.close(changedAt)
}
