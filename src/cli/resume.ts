import { execa } from 'execa'
import { askDaemon } from '../client/client.ts'
import { resumeEndpoint } from '../daemon/memory-api.ts'
import { DejaError } from '../shared/errors.ts'
import type { CliContext } from './context.ts'

/** Prints the agent's own command to reopen a session; with `exec`, runs it here. */
export async function resumeCommand(
  id: string,
  { json, exec }: { json?: boolean; exec?: boolean },
  context: CliContext,
): Promise<number> {
  const answer = await askDaemon(context, resumeEndpoint, { id })
  const { resume } = answer
  if (!resume.ok) throw new DejaError('refused', resume.reason)
  const { command, directory, note } = resume
  if (json === true) {
    context.out(`${JSON.stringify(answer)}\n`)
    return 0
  }
  if (note !== null) context.err(`deja: ${note}\n`)
  if (exec !== true) {
    const line = command.map(quoted).join(' ')
    context.out(`${directory === null ? '' : `cd ${quoted(directory)} && `}${line}\n`)
    return 0
  }
  const [program = '', ...words] = command
  const ran = await execa(program, words, { cwd: directory ?? context.cwd, stdio: 'inherit', reject: false })
  if (ran.failed && ran.exitCode === undefined)
    throw new DejaError('refused', `${program} can't be run: ${ran.shortMessage}`)
  return ran.exitCode ?? 1
}

/** A word as a POSIX shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
