import type { PlacedRecord } from '../archive/recall-queries.ts'
import type { SessionHead } from '../index/passage.ts'
import { kinship, type Asker } from './asker.ts'
import { conclusionOf, evidenceOf, promptLine, type Evidence } from './evidence.ts'
import type { FixSources } from './fix.ts'
import type { Section } from './frame.ts'
import { codeOf, isAlike, labelOf, shownPath } from './label.ts'
import { neutralLine } from './neutral.ts'
import { isMachineMade, silenceFor } from './persons-words.ts'
import { changeLine, remedyOf } from './remedy.ts'
import { isOpen, sentencesOf } from './settled.ts'

/** A digest before it is rendered: its sections, and the sessions that they were taken from, line by line. */
export interface Digest {
  sections: (Section & { keys: number[] })[]
  sources: Map<number, string>
}

interface Turn {
  session: SessionHead
  records: PlacedRecord[]
  evidence: Evidence
  label: string
  at: string | null
}

const mostSessions = 14
const tailLength = 70
const none: ReadonlyMap<string, number> = new Map()

/**
 * Where a project stands: what was settled last, what is open, what failed and how it was fixed, which files are worked
 * on. Null where there is nothing to say.
 * @param sinceMs only sessions that were written after this (a resumed session knows the rest)
 */
export function digestOf(asker: Asker, sources: FixSources, sinceMs: number | null): Digest | null {
  const { queries } = sources
  const sessions = queries
    .recentSessions(asker.project, 40)
    .filter(
      session =>
        !session.archived && kinship(asker, session) === null && (sinceMs === null || session.writtenMs > sinceMs),
    )
    .slice(0, mostSessions)
  const turns = sessions.flatMap(session => turnsOf(session, sources))
  const digest: Digest = {
    sections: [],
    sources: new Map(sessions.map(session => [session.key, `${session.harness}:${session.id}`])),
  }
  const said: string[] = []
  add(
    digest,
    sinceMs === null ? 'Settled lately in this project:' : 'New in this project since then:',
    settledLines(turns, said),
  )
  add(digest, 'Open:', openLines(turns, sources, said))
  add(digest, 'Failed, and what made it pass:', mendedLines(turns, asker, sources))
  add(digest, null, hotFiles(turns, asker))
  return digest.sections.some(section => section.items.length > 0) ? digest : null
}

interface Line {
  text: string
  key: number
}

function add(digest: Digest, heading: string | null, lines: readonly Line[]): void {
  digest.sections.push({ heading, items: lines.map(line => line.text), keys: lines.map(line => line.key) })
}

/** The last turns of a session, newest first. */
function turnsOf(session: SessionHead, { queries, agentName }: FixSources): Turn[] {
  const turns: PlacedRecord[][] = []
  for (const record of queries.tail(session.key, tailLength)) {
    if (record.kind === 'prompt' || turns.length === 0) turns.push([])
    turns.at(-1)?.push(record)
  }
  return turns.reverse().map(records => {
    const at = records.find(record => record.at !== null)?.at ?? null
    return { session, records, evidence: evidenceOf(records), at, label: labelOf(session, at, agentName) }
  })
}

function settledLines(turns: readonly Turn[], said: string[]): Line[] {
  const lines: Line[] = []
  const bySession = new Map<number, number>()
  for (const { session, evidence, label } of turns) {
    const count = bySession.get(session.key) ?? 0
    if (count >= 2 || lines.length >= 10 || isMachineMade(evidence.prompt)) continue
    const conclusion = conclusionOf({ ...evidence, answers: evidence.answers.slice(-2) }, none, 190)
    if (conclusion === '' || said.some(line => isAlike(line, conclusion))) continue
    bySession.set(session.key, count + 1)
    said.push(conclusion)
    const prompt = silenceFor(evidence.prompt) === null ? `${quote(evidence.prompt)} ` : ''
    lines.push({ key: session.key, text: `- ${label}: ${prompt}→ ${conclusion}` })
  }
  return lines
}

const quote = (prompt: string): string => `"${promptLine(prompt, none, 90)}"`

function openLines(turns: readonly Turn[], { queries }: FixSources, said: string[]): Line[] {
  const lines: Line[] = []
  const looked = new Set<number>()
  for (const turn of turns) {
    const { session, evidence, label } = turn
    // only a session's last turn tells what it left open
    if (looked.has(session.key) || lines.length >= 5) continue
    looked.add(session.key)
    const text = openIn(turn, queries.prompts(session.key, 1, 'last')[0]?.text ?? evidence.prompt)
    if (text === null || said.some(line => isAlike(line, text))) continue
    said.push(text)
    lines.push({ key: session.key, text: `- ${label}: ${text}` })
  }
  return lines
}

function openIn({ evidence }: Turn, lastPrompt: string): string | null {
  if ((evidence.unanswered || evidence.partial) && silenceFor(lastPrompt) === null)
    return `${quote(lastPrompt)} was not finished`
  if (evidence.lastFailed !== null) return `${codeOf(evidence.lastFailed, 90)} was still failing`
  const last = sentencesOf(evidence.answers.at(-1) ?? evidence.summaries.at(-1) ?? '').findLast(isOpen)
  return last === undefined ? null : promptLine(last, none, 160)
}

function mendedLines(turns: readonly Turn[], asker: Asker, { queries }: FixSources): Line[] {
  const lines: Line[] = []
  const told = new Set<string>()
  for (const { session, records, label } of turns) {
    records.forEach((record, n) => {
      if (
        record.kind !== 'command' ||
        record.outcome !== 'failed' ||
        record.form === null ||
        lines.length >= 4 ||
        told.has(record.form)
      )
        return
      const remedy = remedyOf(record, records.slice(n + 1), () => true)
      if (!remedy) return
      told.add(record.form)
      const directories = [session.workspace, asker.agent.workspace, asker.project]
      const [signature] = queries.signaturesOf(record.id)
      const why = signature === undefined ? '' : ` (${promptLine(signature, none, 70)})`
      const how =
        remedy.type === 'command'
          ? `${codeOf(remedy.command, 110)} passed`
          : `passed after ${[...remedy.changes.map(change => `${shownPath(change.path ?? '', directories)}${shortChange(change)}`), ...remedy.commands.map(each => codeOf(each.command ?? '', 60))].slice(-2).join(', ')}`
      lines.push({ key: session.key, text: `- ${label}: ${codeOf(record.command ?? '', 80)}${why}: ${how}` })
    })
  }
  return lines
}

function shortChange(change: PlacedRecord): string {
  const line = neutralLine(changeLine(change, 60))
  return line === '' ? '' : ` (${line})`
}

function hotFiles(turns: readonly Turn[], asker: Asker): Line[] {
  const files = new Map<string, { sessions: Set<number>; changes: number }>()
  for (const { session, records } of turns)
    for (const record of records) {
      if ((record.kind !== 'edit' && record.kind !== 'write') || record.path === undefined) continue
      const path = shownPath(record.path, [session.workspace, asker.agent.workspace, asker.project])
      const known = files.get(path) ?? { sessions: new Set(), changes: 0 }
      known.sessions.add(session.key)
      known.changes++
      files.set(path, known)
    }
  const hot = [...files].sort(([, a], [, b]) => b.sessions.size - a.sessions.size || b.changes - a.changes).slice(0, 6)
  const [first] = hot
  if (!first) return []
  const key = [...first[1].sessions][0] ?? 0
  return [{ key, text: `Files changed most: ${hot.map(([path]) => path).join(', ')}` }]
}
