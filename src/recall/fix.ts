import { hash } from 'node:crypto'
import type { PlacedRecord, RecallQueries } from '../archive/recall-queries.ts'
import { compareTimes } from '../archive/recall-queries.ts'
import { errorLines, errorSignatures } from '../index/errors.ts'
import type { SessionHead } from '../index/passage.ts'
import { commandForm } from '../shared/command.ts'
import { kinship, type Asker } from './asker.ts'
import { isDestructive, isInspection } from './commands.ts'
import { codeOf, labelOf, shownPath } from './label.ts'
import { neutralLine } from './neutral.ts'
import type { Note } from './note.ts'
import { changeLine, remedyOf, type Remedy } from './remedy.ts'

export interface FixSources {
  queries: RecallQueries
  agentName: (harness: string) => string
}

/** A command that failed: redacted, as the archive's are. */
export interface Failure {
  command: string
  output: string
}

interface Met {
  record: PlacedRecord
  session: SessionHead
  by: 'error' | 'command'
}

interface Found extends Met {
  remedy: Remedy
}

/** Failures that are looked into, newest first. */
const mostLooked = 12
const readOn = 160

/** What fixed this failure here before, confirmed by a later success; null: nothing that may be told. */
export function fixFor(failure: Failure, asker: Asker, sources: FixSources): Note | null {
  if (isInspection(failure.command)) return null
  const signatures = signaturesIn(failure.output)
  const form = commandForm(failure.command)
  const met = new Map<number, Met>()
  for (const signature of signatures)
    for (const record of sources.queries.failuresWith(signature, asker.project, 20))
      add(met, record, 'error', asker, sources)
  if (form !== null)
    for (const record of sources.queries.runsOf(form, asker.project, 40)) {
      if (record.outcome !== 'failed' || met.has(record.id)) continue
      const known = sources.queries.signaturesOf(record.id)
      // the same command failed otherwise: what mended that is no help
      if (signatures.length > 0 && known.length > 0 && !isSameError(known, signatures)) continue
      add(met, record, 'command', asker, sources)
    }
  const found = lookInto(met, failure.command, sources)
  return found ? noteOf(found, failure, asker, sources) : null
}

/** The form that worked, for a command whose last run here failed; null for any other. */
export function knownToFail(command: string, asker: Asker, sources: FixSources): Note | null {
  if (isInspection(command)) return null
  const form = commandForm(command)
  if (form === null) return null
  const runs = sources.queries.runsOf(form, asker.project, 40)
  const met = new Map<number, Met>()
  for (const record of runs) add(met, record, 'command', asker, sources)
  const last = byTime([...met.values()])[0]
  if (last?.record.outcome !== 'failed') return null
  const failures = new Map([...met].filter(([, each]) => each.record.outcome === 'failed'))
  const found = lookInto(failures, command, sources)
  if (found?.remedy.type !== 'command') return null
  return noteOf(found, { command, output: '' }, asker, sources)
}

/** An output's signatures, also without the word in front of them that one tool puts there and another doesn't. */
function signaturesIn(output: string): string[] {
  const signatures = errorSignatures(output)
  return [
    ...new Set([
      ...signatures,
      ...signatures.map(each => each.replace(/^(?:uncaught |fatal )?(?:error|err|fatal|e)\b:? /, '')),
    ]),
  ]
}

/** Whether two failures share an error, give or take what stands in front of it. */
function isSameError(some: readonly string[], others: readonly string[]): boolean {
  return some.some(a =>
    others.some(b => a === b || (Math.min(a.length, b.length) >= 12 && (a.endsWith(b) || b.endsWith(a)))),
  )
}

function add(met: Map<number, Met>, record: PlacedRecord, by: Met['by'], asker: Asker, { queries }: FixSources): void {
  if (met.has(record.id) || record.command === undefined) return
  const session = queries.session(record.session)
  if (session && kinship(asker, session) === null) met.set(record.id, { record, session, by })
}

/** Newest first; a failure that shows the error before one that shows the command alone. */
function byTime(met: Met[]): Met[] {
  const time = ({ record, session }: Met): string | null => record.at ?? session.updatedAt
  return met.sort(
    (a, b) =>
      Number(b.by === 'error') - Number(a.by === 'error') ||
      compareTimes(time(b), time(a)) ||
      b.record.session - a.record.session ||
      b.record.pos - a.record.pos,
  )
}

