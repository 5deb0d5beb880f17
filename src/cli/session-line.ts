import type { SessionJson } from '../archive/read/session-reader.ts'
import { localDay, shortId } from '../shared/shown.ts'
import type { Terminal } from './context.ts'
import { cut, padded, plain, styled } from './render.ts'

/** A session on one line: date, agent, short id, title, what is special about it. */
export function sessionLine(terminal: Terminal, session: SessionJson): string {
  const marks = [
    session.kind === 'main' ? '' : session.kind,
    session.deleted ? 'deleted' : '',
    session.archived ? 'archived' : '',
  ].filter(mark => mark !== '')
  const mark = marks.length > 0 ? ` (${marks.join(', ')})` : ''
  const head = `${padded(localDay(session.updatedAt ?? session.startedAt), 10)}  ${padded(session.harness, 11)}  ${padded(shortId(session.id), 8)}  `
  const title = cut(
    plain(session.title ?? '(no title)').replace(/\s+/g, ' '),
    Math.max(20, terminal.width - head.length - mark.length),
  )
  return `${styled(terminal, 'dim', head)}${title}${styled(terminal, 'yellow', mark)}`
}
