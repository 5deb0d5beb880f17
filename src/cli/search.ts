import { askDaemon } from '../client/client.ts'
import { searchEndpoint, type SearchInput, type SearchOutput } from '../daemon/memory-api.ts'
import { questionOf } from '../search/question.ts'
import { fold } from '../index/fold.ts'
import type { SearchHit } from '../search/search.ts'
import { localDay } from '../shared/shown.ts'
import type { CliContext, Terminal } from './context.ts'
import { count, plain, styled, wrap } from './render.ts'
import { sessionLine } from './session-line.ts'

export async function searchCommand(
  words: readonly string[],
  options: Omit<SearchInput, 'query'> & { json?: boolean },
  context: CliContext,
): Promise<number> {
  const { json, ...filters } = options
  // a word that a shell's quotes held together was meant as a phrase only if it has quotes of its own
  const answer = await askDaemon(context, searchEndpoint, { ...filters, query: words.join(' ') })
  context.out(json === true ? `${JSON.stringify(answer)}\n` : renderSearch(answer, context.terminal))
  if (json !== true && answer.hits.length === 0 && answer.note !== null) context.err(`deja: ${answer.note}\n`)
  return 0
}

/** One block a session, the words marked. */
export function renderSearch(answer: SearchOutput, terminal: Terminal): string {
  if (answer.hits.length === 0) return ''
  const { phrases, words } = questionOf(answer.query)
  const blocks = answer.hits.map(hit => renderHit(hit, [...phrases, ...words], terminal))
  const more = answer.total - answer.hits.length
  const end =
    more > 0
      ? `\n${styled(terminal, 'dim', `${count(more, 'more session')}: --limit ${answer.total} shows them`)}\n`
      : ''
  return `${blocks.join('\n')}${end}`
}

function renderHit(hit: SearchHit, words: readonly string[], terminal: Terminal): string {
  const lines = [sessionLine(terminal, hit.session)]
  for (const { n, kind, at, text } of hit.snippets) {
    const label = [`#${n}`, kind, localDay(at)].filter(part => part !== '').join(' ')
    const [first = '', ...rest] = wrap(plain(text), terminal.width - 4)
    lines.push(`  ${styled(terminal, 'dim', label)}`)
    for (const line of [first, ...rest]) lines.push(`    ${mark(line, words, terminal)}`)
  }
  const similar = hit.why.filter(reason => / for |^without |same error/.test(reason))
  if (similar.length > 0) lines.push(`  ${styled(terminal, 'dim', similar.join('; '))}`)
  return `${lines.join('\n')}\n`
}

/** The words that were asked for, in bold, whatever their case or ending. */
function mark(line: string, words: readonly string[], terminal: Terminal): string {
  if (!terminal.colour) return line
  const folded = fold(line).toLowerCase()
  if (folded.length !== line.length) return line
  const marked = new Uint8Array(line.length)
  for (const word of words) {
    const sought = fold(word).toLowerCase()
    if (sought === '') continue
    for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + sought.length))
      marked.fill(1, at, at + sought.length)
  }
  let result = ''
  for (let from = 0; from < line.length;) {
    let to = from
    while (to < line.length && marked[to] === marked[from]) to++
    const piece = line.slice(from, to)
    result += marked[from] === 1 ? styled(terminal, 'bold', styled(terminal, 'cyan', piece)) : piece
    from = to
  }
  return result
}
