import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { askDaemon } from '../client/client.ts'
import { startDaemon } from '../client/start.ts'
import { stopDaemon } from '../client/stop.ts'
import { whyEndpoint } from '../daemon/evidence-api.ts'
import { indexEndpoint, lastEndpoint, showEndpoint } from '../daemon/memory-api.ts'
import { harnesses } from '../harness/registry.ts'
import type { CliContext } from './context.ts'
import { withProgress } from './index-command.ts'
import { count, cut, plain, styled, wrap } from './render.ts'
import { readStatus } from './status.ts'

const hour = 3_600_000
const sessionsTried = 40
const records = 60
const longestPrompt = 2_000

/**
 * What `npm start` shows: the daemon started, this machine's sessions read, and one recall as an agent would get it.
 * Where no agent has ever run, the shipped fixtures stand in, in a home that is thrown away.
 */
export async function tourCommand(context: CliContext): Promise<number> {
  const hasStore = harnesses.some(harness => harness.store.roots(context.env).some(({ path }) => existsSync(path)))
  if (hasStore) return tour(context)
  const home = mkdtempSync(join(tmpdir(), 'deja-tour-'))
  const dataDir = join(home, 'deja')
  try {
    context.err(
      'No agent that deja knows has run here yet, so it reads the shipped examples, in a home of their own.\n\n',
    )
    const fixtures = resolve(context.cli, '../../fixtures')
    const env = { PATH: context.env.PATH, HOME: home, DEJA_HOME: dataDir }
    for (const { id, store, examples } of harnesses) {
      const roots = store.roots(env)
      for (const [at, example] of examples.entries()) {
        const root = roots[at]
        if (root !== undefined) cpSync(join(fixtures, id, example), root.path, { recursive: true })
      }
    }
    return await tour({ ...context, dataDir, env })
  } finally {
    await stopDaemon(dataDir)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function tour(context: CliContext): Promise<number> {
  const { out, terminal } = context
  const { pid } = await startDaemon(context)
  await withProgress(context, askDaemon(context, indexEndpoint, { rebuild: false }, { deadlineMs: hour }))
  const { harnesses: read, archive } = await readStatus(context)
  out(`The daemon runs (process ${pid}) and keeps ${count(archive.records, 'record')}:\n`)
  for (const { id, sessions, records } of read)
    if (sessions > 0) out(`  ${id.padEnd(12)} ${count(sessions, 'session')}, ${count(records, 'record')}\n`)
  const recall = await oneRecall(context)
  if (recall === null) out('\nThere is nothing yet that a question could be answered with.\n')
  else {
    const asked = cut(plain(recall.prompt).replace(/\s+/g, ' '), terminal.width - 2)
    out(`\nAsked in ${recall.workspace}:\n  ${styled(terminal, 'bold', asked)}\n`)
    out(`an agent gets, after ${recall.ms.toFixed(1)} ms:\n\n${wrap(plain(recall.block), terminal.width).join('\n')}\n`)
  }
  out(`\nNext: ${styled(terminal, 'bold', 'node dist/deja.js install --auto')} wires the agents on this machine;\n`)
  out(`${styled(terminal, 'bold', 'node dist/deja.js <words…>')} searches.\n`)
  return 0
}

interface OneRecall {
  prompt: string
  workspace: string
  block: string
  ms: number
}

/** A question that somebody asked in a kept session, asked again by a newcomer: the one that is answered best. */
async function oneRecall(context: CliContext): Promise<OneRecall | null> {
  const { sessions } = await askDaemon(context, lastEndpoint, { directory: null, limit: sessionsTried })
  let best: OneRecall | null = null
  for (const { harness, id, workspace } of sessions) {
    if (workspace === null) continue
    const shown = await askDaemon(context, showEndpoint, { id: `${harness}:${id}`, offset: 0, limit: records })
    for (const { text: prompt } of shown.records.filter(record => record.kind === 'prompt' && record.aside !== true)) {
      if (prompt.trim() === '' || prompt.length > longestPrompt) continue
      const started = performance.now()
      const { block } = await askDaemon(context, whyEndpoint, { n: null, prompt, directory: workspace })
      const ms = performance.now() - started
      if (block !== null && block.length > (best?.block.length ?? 0))
        best = { prompt: prompt.trim(), workspace, block, ms }
    }
  }
  return best
}
