import type { ArchiveReader } from '../archive/read/archive-reader.ts'
import type { SessionJson } from '../archive/read/session-reader.ts'
import type { ShownRecord } from '../archive/read/shown.ts'
import type { RecordKind, Time } from '../shared/model.ts'
import { cutAround } from './snippet.ts'

/** A session that changed a file (or only read it, where none changed it). */
export interface Touch {
  session: SessionJson
  n: number
  kind: RecordKind
  at: Time
  /** Of a line: `wrote` it, or `removed` what stood there. Null when no line was asked for. */
  line: 'wrote' | 'removed' | null
  /** What the person had asked for. */
  asked: string
  /** What the agent said last before the next prompt. */
  said: string
}

const looked = 2_000
const around = 200
const room = 300

/**
 * Who touched a file and why, newest first, one touch a prompt.
 * @param path absolute, or the end of one
 * @param line the text that stands in the line asked about
 * @param except sessions (row ids) that are left out
 */
export function blame(
  archive: ArchiveReader,
  path: string,
  line: string | null,
  limit: number,
  except: ReadonlySet<number> = new Set(),
): Touch[] {
  const records = archive.records.ofPath(path, looked).filter(({ session }) => !except.has(session))
  const changes = records.filter(({ kind }) => kind === 'edit' || kind === 'write')
  const chosen =
    line !== null
      ? changes.flatMap(record => {
          const role = roleFor(record, line)
          return role === null ? [] : [{ record, role }]
        })
      : (changes.length > 0 ? changes : records).map(record => ({ record, role: null }))
  // who wrote the line comes before who removed one like it
  chosen.sort((a, b) => Number(b.role === 'wrote') - Number(a.role === 'wrote'))
  const touches: Touch[] = []
  const told = new Set<number>()
  for (const { record, role } of chosen) {
    if (touches.length >= limit) break
    const session = archive.sessions.json(record.session)
    if (session === null) continue
    const prompt = archive.records.before(record.id, around).find(({ kind }) => kind === 'prompt')
    const turn = prompt?.id ?? -record.session
    if (told.has(turn)) continue
    told.add(turn)
    touches.push({
      session,
      n: archive.records.rankOf(record.id),
      kind: record.kind,
      at: record.at,
      line: role,
      asked: cutAround(prompt?.text ?? '', [], room),
      said: conclusion(archive, record),
    })
  }
  return touches
}

function roleFor({ added, removed }: ShownRecord, line: string): 'wrote' | 'removed' | null {
  const sought = line.trim()
  const has = (text: string | undefined) => text?.split('\n').some(each => each.trim() === sought) === true
  if (has(added) && !has(removed)) return 'wrote'
  return has(removed) && !has(added) ? 'removed' : null
}

function conclusion(archive: ArchiveReader, record: ShownRecord): string {
  let said = ''
  for (const next of archive.records.after(record.id, around)) {
    if (next.kind === 'prompt') break
    if (next.kind === 'answer' && next.text !== undefined && next.text !== '') said = next.text
  }
  return cutAround(said, [], room)
}
