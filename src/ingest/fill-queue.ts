import type { Catalog } from './catalog.ts'
import type { IngestState } from './events.ts'

/** Files that a look through the stores found unread, the newest first, and how far reading them has come. */
export class FillQueue {
  readonly #catalog: Catalog
  /** The newest last. */
  #paths: string[] = []
  /** Bytes of a file, and how many of them were read. */
  readonly #sizes = new Map<string, { size: number; read: number }>()
  #progress = { doneBytes: 0, totalBytes: 0, doneFiles: 0, totalFiles: 0 }

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  get size(): number {
    return this.#paths.length
  }

  /** A new pass: progress counts from here. */
  begin(): void {
    this.#progress = { doneBytes: 0, totalBytes: 0, doneFiles: 0, totalFiles: 0 }
  }

  add(paths: readonly string[]): void {
    const added = paths.filter(path => !this.#sizes.has(path))
    if (added.length === 0) return
    if (this.#paths.length === 0) this.begin()
    for (const path of added) {
      const size = this.#catalog.get(path)?.size ?? 0
      this.#sizes.set(path, { size, read: 0 })
      this.#progress.totalBytes += size
      this.#progress.totalFiles++
    }
    const age = (path: string) => this.#catalog.get(path)?.mtimeMs ?? 0
    this.#paths = [...this.#paths, ...added].sort((a, b) => age(a) - age(b))
  }

  /** The next ones, at most so many. */
  next(most: number): string[] {
    return this.#paths.slice(-most).reverse()
  }

  /** So many bytes of a file were read. */
  credit(path: string, bytes: number): void {
    const known = this.#sizes.get(path)
    if (!known) return
    const counted = Math.min(bytes, known.size - known.read)
    known.read += counted
    this.#progress.doneBytes += counted
  }

  done(path: string): void {
    const known = this.#sizes.get(path)
    if (!known) return
    this.#progress.doneBytes += known.size - known.read
    this.#progress.doneFiles++
    this.#sizes.delete(path)
    if (this.#paths.at(-1) === path) this.#paths.pop()
    else this.#paths = this.#paths.filter(other => other !== path)
  }

  progress(): IngestState['progress'] {
    return { ...this.#progress }
  }
}
