import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Harness } from '../harness/harness.ts'
import type { KeptSession } from '../harness/lifecycle.ts'
import type { Environment } from '../shared/environment.ts'
import { isThere, standsBelow } from './places.ts'

/** What deleting a session from its agent's store takes: every existing file and directory of it, absolute. */
export function filesOf(harness: Harness, session: KeptSession, env: Environment): string[] {
  // companions of the store (rewind's copies) stand beside the root, in the agent's own home
  const home = dirname(session.root)
  return harness.lifecycle
    .files(session, env)
    .filter(path => isThere(path) && (standsBelow(path, session.root) || standsBelow(path, home)))
}

/** What is in them: every file, those in directories too, so that a person sees what goes. */
export function listingOf(paths: readonly string[]): string[] {
  return paths.flatMap(path => {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
    const inside = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => !entry.isDirectory())
    return inside.length === 0 ? [path] : inside.map(entry => join(entry.parentPath, entry.name)).sort()
  })
}

/** Takes them. A link goes itself, never what it points to. */
export function deleteFiles(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true })
}
