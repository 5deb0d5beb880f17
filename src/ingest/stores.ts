import { lstatSync, type Stats } from 'node:fs'
import { posix, relative, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ArchiveWriter } from '../archive/write/archive-writer.ts'
import type { FileRole, Harness } from '../harness/harness.ts'
import type { Environment } from '../shared/environment.ts'
import { Catalog, type SeenFile, type WatchedRoot } from './catalog.ts'
import { DirectoryWatch } from './directory-watch.ts'
import type { DueQueue } from './due-queue.ts'
import { filesBelow, look, rootStats, scanRoot } from './scan.ts'

/** After a change, how long to wait for more of it. */
const settleMs = { append: 40, document: 200 } as const
/** How long a file must be missing before its session counts as deleted: some programs save by deleting first. */
const goneMs = 300
const sweepMs = { usual: 30_000, degraded: 2_000, absent: 1_000 } as const
/** Between two sweeps, however long they take; a time further ahead was set before the clock went back. */
const longestMs = 300_000
/** A sweep takes at most this share of the time. */
const sweepShare = 0.003
/** How long a new watch takes to stand. */
const standsMs = 300
/** Between two glances at the watched directories themselves. */
const glanceMs = 1000
/** A file that didn't change for so long, and those beyond so many, are cold: swept, not watched. */
const warmMs = 24 * 60 * 60_000
const mostWarm = 1000
/** A transcript that a caller's hook named is watched, however old: its agent is at work. */
const liveMs = 20 * 60_000

export interface StoresOptions {
  harnesses: readonly Harness[]
  /** The same array until they change. */
  environments: () => readonly Environment[]
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
  /** Whether all roots were looked through once. */
  scanned = false
  readonly #options: StoresOptions
  readonly #watch: DirectoryWatch
  #environments: readonly Environment[]
  readonly #live = new Map<string, number>()
  /** Files whose last change is older are cold (epoch milliseconds). */
  #coldBefore = 0
  #nextSweep = 0
  #nextGlance = 0

