import { frameOf } from '../recall/frame.ts'
import type { Services } from './services.ts'

/** So many of the newest sessions are looked through for a prompt that isn't met with silence. */
const looked = 10
const promptsLooked = 5
/** Asked where nobody asked anything yet: the glossary and the table of words are made for the first question. */
const anything = 'What did we decide about the cache?'

/**
 * Makes an answer for nobody. A process's first one takes ten times as long as the later ones (code is compiled and
 * regular expressions are built then): 50 ms on an idle machine, 200 on a busy one, where a shim waits 250 in all. To be
 * called before anybody is told where the daemon is, so that whoever finds it is answered in time.
 */
export function warmUp({ archive, recall }: Pick<Services, 'archive' | 'recall'>): void {
  const sessions = archive.sessions.newest({ limit: looked }).filter(({ workspace }) => workspace !== null)
  const standing = recall.standing(sessions[0]?.workspace ?? '/', new Set())
  if (standing !== null) frameOf(standing.sections, Infinity)
  for (const session of sessions) {
    const key = archive.sessions.keyOf(session)
    const prompts = key === null ? [] : archive.recall.prompts(key, promptsLooked, 'last')
    for (const { text = '' } of prompts) if (recall.whyPrompt(text, session.workspace ?? '/').silence === null) return
  }
  recall.whyPrompt(anything, '/')
}
