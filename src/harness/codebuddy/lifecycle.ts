import { dirname, join } from 'node:path'
import { parse } from 'jsonc-parser'
import { numberOf, objectOf } from '../shared/json.ts'
import { itemsOf } from './restore.ts'
import { homeOfRoot } from './store.ts'
import type { Environment } from '../../shared/environment.ts'
import type { KeptSession, Lifecycle } from '../lifecycle.ts'
import type { StoreRoot } from '../harness.ts'

/** Days that the client keeps a transcript which isn't written to, unless its settings say otherwise. */
const KEPT_DAYS = 30

/** What stands beside a transcript under its name; the client's own delete leaves all but the first two (2.117.0). */
const BESIDE = ['.jsonl', '.meta.json', '.file-rollback.ndjson', '.quickask', '']

function filesOf(session: KeptSession): string[] {
  const transcripts = session.paths.length > 0 ? session.paths : [session.path]
  const beside = transcripts.flatMap(path => BESIDE.map(suffix => join(dirname(path), session.id + suffix)))
  const home = homeOfRoot(session.root)
  // Copies for /rewind, of the session and of its sub-agents.
  const ids = [session.id, ...(session.subagents ?? [])]
  return [...new Set([...beside, ...(home === null ? [] : ids.map(id => join(home, 'file-history', id)))])]
}

/**
 * The client looks once a day for transcripts whose file is older than `cleanupPeriodDays`, each by its own age. A
 * period that isn't a number counts as unset.
 */
function retentionOf(
  settings: string | null,
  env: Environment,
  roots: StoreRoot[],
): ReturnType<Lifecycle['retention']> {
  const home = roots.map(root => homeOfRoot(root.path)).find(path => path !== null)
  const off = /^(?:1|true)$/i.test(env.CODEBUDDY_DISABLE_SESSION_HISTORY_CLEANUP?.trim() ?? '')
  const set = numberOf(objectOf(settings === null ? null : parse(settings)).cleanupPeriodDays)
  return {
    days: off ? null : (set ?? KEPT_DAYS),
    settingsFile: home === undefined ? null : join(home, 'settings.json'),
  }
}

/** `roots` are the store's own. */
export function codebuddyLifecycle(roots: (env: Environment) => StoreRoot[]): Lifecycle {
  return {
    resume(session, { directoryExists }) {
      if (session.kind === 'subagent') return { ok: false, reason: ofSubagent(session) }
      const command = ['codebuddy', '-r', session.id]
      if (session.workspace !== null && directoryExists) {
        return { ok: true, command, directory: session.workspace, note: null }
      }
      const gone = session.workspace === null ? 'No directory was recorded' : `${session.workspace} is gone`
      const note = `${gone}; the new turns will belong to the directory in which you run this, and newer versions than 2.117 may look for the session there alone.`
      return { ok: true, command, directory: null, note }
    },
    files: filesOf,
    restore(session, records, context) {
      if (records.length === 0) return { ok: false, reason: 'Nothing of it was kept that could be written back.' }
      return { ok: true, files: itemsOf(session, records, context.now, () => context.newId()) }
    },
    retention: (settings, env) => retentionOf(settings, env, roots(env)),
  }
}

const NO_WORKBUDDY =
  'WorkBuddy keeps its list of sessions in a database of its own, and nothing known makes it reopen one'

/** The same files, but the app's own list decides what can be opened. */
export function workbuddyLifecycle(roots: (env: Environment) => StoreRoot[]): Lifecycle {
  return {
    files: filesOf,
    retention: (settings, env) => retentionOf(settings, env, roots(env)),
    resume(session) {
      return { ok: false, reason: session.kind === 'subagent' ? ofSubagent(session) : `${NO_WORKBUDDY}.` }
    },
    restore() {
      return { ok: false, reason: `${NO_WORKBUDDY}: what is kept can be read with deja show.` }
    },
  }
}

function ofSubagent({ parentId }: KeptSession): string {
  const parent = parentId === null ? 'its parent is not known' : `it was started by the session ${parentId}`
  return `A sub-agent's run can't be reopened; ${parent}.`
}
