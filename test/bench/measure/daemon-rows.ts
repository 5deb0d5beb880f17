import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { askDaemon } from '../../../src/client/client.ts'
import { searchEndpoint } from '../../../src/daemon/memory-api.ts'
import type { Question } from '../corpus/conversation.ts'
import type { CorpusFacts } from '../corpus/write-corpus.ts'
import { memoryOf, percentile, processorMsOf, type Bed } from './bed.ts'
import { mega } from './ingest-rows.ts'
import type { Row } from './table.ts'

/** From request to reply, as a client in this process sees it: questions of the corpus, from agents that live on. */
export async function askMany(bed: Bed, { asked }: CorpusFacts, count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const { workspace, question } = asked[(n * 7) % asked.length] ?? { workspace: '/', question: '' }
    const started = performance.now()
    await bed.ask(workspace, question, `sess_${(0xbe000000 + (n % 20)).toString(16)}`)
    times.push(performance.now() - started)
  }
  return times
}

export function latencyRows(name: string, times: readonly number[], most: { p99: number }): Row[] {
  const note = `as the caller sees it: median ${percentile(times, 0.5).toFixed(2)} ms of ${times.length} calls, longest ${Math.max(...times).toFixed(1)} ms`
  return [{ what: `${name}, p99`, value: percentile(times, 0.99), unit: 'ms', budget: { most: most.p99 }, note }]
}

/** By the daemon's own clock, from request to reply, of the latest 200; ms. */
export async function promptMedian(bed: Bed): Promise<number> {
  const { hooks } = await bed.status()
  return hooks.find(({ event }) => event === 'message_submit')?.p50Ms ?? NaN
}

/**
 * What a prompt takes an idle daemon: the median by its own clock (of the latest 200), from the request to the reply, and
 * the tail as the caller sees it, connection and sockets included.
 */
export async function idleLatencyRows(bed: Bed, facts: CorpusFacts, count: number): Promise<Row[]> {
  const times = await askMany(bed, facts, count)
  const value = await promptMedian(bed)
  return [
    { what: 'request to reply, idle, median', value, unit: 'ms', budget: { most: 2 }, note: "by the daemon's clock" },
    ...latencyRows('request to reply, idle', times, { p99: 15 }),
  ]
}

/** Prompts that could cost without bound: very long ones, and words that every session has. The slowest of `count` each. */
export async function worstRows(bed: Bed, { asked }: CorpusFacts, count: number): Promise<Row[]> {
  const told = asked.filter(({ session }) => session !== null)
  const words = [...new Set(told.flatMap(({ question }) => question.split(' ')))]
  const from = <T>(list: readonly T[], n: number, size: number) =>
    Array.from({ length: size }, (_, i) => list[(n * size + i) % list.length])
  const kinds: Record<string, (n: number) => string> = {
    'a prompt of 1,000 words': n => from(words, n, 1000).join(' '),
    'a prompt with a pasted log of 400 lines': n =>
      `what is this?\n${from(told, n, 400)
        .map((each, i) => `2026-10-30T10:${10 + (i % 50)}:00Z ERROR [${i}] ${each?.question ?? ''}`)
        .join('\n')}`,
    'words that every session has': () => 'Why did we choose this over that, and what was it last time?',
  }
  const rows: Row[] = []
  for (const [what, make] of Object.entries(kinds)) {
    const times: number[] = []
    for (let n = 0; n < count; n++) {
      const { workspace } = told[n % told.length] ?? { workspace: '/' }
      const prompt = make(n)
      const started = performance.now()
      await bed.ask(workspace, prompt, `sess_${(0xbf000000 + (n % 20)).toString(16)}`)
      times.push(performance.now() - started)
    }
    const note = `the slowest of ${count}; median ${percentile(times, 0.5).toFixed(2)} ms`
    rows.push({ what, value: Math.max(...times), unit: 'ms', budget: { most: 150 }, note })
  }
  return rows
}

