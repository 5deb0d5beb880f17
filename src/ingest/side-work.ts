import type { DueQueue } from './due-queue.ts'
import type { Outbox } from './outbox.ts'
import { readCompaction, readRunning } from './side-files.ts'
import type { Stores } from './stores.ts'
import type { ReadingContext } from './transcript-reading.ts'

/** When a compaction is looked at again whose session's transcript is still to be read. */
const againMs = 500

/** Reads what stands beside a transcript. `more`: transcripts are still to be read. */
export function readSide(
  path: string,
  {
    sides,
    stores,
    context,
    outbox,
    more,
  }: { sides: DueQueue; stores: Stores; context: ReadingContext; outbox: Outbox; more: boolean },
): void {
  sides.delete(path)
  const file = stores.catalog.get(path)
  if (!file) return
  if (file.role.role === 'running') readRunning(file, context, outbox)
  else if (readCompaction(file, stores.catalog, context, outbox) === 'waits' && more) sides.postpone(path, againMs)
}
