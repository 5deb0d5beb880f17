import type { OutlinedRecord } from '../archive/recall-queries.ts'
import { analyse } from '../index/tokens.ts'
import { isVariant } from './commands.ts'
import { neutralLine } from './neutral.ts'
import { isDictation, isQuotable, isReversal, isSettling, sentencesOf } from './settled.ts'

/** What a passage has to say, taken from its records. */
export interface Evidence {
  prompt: string
  answers: string[]
  summaries: string[]
  /** Changed files, as recorded, each once. */
  changed: string[]
  /** The passage's last records were cut off or never answered. */
  unanswered: boolean
  partial: boolean
  lastFailed: string | null
  /** Something failed in it and passed later. */
  mended: boolean
}

export function evidenceOf(records: readonly OutlinedRecord[]): Evidence {
  const answers = records.filter(record => record.kind === 'answer' && record.text)
  const outcomes = new Map<string, OutlinedRecord>()
  for (const record of records) if (record.kind === 'command') outcomes.set(record.form ?? record.command ?? '', record)
  const failed = [...outcomes.values()].findLast(record => record.outcome === 'failed')
  return {
    prompt: records.find(record => record.kind === 'prompt')?.text ?? '',
    answers: answers.filter(record => !record.partial).map(record => record.text ?? ''),
    summaries: records.filter(record => record.kind === 'summary').map(record => record.text ?? ''),
    changed: [
      ...new Set(
        records.filter(record => record.kind === 'edit' || record.kind === 'write').map(record => record.path ?? ''),
      ),
    ].filter(Boolean),
    unanswered: answers.length === 0,
    partial: answers.at(-1)?.partial === true,
    lastFailed: failed?.command ?? null,
    mended: hasMended(records),
  }
}

function hasMended(records: readonly OutlinedRecord[]): boolean {
  const commands = records.filter(record => record.kind === 'command' && typeof record.command === 'string')
  return commands.some(
    (failed, n) =>
      failed.outcome === 'failed' &&
      commands
        .slice(n + 1)
        .some(
          later =>
            later.outcome === 'ok' &&
            ((later.form !== null && later.form === failed.form) ||
              isVariant(failed.command ?? '', later.command ?? '')),
        ),
  )
}

/** Weights of the terms that a question and a passage share: rarity by term as the index has it. */
export type Weights = ReadonlyMap<string, number>

interface Sentence {
  text: string
  /** Order in the passage. */
  n: number
  score: number
  matched: number
}

function weigh(text: string, weights: Weights): number {
  if (weights.size === 0) return 0
  let sum = 0
  for (const term of new Set(analyse(text).map(token => token.term))) sum += weights.get(term) ?? 0
  return sum
}

/** Code points, cut at a word where there is one, with an ellipsis. */
export function clipped(text: string, limit: number): string {
  const characters = Array.from(text)
  if (characters.length <= limit) return text
  const cut = characters.slice(0, Math.max(0, limit - 1)).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > cut.length * 0.6 ? cut.slice(0, space) : cut}…`
}

/** The part of a long sentence in which the terms stand. */
function around(text: string, weights: Weights, limit: number): string {
  const characters = Array.from(text)
  if (characters.length <= limit) return text
  const words = text.split(/(?<=\s)/)
  let best = 0
  let bestWeight = -1
  let at = 0
  for (const word of words) {
    const weight = weigh(word, weights)
    if (weight > bestWeight) [best, bestWeight] = [at, weight]
    at += Array.from(word).length
  }
  const from = bestWeight <= 0 ? 0 : Math.max(0, Math.min(best - Math.floor(limit / 3), characters.length - limit))
  if (from === 0) return clipped(text, limit)
  const rest = characters
    .slice(from)
    .join('')
    .replace(/^\S{1,24}\s+/, '')
  return `…${clipped(rest, limit - 1)}`
}

/** What a further sentence must come to; the last and the first of an answer do by themselves. */
const leastWorth = 0.2

/** Whether anything in a passage is worth a quote. */
export const hasConclusion = (evidence: Evidence): boolean =>
  !isDictation(evidence.prompt) &&
  [...evidence.answers, ...evidence.summaries].some(text => sentencesOf(text).some(isQuotable))

/**
 * The sentences of a passage's answers (and summaries) that carry what it came to, those that matched first, within
 * `limit` characters, in their order. Empty where nothing in it is worth a quote.
 */
export function conclusionOf(evidence: Evidence, weights: Weights, limit: number): string {
  if (isDictation(evidence.prompt)) return ''
  const sentences = candidates(evidence, weights)
  if (sentences.length === 0) return ''
  const chosen: Sentence[] = []
  let left = limit
  for (const sentence of [...sentences].sort((a, b) => b.score - a.score || b.n - a.n)) {
    if (chosen.length >= 6 || (chosen.length > 0 && sentence.score < leastWorth)) break
    const text = neutralLine(sentence.text)
    const size = Array.from(text).length + 3
    if (size > left) {
      if (chosen.length > 0 || left < 60) continue
      chosen.push({ ...sentence, text: around(text, weights, left) })
      break
    }
    chosen.push({ ...sentence, text })
    left -= size
  }
  chosen.sort((a, b) => a.n - b.n)
  return chosen
    .map((each, i) => (i > 0 && (chosen[i - 1]?.n ?? 0) + 1 < each.n ? `… ${each.text}` : each.text))
    .join(' ')
}

function candidates(evidence: Evidence, weights: Weights): Sentence[] {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0) || 1
  const texts = [...evidence.summaries, ...evidence.answers]
  const sentences: Sentence[] = []
  let n = 0
  texts.forEach((text, i) => {
    const last = i === texts.length - 1
    const own = sentencesOf(text)
    own.forEach((sentence, place) => {
      n++
      if (!isQuotable(sentence)) return
      const matched = weigh(sentence, weights) / total
      const ends = last ? (place === own.length - 1 || place === 0 ? 0.35 : 0.2) : 0
      const settling = isSettling(sentence) ? 0.3 : 0
      const turned = isReversal(sentence) ? 0.1 : 0
      sentences.push({ text: sentence, n, matched, score: matched + ends + settling + turned })
    })
  })
  return sentences
}

/** A prompt in one line. */
export const promptLine = (prompt: string, weights: Weights, limit: number): string =>
  around(neutralLine(prompt), weights, limit)
