import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs'
import { sep } from 'node:path'
import type { ByteSource } from '../harness/harness.ts'

/** No link as the last name, and no waiting for a pipe's other end. Windows knows neither, and `|` takes nothing for 0. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The file got shorter while it was read: what was read is worth nothing, and another read is due. */
class ChangedWhileReading extends Error {
  constructor(path: string) {
    super(`${path} changed while it was read`)
    this.name = 'ChangedWhileReading'
  }
}

/** A file's bytes as they were when it was opened. */
export class FileSource implements ByteSource {
  readonly path: string
  readonly stats: Stats
  readonly #file: number

  /** Throws what `open` throws; `EPERM` for what isn't a file of its own below `root`, once links are resolved. */
  constructor(root: string, path: string) {
    this.path = path
    // a directory on the way may be a link that leads out of the store; O_NOFOLLOW looks at the last name alone
    if (!realpathSync(path).startsWith(realpathSync(root) + sep)) throw outside(path)
    this.#file = openSync(path, openFlags)
    this.stats = fstatSync(this.#file)
    if (this.stats.isFile()) return
    this.close()
    throw outside(path)
  }

  get size(): number {
    return this.stats.size
  }

  read(offset: number, length: number): Uint8Array {
    const wanted = Math.max(0, Math.min(length, this.size - offset))
    const bytes = Buffer.allocUnsafe(wanted)
    let filled = 0
    while (filled < wanted) {
      const count = readSync(this.#file, bytes, filled, wanted - filled, offset + filled)
      if (count === 0) throw new ChangedWhileReading(this.path)
      filled += count
    }
    return bytes
  }

  close(): void {
    closeSync(this.#file)
  }
}

function outside(path: string): Error {
  return Object.assign(new Error(`${path} is no file of this store`), { code: 'EPERM' })
}

/** A small file's text, or null when it isn't there, isn't one, or is longer than `most` bytes. */
export function readSmall(root: string, path: string, most: number): string | null {
  let source: FileSource
  try {
    source = new FileSource(root, path)
  } catch {
    return null
  }
  try {
    return source.size > most ? null : Buffer.from(source.read(0, source.size)).toString('utf8')
  } catch {
    return null
  } finally {
    source.close()
  }
}

/** Whether a failure will pass by itself. */
export function passes(error: unknown): boolean {
  if (error instanceof ChangedWhileReading) return true
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'EMFILE', 'ENFILE'].includes(String(error.code))
  )
}

function inodeOf(source: FileSource): string {
  return `${source.stats.dev}:${source.stats.ino}`
}

/** What is noted of a file that was looked at. */
export function seen(source: FileSource): { inode: string; size: number; mtime_ms: number } {
  return { inode: inodeOf(source), size: source.size, mtime_ms: source.stats.mtimeMs }
}
