import { callDaemon } from '../client/client.ts'
import type { ClientContext } from '../client/start.ts'
import { statusEndpoint, type Status } from '../daemon/api.ts'
import { stoppedStatus } from '../daemon/status.ts'
import { localTime } from '../shared/shown.ts'
import type { Terminal } from './context.ts'
import { asSentence, count, plain, wrap } from './render.ts'

/** The daemon's status; `stopped` where none answers. Starts none. */
export async function readStatus(context: ClientContext): Promise<Status> {
  const result = await callDaemon(context, statusEndpoint, undefined, { autostart: false, deadlineMs: 5000 })
  return result.ok ? result.value : stoppedStatus(result.error.message)
}

/** `deja status`: prints it, gives the exit code. */
export async function statusCommand(
  { json }: { json: boolean },
  context: ClientContext & { out: (text: string) => void; terminal: Terminal },
): Promise<number> {
  const status = await readStatus(context)
  context.out(json ? JSON.stringify(status) + '\n' : renderStatus(status, context.terminal))
  return { ready: 0, indexing: 0, degraded: 1, stopped: 3 }[status.state]
}

function renderStatus(status: Status, terminal: Terminal): string {
  const indented = (text: string) => wrap(plain(text), terminal.width - 2).map(line => `  ${line}`)
  const lines = [`deja is ${status.state}`, ...status.reasons.flatMap(indented)]
  if (status.state === 'stopped') return lines.join('\n') + '\n'
  lines.push(
    '',
    `daemon    version ${status.version ?? '?'}, process ${status.pid ?? '?'}, port ${status.port ?? '?'}`,
    `since     ${localTime(status.startedAt)}`,
    `archive   ${count(status.archive.sessions, 'session')}, ${count(status.archive.records, 'record')}, ${megabytes(status.archive.bytes)}`,
    `index     ${count(status.index.passages, 'passage')}`,
    `memory    ${megabytes(status.memory.rssBytes)} resident`,
  )
  if (status.pending > 0) lines.push(`pending   ${count(status.pending, 'file')} to read`)
  for (const { id, roots, sessions, records, companions, unread, newestAt } of status.harnesses) {
    lines.push('', id)
    for (const root of roots) lines.push(`  ${root.state.padEnd(10)} ${root.path}`)
    if (sessions > 0) {
      const newest = newestAt === null ? '' : `, newest ${localTime(newestAt)}`
      lines.push(
        `  ${count(sessions, 'session')}, ${count(records, 'record')}, ${count(companions, 'companion')}${newest}`,
      )
    }
    for (const { path, reason } of unread.slice(0, 5))
      lines.push(
        `  unread     ${plain(path)}`,
        ...wrap(plain(asSentence(reason)), terminal.width - 13).map(line => `             ${line}`),
      )
    if (unread.length > 5) lines.push(`  unread     ${unread.length - 5} more; \`deja doctor\` lists them`)
  }
  if (status.hooks.length > 0) lines.push('', 'hooks since the daemon started')
  for (const { harness, event, count: calls, injected, p50Ms, p95Ms } of status.hooks) {
    lines.push(
      `  ${harness} ${event}: ${count(calls, 'call')}, ${injected} answered`,
      `    ${p50Ms} ms median, ${p95Ms} ms p95`,
    )
  }
  if (status.lastError !== null)
    lines.push(
      '',
      ...wrap(plain(`last error, ${localTime(status.lastError.at)}: ${status.lastError.message}`), terminal.width),
    )
  return lines.join('\n') + '\n'
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
