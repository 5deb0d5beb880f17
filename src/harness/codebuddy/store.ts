import { basename, dirname, join } from 'node:path'
import { homeOf } from '../../shared/paths.ts'
import { directoryNamed } from '../shared/directories.ts'
import type { Environment } from '../../shared/environment.ts'
import type { FileRole, Store, StoreRoot } from '../harness.ts'

/** A harness's home: what stands beside its `projects` (settings, file history). */
export type Homes = (env: Environment) => string[]

/** WorkBuddy's homes: workbuddy.cn, workbuddy.ai, and what `WORKBUDDY_CONFIG_DIR` names (the app's convention, the client doesn't know it). */
export const workbuddyHomes: Homes = env => {
  const own = directoryNamed(env, 'WORKBUDDY_CONFIG_DIR')
  const usual = ['.workbuddy', '.workbuddy-ai'].map(name => join(homeOf(env), name))
  return [...new Set(own === null ? usual : [own, ...usual])]
}

/**
 * CodeBuddy's home. WorkBuddy runs the same client with `CODEBUDDY_CONFIG_DIR` set to its own home, so a daemon that
 * was started from there would take WorkBuddy's sessions for CodeBuddy's: such a value doesn't count.
 */
export const codebuddyHomes: Homes = env => {
  const moved = directoryNamed(env, 'CODEBUDDY_CONFIG_DIR')
  return [moved !== null && !workbuddyHomes(env).includes(moved) ? moved : join(homeOf(env), '.codebuddy')]
}

/** The home that a root lies in; null where the root isn't a home's `projects` (a store that was named on its own). */
export function homeOfRoot(root: string): string | null {
  return basename(root) === 'projects' ? dirname(root) : null
}

const STEM = String.raw`[^./\\]+`
const TRANSCRIPT = new RegExp(String.raw`^(${STEM})\.jsonl$`)
const COMPANION = new RegExp(String.raw`^${STEM}\.(?:meta\.json|file-rollback\.ndjson|quickask(?:\.[\w.-]+)?)$`)
/** Writes in progress, locks, and what a desktop leaves in directories. */
const PASSING = /^\.|\.(?:tmp|lock|swp)$|~$|^Thumbs\.db$/i

function classify(path: string): FileRole {
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  const [, second = '', third = ''] = parts
  if (parts.length > 2 && second === 'memory') return { role: 'ignored' }
  if (PASSING.test(name)) return { role: 'ignored' }
  if (parts.length === 1) return { role: 'unknown', reason: 'a file where only project directories are expected' }
  if (parts.includes('tool-results', 2)) return { role: 'companion' }
  const among = parts.length === 2 || (parts.length === 4 && third === 'subagents')
  if (!among) return { role: 'unknown', reason: 'a place where no file of a session is expected' }
  if (COMPANION.test(name)) return { role: 'companion' }
  if (!TRANSCRIPT.test(name)) return { role: 'unknown', reason: 'not a kind of file that is known beside sessions' }
  if (parts.length === 4 && !name.startsWith('agent-')) {
    return { role: 'unknown', reason: "a transcript among the sub-agents whose name doesn't begin with agent-" }
  }
  return { role: 'transcript' }
}

/** What a transcript's path says by itself. */
export interface Place {
  id: string
  /** The session that a sub-agent worked for: the directory's name (the items hold a third id). */
  parent: string | null
}

/** `path` is relative to the root, with `/`. Null: no transcript. */
export function placeOf(path: string): Place | null {
  if (classify(path).role !== 'transcript') return null
  const parts = path.split('/')
  const id = TRANSCRIPT.exec(parts.at(-1) ?? '')?.[1]
  return id === undefined ? null : { id, parent: parts.length === 4 ? (parts[1] ?? null) : null }
}

export function metaOf(path: string): string {
  return path.replace(/\.jsonl$/, '.meta.json')
}

/** `override` is the variable that replaces the store's directory (`DEJA_…_ROOT`). */
export function storeOf(homes: Homes, override: string): Store {
  return {
    roots(env: Environment): StoreRoot[] {
      const replaced = directoryNamed(env, override)
      const paths = replaced === null ? homes(env).map(home => join(home, 'projects')) : [replaced]
      return paths.map((path, rank) => ({ path, rank }))
    },
    classify,
    descends(directory: string): boolean {
      return !directory.split('/').some((part, depth) => part.startsWith('.') || (depth === 1 && part === 'memory'))
    },
    sidecars(path: string): string[] {
      return placeOf(path) === null ? [] : [metaOf(path)]
    },
    sessionIdOf(path: string): string | null {
      return placeOf(path)?.id ?? null
    },
  }
}
