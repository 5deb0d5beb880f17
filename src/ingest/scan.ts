import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { SeenFile, WatchedRoot } from './catalog.ts'

/** What a look through a root found. */
export interface Scan {
  files: SeenFile[]
  /** Directories worth watching, the root first, and how many entries each has. */
  directories: Map<string, number>
  /** Directories that could not be listed: nothing below them is known to be gone. */
  unreadable: string[]
}

/**
 * Looks through one root, a directory at a time (`pause` lets others in between), and notes the root's own state. Links
 * are never followed. Null when the root as a whole is absent or unreadable: then nothing in it is known to be gone.
 */
export async function scanRoot(watched: WatchedRoot, pause: () => Promise<void>): Promise<Scan | null> {
  const { root } = watched
  const stats = rootStats(watched)
  if (!stats) return null
  const scan: Scan = { files: [], directories: new Map(), unreadable: [] }
  const open = ['']
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    const entries = list(join(root.path, directory))
    if (entries === null) {
      if (directory === '') {
        watched.state = 'unreadable'
        return null
      }
      scan.unreadable.push(join(root.path, directory))
      continue
    }
    scan.directories.set(directory === '' ? root.path : join(root.path, directory), entries.length)
    for (const entry of entries) {
      const relative = directory === '' ? entry.name : `${directory}/${entry.name}`
      if (entry.isDirectory()) {
        if (watched.harness.store.descends(relative)) open.push(relative)
      } else if (entry.isFile()) {
        const file = look(watched, relative)
        if (file) scan.files.push(file)
      }
    }
    await pause()
  }
  watched.state = 'read'
  watched.device = stats.dev
  return scan
}

/** The files below one directory of a root, at once: for a few. */
export function filesBelow(watched: WatchedRoot, directory: string): SeenFile[] {
  if (!watched.harness.store.descends(directory)) return []
  return (list(join(watched.root.path, directory)) ?? []).flatMap(entry => {
    const relative = `${directory}/${entry.name}`
    if (entry.isDirectory()) return filesBelow(watched, relative)
    const file = entry.isFile() ? look(watched, relative) : null
    return file ? [file] : []
  })
}

/** One file as it stands now; null: not there, not a file, or nothing of ours. */
export function look(watched: WatchedRoot, relative: string): SeenFile | null {
  const role = watched.harness.store.classify(relative)
  if (role.role === 'ignored') return null
  const path = join(watched.root.path, relative)
  try {
    const stats = lstatSync(path)
    if (!stats.isFile()) return null
    const { size, mtimeMs, ctimeMs, dev, ino } = stats
    const inode = `${dev}:${ino}`
    return {
      watched,
      path,
      relative,
      role,
      size,
      mtimeMs,
      ctimeMs,
      inode,
      mark: `${inode}:${size}:${mtimeMs}:${ctimeMs}`,
    }
  } catch {
    return null
  }
}

/** The root's stats, or null and its state noted. */
export function rootStats(watched: WatchedRoot): Stats | null {
  try {
    const stats = lstatSync(`${watched.root.path}/.`)
    if (stats.isDirectory()) return stats
    watched.state = 'absent'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    watched.state = code === 'EACCES' || code === 'EPERM' || code === 'EIO' ? 'unreadable' : 'absent'
  }
  return null
}

function list(directory: string): Dirent[] | null {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return null
  }
}
