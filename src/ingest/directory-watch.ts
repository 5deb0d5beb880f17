import { lstatSync, watch, type FSWatcher } from 'node:fs'

/** What a watch that can't be set means: no watches or descriptors left. */
export type WatchTrouble = 'ENOSPC' | 'EMFILE'

/**
 * Watches directories, one watch each: every platform's directory watch tells of changes to the files in it as well, so
 * a store of 10,000 files in a few directories costs a few watches. chokidar (4.0) lists and
 * stats a whole directory at each change of any file in it, watched or not: 50 appends beside 10,000 files took 2,580 ms
 * of CPU with it, and 14 ms so.
 */
export class DirectoryWatch {
  readonly #watchers = new Map<string, { watcher: FSWatcher; birth: string }>()
  readonly #changed: (directory: string, name: string | null) => void
  readonly #trouble: (code: WatchTrouble) => void

  /** `changed`: something in the directory; which file, where the system tells it. */
  constructor(changed: (directory: string, name: string | null) => void, trouble: (code: WatchTrouble) => void) {
    this.#changed = changed
    this.#trouble = trouble
  }

  add(directory: string): void {
    const known = this.#watchers.get(directory)
    const birth = birthOf(directory)
    // deleted and made again: the old watch sees nothing any more
    if (known && known.birth === birth) return
    this.remove(directory)
    if (birth === null) return
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        this.#changed(directory, name)
      })
      watcher.on('error', () => {
        this.remove(directory)
        this.#changed(directory, null)
      })
      this.#watchers.set(directory, { watcher, birth })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : ''
      if (code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE') {
        this.#trouble(code === 'ENOSPC' ? 'ENOSPC' : 'EMFILE')
      }
      // a directory that went meanwhile is found again by the next sweep, if it comes back
    }
  }

  remove(directory: string): void {
    this.#watchers.get(directory)?.watcher.close()
    this.#watchers.delete(directory)
  }

  /** Keeps these directories of a root and no others. */
  keep(root: string, directories: ReadonlySet<string>): void {
    for (const directory of this.#watchers.keys()) {
      if ((directory === root || directory.startsWith(`${root}/`)) && !directories.has(directory))
        this.remove(directory)
    }
    for (const directory of directories) this.add(directory)
  }

  get size(): number {
    return this.#watchers.size
  }

  close(): void {
    for (const directory of [...this.#watchers.keys()]) this.remove(directory)
  }
}

/** Tells a directory from one that was made anew in its place, which may get the same inode. */
function birthOf(directory: string): string | null {
  try {
    const { ino, birthtimeMs } = lstatSync(directory)
    return `${ino}:${birthtimeMs}`
  } catch {
    return null
  }
}