function lookInto(met: ReadonlyMap<number, Met>, command: string, { queries }: FixSources): Found | null {
  const form = commandForm(command)
  const unconfirmed = new Map<string, Found[]>()
  for (const each of byTime([...met.values()]).slice(0, mostLooked)) {
    const later = queries.after(each.record.session, each.record.pos, readOn)
    const own = queries.signaturesOf(each.record.id)
    const sameError = (again: PlacedRecord): boolean => {
      const signatures = queries.signaturesOf(again.id)
      return own.length === 0 || signatures.length === 0 || isSameError(own, signatures)
    }
    const remedy = remedyOf(each.record, later, sameError)
    if (remedy && isOf(remedy, form, each, queries)) return { ...each, remedy }
    if (!remedy) guess(each, later, unconfirmed)
  }
  // never seen to pass, yet done by two sessions: one of them need not have run the command again
  for (const alike of unconfirmed.values()) {
    const [first] = alike
    if (first && new Set(alike.map(({ session }) => session.key)).size >= 2 && isOf(first.remedy, form, first, queries))
      return first
  }
  return null
}

/** Whether a remedy is worth telling: not what just failed, and not known to have failed since. */
function isOf(remedy: Remedy, failedForm: string | null, { session }: Met, queries: RecallQueries): boolean {
  if (remedy.type === 'steps') return remedy.changes.length + remedy.commands.length > 0
  const form = commandForm(remedy.command)
  if (form === null || form === failedForm)
    return failedForm !== null && form === failedForm && /^\s*(?:cd|pushd)\s/.test(remedy.command)
  const project = session.projects[0]
  const runs = project === undefined ? [] : queries.runsOf(form, project, 20)
  const newest = runs.sort((a, b) => compareTimes(b.at, a.at) || b.id - a.id)[0]
  return newest?.outcome !== 'failed'
}

/** The first thing done about a failure that passed by itself. */
function guess(met: Met, later: readonly PlacedRecord[], into: Map<string, Found[]>): void {
  const next = later.find(
    record =>
      record.kind === 'command' &&
      record.outcome === 'ok' &&
      record.command !== undefined &&
      !isInspection(record.command),
  )
  if (next?.command === undefined || next.form === null || isDestructive(next.command)) return
  const known = into.get(next.form) ?? []
  known.push({ ...met, remedy: { type: 'steps', commands: [next], changes: [], record: next } })
  into.set(next.form, known)
}

function noteOf(found: Found, failure: Failure, asker: Asker, { agentName }: FixSources): Note {
  const { session, record, remedy, by } = found
  const label = labelOf(session, record.at, agentName)
  const what =
    remedy.type === 'command' ? `passed as ${codeOf(remedy.command, 150)}` : stepsLine(remedy, session, asker)
  const same = commandForm(record.command ?? '') === commandForm(failure.command)
  const [error] = errorLines(failure.output)
  const subject = same
    ? `${codeOf(record.command ?? '', 90)} failed here before`
    : `This error was met here before, running ${codeOf(record.command ?? '', 70)}`
  const text = `${subject} (${label}) and ${what}.`
  const more = error === undefined ? '' : ` The error was: ${neutralLine(error)}`
  const name = `remedy:${hash('sha1', `${session.key} ${what}`, 'base64url').slice(0, 16)}`
  return {
    name,
    text: text.length + more.length <= 350 ? text + more : text,
    sessionKey: session.key,
    source: `${session.harness}:${session.id}`,
    because: {
      score: by === 'error' ? 2 : 1,
      parts: { [by]: by === 'error' ? 2 : 1 },
      terms: [codeOf(record.command ?? '', 60)],
    },
  }
}

function stepsLine(remedy: Extract<Remedy, { type: 'steps' }>, session: SessionHead, asker: Asker): string {
  const parts: string[] = []
  const directories = [session.workspace, asker.agent.workspace, asker.project]
  const { changes, commands } = remedy
  changes.forEach((change, n) => {
    const line = neutralLine(changeLine(change, n === changes.length - 1 || changes.length === 1 ? 110 : 50))
    parts.push(`${shownPath(change.path ?? '', directories)} was changed${line === '' ? '' : ` (${line})`}`)
  })
  for (const command of commands.slice(-2)) parts.push(`${codeOf(command.command ?? '', 80)} ran`)
  return `passed after ${parts.slice(-3).join(', ')}`
}
