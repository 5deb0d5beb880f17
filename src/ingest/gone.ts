import type { Outbox } from './outbox.ts'
import type { Stores } from './stores.ts'
import type { ReadingContext } from './transcript-reading.ts'

/**
 * A file is gone: its session is deleted when it was the last one. Gives the files of the session in worse roots, of
 * which the best now takes over.
 */
export function noteGone(
  path: string,
  { writer, unwritten, now }: ReadingContext,
  stores: Stores,
  outbox: Outbox,
): string[] {
  const row = writer.transcripts.find(path)
  const file = stores.catalog.remove(path)
  const heirs = file ? stores.catalog.worse(file).map(heir => heir.path) : []
  if (!row || row.gone_at !== null) return heirs
  const at = new Date(now()).toISOString()
  const session = row.session_id
  writer.transaction(() => {
    writer.transcripts.setGone(row.id, at)
    unwritten.delete(row.id)
    if (session === null || heirs.length > 0) return
    if (writer.transcripts.ofSession(session).some(other => other.gone_at === null)) return
    writer.sessions.setDeleted(session, at)
  })
  const head = session === null ? null : writer.heads.get(session)
  if (head) outbox.send({ type: 'session', session: head, prompts: [], path, writtenAt: 0 })
  return heirs
}
