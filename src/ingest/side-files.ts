import { redactRecord } from '../archive/write/redact-again.ts'
import type { Reader } from '../harness/harness.ts'
import type { SessionRecord } from '../shared/model.ts'
import type { Catalog, SeenFile } from './catalog.ts'
import { FileSource } from './file-source.ts'
import type { Outbox } from './outbox.ts'
import type { ReadingContext } from './transcript-reading.ts'

/** What happened longer ago than this is history: nobody waits for a packet or a binding any more. */
export const recentMs = 30 * 60_000

/** The turn that a session runs just now: told, never kept. */
export function readRunning(file: SeenFile, context: ReadingContext, outbox: Outbox): void {
  const { harness, root } = file.watched
  const { role } = file
  if (role.role !== 'running' || !harness.reader.runningPrompts) return
  if (context.now() - file.mtimeMs > recentMs) return
  if (context.writer.tombstones.coversId({ harness: harness.id, id: role.session })) return
  const read = harness.reader.runningPrompts.bind(harness.reader)
  const prompts = withSource(root.path, file.path, source => read(source))
  if (!prompts || prompts.length === 0) return
  const redacted = prompts.map(context.redactor.redact)
  outbox.send({ type: 'running', harness: harness.id, id: role.session, prompts: redacted, path: file.path })
}

/** Half of what an agent writes when it compacts: with the other half there, what stood before is kept. */
export function readCompaction(
  file: SeenFile,
  catalog: Catalog,
  context: ReadingContext,
  outbox: Outbox,
): 'done' | 'waits' {
  const { harness, root } = file.watched
  const { role } = file
  if (role.role !== 'compaction' || !harness.reader.compactedHistory) return 'done'
  const { writer, redactor, now } = context
  if (writer.tombstones.coversId({ harness: harness.id, id: role.session })) return 'done'
  const session = writer.sessions.find({ harness: harness.id, id: role.session })
  const parts = { history: null as SeenFile | null, summary: null as SeenFile | null }
  for (const other of catalog.all()) {
    if (other.watched !== file.watched || other.role.role !== 'compaction') continue
    if (other.role.session === role.session && other.role.key === role.key) parts[other.role.part] = other
  }
  const { history, summary } = parts
  if (!history || !summary) return 'done'
  if (!session) return 'waits'
  const at = Math.round(Math.max(history.mtimeMs, summary.mtimeMs))
  const read: NonNullable<Reader['compactedHistory']> = harness.reader.compactedHistory.bind(harness.reader)
  const drafts = withSource(root.path, history.path, source => read(source, { workspace: session.workspace }))
  if (!drafts) return 'done'
  const records = drafts.map((draft): SessionRecord => redactRecord(draft, redactor))
  const key = writer.transaction(() => writer.compactions.withHistory(session.id, role.key, at, records))
  const head = writer.heads.get(session.id)
  if (key !== null && head && now() - at < recentMs) outbox.send({ type: 'compacted', session: head, key, at })
  return 'done'
}

function withSource<T>(root: string, path: string, use: (source: FileSource) => T): T | null {
  let source: FileSource
  try {
    source = new FileSource(root, path)
  } catch {
    return null
  }
  try {
    return use(source)
  } catch {
    // torn just now: its next change is looked at again
    return null
  } finally {
    source.close()
  }
}
