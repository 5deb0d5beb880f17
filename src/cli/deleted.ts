import { askDaemon } from '../client/client.ts'
import { deletedEndpoint, restoreEndpoint } from '../daemon/lifecycle-api.ts'
import { localDay, shortId } from '../shared/shown.ts'
import type { CliContext } from './context.ts'
import { count, plain, styled } from './render.ts'
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
    out(
      `${sessionLine({ ...terminal, width: terminal.width - 14 }, session)} ${styled(terminal, 'dim', `on ${localDay(until)}`)}\n`,
    )
  return 0
}

export async function restoreCommand(id: string, { json }: { json?: boolean }, context: CliContext): Promise<number> {
  const answer = await askDaemon(context, restoreEndpoint, { id })
  const { out, err } = context
  if (json === true) {
    out(`${JSON.stringify(answer)}\n`)
    return 0
  }
  const { session, records, paths, redacted } = answer
  for (const path of paths) out(`${plain(path)}\n`)
  const what = `${count(records, 'record')} in ${count(paths.length, 'file')}`
  err(`deja: ${session.harness}:${shortId(session.id)} is back with its agent: ${what}.\n`)
  if (redacted) err('deja: secrets were never kept; in their place stands [redacted:…].\n')
  err(`deja: \`deja resume ${shortId(session.id)}\` tells how to go on with it.\n`)
  return 0
}
