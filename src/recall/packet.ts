import type { Compaction } from '../archive/read/compaction-reader.ts'
import type { PlacedRecord } from '../archive/recall-queries.ts'
import type { SessionRecord } from '../shared/model.ts'
import { commandForm } from '../shared/command.ts'
import { isInspection } from './commands.ts'
import { clipped } from './evidence.ts'
import { lengthOf, type Section } from './frame.ts'
import { codeOf, isAlike, shownPath } from './label.ts'
import { neutralLine } from './neutral.ts'
import { personsWords, silenceFor } from './persons-words.ts'
import { changeLine } from './remedy.ts'
import { isOpen, isQuotable, isRejection, isRule, isSettling, sentencesOf } from './settled.ts'

/** How a packet's room is shared out, in parts of 100; what a part leaves goes to the next ones. */
const shares = { objective: 22, rules: 14, decided: 22, files: 14, commands: 14, rejected: 6, open: 8 }

/**
 * The state before a compaction, for the session that was compacted: what the person wants and has ruled, what was
 * decided, changed, run, tried in vain, and left open.
 * @param records the session's records, in order
 * @param compaction with its history, where the agent wrote that apart
 * @param room characters, without the frame
 */
export function packetOf(
  records: readonly PlacedRecord[],
  compaction: Compaction | null,
  workspace: string | null,
  room: number,
): Section[] {
  const all = withHistory(records, compaction?.history ?? [])
  const parts: [keyof typeof shares, string, string[]][] = [
    ['objective', 'Before the compaction, the person asked:', objectiveOf(all)],
    ['rules', 'Rules the person set:', rulesOf(all)],
    ['decided', 'Decided or found:', decidedOf(all)],
    ['files', 'Files changed:', filesOf(all, workspace)],
    ['commands', 'Commands and how they ended last:', commandsOf(all)],
    ['rejected', 'Tried and rejected:', rejectedOf(all)],
    ['open', 'Open:', openOf(all)],
  ]
  let spare = 0
  const used = new Map<string, number>()
  const fitted = parts.map(([name, heading, items]) => {
    const budget = (room * shares[name]) / 100 + spare
    const kept = fit(heading, items, budget)
    spare = budget - kept.size
    used.set(name, kept.items.length)
    return { heading, items: kept.items }
  })
  // what the last parts left over goes to the first that had to leave something out
  parts.forEach(([, heading, items], n) => {
    const section = fitted[n]
    if (!section || section.items.length === items.length || spare < 80) return
    const before = fit(heading, section.items, Infinity).size
    const more = fit(heading, items, before + spare)
    spare -= more.size - before
    section.items = more.items
  })
  return fitted
}

function fit(heading: string, items: readonly string[], budget: number): { items: string[]; size: number } {
  const kept: string[] = []
  let size = lengthOf(heading) + 1
  for (const item of items) {
    if (size + lengthOf(item) + 1 > budget) break
    kept.push(item)
    size += lengthOf(item) + 1
  }
  return kept.length === 0 ? { items: kept, size: 0 } : { items: kept, size }
}

const keyOf = (record: SessionRecord): string =>
  [record.kind, record.text, record.command, record.path, record.added].join('\u0000')

/** The session's records, then what only the history holds. */
function withHistory(records: readonly SessionRecord[], history: readonly SessionRecord[]): SessionRecord[] {
  const told = new Set(history.map(keyOf))
  return [...records.filter(record => !told.has(keyOf(record))), ...history]
}

const promptsOf = (all: readonly SessionRecord[]): string[] =>
  all.flatMap(record =>
    record.kind === 'prompt' && record.text && silenceFor(record.text) === null ? [personsWords(record.text)] : [],
  )

function objectiveOf(all: readonly SessionRecord[]): string[] {
  const prompts = promptsOf(all)
  const [first, ...later] = [...new Set(prompts)]
  if (first === undefined) return []
  const items = [`- ${clipped(neutralLine(first), 480)}`]
  for (const prompt of later.slice(-4).reverse()) items.push(`- then: ${clipped(neutralLine(prompt), 220)}`)
  return items
}

function rulesOf(all: readonly SessionRecord[]): string[] {
  const rules: string[] = []
  const anchors = all.filter(record => record.kind === 'summary').flatMap(record => anchorsOf(record.text ?? ''))
  for (const sentence of [...anchors, ...promptsOf(all).flatMap(sentencesOf).filter(isRule).reverse()])
    push(rules, sentence, 170)
  return rules.slice(0, 12)
}

