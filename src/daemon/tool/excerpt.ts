import type { PlacedRecord } from '../../archive/recall-queries.ts'
import type { SessionHead } from '../../index/passage.ts'
import { analyse } from '../../index/tokens.ts'
import { clipped, conclusionOf, evidenceOf, promptLine, type Weights } from '../../recall/evidence.ts'
import { codeOf, isAlike, labelOf, shownPath } from '../../recall/label.ts'
import { neutralLine } from '../../recall/neutral.ts'
import { personsWords, silenceFor } from '../../recall/persons-words.ts'
import type { SearchHit } from '../../search/search.ts'
import { agentName, type Scene } from './scene.ts'

const promptLimit = 160
const conclusionLimit = 420
const pathsShown = 4
const pathLimit = 100

/** What the words of a question weigh where sentences are chosen: a name more than a word of it. */
export function weightsOf(question: string): Weights {
  return new Map(
    analyse(question).map(({ term, kind, identifier }) => [term, identifier ? 1.5 : kind === 'part' ? 0.5 : 1]),
  )
}

/** `2026-09-24, CodeWhale 7c41e9d2`, with its project where that is another one. */
export function headingOf(session: SessionHead, at: string | null, { services, project }: Scene): string {
  const label = labelOf(session, at, harness => agentName(services, harness))
  const [own] = session.projects
  return session.projects.includes(project) || own === undefined
    ? label
    : `${label}, in ${clipped(neutralLine(own), pathLimit)}`
}

/** A session that was found: what its best passage came to, and what was found where that doesn't show it. */
export function excerptOf(hit: SearchHit, weights: Weights, scene: Scene): { text: string; said: string } | null {
  const { archive } = scene.services
  const key = archive.sessions.keyOf(hit.session)
  const session = key === null ? null : archive.sessions.head(key)
  if (key === null || session === null) return null
  let best: { records: PlacedRecord[]; conclusion: string } | null = null
  for (const { n } of hit.snippets) {
    const [record] = archive.records.ofSession(key, { offset: n, limit: 1 }).records
    const records = record === undefined ? [] : wholeAnswers(archive.recall.passageWith(record.id), scene)
    const conclusion = conclusionOf(evidenceOf(records), weights, conclusionLimit)
    best ??= { records, conclusion }
    if (conclusion !== '') {
      best = { records, conclusion }
      break
    }
  }
  const { records, conclusion } = best ?? { records: [], conclusion: '' }
  const at = records.find(record => record.at !== null)?.at ?? hit.snippets[0]?.at ?? null
  const lines = [
    `- ${headingOf(session, at, scene)}${titleOf(session)}`,
    ...toldLines(records, conclusion, weights, session, scene),
  ]
  for (const { kind, text } of hit.snippets) {
    const isTold = kind === 'prompt' || (conclusion !== '' && (kind === 'answer' || kind === 'summary'))
    if (isTold && lines.length > 1) continue
    const quoted = kind === 'command' ? codeOf(text, 200) : neutralLine(text)
    if (conclusion !== '' && isAlike(quoted, conclusion)) continue
    lines.push(`  ${foundIn[kind]}: ${quoted}`)
    break
  }
  return { text: lines.join('\n'), said: conclusion }
}

const foundIn: Readonly<Record<SearchHit['snippets'][number]['kind'], string>> = {
  prompt: 'asked',
  answer: 'said',
  summary: 'summed up',
  command: 'ran',
  output: 'printed',
  read: 'read',
  edit: 'edited',
  write: 'wrote',
}

const titleOf = ({ title }: SessionHead): string =>
  title === null || title === '' ? '' : ` "${clipped(neutralLine(title), 80)}"`

/** What was asked, what it came to and what was changed. */
export function toldLines(
  records: readonly PlacedRecord[],
  conclusion: string,
  weights: Weights,
  session: SessionHead,
  { workspace, project }: Scene,
): string[] {
  const { prompt, changed } = evidenceOf(records)
  const asked = silenceFor(prompt) === null ? promptLine(personsWords(prompt), weights, promptLimit) : ''
  const directories = [session.workspace, workspace, project]
  const paths = changed.slice(-pathsShown).map(path => clipped(shownPath(path, directories), pathLimit))
  const more = changed.length > paths.length ? ` and ${changed.length - paths.length} more` : ''
  return [
    ...(asked === '' ? [] : [`  asked: ${asked}`]),
    ...(conclusion === '' ? [] : [`  came to: ${conclusion}`]),
    ...(paths.length === 0 ? [] : [`  changed: ${paths.join(', ')}${more}`]),
  ]
}

/** A passage's answers in full: what it came to often stands at their end. */
export function wholeAnswers(records: readonly PlacedRecord[], { services }: Scene): PlacedRecord[] {
  return records.map(record =>
    record.kind === 'answer' ? { ...record, ...services.archive.recall.whole(record) } : record,
  )
}
