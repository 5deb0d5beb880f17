import { askDaemon } from '../client/client.ts'
import { deletedEndpoint } from '../daemon/lifecycle-api.ts'
import { lastEndpoint } from '../daemon/memory-api.ts'
import type { CliContext } from './context.ts'
import { count, plain, styled, wrap } from './render.ts'
import { sessionLine } from './session-line.ts'
import { readStatus } from './status.ts'

const newest = 8

/** `deja` alone: on a terminal the state of things, elsewhere the help. */
export async function startCommand(help: () => void, context: CliContext): Promise<number> {
  if (!context.terminal.interactive) {
    help()
    return 0
  }
  const { out, terminal } = context
  const { sessions } = await askDaemon(context, lastEndpoint, { directory: null, limit: newest })
  const status = await readStatus(context)
  out(`deja is ${styled(terminal, 'bold', status.state)}, and keeps ${count(status.archive.sessions, 'session')}.\n`)
  for (const line of status.reasons.flatMap(reason => wrap(plain(reason), terminal.width - 2))) out(`  ${line}\n`)
  if (sessions.length > 0) out(`\n${styled(terminal, 'bold', 'Newest')}\n`)
  for (const session of sessions.filter(each => !each.deleted)) out(`${sessionLine(terminal, session)}\n`)
  const { sessions: gone } = await askDaemon(context, deletedEndpoint, undefined)
  if (gone.length > 0) out(`\n${styled(terminal, 'bold', 'Deleted')} (deja restore <id> writes one back)\n`)
  for (const session of gone.slice(0, newest)) out(`${sessionLine(terminal, session)}\n`)
  if (gone.length > newest) out(styled(terminal, 'dim', `${gone.length - newest} more: deja deleted\n`))
  out(`\n${styled(terminal, 'dim', 'deja <words…> searches; deja help lists the commands.')}\n`)
  return 0
}
