import { askDaemon } from '../client/client.ts'
import { forgetEndpoint, forgottenEndpoint, unforgetEndpoint, type ForgottenJson } from '../daemon/lifecycle-api.ts'
import { DejaError } from '../shared/errors.ts'
import { localDay } from '../shared/shown.ts'
import type { CliContext } from './context.ts'
import { count } from './render.ts'
import { sessionLine } from './session-line.ts'

interface ForgetOptions {
  project?: string
  before?: string
  dryRun?: boolean
  list?: boolean
  json?: boolean
}

export async function forgetCommand(
  id: string | undefined,
  { project, before, dryRun, list, json }: ForgetOptions,
  context: CliContext,
): Promise<number> {
  if (list === true) return listForgotten(json === true, context)
  if ([id, project, before].filter(choice => choice !== undefined).length !== 1)
    throw new DejaError('usage', 'Say which: an id, --project <dir> or --before <date>.')
  const answer = await askDaemon(context, forgetEndpoint, { id, project, before, dryRun: dryRun === true })
  if (json === true) context.out(`${JSON.stringify(answer)}\n`)
  else for (const session of answer.sessions) context.out(`${sessionLine(context.terminal, session)}\n`)
  const [sessions, notes] = [answer.sessions.length, answer.notes]
  const what = [
    ...(sessions > 0 || notes === 0 ? [count(sessions, 'session')] : []),
    ...(notes > 0 ? [count(notes, 'note')] : []),
  ].join(' and ')
  if (answer.dryRun) context.err(`deja: ${what} would be forgotten; nothing was.\n`)
  else {
    context.err(`deja: ${what} forgotten for good.\n`)
    if (sessions > 0)
      context.err(
        `\`deja unforget\` lets ${sessions === 1 ? 'it' : 'them'} be read again while the agent still has the files.\n`,
      )
  }
  return 0
}

async function listForgotten(json: boolean, context: CliContext): Promise<number> {
  const answer = await askDaemon(context, forgottenEndpoint, undefined)
  if (json) context.out(`${JSON.stringify(answer)}\n`)
  else for (const entry of answer.forgotten) context.out(`${localDay(entry.at)}  ${named(entry)}\n`)
  if (!json && answer.forgotten.length === 0) context.err('deja: nothing was forgotten.\n')
  return 0
}

export async function unforgetCommand(
  value: string,
  { json }: { json?: boolean },
  context: CliContext,
): Promise<number> {
  const answer = await askDaemon(context, unforgetEndpoint, { value })
  if (json === true) context.out(`${JSON.stringify(answer)}\n`)
  else context.err(`deja: ${named(answer.forgotten)} is read again, if its agent still has it.\n`)
  return 0
}

function named({ kind, harness, value }: ForgottenJson): string {
  return kind === 'session' ? `${harness}:${value}` : kind === 'project' ? `project ${value}` : `before ${value}`
}
