import { setTimeout as sleep } from 'node:timers/promises'
import { askDaemon } from '../client/client.ts'
import { indexEndpoint } from '../daemon/memory-api.ts'
import type { CliContext } from './context.ts'
import { count } from './render.ts'
import { readStatus } from './status.ts'

const hour = 3_600_000
const redrawMs = 200

/** Takes in everything that is new and waits for it; a progress bar where somebody looks. */
export async function indexCommand(
  { json, rebuild }: { json?: boolean; rebuild?: boolean },
  context: CliContext,
): Promise<number> {
  const done = askDaemon(context, indexEndpoint, { rebuild: rebuild === true }, { deadlineMs: hour })
  const answer = await withProgress(context, done)
  if (json === true) context.out(`${JSON.stringify(answer)}\n`)
  else
    context.err(
      `deja: ${count(answer.archive.sessions, 'session')}, ${count(answer.archive.records, 'record')}, ${count(answer.passages, 'passage')}.\n`,
    )
  return 0
}

/** Draws the daemon's progress until `done` settles. */
export async function withProgress<T>(context: CliContext, done: Promise<T>): Promise<T> {
  if (!context.terminal.interactive) return done
  const running = { settled: false }
  const mark = () => (running.settled = true)
  done.then(mark, mark)
  while (!running.settled) {
    const { progress } = await readStatus(context)
    if (progress !== null && progress.totalBytes > 0) context.err(`\r${bar(progress.doneBytes / progress.totalBytes)}`)
    await Promise.race([done.catch(() => undefined), sleep(redrawMs)])
  }
  context.err('\r\u001b[K')
  return done
}

function bar(share: number): string {
  const width = 30
  const full = Math.round(Math.min(1, share) * width)
  return `reading ${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.round(Math.min(1, share) * 100)} %`
}
