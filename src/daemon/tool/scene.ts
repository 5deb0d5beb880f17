import { resolve } from 'node:path'
import { DejaError } from '../../shared/errors.ts'
import { homeOf } from '../../shared/paths.ts'
import { liveIn } from '../live.ts'
import type { Services } from '../services.ts'

const projectsLooked = 1000

/** Where and for whom the tool is asked. */
export interface Scene {
  services: Services
  /** The server's own (absolute). */
  directory: string
  /** Directory and project that the question is about. */
  workspace: string
  project: string
  /** The caller named the project: nothing else is wanted. */
  named: boolean
  /**
   * Sessions (row ids) that are being worked in just now in the server's directory. One of them may be the caller's own,
   * and no client tells which.
   */
  live: ReadonlySet<number>
}

export function sceneOf(services: Services, directory: string, named: string | undefined): Scene {
  const workspace = named === undefined ? directory : directoryOf(services, named, directory)
  return {
    services,
    directory,
    workspace,
    project: services.projectOf(workspace),
    named: named !== undefined,
    live: liveIn(services, services.projectOf(directory)),
  }
}

/** A project as it is named: a directory, or the last part of a known project's. */
function directoryOf({ archive, env }: Services, named: string, directory: string): string {
  if (named === '~' || named.startsWith('~/')) return resolve(homeOf(env), named.slice(2))
  if (/[\\/]/.test(named) || named.startsWith('.')) return resolve(directory, named)
  const known = archive.sessions
    .newest({ limit: projectsLooked })
    .find(({ project }) => project?.split(/[\\/]/).at(-1) === named)
  return known?.project ?? resolve(directory, named)
}

/** The id of a harness that there is. Throws `usage`. */
export function knownHarness({ harnesses }: Services, id: string | undefined): string | undefined {
  if (id === undefined || harnesses.some(known => known.id === id)) return id
  throw new DejaError('usage', `"harness" is one of ${harnesses.map(known => known.id).join(', ')}, not "${id}".`)
}

export function agentName({ harnesses }: Services, id: string): string {
  return harnesses.find(harness => harness.id === id)?.name ?? id
}

/** What is said as long as there may be more in a moment. */
export function unfinished(services: Services): string[] {
  const { state, progress } = services.status()
  if (state !== 'indexing' && progress === null) return []
  const far =
    progress === null || progress.totalBytes === 0
      ? ''
      : ` (${Math.floor((100 * progress.doneBytes) / progress.totalBytes)} % read)`
  return [`The index is still being built${far}: ask again in a while, there may be more.`]
}
