/**
 * What a hook costs: its whole process, `sh -c <the installed line>`, against `sh -c true`, in pairs of one run, for
 * each form of the shim; and the daemon's share of it, from request to reply.
 *
 *   npm run build && npm run bench:hook -- [--runs 200] [--records 20000]
 *
 * Runs the built program in a throw-away home, on generated CodeWhale sessions.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { askDaemon } from '../../src/client/client.ts'
import { callHook } from '../../src/client/hook.ts'
import { writeLauncher, type ShimForm } from '../../src/client/launcher.ts'
import { stopDaemon } from '../../src/client/stop.ts'
import { statusEndpoint } from '../../src/daemon/api.ts'
import { hooks } from '../../src/harness/codewhale/hooks.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '200' }, records: { type: 'string', default: '20000' } },
})
const runs = Number(values.runs)
const budgets: Record<ShimForm, number | null> = { bash: 4, curl: 10, node: null }

const home = mkdtempSync(join(tmpdir(), 'deja-bench-'))
const dataDir = join(home, 'deja')
const workspace = join(home, 'work')
const env = { PATH: process.env.PATH, HOME: home, DEJA_HOME: dataDir, LANG: process.env.LANG }
const context = { dataDir, env, cli: resolve('dist/deja.js') }
const environment = { codewhale: hooks.environment }

try {
  writeStore(Number(values.records))
  await settled()
  await measureDaemon()
  for (const form of ['bash', 'curl', 'node'] as const) await measureShim(form)
} finally {
  await stopDaemon(dataDir)
  rmSync(home, { recursive: true, force: true })
}

/** Sessions of 40 messages over a vocabulary in which few words are common. */
function writeStore(records: number): void {
  const store = join(home, '.codewhale', 'sessions')
  mkdirSync(store, { recursive: true })
  mkdirSync(workspace)
  let seed = 1
  const below = (n: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed % n
  }
  const word = () => `w${Math.floor(20_000 ** (below(10_000) / 10_000)).toString(36)}`
  const text = (words: number) => Array.from({ length: words }, word).join(' ')
  const made = new Date(Date.now() - 86_400_000).toISOString()
  for (let n = 0; n < records / 40; n++) {
    const id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
    const messages = Array.from({ length: 40 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: text(i % 2 === 0 ? 20 : 160) }],
    }))
    const metadata = { id, title: text(5), created_at: made, updated_at: made, message_count: 40, workspace }
    const more = { total_tokens: 1, model: 'm', cost: {} }
    const session = { schema_version: 1, metadata: { ...metadata, ...more }, messages }
    writeFileSync(join(store, `${id}.json`), JSON.stringify(session, null, 2))
  }
}

/** Until everything is read and indexed. */
async function settled(): Promise<void> {
  const started = performance.now()
  for (;;) {
    const status = await askDaemon(context, statusEndpoint, undefined)
    if (status.state === 'ready' && status.pending === 0) {
      const { archive, index, memory } = status
      const took = ((performance.now() - started) / 1000).toFixed(1)
      console.log(
        `store: ${archive.sessions} sessions, ${archive.records} records, ${index.passages} passages, read in ${took} s; ` +
          `${Math.round(memory.rssBytes / 1e6)} MB resident`,
      )
      return
    }
    await sleep(200)
  }
}

function payload(bytes: number, n: number): string {
  const session_id = `sess_${(n % 20).toString(16).padStart(8, '0')}`
  const rest = { event: 'message_submit', text_truncated: false, session_id, workspace, mode: 'ACT', model: 'm' }
  const question = `why did we choose w${(n % 700).toString(36)} over w${((n * 7) % 900).toString(36)} for the retry? `
  return JSON.stringify({ ...rest, text: question.padEnd(bytes - 180, 'and then some more of it ') }) + '\n'
}

/** From request to reply, as a client in this process sees it. */
async function measureDaemon(): Promise<void> {
  const times: number[] = []
  let answered = 0
  for (let n = 0; n < runs * 2; n++) {
    const stdin = Buffer.from(payload(1024, n))
    const started = performance.now()
    const request = { harness: 'codewhale', event: 'message_submit', stdin, environment: [], deadlineMs: 5000 }
    const reply = await callHook(context, request)
    times.push(performance.now() - started)
    if (reply?.status === 200) answered++
  }
  const { hooks: own } = await askDaemon(context, statusEndpoint, undefined)
  console.log(
    `request to reply: median ${percentile(times, 0.5).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms, ` +
      `of which in the daemon: median ${own[0]?.p50Ms ?? 0} ms, p95 ${own[0]?.p95Ms ?? 0} ms; ` +
      `${answered} of ${runs * 2} answered`,
  )
}

async function measureShim(form: ShimForm): Promise<void> {
  const node = process.execPath
  const launcher = await writeLauncher({ ...context, node, environment, platform: process.platform, form })
  for (const bytes of [1024, 32_768]) {
    const times: { hook: number[]; nothing: number[] } = { hook: [], nothing: [] }
    const count = form === 'node' ? Math.ceil(runs / 4) : runs
    for (let n = 0; n < count; n++) {
      const input = payload(bytes, n)
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

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
