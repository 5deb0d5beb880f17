import { lstatSync, type Stats } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ArchiveWriter } from '../archive/write/archive-writer.ts'
import type { Harness } from '../harness/harness.ts'
import type { Environment } from '../shared/environment.ts'
import { Catalog, type SeenFile, type WatchedRoot } from './catalog.ts'
import { DirectoryWatch } from './directory-watch.ts'
import type { DueQueue } from './due-queue.ts'
import { look, rootStats, scanRoot } from './scan.ts'

/** After a change, how long to wait for more of it. */
const settleMs = { append: 40, document: 200 } as const
/** How long a file must be missing before its session counts as deleted: some programs save by deleting first. */
const goneMs = 300
const sweepMs = { usual: 30_000, degraded: 2_000, absent: 1_000 } as const
/** Between two sweeps, however long they take; a time further ahead was set before the clock went back. */
const longestMs = 300_000
/** A sweep takes at most this share of the time. */
const sweepShare = 0.01

export interface StoresOptions {
  harnesses: readonly Harness[]
  environments: readonly Environment[]
  writer: ArchiveWriter
  /** Transcripts that changed, files beside them that did, and transcripts that seem to be gone. */
  queues: { changed: DueQueue; sides: DueQueue; missing: DueQueue }
  now: () => number
  /** Something is due. */
  wake: () => void
}

/** The stores' directories: watched where the system can, looked through now and then. */
export class Stores {
  readonly catalog = new Catalog()
  readonly roots: WatchedRoot[]
  /** Why changes are noticed late, or null. */
  trouble: string | null = null
  /** Whether all roots were looked through once. */
  scanned = false
  readonly #options: StoresOptions
  readonly #watch: DirectoryWatch
  #nextSweep = 0

  constructor(options: StoresOptions) {
    this.#options = options
    this.roots = rootsOf(options)
    this.#watch = new DirectoryWatch(
      (directory, name) => this.#onChange(directory, name),
      code => {
        this.trouble =
          code === 'ENOSPC'
            ? 'The system has no file watches left (fs.inotify.max_user_watches); changes are found by looking every few seconds.'
            : 'Too many files are open; changes are found by looking every few seconds.'
      },
    )
  }

  /** When the next sweep is due. */
  get nextSweep(): number {
    return this.#nextSweep
  }

  sweepIsDue(): boolean {
    const now = this.#options.now()
    return now >= this.#nextSweep || this.#nextSweep - now > 2 * longestMs
  }

  /** Looks through all roots: watches their directories, finds what is gone, gives all files that are there. */
  async sweep(): Promise<SeenFile[]> {
    const { now } = this.#options
    const began = now()
    this.trouble = null
    const found: SeenFile[] = []
    for (const watched of this.roots) {
      const device = watched.device
      const scan = await scanRoot(watched, nextTurn)
      this.#watch.keep(watched.root.path, new Set(scan?.directories))
      if (!scan) continue
      for (const file of scan.files) {
        this.catalog.put(file)
        found.push(file)
      }
      this.#findGone(watched, device, new Set(scan.files.map(file => file.path)), scan.unreadable)
    }
    this.scanned = true
    const took = Math.max(0, now() - began)
    const usual = this.#isWatching() ? sweepMs.usual : sweepMs.degraded
    const absent = this.roots.some(root => root.state !== 'read') && took < 20 ? sweepMs.absent : usual
    this.#nextSweep = now() + Math.max(Math.min(usual, absent), Math.min(took / sweepShare, longestMs))
    return found
  }

  /** A file below a root as it stands now, noted; null when there is none of ours. */
  lookAt(path: string): SeenFile | null {
    const watched = this.rootOf(path)
    const file = watched ? look(watched, relativeTo(watched, path)) : null
    if (file) this.catalog.put(file)
    return file
  }

  /** Whether a file is really gone: its root is there and readable, and the file is not in it. */
  isGone(path: string): boolean {
    const watched = this.rootOf(path)
    return watched !== null && rootStats(watched) !== null && look(watched, relativeTo(watched, path)) === null
  }

  rootOf(path: string): WatchedRoot | null {
    return this.roots.find(({ root }) => path === root.path || path.startsWith(root.path + sep)) ?? null
  }

  close(): void {
    this.#watch.close()
  }

  /** Transcripts of a readable root that are not in it any more. */
  #findGone(
    watched: WatchedRoot,
    device: number | null,
    present: ReadonlySet<string>,
    unreadable: readonly string[],
  ): void {
    // another file system stands where the store was: what it held isn't gone, it is away
    if (device !== null && watched.device !== device) return
    for (const row of this.#options.writer.transcripts.all()) {
      if (row.root !== watched.root.path || row.gone_at !== null || present.has(row.path)) continue
      if (unreadable.some(directory => row.path.startsWith(directory + sep))) continue
      if (row.inode !== null && !row.inode.startsWith(`${watched.device}:`)) continue
      if (row.session_id === null) this.catalog.remove(row.path)
      else this.#options.queues.missing.put(row.path, goneMs)
    }
  }

  /** The system told of a change in a directory. */
  #onChange(directory: string, name: string | null): void {
    const watched = this.rootOf(directory)
    if (!watched) return
    // the directory itself changed, or the system doesn't tell which file: look through everything
    if (name === null || (name === basename(directory) && !statsOf(directory))) this.#sweepSoon(100)
    if (name !== null) this.#onFile(watched, join(directory, name))
    this.#options.wake()
  }

  #onFile(watched: WatchedRoot, path: string): void {
    const { changed, sides, missing } = this.#options.queues
    const { reader, store } = watched.harness
    const inRoot = relativeTo(watched, path)
    const stats = statsOf(path)
    for (const transcript of this.catalog.ofSidecar(path)) changed.put(transcript, settleMs.append)
    if (!stats) {
      const known = this.catalog.get(path)
      if (known?.role.role === 'transcript') missing.put(path, goneMs)
      else if (known) this.catalog.remove(path)
      else if (store.descends(inRoot)) this.#sweepSoon(goneMs)
      return
    }
    if (stats.isDirectory()) {
      if (!store.descends(inRoot)) return
      this.#watch.add(path)
      // what was written into it before the watch stood
      this.#sweepSoon(20)
      return
    }
    const file = this.lookAt(path)
    if (file?.role.role === 'transcript') changed.put(path, settleMs[reader.mode])
    else if (file?.role.role === 'running' || file?.role.role === 'compaction') sides.put(path, settleMs.append)
  }

  #isWatching(): boolean {
    return this.trouble === null
  }

  #sweepSoon(ms: number): void {
    this.#nextSweep = Math.min(this.#nextSweep, this.#options.now() + ms)
  }
}

function rootsOf({ harnesses, environments }: StoresOptions): WatchedRoot[] {
  const roots: WatchedRoot[] = []
  for (const harness of harnesses) {
    // the first environment's roots are better than the next one's
    let rank = 0
    for (const env of environments) {
      const base = rank
      for (const root of harness.store.roots(env)) {
        if (roots.some(known => known.root.path === root.path && known.harness.id === harness.id)) continue
        roots.push({ harness, root: { path: root.path, rank: base + root.rank }, state: 'absent', device: null })
        rank = Math.max(rank, base + root.rank + 1)
      }
    }
  }
  return roots
}

function relativeTo({ root }: WatchedRoot, path: string): string {
  return relative(root.path, path).split(sep).join('/')
}

function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}
