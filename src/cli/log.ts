import { askDaemon } from '../client/client.ts'
import { logEndpoint, whyEndpoint, type WhyOutput } from '../daemon/evidence-api.ts'
import { localTime, shortId } from '../shared/shown.ts'
import type { CliContext, Terminal } from './context.ts'
import { cut, padded, plain, styled, wrap } from './render.ts'

/** What was injected, newest first. */
export async function logCommand(limit: number, { json }: { json?: boolean }, context: CliContext): Promise<number> {
  const answer = await askDaemon(context, logEndpoint, { limit })
  if (json === true) {
    context.out(`${JSON.stringify(answer)}\n`)
    return 0
  }
  for (const { n, at, harness, session, moment, kinds, sources, chars } of answer.injections) {
    const from = sources.map(source => shortSource(source)).join(', ')
    const head = `${padded(`#${n}`, 5)} ${localTime(at)}  ${padded(harness, 11)}  ${shortId(session)}`
    const what = `${kinds.join('+')} at ${moment}, ${chars.toLocaleString('en')} characters${from === '' ? '' : `, from ${from}`}`
    const lines = wrap(plain(what), context.terminal.width - 6)
    context.out(`${styled(context.terminal, 'dim', cut(plain(head), context.terminal.width))}\n`)
    for (const line of lines) context.out(`      ${line}\n`)
  }
  if (answer.injections.length === 0)
    context.err('deja: nothing was injected yet; `deja doctor` tells whether an agent is wired.\n')
  return 0
}

/** Why an injection was chosen, or what a prompt would get: every candidate with its score by part and its gate. */
export async function whyCommand(
  what: string | undefined,
  { json, workspace }: { json?: boolean; workspace?: string },
  context: CliContext,
): Promise<number> {
  const isNumber = what !== undefined && /^#?\d{1,9}$/.test(what)
  const answer = await askDaemon(context, whyEndpoint, {
    n: isNumber ? Number(what.replace('#', '')) : null,
    prompt: what === undefined || isNumber ? null : what,
    directory: workspace ?? context.cwd,
  })
  if (json === true) context.out(`${JSON.stringify(answer)}\n`)
  else if (what === undefined && answer.injection === null)
    context.err(
      'deja: nothing was injected yet; `deja why "<prompt>" --workspace DIR` tells what a prompt would get.\n',
    )
  else context.out(renderWhy(answer, context.terminal))
  return 0
}

function renderWhy({ injection, silence, block, candidates }: WhyOutput, terminal: Terminal): string {
  const lines: string[] = []
  if (injection !== null) {
    const { n, at, harness, session, moment, kinds } = injection
    lines.push(
      ...wrap(
        plain(`#${n}  ${localTime(at)}  ${kinds.join('+')} for ${harness} ${shortId(session)} at ${moment}`),
        terminal.width,
      ),
    )
  }
  if (silence !== null) lines.push(...wrap(`Silence: ${silence}.`, terminal.width))
  else if (candidates.length === 0 && injection === null) lines.push('Silence: nothing that is kept fits.')
  for (const { session, score, parts, terms, gate } of candidates) {
    const verdict = gate === null ? 'shown' : `stopped: ${gate}`
    const head = `${padded(score.toFixed(2), 7)} ${session.harness}:${shortId(session.id)}  `
    const room = terminal.width - head.length - verdict.length - 2
    const title = cut(plain(session.title ?? '').replace(/\s+/g, ' '), Math.max(1, room))
    lines.push('', `${head}${title}  ${styled(terminal, gate === null ? 'green' : 'yellow', verdict)}`)
    const indented = (text: string) => wrap(plain(text), terminal.width - 8).map(line => `        ${line}`)
    const sums = Object.entries(parts).map(([name, value]) => `${name} ${value.toFixed(2)}`)
    if (sums.length > 0) lines.push(...indented(sums.join(', ')))
    if (terms.length > 0) lines.push(...indented(`words: ${terms.join(', ')}`))
  }
  if (block !== null) lines.push('', ...wrap(plain(block), terminal.width))
  return `${lines.join('\n')}\n`
}

function shortSource(source: string): string {
  const at = source.indexOf(':')
  return `${source.slice(0, at + 1)}${shortId(source.slice(at + 1))}`
}
