import type { PlacedRecord } from '../../archive/recall-queries.ts'
import { clipped, conclusionOf, evidenceOf, type Weights } from '../../recall/evidence.ts'
import { codeOf } from '../../recall/label.ts'
import { localDay } from '../../shared/shown.ts'
import { neutralLine } from '../../recall/neutral.ts'
import { search } from '../../search/search.ts'
import { sessionKey } from '../session-ref.ts'
import { headingOf, toldLines, weightsOf, wholeAnswers } from './excerpt.ts'
import { ANSWER_BYTES, render } from './render.ts'
import type { Scene } from './scene.ts'

const turnsShown = 40
/** Records of a session's end that are looked at. */
const tailLength = 600
const conclusionLimit = 700
const summaryLimit = 900
const commandsShown = 4
const matches = 8

interface Turn {
  /** Row id of its first record. */
  id: number
  text: string
}

/**
 * One session condensed, in its order: what was asked, run, changed and concluded. Its end counts most, so where room is
 * short the turns in front go; with a query those that have its words count more than any.
 */
export function contextText(
  { id, query, limit = turnsShown }: { id: string; query?: string | undefined; limit?: number | undefined },
  scene: Scene,
): string {
  const { archive, index, now } = scene.services
  const key = sessionKey(archive, id)
  const session = archive.sessions.head(key)
  if (session === null) return render({ sections: [], remarks: ['That session has just gone.'] }, ANSWER_BYTES)
  const weights: Weights = query === undefined ? new Map() : weightsOf(query)
  const passages = passagesOf(archive.recall.tail(key, tailLength))
  const known = new Set(passages.map(([first]) => first?.id))
  const wanted: number[] = []
  if (query !== undefined) {
    const { hits } = search({ archive, index, now: now() }, { query, session: key, limit: matches })
    for (const { n } of hits[0]?.snippets ?? []) {
      const [record] = archive.records.ofSession(key, { offset: n, limit: 1 }).records
      const passage = record === undefined ? [] : archive.recall.passageWith(record.id)
      const [first] = passage
      if (first === undefined || wanted.includes(first.id)) continue
      wanted.push(first.id)
      if (!known.has(first.id)) passages.unshift(passage)
    }
  }
  const turns = passages.flatMap(records => turnOf(wholeAnswers(records, scene), weights, session, scene) ?? [])
  // the most important first: that is the order in which they are kept
  const ranked = [
    ...wanted.flatMap(first => turns.find(turn => turn.id === first) ?? []),
    ...turns.filter(turn => !wanted.includes(turn.id)).reverse(),
  ].slice(0, limit)
  const { total } = archive.records.ofSession(key, { offset: 0, limit: 0 })
  const head = [
    `${session.harness}:${neutralLine(session.id)} (${headingOf(session, session.updatedAt, scene)})`,
    ...(session.title === null ? [] : [`Title: ${clipped(neutralLine(session.title), 120)}`]),
    `${session.kind === 'main' ? 'A session' : `A ${session.kind} session`} of ${total} records${span(session)}.`,
  ]
  return fitted(head, ranked, turns, passages.length > 0 && passages[0]?.[0]?.kind !== 'prompt')
}

/** Renders as many of the turns as there is room for, in the session's order. */
function fitted(head: readonly string[], ranked: readonly Turn[], all: readonly Turn[], begun: boolean): string {
  for (let count = ranked.length; ; count--) {
    const kept = new Set(ranked.slice(0, count).map(({ id }) => id))
    const turns = all.filter(({ id }) => kept.has(id)).map(({ text }) => text)
    const isPart = begun || turns.length < all.length
    const remarks = isPart ? ['Only a part of it, its end first of all; a "query" chooses others.'] : []
    const sections = [
      { heading: null, items: head },
      { heading: null, items: turns },
    ]
    const size = [...head, ...turns, ...remarks].reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0)
    if (count === 0 || size <= ANSWER_BYTES - frameBytes) return render({ sections, remarks }, ANSWER_BYTES)
  }
}

/** More than a frame's own lines take. */
const frameBytes = 200

function passagesOf(records: readonly PlacedRecord[]): PlacedRecord[][] {
  const passages: PlacedRecord[][] = []
  for (const record of records) {
    if (record.kind === 'prompt' || passages.length === 0) passages.push([])
    passages.at(-1)?.push(record)
  }
  return passages
}

function turnOf(
  records: readonly PlacedRecord[],
  weights: Weights,
  session: Parameters<typeof headingOf>[0],
  scene: Scene,
): Turn | null {
  const [first] = records
  if (first === undefined) return null
  const evidence = evidenceOf(records)
  const conclusion = conclusionOf({ ...evidence, summaries: [] }, weights, conclusionLimit)
  const [ran, summary] = [commandsLine(records), evidence.summaries.at(-1)]
  const told = toldLines(records, conclusion, weights, session, scene)
  const lines = [
    ...told.slice(0, 1),
    ...(ran === '' ? [] : [`  ran: ${ran}`]),
    ...told.slice(1),
    ...(summary === undefined ? [] : [`  summed up: ${clipped(neutralLine(summary), summaryLimit)}`]),
  ]
  if (lines.length === 0) return null
  const day = localDay(records.find(({ at }) => at !== null)?.at ?? null)
  return { id: first.id, text: [`- ${day === '' ? 'then' : day}`, ...lines].join('\n') }
}

/** The last outcomes of what was run, the newest last. */
function commandsLine(records: readonly PlacedRecord[]): string {
  const runs = new Map<string, PlacedRecord>()
  for (const record of records) {
    if (record.kind !== 'command' || record.command === undefined) continue
    const form = record.form ?? record.command
    runs.delete(form)
    runs.set(form, record)
  }
  const shown = [...runs.values()].slice(-commandsShown)
  const outcome = { ok: ' ok', failed: ' failed', unknown: '' }
  const lines = shown.map(record => `${codeOf(record.command ?? '', 110)}${outcome[record.outcome ?? 'unknown']}`)
  return [...(runs.size > shown.length ? [`${runs.size - shown.length} others`] : []), ...lines].join(', ')
}

function span({ startedAt, updatedAt }: { startedAt: string | null; updatedAt: string | null }): string {
  const days = [...new Set([localDay(startedAt), localDay(updatedAt)])].filter(day => day !== '')
  return days.length === 0 ? '' : `, ${days.join(' to ')}`
}