/** What a summary says the person pinned. */
function anchorsOf(summary: string): string[] {
  const at = /(?:anchors?|constraints?|rules?|requirements?|约束|要求|规则)[^\n]{0,30}[:：]?\s*\n/i.exec(summary)
  if (!at) return []
  const lines: string[] = []
  for (const line of summary.slice(at.index + at[0].length).split('\n')) {
    if (!/^\s*[-*•\d]/.test(line)) break
    lines.push(line.replace(/^\s*(?:[-*•]|\d+[.)])\s*/, ''))
  }
  return lines
}

function push(into: string[], sentence: string, limit: number): void {
  const line = clipped(neutralLine(sentence), limit)
  if (line !== '' && !into.some(each => isAlike(each, line))) into.push(`- ${line}`)
}

function decidedOf(all: readonly SessionRecord[]): string[] {
  const found: string[] = []
  const answers = all.filter(record => (record.kind === 'answer' || record.kind === 'summary') && record.text)
  const sentences = answers
    .flatMap(record => sentencesOf(record.text ?? ''))
    .filter(isQuotable)
    .reverse()
  for (const sentence of sentences.filter(each => /\bdecid|\bagreed|\bchose|决定|решен|решил/i.test(each)))
    push(found, sentence, 220)
  for (const sentence of sentences.filter(isSettling)) push(found, sentence, 220)
  return found.slice(0, 14)
}

function filesOf(all: readonly SessionRecord[], workspace: string | null): string[] {
  const last = new Map<string, { record: SessionRecord; times: number }>()
  for (const record of all) {
    if ((record.kind !== 'edit' && record.kind !== 'write') || record.path === undefined) continue
    const times = (last.get(record.path)?.times ?? 0) + 1
    last.delete(record.path)
    last.set(record.path, { record, times })
  }
  return [...last.entries()]
    .reverse()
    .slice(0, 16)
    .map(([path, { record, times }]) => {
      const line = neutralLine(changeLine({ ...record, id: 0, session: 0, pos: 0, form: null, isCut: false }, 90))
      return `- ${shownPath(path, [workspace])}${record.kind === 'write' ? ' written' : ''}${times > 1 ? ` ${times} times` : ''}${line === '' ? '' : `: ${line}`}`
    })
}

function commandsOf(all: readonly SessionRecord[]): string[] {
  const last = new Map<string, SessionRecord>()
  for (const record of all) {
    if (record.kind !== 'command' || record.command === undefined || isInspection(record.command)) continue
    const form = commandForm(record.command) ?? record.command
    last.delete(form)
    last.set(form, record)
  }
  return [...last.values()]
    .reverse()
    .slice(0, 14)
    .map(record => {
      const { outcome, exitCode } = record
      const ended =
        outcome === 'ok'
          ? 'passed'
          : outcome === 'failed'
            ? `failed${exitCode ? ` (exit ${exitCode})` : ''}`
            : 'outcome unknown'
      return `- ${codeOf(record.command ?? '', 150)}: ${ended}`
    })
}

function rejectedOf(all: readonly SessionRecord[]): string[] {
  const found: string[] = []
  const sentences = all.flatMap(record =>
    record.kind === 'answer' || record.kind === 'summary' ? sentencesOf(record.text ?? '') : [],
  )
  for (const sentence of sentences.filter(each => isQuotable(each) && isRejection(each)).reverse())
    push(found, sentence, 180)
  return found.slice(0, 6)
}

function openOf(all: readonly SessionRecord[]): string[] {
  const found: string[] = []
  const lastPrompt = all.findLastIndex(record => record.kind === 'prompt')
  const prompt = all[lastPrompt]?.text ?? ''
  if (lastPrompt >= 0 && silenceFor(prompt) === null && !all.slice(lastPrompt).some(record => record.kind === 'answer'))
    push(found, `not answered yet: ${personsWords(prompt)}`, 200)
  const failing = new Map<string, boolean>()
  for (const record of all)
    if (record.kind === 'command' && record.command !== undefined && !isInspection(record.command))
      failing.set(record.command, record.outcome === 'failed')
  for (const [command, failed] of [...failing].reverse())
    if (failed && found.length < 4) push(found, `${codeOf(command, 110)} fails`, 140)
  const sentences = all
    .slice(-40)
    .flatMap(record => (record.kind === 'answer' || record.kind === 'summary' ? sentencesOf(record.text ?? '') : []))
  for (const sentence of sentences.filter(isOpen).reverse()) push(found, sentence, 180)
  return found.slice(0, 6)
}
