import { basename, dirname, join } from 'node:path'
import { homeOf } from '../../shared/paths.ts'
import type { Lifecycle } from '../lifecycle.ts'
import { restoredTranscript } from './restore.ts'
import { companionEndings, idOfTranscript } from './store.ts'

/** Read in the 1.64.0 client; it deletes no transcript by age or number. */
export const lifecycle: Lifecycle = {
  resume(session, { directoryExists, platform }) {
    // `cmd` is the system's shell on Windows.
    const program = platform === 'win32' ? 'cmdc' : 'cmd'
    // `--resume` looks among the sessions of the directory where it runs, `--session` among all.
    if (session.workspace !== null && directoryExists)
      return { ok: true, command: [program, '--resume', session.id], directory: session.workspace, note: null }
    const note =
      session.workspace === null
        ? 'The session records no directory; it goes on in the one where you run this.'
        : `${session.workspace} is gone; the session goes on in the directory where you run this.`
    return { ok: true, command: [program, '--session', session.id], directory: null, note }
  },

  files(session, env) {
    const home = basename(session.root) === 'projects' ? dirname(session.root) : join(homeOf(env), '.commandcode')
    const ids = new Set<string>()
    const files = session.paths.flatMap(path => {
      const id = idOfTranscript(path)
      if (id === null) return [path]
      ids.add(id)
      return [path, ...companionEndings.map(ending => join(dirname(path), id + ending))]
    })
    const elsewhere = [...ids].flatMap(id => [
      join(home, 'file-history', id),
      join(home, 'sessions', `hooks-audit-${id}.jsonl`),
    ])
    return [...files, ...elsewhere]
  },

  restore(session, records, context) {
    if (records.length === 0) return { ok: false, reason: 'Nothing of the session was kept.' }
    const text = restoredTranscript(session, records, context.now, () => context.newId())
    return { ok: true, files: [{ path: session.path, text }] }
  },

  retention() {
    return { days: null, settingsFile: null }
  },
}
