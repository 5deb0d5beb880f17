import { isAbsolute, join, resolve } from 'node:path'
import { compareTimes, type PlacedRecord } from '../archive/recall-queries.ts'
import type { NoteReader } from '../archive/read/note-reader.ts'
import type { PassageIndex } from '../index/passage-index.ts'
import type { SessionHead } from '../index/passage.ts'
import { analyse } from '../index/tokens.ts'
import { kinship, type Asker } from './asker.ts'
import { evidenceOf, clipped, promptLine } from './evidence.ts'
import type { FixSources } from './fix.ts'
import type { Checks } from './gates.ts'
import { labelOf, shownPath } from './label.ts'
import { neutralLine } from './neutral.ts'
import type { Note } from './note.ts'
import { isConclusion, isQuotable, isReversal, isRule, isSettling, sentencesOf } from './settled.ts'

export interface HintSources extends FixSources {
  checks: Checks
  index: Pick<PassageIndex, 'search'>
  notes: NoteReader
  /** The directories in which a project was worked (absolute). */
  directories: (project: string) => readonly string[]
}

interface Told {
  session: SessionHead
  record: PlacedRecord
  text: string
  /** 3: an answer settles something and names the file; 2: names it; 1: the passage that changed it gives a reason. */
  strength: number
}

/** Sessions that touched a file and are looked into, newest first. */
const mostSessions = 4
/** Sessions that changed a file and are thought of at all. */
const mostThought = 10
/** Characters of what is told about one file. */
const limit = 330

/**
 * What a session settled about a file that is about to be changed (or was just read, where that is the first chance);
 * null where the file has no history, or one that says nothing of it.
 * @param path as the tool was given it
 */
export function fileHint(path: string, asker: Asker, sources: HintSources): Note | null {
  const absolute = absoluteOf(path, asker)
  const directories = [
    ...new Set([asker.agent.workspace ?? asker.project, asker.project, ...sources.directories(asker.project)]),
  ]
  const relative = shownPath(absolute, directories)
  // worktrees and clones of the project hold the same file elsewhere
  const places =
    relative === absolute
      ? [absolute]
      : [...new Set([absolute, ...directories.map(directory => join(directory, relative))])]
  const told = fromChanges(places, asker, sources)
  if (!told.some(each => each.strength >= 2)) told.push(...fromWords(relative, asker, sources))
  told.sort((a, b) => b.strength - a.strength || compareTimes(timeOf(b), timeOf(a)) || b.record.id - a.record.id)
  const best = newestReversal(told) ?? told[0]
  if (!best) return null
  const label = labelOf(best.session, best.record.at, sources.agentName)
  return {
    name: `file:${relative}`,
    text: `${relative} (${label}): ${best.text}`,
    sessionKey: best.session.key,
    source: `${best.session.harness}:${best.session.id}`,
    because: { score: best.strength, parts: { 'said of the file': best.strength }, terms: [relative] },
  }
}

function absoluteOf(path: string, asker: Asker): string {
  return isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path) ? path : resolve(asker.agent.workspace ?? asker.project, path)
}

const timeOf = ({ record, session }: Told): string | null => record.at ?? session.updatedAt

/** Among what is equally telling, what takes something back wins over what it takes back: it is the newer anyway. */
function newestReversal(told: readonly Told[]): Told | null {
  const [best] = told
  if (!best) return null
  const later = told.filter(
    each => compareTimes(timeOf(each), timeOf(best)) > 0 && each.strength >= 2 && isReversal(each.text),
  )
  return later[0] ?? null
}

function fromChanges(places: readonly string[], asker: Asker, { queries }: HintSources): Told[] {
  const bySession = new Map<number, PlacedRecord>()
  for (const record of queries.changesOf(places, 30)) {
    const known = bySession.get(record.session)
    if (known ? record.pos > known.pos : bySession.size < mostThought) bySession.set(record.session, record)
  }
  const touched = [...bySession.values()].flatMap(record => {
    const session = queries.session(record.session)
    return session && session.projects.includes(asker.project) && kinship(asker, session) === null
      ? [{ record, session }]
      : []
  })
  touched.sort(
    (a, b) =>
      compareTimes(b.record.at ?? b.session.updatedAt, a.record.at ?? a.session.updatedAt) || b.record.id - a.record.id,
  )
  return touched.slice(0, mostSessions).flatMap(({ record, session }) => {
    const text = saidAbout(record.path ?? '', queries.passageAround(record.session, record.pos), true)
    return text ? [{ record, session, ...text }] : []
  })
}

