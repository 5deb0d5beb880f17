/**
 * How fast the built program takes stores in: until everything is kept and recallable, until full text is complete, what
 * memory and disk that takes; and a CodeWhale session of 50 MB that is saved again ten times with one more turn.
 *
 *   npm run build && npm run bench:ingest -- [--records 20000] [--seed 1] [--saves 10] [--cli dist/deja.js]
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeCorpus } from './corpus/write-corpus.ts'
import { Bed } from './measure/bed.ts'
import { appendRows, fillRows, saveRows } from './measure/ingest-rows.ts'
import { tableOf } from './measure/table.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    saves: { type: 'string', default: '10' },
    cli: { type: 'string', default: 'dist/deja.js' },
  },
})
const bed = Bed.make(resolve(values.cli))
try {
  const facts = await writeCorpus({
    records: Number(values.records),
    seed: Number(values.seed),
    home: bed.home,
    largestBytes: 50e6,
  })
  const filled = await bed.fill()
  const { pid } = filled.status
  if (pid === null) throw new Error('the daemon is gone')
  const rows = [
    ...(await fillRows(bed, pid, facts, filled)),
    ...(await saveRows(bed, facts, Number(values.saves))),
    ...(await appendRows(bed, facts, 20)),
  ]
  console.log(tableOf(rows))
} finally {
  await bed.remove()
}
