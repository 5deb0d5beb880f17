import { join } from 'node:path'
import { homeOf } from '../../shared/paths.ts'
import { directoryNamed } from '../shared/directories.ts'
import type { FileRole, Store } from '../harness.ts'

/** What stands beside a transcript under its name (1.64.0); `<id>.v2.bak` is the flat original of a migrated session. */
export const companionEndings = [
  '.meta.json',
  '.checkpoints.jsonl',
  '.prompts.jsonl',
  '.share.json',
  '.scheduled-tasks.json',
  '.v2.bak',
] as const

/** The client's own test of what is no transcript though it ends in `.jsonl`. */
const notTranscript = ['.checkpoints.', '.prompts.', '.v2.bak']

const transcript = /^(?:.*\/)?([^/]+)\.jsonl$/

/** The session that a transcript's file name tells. */
export function idOfTranscript(path: string): string | null {
  return transcript.exec(path.replaceAll('\\', '/'))?.[1] ?? null
}

/** `projects/<slug>/<session>.jsonl`. The slug is lossy and shared by several projects: it names none. */
export const store: Store = {
  roots(env) {
    const path = directoryNamed(env, 'DEJA_COMMANDCODE_ROOT') ?? join(homeOf(env), '.commandcode', 'projects')
    return [{ path, rank: 0 }]
  },

  classify(path): FileRole {
    const parts = path.split('/')
    const name = parts.at(-1) ?? ''
    // `mcp.json` holds a project's private servers; `.tmp` is a write under way, renamed over its file.
    if (name.startsWith('.') || name.endsWith('.tmp') || parts.length > 2) return { role: 'ignored' }
    if (parts.length === 2 && name === 'mcp.json') return { role: 'ignored' }
    if (parts.length === 2 && companionEndings.some(ending => name.endsWith(ending))) return { role: 'companion' }
    if (parts.length === 2 && transcript.test(name) && !notTranscript.some(part => name.includes(part)))
      return { role: 'transcript' }
    return { role: 'unknown', reason: 'Command Code is not known to keep such a file here (read up to 1.64.0).' }
  },

  descends(directory) {
    return directory === '' || !(directory.includes('/') || directory.startsWith('.'))
  },

  sidecars(path) {
    return [path.replace(/\.jsonl$/, '.meta.json')]
  },

  sessionIdOf: idOfTranscript,
}
