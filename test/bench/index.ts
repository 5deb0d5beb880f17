/**
 * The index at 27,000 generated passages of about 180 words: heap, the time to add one, the time of a query by its budget.
 *
 *   npm run bench:index
 *
 * Times depend on the machine, so the budgets are ratios within one run wherever they can be.
 */
import { cpuUsage, memoryUsage } from 'node:process'
import { PassageIndex } from '../../src/index/passage-index.ts'
import type { Passage, SessionHead } from '../../src/index/passage.ts'

const passages = 27_000
const perSession = 18
const projects = 40

/** mulberry32: the same passages in every run. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
const random = randomOf(7)
const below = (n: number) => Math.floor(random() * n)
/** Zipf-like: rank r about in proportion to 1/r. */
const zipf = (n: number) => Math.min(n - 1, Math.floor(n ** random()) - 1)

const syllables = 'ba co de fi gu la me no pi ra so tu ve wi za cre plo ston ter ing al ex or un dis'.split(' ')
const wordOf = (n: number): string => {
  let word = ''
  for (let rest = n + 30; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length] ?? ''
  return word
}
const words = Array.from({ length: 30_000 }, (_, n) => wordOf(n))
const anyWord = () => words[zipf(words.length)] ?? ''
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const vocabulary = Array.from({ length: projects }, () => ({
  identifiers: Array.from({ length: 1_500 }, () => {
    const [a, b, c] = [anyWord(), anyWord(), anyWord()]
    return random() < 0.5 ? `${a}${capital(b)}${capital(c)}` : `${a}_${b}`
  }),
  files: Array.from({ length: 400 }, () => `src/${anyWord()}/${anyWord()}-${anyWord()}.ts`),
}))

function textOf(project: number, length: number): string {
  const own = vocabulary[project]
  const out: string[] = []
  for (let i = 0; i < length; i++) {
    const dice = random()
    if (dice < 0.86 || own === undefined) out.push(anyWord())
    else if (dice < 0.95) out.push(own.identifiers[zipf(own.identifiers.length)] ?? '')
    else if (dice < 0.98) out.push(own.files[zipf(own.files.length)] ?? '')
    else out.push(String(below(100_000)))
  }
  return out.join(' ')
}

function* generated(): Generator<Passage> {
  let session: SessionHead | undefined
  for (let id = 1; id <= passages; id++) {
    const n = (id - 1) % perSession
    const project = Math.floor((id - 1) / perSession) % projects
    const at = new Date(Date.UTC(2026, 0, 1) + id * 900_000).toISOString()
    if (session === undefined || n === 0) {
      session = {
        key: Math.floor((id - 1) / perSession) + 1,
        harness: 'bench',
        id: String(id),
        title: textOf(project, 6),
        workspace: `/home/dev/p${String(project)}`,
        projects: [`/home/dev/p${String(project)}`],
        parentId: null,
        kind: 'main',
        startedAt: at,
        updatedAt: at,
        deleted: false,
        archived: false,
      }
    }
    const files = vocabulary[project]?.files ?? []
    yield {
      id,
      session,
      n,
      at,
      prompt: textOf(project, 25),
      answer: textOf(project, 95),
      commands: textOf(project, 12),
      paths: [files[zipf(files.length)], files[zipf(files.length)]].join('\n'),
      errors: n % 4 === 0 ? textOf(project, 12) : '',
      outputs: textOf(project, 40),
      summary: '',
    }
  }
}

const heap = () => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
const spread = (times: number[]) => {
  const sorted = [...times].sort((a, b) => a - b)
  return `median ${at(sorted, 0.5).toFixed(2)} ms, p99 ${at(sorted, 0.99).toFixed(2)} ms, most ${at(sorted, 1).toFixed(2)} ms`
}

const before = heap()
const index = new PassageIndex()
const adds: number[] = []
let counted = 0
for (const passage of generated()) {
  counted += [passage.prompt, passage.answer, passage.commands, passage.errors, passage.outputs]
    .join(' ')
    .split(' ').length
  const start = performance.now()
  index.add([passage])
  adds.push(performance.now() - start)
}
const { passages: held, terms } = index.stats
console.log(`passages ${String(held)} of ${String(Math.round(counted / passages))} words, terms ${String(terms)}`)
const used = heap() - before
console.log(`heap ${used.toFixed(0)} MB`)
console.log(`add: ${spread(adds)}`)

function measure(name: string, mode: 'hook' | 'person', length: number, project: number | undefined): number {
  const texts = Array.from({ length: 220 }, () => textOf(project ?? below(projects), length))
  const scope = project === undefined ? {} : { projects: [`/home/dev/p${String(project)}`] }
  const times: number[] = []
  let from = cpuUsage()
  for (const [i, text] of texts.entries()) {
    if (i === 20) from = cpuUsage()
    const start = performance.now()
    index.search({ text, mode, scope, limit: 10 })
    times.push(performance.now() - start)
  }
  const { user, system } = cpuUsage(from)
  const used = (user + system) / 200_000
  const kept = times.slice(20)
  console.log(`${name}: ${spread(kept)}; processor ${used.toFixed(2)} ms each`)
  return used
}

measure('hook, 12 words (warming up)', 'hook', 12, undefined)
const short = measure('hook, 12 words, everywhere', 'hook', 12, undefined)
const scoped = measure('hook, 12 words, one project', 'hook', 12, 3)
const long = measure('hook, 100 words, everywhere', 'hook', 100, undefined)
const longest = measure('hook, 1000 words, everywhere', 'hook', 1000, undefined)
measure('hook, 1000 words, one project', 'hook', 1000, 3)
measure('person, 4 words, everywhere', 'person', 4, undefined)
const person = measure('person, 40 words, everywhere', 'person', 40, undefined)
const typo: number[] = []
for (let i = 0; i < 100; i++) {
  const word = `${anyWord()}${anyWord()}q${anyWord()}`
  const start = performance.now()
  index.search({ text: word, mode: 'person', scope: {}, limit: 10 })
  typo.push(performance.now() - start)
}
console.log(`person, one unknown word: ${spread(typo)}`)

let failed = 0
function budget(what: string, value: number, limit: number, unit = '×'): void {
  if (value > limit) failed += 1
  console.log(`${value > limit ? 'over ' : 'within'} ${what}: ${value.toFixed(1)}${unit} of ${String(limit)}${unit}`)
}
budget('heap', used, 150, ' MB')
budget('a hook’s query of 100 words to one of 12', long / short, 4)
budget('a hook’s query of 1000 words to one of 100', longest / long, 5)
budget('a project’s query to one everywhere', scoped / short, 1.3)
budget('a person’s query of 40 words to a hook’s of 100', person / long, 6)
process.exitCode = failed === 0 ? 0 : 1