/** What was said of the file by sessions that never changed it. */
function fromWords(relative: string, asker: Asker, { queries, index }: HintSources): Told[] {
  if (!relative.includes('/') && !relative.includes('.')) return []
  const found = index.search({
    text: relative,
    mode: 'hook',
    scope: { projects: [asker.project], accepts: session => kinship(asker, session) === null },
    limit: 4,
    now: asker.now,
  })
  return found.flatMap(({ session, passages }) =>
    passages.slice(0, 2).flatMap(passage => {
      if (
        !passage.terms.some(
          term =>
            term.isIdentifier && term.parts.some(part => part === 'answer' || part === 'prompt' || part === 'summary'),
        )
      )
        return []
      const records = queries.passage(passage.id)
      const [record] = records
      const text = saidAbout(relative, records, false)
      return record && text ? [{ record, session, ...text }] : []
    }),
  )
}

/** Whether a sentence names a file: by its path, the end of it, or a file name that isn't everywhere's. */
function names(sentence: string, path: string): boolean {
  const segments = path.toLowerCase().split(/[/\\]/)
  const file = segments.at(-1) ?? ''
  const tail = segments.slice(-2).join('/')
  const text = sentence.toLowerCase()
  const stands = (part: string): boolean => {
    const at = text.indexOf(part)
    return at >= 0 && !/[\w.-]/.test(text.charAt(at - 1)) && !/^[\w-]|^\.\w/.test(text.slice(at + part.length))
  }
  if (segments.length > 1 && stands(tail)) return true
  // `index.ts` names too many files to name one
  if (/^(?:index|main|mod|init|__init__|lib|app|utils?|types?|readme|config|package|setup|test)\./.test(file)) {
    const at = text.indexOf(file)
    return segments.length === 1 && stands(file) && text.charAt(at - 1) !== '/'
  }
  return file.includes('.') && (stands(file) || (text.includes(`/${file}`) && text.includes(tail)))
}

/** Identifiers that a change brought or took: an answer that speaks of them speaks of the file. */
function subjectsOf(records: readonly PlacedRecord[], path: string): Set<string> {
  const subjects = new Set<string>()
  for (const record of records) {
    if (record.path !== path) continue
    for (const token of analyse(`${record.removed ?? ''}\n${(record.added ?? '').slice(0, 2_000)}`))
      if (token.kind === 'whole' || token.identifier) subjects.add(token.term)
  }
  return subjects
}

function saidAbout(
  path: string,
  records: readonly PlacedRecord[],
  changed: boolean,
): { text: string; strength: number } | null {
  const evidence = evidenceOf(records)
  const only = changed && evidence.changed.length <= 3
  const sentences = [...evidence.summaries, ...evidence.answers].flatMap(sentencesOf).filter(isQuotable)
  const naming = sentences.filter(sentence => names(sentence, path))
  const settling = naming.filter(isSettling)
  const asked = sentencesOf(evidence.prompt).filter(sentence => names(sentence, path) && isRule(sentence))
  if (settling.length > 0 || asked.length > 0)
    return { text: lines([...asked.slice(-1), ...settling.slice(-2)]), strength: 3 }
  if (naming.length > 0) return { text: lines(naming.slice(-2)), strength: 2 }
  if (!changed) return null
  // nothing names it: what the passage that changed it came to, if that is a reason and this file's
  const subjects = subjectsOf(records, path)
  const reasons = sentences.filter(
    sentence => isConclusion(sentence) && (only || analyse(sentence).some(token => subjects.has(token.term))),
  )
  const last = reasons.at(-1)
  if (last === undefined) return null
  const request = evidence.prompt === '' ? '' : `changed for "${promptLine(evidence.prompt, new Map(), 110)}". `
  return { text: clipped(`${request}${neutralLine(last)}`, limit), strength: 1 }
}

const lines = (sentences: readonly string[]): string => clipped(sentences.map(neutralLine).join(' '), limit)
