import type { ArchiveReader } from '../archive/read/archive-reader.ts'
import type { SessionJson } from '../archive/read/session-reader.ts'
import { commandForm, parseCommandLine } from '../shared/command.ts'
import type { Time } from '../shared/model.ts'
import { termsMatch } from '../index/full-text.ts'

/** One way in which a tool was run. */
export interface Way {
  command: string
  runs: number
  ok: number
  failed: number
  lastAt: Time
  /** Where it ran last. */
  session: SessionJson
}

const looked = 2_000
/** Words before the program that only say how to start it. */
const starters = new Set([
  'sudo',
  'env',
  'time',
  'nohup',
  'command',
  'exec',
  'npx',
  'pnpm',
  'yarn',
  'bunx',
  'uv',
  'poetry',
])

/**
 * The real command lines in which a tool was run, those that worked and are recent first.
 * @param project null: anywhere
 * @param except sessions (row ids) that are left out
 */
export function how(
  archive: ArchiveReader,
  tool: string,
  project: string | null,
  limit: number,
  except: ReadonlySet<number> = new Set(),
): Way[] {
  const match = termsMatch([tool])
  if (match === null) return []
  const hits = archive.fullText.search({
    match,
    kinds: ['command'],
    limit: looked,
    ...(project === null ? {} : { project }),
  })
  const ways = new Map<
    string,
    { command: string; runs: number; ok: number; failed: number; lastAt: Time; session: number }
  >()
  for (const { record, at } of hits) {
    const command = record.command ?? ''
    if (except.has(record.session) || !runs(command, tool)) continue
    const form = commandForm(command) ?? command.trim()
    const known = ways.get(form)
    const way = known ?? { command: form, runs: 0, ok: 0, failed: 0, lastAt: at, session: record.session }
    way.runs++
    if (record.outcome === 'ok') way.ok++
    if (record.outcome === 'failed') way.failed++
    if ((at ?? '') > (way.lastAt ?? '')) [way.lastAt, way.session] = [at, record.session]
    ways.set(form, way)
  }
  const works = ({ ok, failed }: { ok: number; failed: number }) => (ok > 0 ? 2 : failed > 0 ? 0 : 1)
  return [...ways.values()]
    .sort((a, b) => works(b) - works(a) || (b.lastAt ?? '').localeCompare(a.lastAt ?? '') || b.runs - a.runs)
    .slice(0, limit)
    .flatMap(way => {
      const session = archive.sessions.json(way.session)
      return session === null ? [] : [{ ...way, session }]
    })
}

/** Whether one of a line's commands is `tool`, a path or a starter before it left out; two words (`npm test`) are its beginning. */
function runs(command: string, tool: string): boolean {
  const asked = tool.trim().split(/\s+/)
  const line = parseCommandLine(command)
  if (line === null) return new RegExp(`(?:^|[\\n;&|])\\s*${escaped(tool)}(?:\\s|$)`).test(command)
  return line.commands.some(({ words }) => {
    const rest = [...words]
    while (rest.length > 1 && starters.has(rest[0] ?? '') && rest[0] !== asked[0]) {
      rest.shift()
      // `poetry run pytest`, `pnpm exec tsc`
      if (rest.length > 1 && /^(?:run|exec|dlx)$/.test(rest[0] ?? '') && rest[0] !== asked[0]) rest.shift()
    }
    // `python3 -m pytest`
    if (
      /^(?:.*\/)?(?:python[\d.]*|py)$/.test(rest[0] ?? '') &&
      rest[1] === '-m' &&
      !/^py(?:thon|$)/.test(asked[0] ?? '')
    )
      rest.splice(0, 2)
    const [program = '', ...others] = rest
    return [program.replace(/^.*\//, ''), ...others].slice(0, asked.length).join(' ') === asked.join(' ')
  })
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
