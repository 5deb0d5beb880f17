import { askDaemon } from '../client/client.ts'
import { showEndpoint, type RecordJson, type ShowOutput } from '../daemon/memory-api.ts'
import { localTime } from '../shared/shown.ts'
import type { CliContext, Terminal } from './context.ts'
import { count, plain, styled, wrap } from './render.ts'

export async function showCommand(
  id: string,
  { json, offset, limit }: { json?: boolean; offset: number; limit: number },
  context: CliContext,
): Promise<number> {
  const answer = await askDaemon(context, showEndpoint, { id, offset, limit })
  context.out(json === true ? `${JSON.stringify(answer)}\n` : renderShow(answer, offset, context.terminal))
  return 0
}

function renderShow({ session, total, records }: ShowOutput, offset: number, terminal: Terminal): string {
  const facts = [
    `${session.harness}:${session.id}${session.kind === 'main' ? '' : ` (${session.kind} of ${session.parentId ?? '?'})`}`,
    session.workspace === null ? '' : `in ${plain(session.workspace)}`,
    [localTime(session.startedAt), localTime(session.updatedAt)].filter(time => time !== '').join(' – '),
    session.model === null ? '' : `model ${plain(session.model)}`,
    session.deleted ? 'deleted from its agent; `deja restore` writes it back' : '',
  ].filter(fact => fact !== '')
  const title = wrap(plain(session.title ?? '(no title)').replace(/\s+/g, ' '), terminal.width)
  const lines = [...title.map(line => styled(terminal, 'bold', line)), ...facts, '']
  for (const record of records) lines.push(...renderRecord(record, terminal), '')
  const left = total - offset - records.length
  if (left > 0)
    lines.push(styled(terminal, 'dim', `${count(left, 'more record')}: --offset ${offset + records.length}`))
  return `${lines.join('\n').trimEnd()}\n`
}

function renderRecord(record: RecordJson, terminal: Terminal): string[] {
  const at = localTime(record.at)
  const label = styled(terminal, 'dim', [`#${record.n}`, record.kind, at].filter(part => part !== '').join(' '))
  const body = (text: string, lead = '  ') => wrap(plain(text), terminal.width - lead.length).map(line => lead + line)
  switch (record.kind) {
    case 'command': {
      const how = record.outcome === 'failed' ? styled(terminal, 'red', ending(record)) : ending(record)
      return [`${label}  ${how}`.trimEnd(), ...body(record.command ?? '', '  $ ')]
    }
    case 'read':
      return [`${label}  ${plain(record.path ?? '')}`]
    case 'edit':
    case 'write':
      return [
        `${label}  ${plain(record.path ?? '')}`,
        ...changed(record.removed, '- ', 'red', terminal),
        ...changed(record.added, '+ ', 'green', terminal),
      ]
    default:
      return [label, ...body(record.text)]
  }
}

function ending({ exitCode, outcome }: RecordJson): string {
  if (typeof exitCode === 'number') return `exit ${exitCode}`
  return outcome === 'unknown' || outcome === undefined ? '' : outcome
}

function changed(text: string | undefined, sign: string, style: 'red' | 'green', terminal: Terminal): string[] {
  if (text === undefined || text === '') return []
  return plain(text)
    .split('\n')
    .map(line => `  ${styled(terminal, style, sign + line)}`)
}
