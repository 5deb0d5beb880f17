import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DejaError } from '../shared/errors.ts'

/** A file of the log holds at most so much; with the one before it, twice that is kept. */
const CAP_BYTES = 1_000_000

export const logFile = (dataDir: string): string => join(dataDir, 'logs', 'daemon.log')

/** The daemon's log. What it is given must hold nothing of what people or agents said. */
export class Log {
  readonly #path: string
  readonly #now: () => Date
  #bytes: number

  constructor(dataDir: string, now: () => Date) {
    this.#path = logFile(dataDir)
    this.#now = now
    this.#bytes = sizeOf(this.#path)
  }

  info(message: string): void {
    this.#write('info', message)
  }

  /** `what` was tried; of the error only what can't quote a payload is written. */
  error(what: string, error: unknown): void {
    this.#write('error', `${what}: ${describeError(error)}`)
  }

  #write(level: string, message: string): void {
    const line = `${this.#now().toISOString()} ${level} ${message.replaceAll('\n', ' | ')}\n`
    try {
      if (this.#bytes + line.length > CAP_BYTES) {
        // first: somebody may have removed the file, and then there is nothing to rename
        this.#bytes = 0
        renameSync(this.#path, `${this.#path}.1`)
      }
      appendFileSync(this.#path, line, { mode: 0o600 })
      this.#bytes += Buffer.byteLength(line)
    } catch {
      // A full disk must not take the service along; `status` tells of it.
    }
  }
}

/** Our own messages are ours; others' may quote what they choked on (JSON.parse does), so of those only kind, code and place. */
function describeError(error: unknown): string {
  if (error instanceof DejaError) return `${error.code}: ${error.message}`
  if (!(error instanceof Error)) return typeof error
  const code = 'code' in error ? ` ${String(error.code)}` : ''
  const frames = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  return `${error.name}${code} ${frames
    .slice(0, 4)
    .map(line => line.trim())
    .join(' ')}`
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
