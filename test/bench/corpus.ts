/**
 * Stores to measure on: a whole HOME with CodeWhale's, Command Code's and CodeBuddy's sessions, made from a seed, and
 * `questions.json` with what is to be found in them.
 *
 *   npm run bench:corpus -- --records 143000 --seed 1 --out DIR
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeCorpus } from './corpus/write-corpus.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '143000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
})
if (values.out === undefined) throw new Error('--out DIR is missing: the directory that the stores are written to')

const started = performance.now()
const home = resolve(values.out)
const facts = await writeCorpus({ records: Number(values.records), seed: Number(values.seed), home })
const seconds = (performance.now() - started) / 1000
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
for (const [harness, { sessions, records, bytes }] of Object.entries(facts.harnesses)) {
  console.log(`${harness}: ${sessions} sessions, ${records} records, ${megabytes(bytes)}`)
}
console.log(
  `${facts.sessions} sessions, ${facts.records} records, ${facts.asked.length} questions, ${megabytes(facts.bytes)} ` +
    `in ${seconds.toFixed(1)} s (${(facts.bytes / 1e6 / seconds).toFixed(0)} MB/s); the largest: ${facts.largest.path}`,
)
