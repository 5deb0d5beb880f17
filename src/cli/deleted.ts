import { askDaemon } from '../client/client.ts'
import { deletedEndpoint, restoreEndpoint } from '../daemon/lifecycle-api.ts'
import { localDay } from '../shared/shown.ts'
import type { CliContext } from './context.ts'
import { styled } from './render.ts'
import { sessionLine } from './session-line.ts'

/** Sessions that are gone from their agents, and those that soon will be. */
export async function deletedCommand({ json }: { json?: boolean }, context: CliContext): Promise<number> {
  const answer = await askDaemon(context, deletedEndpoint, undefined)
  const { out, err, terminal } = context
  if (json === true) {
    out(`${JSON.stringify(answer)}\n`)
    return 0
  }
  for (const session of answer.sessions) out(`${sessionLine(terminal, session)}\n`)
  if (answer.sessions.length === 0) err('deja: every session that is kept is still with its agent.\n')
  if (answer.soon.length > 0) out(`\n${styled(terminal, 'bold', 'Its agent deletes these within seven days')}\n`)
  for (const { session, until } of answer.soon)
    out(`${sessionLine(terminal, session)} ${styled(terminal, 'dim', `on ${localDay(until)}`)}\n`)
  return 0
}

export async function restoreCommand(id: string, { json }: { json?: boolean }, context: CliContext): Promise<number> {
  const answer = await askDaemon(context, restoreEndpoint, { id })
  if (json === true) context.out(`${JSON.stringify(answer)}\n`)
  else for (const path of answer.paths) context.out(`${path}\n`)
  if (answer.redacted) context.err('deja: secrets were never kept; in their place stands [redacted:…].\n')
  context.err(`deja: \`deja resume ${answer.session.id}\` tells how to go on with it.\n`)
  return 0
}
