import { recordOf } from '../archive/rows.ts'
import type { ArchiveWriter } from '../archive/write/archive-writer.ts'
import { passagesOf } from '../index/passage-of.ts'
import type { Passage } from '../index/passage.ts'

export interface PassageChange {
  upserts: Passage[]
  removed: number[]
}

/** Builds a session's passages from the one that holds `from` (a `pos`) on. Within a transaction. */
export function buildPassages(writer: ArchiveWriter, session: number, from: number): PassageChange {
  const head = writer.heads.get(session)
  if (!head) return { upserts: [], removed: [] }
  const { n, groups, rows } = writer.region.from(session, from)
  const upserts: Passage[] = []
  for (const group of groups) {
    const records = group.map(row => ({ ...recordOf(row, false), id: row.id }))
    upserts.push(...passagesOf(records, head, n + upserts.length))
  }
  const removed = writer.region.settle(rows, new Set(upserts.map(passage => passage.id)))
  return { upserts, removed }
}
