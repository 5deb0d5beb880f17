import { text as textOf } from 'node:stream/consumers'
import { askDaemon } from '../client/client.ts'
import { blameEndpoint, fixEndpoint, howEndpoint, statuslineEndpoint } from '../daemon/evidence-api.ts'
import { DejaError } from '../shared/errors.ts'
import { fileLine } from '../shared/file-line.ts'
import { localDay, shortId } from '../shared/shown.ts'
import type { CliContext } from './context.ts'
import { plain, styled, wrap } from './render.ts'
import { sessionLine } from './session-line.ts'

/** Who touched a file, or wrote a line of it, and why. */
export async function blameCommand(
  target: string,
  { json, limit }: { json?: boolean; limit: number },
  context: CliContext,
): Promise<number> {
  const { path, absolute, line } = fileLine(target, context.cwd)
  const answer = await askDaemon(context, blameEndpoint, { path: absolute, line, limit })
  // a path that isn't here may be one of another place: its end is looked for
  const found =
    answer.touches.length > 0 || line !== null ? answer : await askDaemon(context, blameEndpoint, { path, line, limit })
  const { out, err, terminal } = context
  if (json === true) {
    out(`${JSON.stringify(found)}\n`)
    return 0
  }
  for (const { session, n, kind, line: role, asked, said } of found.touches) {
    out(`${sessionLine(terminal, session)}\n  ${styled(terminal, 'dim', `#${n} ${role ?? kind}`)}\n`)
    for (const text of [asked, said].filter(text => text !== ''))
      for (const row of wrap(plain(text), terminal.width - 4)) out(`    ${row}\n`)
  }
  if (found.touches.length === 0) {
    const what = line === null ? 'touched this file' : 'wrote or removed this line'
    err(`deja: no session that is kept ${what}.\n`)
  }
  return 0
}

/** The command lines in which a tool was run here. */
export async function howCommand(
  words: readonly string[],
  { json, all, limit }: { json?: boolean; all?: boolean; limit: number },
  context: CliContext,
): Promise<number> {
  const tool = words.join(' ')
  const directory = all === true ? null : context.cwd
  const answer = await askDaemon(context, howEndpoint, { tool, directory, limit })
  const { out, err, terminal } = context
  if (json === true) {
    out(`${JSON.stringify(answer)}\n`)
    return 0
  }
  for (const { command, runs, ok, failed, lastAt, session } of answer.ways) {
    const outcomes = [ok > 0 ? `${ok} ok` : '', failed > 0 ? styled(terminal, 'red', `${failed} failed`) : ''].filter(
      text => text !== '',
    )
    const [first = '', ...rest] = wrap(plain(command), terminal.width - 4)
    out(`$ ${styled(terminal, 'bold', first)}\n${rest.map(row => `  ${row}\n`).join('')}`)
    const times = [`run ${runs === 1 ? 'once' : `${runs} times`}`, ...outcomes].join(', ')
    out(
      styled(terminal, 'dim', `  ${times}, last ${localDay(lastAt)} in ${session.harness} ${shortId(session.id)}`) +
        '\n',
    )
  }
  if (answer.ways.length === 0)
    err(`deja: no kept session ran ${tool} ${all === true ? 'anywhere' : 'here; --all looks in every project'}.\n`)
  return 0
}

/** What fixed an error before. `-`: the error comes on stdin. */
export async function fixCommand(
  words: readonly string[],
  { json, all }: { json?: boolean; all?: boolean },
  context: CliContext,
): Promise<number> {
  const error = words.length === 1 && words[0] === '-' ? await textOf(context.stdin) : words.join(' ')
  if (error.trim() === '') throw new DejaError('usage', 'There is no error in it.')
  const answer = await askDaemon(context, fixEndpoint, {
    error: error.slice(-400_000),
    directory: context.cwd,
    everywhere: all === true,
  })
  const { out, err, terminal } = context
  if (json === true) {
    out(`${JSON.stringify(answer)}\n`)
    return 0
  }
  for (const { text, session } of answer.fixes) {
    out(`${sessionLine(terminal, session)}\n`)
    if (all === true && session.project !== null) out(`  ${styled(terminal, 'dim', `in ${plain(session.project)}`)}\n`)
    for (const row of wrap(plain(text), terminal.width - 2)) out(`  ${row}\n`)
  }
  if (answer.fixes.length === 0)
    err(
      all === true
        ? 'deja: no kept session is known to have fixed this.\n`deja search` with words of it may find where it was met.\n'
        : 'deja: no session of this project is known to have fixed this.\n`deja fix --all` looks in every project, `deja search` finds where it was met.\n',
    )
  return 0
}

/** One line for a status bar; nothing when no daemon runs. */
export async function statuslineCommand(context: CliContext): Promise<number> {
  try {
    const { line } = await askDaemon(context, statuslineEndpoint, undefined, { autostart: false, deadlineMs: 250 })
    context.out(`${line}\n`)
  } catch {
    // a status bar is no place for errors
  }
  return 0
}
