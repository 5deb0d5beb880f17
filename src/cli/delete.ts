import { createInterface } from 'node:readline'
import { askDaemon } from '../client/client.ts'
import { deleteEndpoint, type DeleteOutput } from '../daemon/lifecycle-api.ts'
import { DejaError } from '../shared/errors.ts'
import type { CliContext } from './context.ts'
import { count, plain } from './render.ts'
import { sessionLine } from './session-line.ts'

interface DeleteOptions {
  project?: string
  harness?: string
  yes?: boolean
  forget?: boolean
  json?: boolean
}

/** Prints what would go, then takes it once that was confirmed (`--yes`, or an answer on a terminal). */
export async function deleteCommand(
  id: string | undefined,
  { project, harness, yes, forget, json }: DeleteOptions,
  context: CliContext,
): Promise<number> {
  if ((id === undefined) === (project === undefined))
    throw new DejaError('usage', 'Say which: an id, or --project <dir>.')
  const input = { id, project, harness, forget: forget === true }
  const list = await askDaemon(context, deleteEndpoint, { ...input, confirmed: null })
  if (json !== true) printList(list, context)
  if (list.sessions.length === 0) {
    if (json === true) context.out(`${JSON.stringify(list)}\n`)
    return 1
  }
  if (yes !== true && !(json !== true && (await confirmed(list, context)))) {
    if (json === true) context.out(`${JSON.stringify(list)}\n`)
    context.err('deja: nothing was deleted; --yes does it.\n')
    return 1
  }
  const done = await askDaemon(context, deleteEndpoint, {
    ...input,
    confirmed: list.sessions.map(({ session }) => `${session.harness}:${session.id}`),
  })
  if (json === true) context.out(`${JSON.stringify(done)}\n`)
  else {
    // what was refused only when it came to it
    const told = new Set(list.refused.map(({ session }) => `${session.harness}:${session.id}`))
    printRefused(
      done.refused.filter(({ session }) => !told.has(`${session.harness}:${session.id}`)),
      context,
    )
    const kept = forget === true ? 'deja has forgotten them too' : 'deja keeps its copy: `deja restore` writes one back'
    context.err(`deja: ${count(done.sessions.length, 'session')} deleted; ${kept}.\n`)
  }
  return done.sessions.length < list.sessions.length ? 1 : 0
}

function printList({ sessions, refused }: DeleteOutput, context: CliContext): void {
  const { out, terminal } = context
  for (const { session, paths } of sessions) {
    out(`${sessionLine(terminal, session)}\n`)
    for (const path of paths) out(`  ${plain(path)}\n`)
  }
  printRefused(refused, context)
}

function printRefused(refused: DeleteOutput['refused'], { err }: CliContext): void {
  for (const { session, reason } of refused)
    err(`deja: ${session.harness}:${session.id} stays: ${plain(reason).replace(/\.$/, '')}.\n`)
}

async function confirmed({ sessions }: DeleteOutput, context: CliContext): Promise<boolean> {
  if (!context.terminal.interactive) return false
  const files = sessions.reduce((sum, { paths }) => sum + paths.length, 0)
  context.err(`Delete ${count(files, 'file or directory', 'files and directories')}? [y/N] `)
  const lines = createInterface({ input: context.stdin })
  for await (const answer of lines) {
    lines.close()
    return /^y(?:es)?$/i.test(answer.trim())
  }
  return false
}
