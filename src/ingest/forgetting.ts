import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Outbox } from './outbox.ts'
import { buildPassages } from './passage-building.ts'
import type { UnforgetTarget } from './protocol.ts'
import type { ReadingContext } from './transcript-reading.ts'

/** Takes away all that tombstones cover, tells it, and lets nothing of it in the archive's files. Also after a restart. */
export async function carryOutForgetting({ writer, unwritten }: ReadingContext, outbox: Outbox): Promise<void> {
  const { sessions, bereft } = writer.forget.carryOut()
  unwritten.clear()
  if (sessions.length > 0) outbox.send({ type: 'forgotten', sessions: sessions.map(({ key }) => key) })
  for (const { key, removed } of bereft) {
    const passages = writer.transaction(() => buildPassages(writer, key, 0))
    outbox.passages({ upserts: passages.upserts, removed: [...passages.removed, ...removed] })
  }
  if (!writer.forget.purgeIsDue()) return
  for (let first = true; writer.fullText.merge(first); first = false) await nextTurn()
  writer.forget.purged()
}

/** Takes a tombstone back. False: there was none. Everything on disk is then due again, copies in other sessions too. */
export function takeBack(target: UnforgetTarget, { writer, now }: ReadingContext): boolean {
  const { tombstones, transcripts } = writer
  const at = new Date(now()).toISOString()
  const done =
    'session' in target
      ? tombstones.remove(target.session, at)
      : 'project' in target
        ? tombstones.removeRule('project', target.project, at)
        : tombstones.removeRule('before', target.before, at)
  if (done) transcripts.allAnew()
  return done
}
