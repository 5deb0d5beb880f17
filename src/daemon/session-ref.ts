import type { ArchiveReader } from '../archive/read/archive-reader.ts'
import type { SessionJson } from '../archive/read/session-reader.ts'
import { DejaError } from '../shared/errors.ts'
import { localDay } from '../shared/shown.ts'

/** The row id of the session that a caller names. Throws `ambiguous` with the candidates, or `unknown-id`. */
export function sessionKey(archive: ArchiveReader, ref: string): number {
  const found = archive.sessions.find(ref)
  if (found.type === 'one') return found.key
  if (found.type === 'many') {
    throw new DejaError('ambiguous', `"${ref}" begins several ids:\n${found.candidates.map(line).join('\n')}`, {
      hint: 'Write more of the id.',
    })
  }
  if (found.forgotten !== null) {
    const { harness, id } = found.forgotten
    throw new DejaError('unknown-id', `${harness}:${id} was forgotten on purpose.`, {
      hint: `\`deja unforget ${id}\` reads it again, if its agent still has it.`,
    })
  }
  throw new DejaError('unknown-id', `No session has the id "${ref}".`, { hint: '`deja last --all` lists sessions.' })
}

function line({ harness, id, title, updatedAt, startedAt }: SessionJson): string {
  return `  ${harness}:${id}  ${localDay(updatedAt ?? startedAt)}  ${title ?? ''}`.trimEnd()
}
