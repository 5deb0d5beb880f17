import { askDaemon } from '../client/client.ts'
import { lastEndpoint } from '../daemon/memory-api.ts'
import type { CliContext } from './context.ts'
import { sessionLine } from './session-line.ts'

export async function lastCommand(
  limit: number,
  { json, all }: { json?: boolean; all?: boolean },
  context: CliContext,
): Promise<number> {
  const directory = all === true ? null : context.cwd
  const answer = await askDaemon(context, lastEndpoint, { directory, limit })
  if (json === true) context.out(`${JSON.stringify(answer)}\n`)
  else {
    for (const session of answer.sessions) context.out(`${sessionLine(context.terminal, session)}\n`)
    if (answer.sessions.length === 0)
      context.err(
        all === true
          ? 'deja: nothing is kept yet; `deja doctor` tells where sessions were looked for.\n'
          : 'deja: no session was worked in this project; `deja last --all` shows every project’s.\n',
      )
  }
  return 0
}
