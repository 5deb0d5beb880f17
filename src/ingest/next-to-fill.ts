import { refOf, type Catalog } from './catalog.ts'
import type { FileReads } from './file-reads.ts'
import type { FillQueue } from './fill-queue.ts'
import type { ReadingAhead } from './reading-ahead.ts'

/** Transcripts among which the next is chosen. */
const choice = 8

/**
 * Which transcript is read next: what a helper has read, else what none is reading. `comes`: helpers are at all that is
 * left. Null: nothing is left.
 */
export function nextToFill(
  fill: FillQueue,
  reads: FileReads,
  catalog: Catalog,
  ahead: ReadingAhead | null,
): { path: string } | 'comes' | null {
  const paths = fill.next(choice)
  // what was begun is read to its end
  const first = paths.find(path => reads.isBegun(path)) ?? paths[0]
  if (first === undefined) return null
  if (!ahead || reads.isBegun(first)) return { path: first }
  const anew = paths.flatMap(path => {
    const file = catalog.get(path)
    return file && reads.isAnew(file) ? [refOf(file)] : []
  })
  // the first is for ourselves when helpers have given nothing yet
  ahead.ask(anew.slice(1))
  const path =
    paths.find(path => ahead.stateOf(path) === 'here') ?? paths.find(path => ahead.stateOf(path) === 'unasked')
  return path === undefined ? 'comes' : { path }
}