/** Whether questions find their session, and whether what deserves silence gets it. */
export async function answerRows(bed: Bed, { asked }: CorpusFacts, most: number): Promise<Row[]> {
  const questions = asked.filter(({ session }) => session !== null).slice(-most)
  const places: number[] = []
  let given = 0
  for (const { question, workspace, session } of questions) {
    const input = { query: question, project: workspace, limit: 5 }
    const { hits } = await askDaemon(bed.context, searchEndpoint, input, { autostart: false })
    places.push(hits.findIndex(hit => hit.session.id === session?.id))
    if (isRecall(await bed.ask(workspace, question))) given++
  }
  const silent = asked.filter(({ kind }: Question) => kind === 'silence').slice(0, most)
  let silence = 0
  for (const { question, workspace } of silent) if (!isRecall(await bed.ask(workspace, question))) silence++
  const share = (part: number, whole: number) => (100 * part) / Math.max(1, whole)
  const within = (k: number) => places.filter(place => place >= 0 && place < k).length
  return [
    {
      what: "the corpus's questions: the right session first",
      value: share(within(1), places.length),
      unit: '%',
      budget: null,
      note: `among five ${share(within(5), places.length).toFixed(1)} %; recalled in a hook ${share(given, questions.length).toFixed(1)} % of ${questions.length}`,
    },
    {
      what: 'silence on prompts that deserve it',
      value: share(silence, silent.length),
      unit: '%',
      budget: { least: 99 },
      note: `of ${silent.length}`,
    },
  ]
}

/** A reply with passages in it; the digest of a first message is none. */
const isRecall = (reply: string): boolean => reply.includes('came to:')

/** After a fill passages are packed for the next start, as soon as nobody calls; that is work and comes to an end. */
const longestWorkMs = 120_000

/** What a daemon takes that has nothing to do. */
export async function idleRows(pid: number, seconds: number): Promise<Row[]> {
  const end = performance.now() + longestWorkMs
  for (let busy = true; busy && performance.now() < end;) {
    await sleep(3000)
    const before = processorMsOf(pid)
    await sleep(1000)
    busy = processorMsOf(pid) - before > 50
  }
  const [before, started] = [processorMsOf(pid), performance.now()]
  await sleep(seconds * 1000)
  const share = (100 * (processorMsOf(pid) - before)) / (performance.now() - started)
  return [
    { what: 'idle, processor', value: share, unit: '%', budget: { most: 0.5 }, note: `over ${seconds} s` },
    { what: 'idle, resident', value: mega(memoryOf(pid).resident), unit: 'MB', budget: { most: 550 } },
  ]
}

/** A stopped daemon is started again: to its first answer, to the newest thousand passages, to the whole index. */
export async function restartRows(bed: Bed, { asked }: CorpusFacts, runs: number): Promise<Row[]> {
  const whole = (await bed.status()).index.passages
  const times = { answer: [] as number[], node: [] as number[], thousand: [] as number[], whole: [] as number[] }
  const { workspace, question } = asked[0] ?? { workspace: '/', question: '' }
  for (let n = 0; n < runs; n++) {
    await bed.stop()
    const empty = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    times.node.push(performance.now() - empty)
    const started = performance.now()
    await bed.start()
    await bed.ask(workspace, question)
    times.answer.push(performance.now() - started)
    let thousand: number | null = null
    for (;;) {
      const { passages } = (await bed.status()).index
      const tookMs = performance.now() - started
      if (passages >= Math.min(1000, whole)) thousand ??= tookMs
      if (passages >= whole || tookMs > 120_000) {
        times.thousand.push(thousand ?? tookMs)
        times.whole.push(tookMs)
        break
      }
      await sleep(10)
    }
  }
  const median = (values: readonly number[]) => percentile(values, 0.5)
  return [
    {
      what: 'restart to first answer, against an empty node process',
      value: median(times.answer) / median(times.node),
      unit: '×',
      budget: { most: 3 },
      note: `${median(times.answer).toFixed(0)} ms against ${median(times.node).toFixed(0)} ms`,
    },
    {
      what: 'restart to the newest thousand passages',
      value: median(times.thousand) / 1000,
      unit: 's',
      budget: { most: 1 },
    },
    {
      what: 'restart to the whole index',
      value: median(times.whole) / 1000,
      unit: 's',
      budget: { most: 15 },
      note: `${whole} passages`,
    },
  ]
}
