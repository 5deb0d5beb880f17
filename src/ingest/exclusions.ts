import { sep } from 'node:path'

/** What the settings say is never to be read. */
export class Exclusions {
  readonly #projects: readonly string[]
  readonly #paths: readonly string[]

  /** Absolute directories or files; what lies below one is meant too. */
  constructor({ projects, paths }: { projects: readonly string[]; paths: readonly string[] }) {
    this.#projects = projects
    this.#paths = paths
  }

  /** A file of a store. */
  path(path: string): boolean {
    return this.#paths.some(excluded => isWithin(path, excluded))
  }

  /** A session by where it was worked. */
  session(...places: (string | null)[]): boolean {
    return this.#projects.some(excluded => places.some(place => place !== null && isWithin(place, excluded)))
  }
}

function isWithin(path: string, directory: string): boolean {
  const base = directory.replace(/[\\/]+$/, '')
  return path === base || path.startsWith(base + sep) || path.startsWith(`${base}/`)
}
