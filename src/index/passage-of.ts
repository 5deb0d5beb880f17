import type { SessionRecord, Time } from '../shared/model.ts'
import { errorLines } from './errors.ts'
import type { Passage, SessionHead } from './passage.ts'

/** A record with the archive's row id. */
export interface KeptRecord extends SessionRecord {
  id: number
}

/** Characters, by part. */
export const passageCaps = {
  prompt: 2_000,
  /** The last answer of a passage holds the conclusion; those before it report progress. */
  conclusion: 1_800,
  progress: 300,
  answer: 3_000,
  command: 240,
  commands: 1_600,
  path: 240,
  paths: 2_000,
  errors: 1_600,
  output: 240,
  outputs: 1_200,
  summary: 3_000,
} as const

/** The beginning, and the end of what is longer: both ends of a text say what it is about. */
function capped(text: string, limit: number): string {
  const trimmed = text.trim()
  if (trimmed.length <= limit) return trimmed
  const tail = Math.floor(limit / 3)
  return `${trimmed.slice(0, limit - tail - 3)} … ${trimmed.slice(-tail)}`
}

/** Entries joined by a line end as long as they fit; the newest win where not all do. */
function joined(entries: Iterable<string>, limit: number): string {
  const kept: string[] = []
  let left = limit
  for (const entry of [...entries].reverse()) {
    if (entry.length + 1 > left) break
    kept.push(entry)
    left -= entry.length + 1
  }
  return kept.reverse().join('\n')
}

const frames = /<deja-recall\b[^>]*>[\s\S]*?(?:<\/deja-recall>|$)/gi
const reminders =
  /<(system-reminder|turn_meta|ide-context|local-command-stdout|command-name|command-message)\b[^>]*>[\s\S]*?<\/\1>/gi
/** Pictures and blobs pasted as text say nothing and cost an index much. */
const blobs = /data:[\w/+.-]+;base64,[A-Za-z0-9+/=]+|[A-Za-z0-9+/=_-]{200,}/g

/** More of a text than any part can take; what follows need not be looked through. */
const readAtMost = 60_000

/** What a person or an agent wrote, without what a program put in between. */
const written = (text = ''): string =>
  (text.length <= readAtMost ? text : `${text.slice(0, (readAtMost * 2) / 3)} ${text.slice(-readAtMost / 3)}`)
    .replace(frames, ' ')
    .replace(reminders, ' ')
    .replace(blobs, ' ')

/** Our own words in a transcript are no evidence of anything. */
const ownCommand = /(?:^|[;&|(]\s*|[/\\])deja(?:\.js|\.cmd)?\s+[\w"'-]/
const ownTool = /(?:^|_)deja(?:_|$)/i

interface Draft {
  id: number
  at: Time
  prompt: string
  answers: string[]
  commands: Set<string>
  paths: Set<string>
  errors: Set<string>
  outputs: string[]
  summaries: string[]
}

const draft = (record: KeptRecord): Draft => ({
  id: record.id,
  at: null,
  prompt: '',
  answers: [],
  commands: new Set(),
  paths: new Set(),
  errors: new Set(),
  outputs: [],
  summaries: [],
})

/** Last in wins its place: the newest entries are kept where not all fit. */
function push(into: Set<string>, entry: string): void {
  into.delete(entry)
  into.add(entry)
}

function take(into: Draft, record: KeptRecord): void {
  into.at ??= record.at
  switch (record.kind) {
    case 'prompt':
      into.prompt = capped(written(record.text), passageCaps.prompt)
      break
    case 'answer': {
      const answer = written(record.text).trim()
      if (answer !== '') into.answers.push(answer)
      break
    }
    case 'command':
      if (record.command !== undefined)
        push(into.commands, capped(record.command.replace(blobs, ' '), passageCaps.command))
      break
    case 'read':
    case 'edit':
    case 'write':
      if (record.path !== undefined) push(into.paths, record.path.slice(-passageCaps.path))
      break
    case 'output': {
      const output = record.text ?? ''
      for (const line of errorLines(output)) push(into.errors, line)
      const head = output
        .slice(0, 4 * passageCaps.output)
        .replace(blobs, ' ')
        .replace(/\s+/g, ' ')
        .trim()
      if (head !== '') into.outputs.push(head.slice(0, passageCaps.output))
      break
    }
    case 'summary': {
      const summary = written(record.text).trim()
      if (summary !== '') into.summaries.push(summary)
      break
    }
  }
}

function answerOf(answers: string[]): string {
  const conclusion = answers.at(-1)
  if (conclusion === undefined) return ''
  const last = capped(conclusion, passageCaps.conclusion)
  const progress = answers.slice(0, -1).map(answer => answer.slice(0, passageCaps.progress))
  const before = joined(progress, passageCaps.answer - last.length - 1)
  return before === '' ? last : `${before}\n${last}`
}

const finished = (made: Draft, session: SessionHead, n: number): Passage => ({
  id: made.id,
  session,
  n,
  at: made.at,
  prompt: made.prompt,
  answer: answerOf(made.answers),
  commands: joined(made.commands, passageCaps.commands),
  paths: joined(made.paths, passageCaps.paths),
  errors: joined(made.errors, passageCaps.errors),
  outputs: joined(made.outputs, passageCaps.outputs),
  summary: capped(made.summaries.join('\n'), passageCaps.summary),
})

const isEmpty = (passage: Passage): boolean =>
  [
    passage.prompt,
    passage.answer,
    passage.commands,
    passage.paths,
    passage.errors,
    passage.outputs,
    passage.summary,
  ].every(part => part === '')

/**
 * A session's passages: one prompt with what came of it until the next. What stands before the first prompt is a passage
 * of its own. Copies (`copied`) and left branches (`aside`) make none, nor does what deja itself said. Pure.
 * @param records in the session's order; all of them, or from a prompt on
 * @param first the place (`n`) of the first passage, where `records` begins further on
 */
export function passagesOf(records: readonly KeptRecord[], session: SessionHead, first = 0): Passage[] {
  const passages: Passage[] = []
  let current: Draft | undefined
  let ownOutput = false
  const close = () => {
    if (current === undefined) return
    const passage = finished(current, session, first + passages.length)
    if (!isEmpty(passage)) passages.push(passage)
  }
  for (const record of records) {
    if (record.copied === true || record.aside === true) continue
    const own: boolean =
      (record.tool !== undefined && ownTool.test(record.tool)) ||
      (record.kind === 'command' && ownCommand.test(record.command ?? '')) ||
      (record.kind === 'output' && ownOutput)
    ownOutput = own && record.kind !== 'prompt' && record.kind !== 'answer'
    if (own) continue
    if (record.kind === 'prompt' || current === undefined) {
      close()
      current = draft(record)
    }
    take(current, record)
  }
  close()
  return passages
}
