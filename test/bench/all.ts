/**
 * Every budget that can be measured on one machine, at the reference store or a smaller one: a table of figure, budget,
 * met or not, and the same as JSON.
 *
 *   npm run build && npm run bench -- [--quick] [--records 143000] [--seed 1] [--json FILE] [--locomo FILE] [--cli dist/deja.js]
 *
 * `--quick`: 20,000 records and fewer rounds, in a few minutes.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeCorpus, type CorpusFacts } from './corpus/write-corpus.ts'
import { Bed } from './measure/bed.ts'
import {
  answerRows,
  askMany,
  idleLatencyRows,
  idleRows,
  latencyRows,
  promptMedian,
  restartRows,
  worstRows,
} from './measure/daemon-rows.ts'
import { appendRows, fillRows, saveRows } from './measure/ingest-rows.ts'
import { hookRows, locomoRows } from './measure/other-benches.ts'
import { isMet, jsonOf, tableOf, type Row } from './measure/table.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    records: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
    locomo: { type: 'string' },
    cli: { type: 'string', default: 'dist/deja.js' },
  },
})
const { quick } = values
const records = Number(values.records ?? (quick ? 20_000 : 143_000))
const seed = Number(values.seed)
const cli = resolve(values.cli)
const rows: Row[] = []

/** Told as they come: a long run is worth watching. */
function tell(found: readonly Row[]): void {
  rows.push(...found)
  for (const { what, value, unit } of found) console.error(`${what}: ${value.toFixed(2)} ${unit}`)
}

/** A store, filled, with everything measured on it. @returns the median of a request */
async function measure(bed: Bed, facts: CorpusFacts): Promise<number> {
  const filled = await bed.fill()
  const { pid } = filled.status
  if (pid === null) throw new Error('the daemon is gone')
  tell(await fillRows(bed, pid, facts, filled))
  await askMany(bed, facts, 50)
  tell(await idleLatencyRows(bed, facts, quick ? 400 : 2000))
  const median = await promptMedian(bed)
  tell(await worstRows(bed, facts, quick ? 40 : 200))
  tell(await answerRows(bed, facts, quick ? 100 : 500))
  tell(await appendRows(bed, facts, quick ? 20 : 100))
  tell(await saveRows(bed, facts, 10))
  tell(await idleRows(pid, quick ? 10 : 60))
  tell(await restartRows(bed, facts, quick ? 3 : 7))
  await bed.stop()
  return median
}

/** The same stores once more, by a daemon that is asked all the while. */
async function whileFilling(bed: Bed, facts: CorpusFacts): Promise<void> {
  const second = bed.beside('second')
  const times: number[] = []
  await second.fill(async () => times.push(...(await askMany(second, facts, 1))))
  await second.stop()
  tell(latencyRows('request to reply, while it first fills', times, { p99: 30 }))
  tell([{ what: 'the longest of them', value: Math.max(...times), unit: 'ms', budget: { most: 150 } }])
}

/** A tenth of the records: what a hook takes must not grow with them. */
async function medianOfTenth(): Promise<number> {
  const bed = Bed.make(cli)
  try {
    const facts = await writeCorpus({ records: records / 10, seed: seed + 1, home: bed.home })
    await bed.fill()
    await askMany(bed, facts, 50)
    await askMany(bed, facts, 400)
    return await promptMedian(bed)
  } finally {
    await bed.remove()
  }
}

const bed = Bed.make(cli)
try {
  const facts = await writeCorpus({ records, seed, home: bed.home, largestBytes: 50e6 })
  const median = await measure(bed, facts)
  await whileFilling(bed, facts)
  const tenth = await medianOfTenth()
  const note = `${median.toFixed(2)} ms against ${tenth.toFixed(2)} ms`
  tell([
    {
      what: 'ten times the records: request to reply, median',
      value: median / tenth,
      unit: '×',
      budget: { most: 2 },
      note,
    },
  ])
} finally {
  await bed.remove()
}
tell(hookRows(quick ? 60 : 200))
if (values.locomo !== undefined) tell(locomoRows(resolve(values.locomo)))

const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
console.log(`\n${records} records, seed ${seed}; ${machine}\n\n${tableOf(rows)}`)
if (values.json !== undefined)
  writeFileSync(values.json, jsonOf(rows, { records, seed, machine, at: new Date().toISOString() }))
if (rows.some(row => isMet(row) === false)) process.exitCode = 1
