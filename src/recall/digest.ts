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

interface Line {
  text: string
  /** What the line says, without who and when: two that say the same are told once. */
  said: string
  key: number
}

/** What one session has to say in a digest. */
interface SessionDigest {
  /** By this a kept one is known to be true still. */
  mark: string
  settled: Line[]
  open: Line | null
  mended: (Line & { form: string })[]
  /** Changed files and how often. */
  files: Map<string, number>
}

const mostSessions = 12
const tailLength = 48
const mostKept = 400
const most = { settled: 10, open: 5, mended: 4, files: 6 }
const none: ReadonlyMap<string, number> = new Map()

/** Makes digests; keeps what each session contributes until the session changes. */
export class Digests {
  readonly #sources: FixSources
  readonly #kept = new Map<number, SessionDigest>()

  constructor(sources: FixSources) {
    this.#sources = sources
  }

  /** `key`: the archive's row of a session that changed or is gone. */
  changed(key: number): void {
    this.#kept.delete(key)
  }

  /**
   * Where a project stands: what was settled last, what is open, what failed and how it was fixed, which files are
   * worked on. Null where there is nothing to say.
   * @param sinceMs only sessions that were written after this (a resumed session knows the rest)
   */
  of(asker: Asker, sinceMs: number | null): Digest | null {
    const sessions = this.#sources.queries
      .recentSessions(asker.project, mostSessions * 3)
      .filter(
        session =>
          !session.archived && kinship(asker, session) === null && (sinceMs === null || session.writtenMs > sinceMs),
      )
      .slice(0, mostSessions)
    const told = sessions.map(session => this.#session(session, asker))
    const digest: Digest = {
      sections: [],
      sources: new Map(sessions.map(session => [session.key, `${session.harness}:${session.id}`])),
    }
    const lines: string[] = []
    add(
      digest,
      sinceMs === null ? 'Settled lately in this project:' : 'New in this project since then:',
      different(
        told.flatMap(each => each.settled),
        lines,
        most.settled,
      ),
    )
    add(
      digest,
      'Open:',
      different(
        told.flatMap(each => each.open ?? []),
        lines,
        most.open,
      ),
    )
    add(digest, 'Failed, and what made it pass:', oneForm(told.flatMap(each => each.mended)))
    add(digest, null, hotFiles(told, sessions))
    return digest.sections.some(section => section.items.length > 0) ? digest : null
  }

  #session(session: SessionHead & { writtenMs: number }, asker: Asker): SessionDigest {
    const mark = `${session.writtenMs} ${session.updatedAt ?? ''} ${asker.agent.workspace ?? ''}`
    const known = this.#kept.get(session.key)
    if (known?.mark === mark) return known
    const made = sessionDigest(session, mark, asker, this.#sources)
    this.#kept.delete(session.key)
    this.#kept.set(session.key, made)
    if (this.#kept.size > mostKept)
      for (const key of [...this.#kept.keys()].slice(0, mostKept / 4)) this.#kept.delete(key)
    return made
  }
}

function add(digest: Digest, heading: string | null, lines: readonly Line[]): void {
  digest.sections.push({ heading, items: lines.map(line => line.text), keys: lines.map(line => line.key) })
}

function different(lines: readonly Line[], said: string[], limit: number): Line[] {
  const kept: Line[] = []
  for (const line of lines) {
    if (kept.length >= limit) break
    if (said.some(each => isAlike(each, line.said))) continue
    said.push(line.said)
    kept.push(line)
  }
  return kept
}

function oneForm(lines: SessionDigest['mended']): Line[] {
  const forms = new Set<string>()
  return lines.filter(({ form }) => !forms.has(form) && forms.add(form)).slice(0, most.mended)
}

function hotFiles(told: readonly SessionDigest[], sessions: readonly SessionHead[]): Line[] {
  const files = new Map<string, { sessions: number; changes: number; key: number }>()
  told.forEach((each, n) => {
    for (const [path, changes] of each.files) {
      const known = files.get(path) ?? { sessions: 0, changes: 0, key: sessions[n]?.key ?? 0 }
      files.set(path, { sessions: known.sessions + 1, changes: known.changes + changes, key: known.key })
    }
  })
  const hot = [...files].sort(([, a], [, b]) => b.sessions - a.sessions || b.changes - a.changes).slice(0, most.files)
  const [first] = hot
  if (!first) return []
  const text = `Files changed most: ${hot.map(([path]) => path).join(', ')}`
  return [{ key: first[1].key, said: text, text }]
}

interface Turn {
  records: PlacedRecord[]
  evidence: Evidence
  label: string
}

function sessionDigest(session: SessionHead, mark: string, asker: Asker, sources: FixSources): SessionDigest {
  const records = sources.queries.tail(session.key, tailLength)
  const turns = turnsOf(session, records, sources)
  const directories = [session.workspace, asker.agent.workspace, asker.project]
  const files = new Map<string, number>()
  for (const record of records) {
    if ((record.kind !== 'edit' && record.kind !== 'write') || record.path === undefined) continue
    const path = shownPath(record.path, directories)
    files.set(path, (files.get(path) ?? 0) + 1)
  }
  return {
    mark,
    settled: settledLines(session.key, turns),
    open: openLine(session.key, turns[0]),
    mended: mendedLines(session.key, turns, directories, sources),
    files,
  }
}

/** A session's last turns, newest first. */
function turnsOf(session: SessionHead, records: readonly PlacedRecord[], { agentName }: FixSources): Turn[] {
  const turns: PlacedRecord[][] = []
  for (const record of records) {
    if (record.kind === 'prompt' || turns.length === 0) turns.push([])
    turns.at(-1)?.push(record)
  }
  return turns.reverse().map(own => ({
    records: own,
    evidence: evidenceOf(own),
    label: labelOf(session, own.find(record => record.at !== null)?.at ?? null, agentName),
  }))
}

function settledLines(key: number, turns: readonly Turn[]): Line[] {
  const lines: Line[] = []
  for (const { evidence, label } of turns) {
    if (lines.length >= 2) break
    if (isMachineMade(evidence.prompt)) continue
    const said = conclusionOf({ ...evidence, answers: evidence.answers.slice(-2) }, none, 190)
    if (said === '' || lines.some(line => isAlike(line.said, said))) continue
    const prompt = silenceFor(evidence.prompt) === null ? `${quote(evidence.prompt)} ` : ''
    lines.push({ key, said, text: `- ${label}: ${prompt}→ ${said}` })
  }
  return lines
}

const quote = (prompt: string): string => `"${promptLine(prompt, none, 90)}"`

/** Only a session's last turn tells what it left open. */
function openLine(key: number, turn: Turn | undefined): Line | null {
  const said = turn === undefined ? null : openIn(turn.evidence)
  return turn === undefined || said === null ? null : { key, said, text: `- ${turn.label}: ${said}` }
}

function openIn(evidence: Evidence): string | null {
  if ((evidence.unanswered || evidence.partial) && silenceFor(evidence.prompt) === null)
    return `${quote(evidence.prompt)} was not finished`
  if (evidence.lastFailed !== null) return `${codeOf(evidence.lastFailed, 90)} was still failing`
  const last = sentencesOf(evidence.answers.at(-1) ?? evidence.summaries.at(-1) ?? '').findLast(isOpen)
  return last === undefined ? null : promptLine(last, none, 160)
}

function mendedLines(
  key: number,
  turns: readonly Turn[],
  directories: readonly (string | null)[],
  { queries }: FixSources,
): SessionDigest['mended'] {
  const lines: SessionDigest['mended'] = []
  for (const { records, label } of turns) {
    records.forEach((record, n) => {
      if (record.kind !== 'command' || record.outcome !== 'failed' || record.form === null || lines.length >= 2) return
      const remedy = remedyOf(record, records.slice(n + 1), () => true)
      if (!remedy || lines.some(line => line.form === record.form)) return
      const [signature] = queries.signaturesOf(record.id)
      const why = signature === undefined ? '' : ` (${promptLine(signature, none, 70)})`
      const steps =
        remedy.type === 'command'
          ? []
          : [
              ...remedy.changes.map(change => `${shownPath(change.path ?? '', directories)}${shortChange(change)}`),
              ...remedy.commands.map(each => codeOf(each.command ?? '', 60)),
            ]
      const how =
        remedy.type === 'command'
          ? `${codeOf(remedy.command, 110)} passed`
          : `passed after ${steps.slice(-2).join(', ')}`
      lines.push({
        key,
        form: record.form,
        said: how,
        text: `- ${label}: ${codeOf(record.command ?? '', 80)}${why}: ${how}`,
      })
    })
  }
  return lines
}

function shortChange(change: PlacedRecord): string {
  const line = neutralLine(changeLine(change, 60))
  return line === '' ? '' : ` (${line})`
}
