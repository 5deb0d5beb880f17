import type { RowOutline } from './record-writer.ts'

/**
 * Merges the records of a session's several transcripts by time, each transcript keeping its own order. A record
 * without a time stays with the one before it. Gives the rows whose `pos` is to change; none when the order stands.
 */
export function placeByTime(rows: readonly RowOutline[], step: number): { id: number; from: number; to: number }[] {
  const lanes = new Map<number, { row: RowOutline; time: string }[]>()
  for (const row of rows) {
    const lane = lanes.get(row.transcript_id) ?? []
    lanes.set(row.transcript_id, lane)
    lane.push({ row, time: row.at ?? lane.at(-1)?.time ?? '' })
  }
  // what stands before a lane's first time is as old as that
  for (const lane of lanes.values()) {
    const first = lane.find(entry => entry.time !== '')?.time ?? ''
    for (const entry of lane) if (entry.time === '') entry.time = first
    // a clock that was set back doesn't reorder a transcript
    let newest = ''
    for (const entry of lane) {
      if (entry.time < newest) entry.time = newest
      newest = entry.time
    }
  }
  const merged = [...lanes.values()]
    .flatMap((lane, n) => lane.map((entry, i) => ({ ...entry, lane: n, i })))
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.lane - b.lane || a.i - b.i))
  if (merged.every((entry, i) => i === 0 || (merged[i - 1]?.row.pos ?? 0) < entry.row.pos)) return []
  return merged
    .map((entry, i) => ({ id: entry.row.id, from: entry.row.pos, to: (i + 1) * step }))
    .filter(({ from, to }) => from !== to)
}
