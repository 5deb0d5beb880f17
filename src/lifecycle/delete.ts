import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
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

/** Takes them. A link goes itself, never what it points to. */
export function deleteFiles(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true })
}
