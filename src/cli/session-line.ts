import type { SessionJson } from '../archive/read/session-reader.ts'
import { localDay, shortId } from '../shared/shown.ts'
import type { Terminal } from './context.ts'
import { cut, padded, plain, styled } from './render.ts'

/** Columns of a title that tell something. */
const leastTitle = 20

/** A session on one line: date, agent, short id, title, what is special about it. */
export function sessionLine(terminal: Terminal, session: SessionJson): string {
  const marks = [
    session.kind === 'main' ? '' : session.kind,
    session.deleted ? 'deleted' : '',
    session.archived ? 'archived' : '',
  ].filter(mark => mark !== '')
  const mark = marks.length > 0 ? ` (${marks.join(', ')})` : ''
  const day = padded(localDay(session.updatedAt ?? session.startedAt), 10)
  const id = padded(shortId(session.id), 8)
  // where there is little room the agent goes first: the id is enough to ask by
  const whole = `${day}  ${padded(session.harness, 11)}  ${id}  `
  const head = terminal.width - whole.length - mark.length < leastTitle ? `${day}  ${id}  ` : whole
  const room = terminal.width - head.length - mark.length
  const title = plain(session.title ?? '(no title)').replace(/\s+/g, ' ')
  if (room < 1) return cut(`${head}${title}`, terminal.width)
  return `${styled(terminal, 'dim', head)}${cut(title, room)}${styled(terminal, 'yellow', mark)}`
}
