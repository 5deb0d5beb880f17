import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

/**
 * Where a path really stands, links in its directories resolved; the path itself may be missing or a link. Null when not
 * even a directory above it exists.
 */
function realPlace(path: string): string | null {
  const missing: string[] = [basename(path)]
  for (let directory = dirname(resolve(path)); ; directory = dirname(directory)) {
    if (existsSync(directory)) return join(realpathSync(directory), ...missing)
    if (directory === dirname(directory)) return null
    missing.unshift(basename(directory))
  }
}

/** Whether a path really stands below a directory: `..` and links out of it don't count. */
export function standsBelow(path: string, directory: string): boolean {
  const place = realPlace(path)
  const base = existsSync(directory) ? realpathSync(directory) : null
  if (place === null || base === null) return false
  const way = relative(base, place)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(base, way) === place
}

/** Whether something stands there, a broken link included. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
