/**
 * What a hook costs, on the generated stores of test/bench/corpus: from request to reply in the daemon, idle and while
 * fifty sessions are taken in; from a line's write to its being recalled; and a hook's whole process, `sh -c <the
 * installed line>`, against `sh -c true`, in pairs of one run, for each form of the shim.
 *
 *   npm run build && npm run bench:hook -- [--runs 200] [--records 20000] [--shim]
 *
 * `--shim`: the processes alone. Runs the built program in a throw-away home.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeLauncher, type ShimForm } from '../../src/client/launcher.ts'
import { hooks } from '../../src/harness/codewhale/hooks.ts'
import { writeCorpus, type CorpusFacts } from './corpus/write-corpus.ts'
import { Bed, percentile } from './measure/bed.ts'
import { askMany, idleLatencyRows, latencyRows } from './measure/daemon-rows.ts'
import { appendRows } from './measure/ingest-rows.ts'
import { tableOf, type Row } from './measure/table.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    records: { type: 'string', default: '20000' },
    shim: { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)
const sessions = 50
const budgets: Record<ShimForm, number | null> = { bash: 4, curl: 10, node: null }

const bed = Bed.make(resolve('dist/deja.js'))
const others = mkdtempSync(join(tmpdir(), 'deja-bench-'))
try {
  const facts = await writeCorpus({ records: Number(values.records), seed: 1, home: bed.home })
  const { status } = await bed.fill()
  console.log(
    `store: ${status.archive.sessions} sessions, ${status.archive.records} records, ${status.index.passages} passages`,
  )
  if (!values.shim) console.log(tableOf(await daemonRows(facts)))
  for (const form of ['bash', 'curl', 'node'] as const) await measureShim(form, facts)
} finally {
  await bed.remove()
  rmSync(others, { recursive: true, force: true })
}

async function daemonRows(facts: CorpusFacts): Promise<Row[]> {
  await askMany(bed, facts, 50)
  const idle = await idleLatencyRows(bed, facts, runs * 2)
  const written = await appendRows(bed, facts, Math.ceil(runs / 5))
  await writeCorpus({ records: 200 * sessions, seed: 2, home: others })
  const times: number[] = []
  saveOthers()
  let passes = 0
  do {
    times.push(...(await askMany(bed, facts, 20)))
    // a save is noticed after some tens of milliseconds
    passes++
  } while (passes < 10 || (await bed.status()).pending > 0)
  const busy = latencyRows(`request to reply, while ${sessions} sessions are taken in`, times, { p99: 30 })
  const longest = { what: 'the longest of them', value: Math.max(...times), unit: 'ms', budget: { most: 150 } }
  return [...idle, ...busy, longest, ...written]
}

/** Sessions of CodeWhale with their journals, as if fifty agents saved at once. */
function saveOthers(): void {
  const from = join(others, '.codewhale', 'sessions')
  const to = join(bed.home, '.codewhale', 'sessions')
  const names = readdirSync(from).filter(name => name.endsWith('.json'))
  for (const name of names.slice(0, sessions)) copyFileSync(join(from, name), join(to, name))
}

function payload(bytes: number, n: number, { asked }: CorpusFacts): { workspace: string; input: string } {
  const { question, workspace } = asked[n % asked.length] ?? { question: '', workspace: bed.home }
  const session_id = `sess_${(n % 20).toString(16).padStart(8, '0')}`
  const rest = { event: 'message_submit', text_truncated: false, session_id, workspace, mode: 'ACT', model: 'm' }
  const text = `${question} `.padEnd(bytes - 180, 'and then some more of it ')
  return { workspace, input: `${JSON.stringify({ ...rest, text })}\n` }
}

async function measureShim(form: ShimForm, facts: CorpusFacts): Promise<void> {
  const { env } = bed.context
  const environment = { codewhale: hooks.environment }
  const place = { ...bed.context, node: process.execPath, environment, platform: process.platform, form }
  mkdirSync(bed.context.dataDir, { recursive: true })
  const launcher = await writeLauncher(place)
  for (const bytes of [1024, 32_768]) {
    const times: { hook: number[]; nothing: number[] } = { hook: [], nothing: [] }
    const count = form === 'node' ? Math.ceil(runs / 4) : runs
    for (let n = 0; n < count; n++) {
      const { input, workspace } = payload(bytes, n, facts)
      const variables = {
        DEEPSEEK_SESSION_ID: 'sess_1',
        DEEPSEEK_WORKSPACE: workspace,
        DEEPSEEK_MESSAGE: input.slice(0, 1000),
      }
      const run = (line: string) => {
        const started = performance.now()
        spawnSync('sh', ['-c', line], { input, env: { ...env, ...variables } })
        return performance.now() - started
      }
      times.hook.push(run(`'${launcher}' codewhale message_submit`))
      times.nothing.push(run('true'))
    }
    const [hook, nothing] = [percentile(times.hook, 0.5), percentile(times.nothing, 0.5)]
    const budget = budgets[form]
    const verdict = budget === null ? '' : `, budget ${budget}: ${hook / nothing <= budget ? 'met' : 'NOT met'}`
    console.log(
      `${form} at ${bytes / 1024} KB: ${hook.toFixed(1)} ms against ${nothing.toFixed(1)} ms, ` +
        `ratio ${(hook / nothing).toFixed(2)}${verdict}; p99 ${percentile(times.hook, 0.99).toFixed(1)} ms`,
    )
  }
}
