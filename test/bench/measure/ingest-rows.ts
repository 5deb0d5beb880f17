import { appended, begun, newTurn, savedAgain } from '../corpus/growing.ts'
import type { CorpusFacts } from '../corpus/write-corpus.ts'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { memoryOf, percentile, type Bed, type Filled } from './bed.ts'
import type { Row } from './table.ts'

/** The first fill: how fast, how large in memory and on the disk. */
export async function fillRows(bed: Bed, pid: number, facts: CorpusFacts, filled: Filled): Promise<Row[]> {
  const { bytes, longCharacters } = facts
  const { recallableMs, completeMs, status } = filled
  const behindMs = Math.max(1, completeMs - recallableMs)
  const archive = await bed.archiveBytesAtRest()
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  return [
    {
      what: 'first ingest, until kept and recallable',
      value: bytes / 1e3 / recallableMs,
      unit: 'MB/s',
      budget: { least: 60 },
      note: `${mega(bytes)} MB, ${status.archive.records} records (${facts.records} written), ${status.archive.sessions} sessions in ${seconds(recallableMs)}`,
    },
    {
      what: 'full text of long outputs behind it',
      value: longCharacters / 1e3 / behindMs,
      unit: 'MB/s',
      budget: { least: 10 },
      note: `${mega(longCharacters)} MB in ${seconds(behindMs)}; complete after ${seconds(completeMs)}`,
    },
    { what: 'peak resident', value: mega(memoryOf(pid).peak), unit: 'MB', budget: { most: 900 } },
    {
      what: 'archive on disk',
      value: (100 * archive) / bytes,
      unit: '%',
      budget: { most: 40 },
      note: `${mega(archive)} MB of ${mega(bytes)} MB`,
    },
  ]
}

/** The largest CodeWhale session, saved again with one more turn each time. */
export async function saveRows(bed: Bed, { largest }: CorpusFacts, saves: number): Promise<Row[]> {
  const times: number[] = []
  for (let n = 0; n < saves; n++) {
    const turn = newTurn(n)
    const save = savedAgain(largest.path, turn, new Date())
    const since = performance.now()
    save()
    times.push((await bed.recalled(largest.workspace, turn.question, turn.mark, since)) ?? Infinity)
  }
  return [
    {
      what: `a CodeWhale session of ${mega(largest.bytes)} MB saved again, until recalled`,
      value: percentile(times, 0.95),
      unit: 'ms p95',
      budget: { most: 300 },
      note: `each: ${times.map(ms => ms.toFixed(0)).join(', ')} ms`,
    },
  ]
}

/** A turn appended to a JSONL transcript, until another agent recalls it. */
export async function appendRows(bed: Bed, { workspaces }: CorpusFacts, count: number): Promise<Row[]> {
  const workspace = workspaces[0] ?? '/'
  const path = join(bed.home, '.commandcode', 'projects', 'bench', '0be60000-0000-4000-8000-000000000001.jsonl')
  mkdirSync(dirname(path), { recursive: true })
  begun(path, workspace, new Date())
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const turn = newTurn(1000 + n)
    const since = performance.now()
    appended(path, n, turn, new Date())
    times.push((await bed.recalled(workspace, turn.question, turn.mark, since)) ?? Infinity)
  }
  return [
    {
      what: "from a line's write to its being recalled",
      value: percentile(times, 0.95),
      unit: 'ms p95',
      budget: { most: 300 },
      note: `median ${percentile(times, 0.5).toFixed(0)} ms of ${count}`,
    },
  ]
}

export const mega = (bytes: number): number => Math.round(bytes / 1e6)
