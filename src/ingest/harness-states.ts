import type { ArchiveWriter } from '../archive/write/archive-writer.ts'
import type { HarnessState } from './events.ts'
import type { FileReads } from './file-reads.ts'
import type { Stores } from './stores.ts'

/** What was read of each harness, and what wasn't and why. */
export function harnessStates(stores: Stores, reads: FileReads, writer: ArchiveWriter): HarnessState[] {
  const totals = new Map(writer.totals().map(total => [total.harness, total]))
  const states = new Map<string, HarnessState>()
  for (const { harness, root, state } of stores.roots) {
    const total = totals.get(harness.id)
    const known: HarnessState = states.get(harness.id) ?? {
      id: harness.id,
      roots: [],
      sessions: total?.sessions ?? 0,
      records: total?.records ?? 0,
      companions: 0,
      unread: [],
      newestAt: total?.newest ?? null,
    }
    states.set(harness.id, known)
    known.roots.push({ path: root.path, state })
  }
  for (const { path, role, watched } of stores.catalog.all()) {
    const state = states.get(watched.harness.id)
    if (!state) continue
    if (role.role === 'unknown') state.unread.push({ path, reason: role.reason, code: 'unknown' })
    else if (role.role !== 'transcript') state.companions++
    for (const unread of reads.unread(path)) state.unread.push({ path, ...unread })
  }
  return [...states.values()]
}
