import { askDaemon } from '../client/client.ts'
import { mostSessions, searchEndpoint, type SearchInput, type SearchOutput } from '../daemon/memory-api.ts'
import { alike, needlesOf, occurrencesIn, type Needles } from '../search/needles.ts'
import { questionOf } from '../search/question.ts'
import type { NoteHit } from '../search/notes.ts'
import type { SearchHit } from '../search/search.ts'
import { localDay } from '../shared/shown.ts'
import type { CliContext, Terminal } from './context.ts'
import { count, cut, padded, plain, styled, wrap } from './render.ts'
import { sessionLine } from './session-line.ts'

/** `meant`: the command that the first word is nearly the name of, where the words stood alone. */
export async function searchCommand(
  words: readonly string[],
  options: Omit<SearchInput, 'query'> & { json?: boolean },
  context: CliContext,
  meant: string | null = null,
): Promise<number> {
  const { json, ...filters } = options
  // a word that a shell's quotes held together was meant as a phrase only if it has quotes of its own
  const answer = await askDaemon(context, searchEndpoint, { ...filters, query: words.join(' ') })
  context.out(json === true ? `${JSON.stringify(answer)}\n` : renderSearch(answer, context.terminal))
  if (json === true) return 0
  if (answer.note !== null) context.err(`deja: ${answer.note}\n`)
  // `deja stauts`: one word, or words that are nowhere, may have been meant for a command
  if (meant !== null && (words.length === 1 || answer.hits.length + answer.notes.length === 0))
    context.err(`deja: that was a search; did you mean \`deja ${[meant, ...words.slice(1)].join(' ')}\`?\n`)
  return 0
}

/** One block a session, the words marked. */
export function renderSearch(answer: SearchOutput, terminal: Terminal): string {
  if (answer.hits.length === 0 && answer.notes.length === 0) return ''
  const { phrases, words } = questionOf(answer.query)
  const asked = [...phrases, ...words]
  const blocks = [
    ...answer.notes.map(note => renderNote(note, asked, terminal)),
    ...answer.hits.map(hit => renderHit(hit, asked, terminal)),
  ]
  const more = answer.total - answer.hits.length
  const limit = Math.min(answer.total, mostSessions)
  const end =
    more > 0
      ? `\n${styled(terminal, 'dim', `${count(more, 'more session')}: --limit ${limit} shows ${limit < answer.total ? 'more' : 'them'}`)}\n`
      : ''
  return `${blocks.join('\n')}${end}`
}

/** What was kept on purpose comes first. */
function renderNote({ project, at, text }: NoteHit, words: readonly string[], terminal: Terminal): string {
  const head = cut(`${padded(localDay(at), 10)}  noted for ${plain(project)}`, terminal.width)
  const lines = markedLines(plain(text).replace(/\s+/g, ' '), needlesOf(words), terminal)
  return `${styled(terminal, 'dim', head)}\n${lines.map(line => `    ${line}\n`).join('')}`
}

function renderHit(hit: SearchHit, words: readonly string[], terminal: Terminal): string {
  const lines = [sessionLine(terminal, hit.session)]
  const standIns = hit.standIns.map(written => ({ written, word: 0 }))
  const needles = needlesOf(words, standIns)
  for (const { n, kind, at, text } of hit.snippets) {
    const label = [`#${n}`, kind, localDay(at)].filter(part => part !== '').join(' ')
    lines.push(`  ${styled(terminal, 'dim', label)}`)
    for (const line of markedLines(plain(text), needles, terminal)) lines.push(`    ${line}`)
  }
  const similar = hit.why.filter(reason => / for |^without |same error/.test(reason))
  if (similar.length > 0)
    for (const line of wrap(plain(similar.join('; ')), terminal.width - 2))
      lines.push(`  ${styled(terminal, 'dim', line)}`)
  return `${lines.join('\n')}\n`
}

/** Of what resembles a word, what is worth less is hardly it. */
const leastMarked = 0.5
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Wrapped; what was asked for in bold, whatever its case or ending, and what was taken for it. */
function markedLines(text: string, needles: Needles, terminal: Terminal): string[] {
  const lines = wrap(text, terminal.width - 4)
  if (!terminal.colour) return lines
  const marked = new Uint8Array(text.length)
  for (const { at, end, value } of occurrencesIn(alike(text), needles))
    if (value >= leastMarked || cjk.test(text.slice(at, end))) marked.fill(1, at, end)
  // a line is a piece of the text: only spaces are lost between two
  let from = 0
  return lines.map(line => {
    const start = Math.max(from, text.indexOf(line, from))
    from = start + line.length
    return styledWhere(line, marked.subarray(start, from), terminal)
  })
}

function styledWhere(line: string, marked: Uint8Array, terminal: Terminal): string {
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