  constructor(options: StoresOptions) {
    this.#options = options
    this.#environments = options.environments()
    this.roots = rootsOf(options.harnesses, this.#environments)
    this.#watch = new DirectoryWatch({
      changed: path => this.#onChange(path),
      leaves: (path, stats) => this.#leaves(path, stats),
      troubled: () => this.#sweepSoon(sweepMs.degraded),
      now: options.now,
    })
  }

  /** Why changes are noticed late, or null. */
  get trouble(): string | null {
    if (this.#watch.trouble === null) return null
    return this.#watch.trouble === 'ENOSPC'
      ? 'The system has no file watches left (fs.inotify.max_user_watches); changes are found by looking every few seconds.'
      : 'Too many files are open; changes are found by looking every few seconds.'
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
    const found: SeenFile[] = []
    const directories = new Map<string, ReadonlyMap<string, number>>()
    for (const watched of this.roots) {
      const device = watched.device
      const scan = await scanRoot(watched, nextTurn)
      directories.set(watched.root.path, scan?.directories ?? new Map())
      if (!scan) continue
      const changed = scan.files.filter(file => this.catalog.get(file.path)?.mark !== file.mark)
      for (const file of scan.files) {
        this.catalog.put(file)
        found.push(file)
      }
      // a transcript whose facts stand beside it is read for their sake as well
      for (const { path } of this.scanned ? changed : [])
        for (const transcript of this.catalog.ofSidecar(path)) this.#options.queues.changed.put(transcript, 0)
      this.#findGone(watched, device, new Set(scan.files.map(file => file.path)), scan.unreadable)
    }
    this.scanned = true
    const added = this.#watchWarm(found, directories)
    const took = Math.max(0, now() - began)
    const usual = this.#isWatching() ? sweepMs.usual : sweepMs.degraded
    const absent = this.roots.some(root => root.state !== 'read') && took < 20 ? sweepMs.absent : usual
    this.#nextSweep = now() + Math.max(Math.min(usual, absent), Math.min(took / sweepShare, longestMs))
    // what went before the new watches stood
    if (added) this.#sweepSoon(Math.max(standsMs, 2 * took))
    return found
  }

  /** Looks at the watched directories themselves, where that is due. */
  glance(): void {
    const now = this.#options.now()
    if (now < this.#nextGlance && this.#nextGlance - now <= glanceMs) return
    this.#nextGlance = now + glanceMs
    this.#watch.glance()
    const environments = this.#options.environments()
    if (environments === this.#environments) return
    this.#environments = environments
    this.#addRoots(rootsOf(this.#options.harnesses, environments))
  }

  /** An agent is at work on a transcript. */
  noteLive(path: string): void {
    const now = this.#options.now()
    const known = this.#live.has(path)
    this.#live.set(path, now)
    if (!known) this.#watch.follow([path])
  }

  /** What an agent wrote apart for a transcript's session, in the directory of that name: it may be newer than any watch. */
  lookBeside(path: string): void {
    const watched = this.rootOf(path)
    if (!watched) return
    const transcript = relativeTo(watched, path)
    const id = watched.harness.store.sessionIdOf(transcript)
    if (id === null) return
    for (const file of filesBelow(watched, posix.join(posix.dirname(transcript), id))) {
      const { role } = file.role
      if ((role !== 'running' && role !== 'compaction') || this.catalog.get(file.path)?.mark === file.mark) continue
      this.catalog.put(file)
      this.#options.queues.sides.put(file.path, 0)
    }
  }

  /** A file below a root as it stands now, noted; null when there is none of ours. */
  lookAt(path: string): SeenFile | null {
    const watched = this.rootOf(path)
    const file = watched ? look(watched, relativeTo(watched, path)) : null
    if (file) this.catalog.put(file)
    return file
  }

  /**
   * Whether a file is really gone: its root is there and readable, on the file system that the file was read from, and
   * the file is not in it.
   */
  isGone(path: string): boolean {
    const watched = this.rootOf(path)
    const root = watched && rootStats(watched)
    if (!root || look(watched, relativeTo(watched, path)) !== null) return false
    const inode = this.#options.writer.transcripts.find(path)?.inode ?? null
    return inode === null || inode.startsWith(`${root.dev}:`)
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

  /** Agents were installed under other homes: their stores come after those that are known. */
  #addRoots(roots: readonly WatchedRoot[]): void {
    for (const watched of roots) {
      const same = this.roots.filter(({ harness }) => harness.id === watched.harness.id)
      if (same.some(({ root }) => root.path === watched.root.path)) continue
      const rank = Math.max(-1, ...same.map(({ root }) => root.rank)) + 1
      this.roots.push({ ...watched, root: { path: watched.root.path, rank } })
      this.#sweepSoon(0)
    }
  }

  #watchWarm(found: readonly SeenFile[], directories: ReadonlyMap<string, ReadonlyMap<string, number>>): boolean {
    const now = this.#options.now()
    for (const [path, since] of this.#live) if (Math.abs(now - since) > liveMs) this.#live.delete(path)
    const wanted = found.filter(file => this.#isWanted(file.path, file.role)).sort((a, b) => b.ctimeMs - a.ctimeMs)
    this.#coldBefore = Math.max(now - warmMs, wanted[mostWarm]?.ctimeMs ?? 0)
    let added = false
    for (const [root, kept] of directories) added = this.#watch.keep(root, kept) || added
    this.#watch.renew()
    this.#watch.follow(wanted.filter(file => !this.#isCold(file.path, file)).map(({ path }) => path))
    return added
  }

  /** What of a watched directory chokidar needn't watch by itself: it would set a watch for every file. */
  #leaves(path: string, stats: Stats): boolean {
    const watched = this.rootOf(path)
    if (!watched) return true
    const { store } = watched.harness
    const inRoot = relativeTo(watched, path)
    if (stats.isDirectory()) return !store.descends(inRoot)
    if (!this.#isWanted(path, store.classify(inRoot)) || this.#isCold(path, stats)) return true
    // chokidar tells nothing of what it meets when it begins
    const known = this.catalog.get(path)
    if (known?.size !== stats.size || known.mtimeMs !== stats.mtimeMs) this.#onChange(path)
    return false
  }

  /** Companions that belong to no transcript's facts are counted, and read by nobody. */
  #isWanted(path: string, { role }: FileRole): boolean {
    if (role === 'companion') return this.catalog.ofSidecar(path).length > 0
    return role === 'transcript' || role === 'running' || role === 'compaction'
  }

  #isCold(path: string, { ctimeMs }: { ctimeMs: number }): boolean {
    return ctimeMs < this.#coldBefore && !this.#live.has(path)
  }

  /** A file or a directory may have changed. */
  #onChange(path: string): void {
    const watched = this.rootOf(path)
    if (!watched) return
    if (path === watched.root.path) {
      this.#watch.add(path)
      this.#sweepSoon(100)
    } else this.#onFile(watched, path)
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

function rootsOf(harnesses: readonly Harness[], environments: readonly Environment[]): WatchedRoot[] {
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
