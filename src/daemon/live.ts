import type { SessionJson } from '../archive/read/session-reader.ts'
import type { Services } from './services.ts'

type Places = Pick<Services, 'archive' | 'recall' | 'now'>

/** Without hooks nobody says that a session goes on: one that was written so lately may. */
const stillWrittenMs = 2 * 60_000
const looked = 50

/** The sessions (row ids) of a project that are live: a hook was seen and not its end; where no hook tells, what was written just now. */
export function liveIn(places: Places, project: string): ReadonlySet<number> {
  const { archive, recall } = places
  const live = new Set(recall.liveSessions(project))
  for (const session of archive.sessions.newest({ project, limit: looked })) {
    const key = archive.sessions.keyOf(session)
    if (key !== null && !recall.isHooked(session) && isWritten(places, session, key)) live.add(key)
  }
  return live
}

/** Why a session isn't to be touched now; null: nobody works in it. */
export function liveReason(places: Places, session: SessionJson, key: number): string | null {
  const { project } = session
  if (project !== null && places.recall.liveSessions(project).includes(key)) return 'its agent is working in it'
  return isWritten(places, session, key) ? 'it was written within the last two minutes' : null
}

function isWritten({ archive, now }: Places, { deleted }: SessionJson, key: number): boolean {
  return !deleted && now().getTime() - archive.sessions.writtenAt(key) < stillWrittenMs
}
