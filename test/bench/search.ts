/**
 * How good and how fast search is: sessions with something to be found in them (and decoys) among generated stores, read by
 * the real river, and searches of which it is known what they are for. By kind: the session first, among the first five;
 * whether the first snippet names a record that has it; whether what only resembles is said so.
 *
 *   npm run bench:search -- [--records 20000] [--seed 1] [--each 24] [--keep DIR] [--misses] [--json FILE]
 *
 * `--keep`: the stores and the archive stay there, and another run with the same figures uses them.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { search, type SearchAnswer } from '../../src/search/search.ts'
import { Random } from './corpus/random.ts'
import { writeCorpus } from './corpus/write-corpus.ts'
import { percentile } from './measure/bed.ts'
import { Bed } from './search/bed.ts'
import { commonSearches } from './search/common.ts'
import { Plants, workplace, type Labelled } from './search/plants.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '24' },
    keep: { type: 'string' },
    misses: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const [records, seed] = [Number(values.records), Number(values.seed)]
/** The corpus' newest session is a day older. A fixed day, so that a seed gives the same stores at any time. */
const now = new Date(2026, 9, 31, 15)
const shown = 5
const rounds = 5

const random = new Random(seed)
const projects = ['harvest', 'meridian', 'foxglove', 'saltmarsh', 'kestrel', 'juniper'].map(workplace)
const plants = new Plants(random, projects, now.getTime())
plants.plant(Number(values.each))

const bed = new Bed(
  values.keep === undefined ? mkdtempSync(join(tmpdir(), 'deja-bench-search-')) : resolve(values.keep),
)
try {
  mkdirSync(bed.home, { recursive: true })
  if (!bed.isFilled) await fill()
  await bed.read()
  const told = [...new Set([...plants.labelled.map(({ kind }) => kind)])].map(kind =>
    measure(
      kind,
      plants.labelled.filter(each => each.kind === kind),
    ),
  )
  const sum = (of: (row: Measured) => number) => told.reduce((all, row) => all + of(row), 0)
  const whole: Measured = {
    kind: 'all',
    n: sum(row => row.n),
    first: sum(row => row.first),
    five: sum(row => row.five),
    snippet: sum(row => row.snippet),
    said: sum(row => row.said),
    resembling: sum(row => row.resembling),
    times: told.flatMap(row => row.times),
  }
  const common: Measured = {
    ...whole,
    kind: 'common words',
    n: 0,
    times: commonSearches.map(query => timeOf({ query, filters: {} })),
  }
  console.log(
    `${bed.archive.counts().records} records in ${bed.archive.counts().sessions} sessions, seed ${seed}, Node ${process.version}\n`,
  )
  console.log(tableOf([...told, whole, common]))
  if (values.misses)
    commonSearches.forEach((query, n) => {
      console.log(`${(common.times[n] ?? NaN).toFixed(1)} ms  ${query.slice(0, 60)}`)
    })
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ records, seed, kinds: [...told, whole, common] }, null, 1)}\n`)
} finally {
  if (values.keep === undefined) bed.remove()
  else bed.close()
}

async function fill(): Promise<void> {
  await writeCorpus({ records, seed, home: bed.home })
  const gone = new Set(plants.labelled.filter(({ deleted }) => deleted).map(({ gold }) => gold.id))
  const deleted: string[] = []
  for (const planted of plants.sessions) {
    const path = bed.write(random, planted)
    if (gone.has(planted.made.id)) deleted.push(path)
  }
  await bed.read()
  for (const path of deleted) rmSync(path)
  await bed.read()
  bed.noteFilled()
}

interface Measured {
  kind: string
  n: number
  first: number
  five: number
  /** Of those found: the first snippet's record has what was to be shown. */
  snippet: number
  /** Of those found that only resemble: it was said. */
  said: number
  resembling: number
  times: number[]
}

function ask({ query, filters }: Pick<Labelled, 'query' | 'filters'>): SearchAnswer {
  return search({ archive: bed.archive, index: bed.index, now }, { query, ...filters, limit: shown })
}

function measure(kind: string, asked: readonly Labelled[]): Measured {
  const row: Measured = { kind, n: asked.length, first: 0, five: 0, snippet: 0, said: 0, resembling: 0, times: [] }
  for (const each of asked) {
    const { hits } = ask(each)
    const place = hits.findIndex(({ session }) => session.id === each.gold.id && session.deleted === each.deleted)
    const hit = hits[place]
    if (place === 0) row.first++
    if (hit !== undefined) row.five++
    const shows = hit !== undefined && showsIt(each)
    if (shows) row.snippet++
    if (each.resembles && hit !== undefined) row.resembling++
    if (each.resembles && hit?.why.some(reason => / for /.test(reason)) === true) row.said++
    if (values.misses && (place !== 0 || !shows)) {
      console.log(
        `${kind}: ${JSON.stringify(each.query)} → ${place < 0 ? 'not found' : `place ${place + 1}`}${shows ? '' : ', not shown'}`,
      )
      for (const { score, why, snippets } of hits.slice(0, Math.max(1, place + 1)))
        console.log(`    ${score} ${why.join('; ')} | ${snippets.map(({ text }) => text.slice(0, 160)).join(' | ')}`)
    }
    row.times.push(timeOf(each))
  }
  return row

  function showsIt({ gold, shows, query, filters }: Labelled): boolean {
    const key = bed.archive.sessions.keyOf(gold)
    const hit = ask({ query, filters }).hits.find(({ session }) => session.id === gold.id)
    const [snippet] = hit?.snippets ?? []
    if (key === null || snippet === undefined) return false
    const [record] = bed.archive.records.ofSession(key, { offset: snippet.n, limit: 1 }).records
    const whole = [record?.text, record?.path, record?.command, record?.added].join('\n')
    return whole.includes(shows) && snippet.text.replace(/\s+/g, ' ').includes(shows)
  }
}

/** The median of some rounds, in ms. */
function timeOf(each: Pick<Labelled, 'query' | 'filters'>): number {
  return percentile(
    Array.from({ length: rounds }, () => {
      const started = performance.now()
      ask(each)
      return performance.now() - started
    }),
    0.5,
  )
}

function tableOf(rows: readonly Measured[]): string {
  const share = (part: number, all: number) => (all === 0 ? '' : `${((100 * part) / all).toFixed(1)}%`)
  const cells = rows.map(row => [
    row.kind,
    row.n === 0 ? String(row.times.length) : String(row.n),
    share(row.first, row.n),
    share(row.five, row.n),
    row.n === 0 ? '' : share(row.snippet, row.five),
    row.n === 0 ? '' : share(row.said, row.resembling),
    percentile(row.times, 0.5).toFixed(1),
    percentile(row.times, 0.95).toFixed(1),
    Math.max(...row.times).toFixed(1),
  ])
  const all = [['kind', 'n', 'hit@1', 'hit@5', 'snippet', 'said', 'p50 ms', 'p95', 'max'], ...cells]
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map(line => line[column]?.length ?? 0)))
  return all
    .map(line =>
      line.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  '),
    )
    .join('\n')
}
