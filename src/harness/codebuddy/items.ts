import { withoutEnvelope } from '../shared/envelopes.ts'
import { arrayOf, isObject, objectOf, textOf } from '../shared/json.ts'
import { stripRecall } from '../shared/own.ts'
import type { JsonObject } from '../shared/json.ts'

/** The words in an item: what a person typed, what the agent answered, what a compaction kept. */

/** A text without the client's `<system-reminder>` blocks, in which our own hooks' context stands too. */
function stripReminders(text: string): string {
  return withoutEnvelope(text, 'system-reminder')
}

/** Neither the client's envelopes nor our own frames. */
export function cleaned(text: string): string {
  return stripRecall(stripReminders(text))
}

function parts(item: JsonObject): JsonObject[] {
  return arrayOf(item.content).filter(isObject)
}

const QUERY_START = '<user_query>'
const QUERY_END = '</user_query>'

/** What stands in a part's `<user_query>`; null where there is none. The newer client and `/branch` write the prompt so. */
function queryIn(text: string): string | null {
  const start = text.indexOf(QUERY_START)
  const end = text.lastIndexOf(QUERY_END)
  return start === -1 || end < start ? null : text.slice(start + QUERY_START.length, end)
}

/** A slash command that was stored expanded, as it was typed. */
function slashIn(text: string): string | null {
  if (!/^\s*<command-(?:message|name)>/.test(text)) return null
  const name = /<command-name>([^<]*)<\/command-name>/.exec(text)?.[1]?.trim()
  if (name === undefined || name === '') return null
  const words = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? ''
  return words === '' ? name : `${name} ${words}`
}

/** Marks on a user item, each of which says that nobody typed it. */
const NOT_TYPED = [
  'skipRun',
  'isMeta',
  'isCompactInternal',
  'isCompacted',
  'isSummary',
  'compactType',
  'teammateMessage',
]

function isMarked(providerData: JsonObject, marks: readonly string[]): boolean {
  return marks.some(mark => Boolean(providerData[mark]))
}

const TEAMMATE = /^\s*<teammate-message(?:\s[^>]*)?>([\s\S]*?)<\/teammate-message>\s*$/

/**
 * The words that a person typed, '' where an item holds none; null where nobody typed it. In a sub-agent that runs
 * behind, the task comes as a teammate's message (2.117.0); in the main thread such a message is no person's.
 */
export function typedText(item: JsonObject, ofSubagent: boolean): string | null {
  const providerData = objectOf(item.providerData)
  if (isMarked(providerData, NOT_TYPED) || providerData.agent === 'compact') return null
  const texts: string[] = []
  const queries: string[] = []
  for (const part of parts(item)) {
    const text = textOf(part.text)
    if (part.type !== 'input_text' || text === null) continue
    // A command's part holds beside its expanded text what was typed.
    const typed = textOf(objectOf(part.providerData).content) ?? slashIn(text)
    if (typed !== null) {
      texts.push(cleaned(typed))
      continue
    }
    const bare = stripReminders(text)
    const query = queryIn(bare)
    if (query === null) texts.push(stripRecall(bare))
    else queries.push(stripRecall(query))
  }
  // Where the prompt is wrapped, what stands around it is context that the client put there.
  return (queries.length > 0 ? queries : texts)
    .map(text => {
      const message = TEAMMATE.exec(text)?.[1]
      return (message === undefined ? text : ofSubagent ? message : '').trim()
    })
    .filter(text => text !== '')
    .join('\n')
}

export type Said = { kind: 'answer' | 'summary'; text: string; partial: boolean }

/** What an assistant item says; null for nothing: an item that only carries calls, or an error of the API or the client. */
export function saidText(item: JsonObject): Said | null {
  const providerData = objectOf(item.providerData)
  if (providerData.skipRun === true) return null
  const summary = isSummary(providerData) || providerData.agent === 'compact'
  const text = plainText(item)
  const said = summary ? summaryText(text) : stripRecall(text).trim()
  if (said === '') return null
  return { kind: summary ? 'summary' : 'answer', text: said, partial: item.status === 'incomplete' }
}

/** A compaction's summary that was put in as a user item (the automatic one); null where it is none. */
export function insertedSummary(item: JsonObject): string | null {
  return isSummary(objectOf(item.providerData)) ? summaryText(plainText(item)) || null : null
}

function isSummary(providerData: JsonObject): boolean {
  return providerData.isSummary === true
}

function plainText(item: JsonObject): string {
  return parts(item)
    .map(part => (part.type === 'output_text' || part.type === 'input_text' ? (textOf(part.text) ?? '') : ''))
    .filter(text => text !== '')
    .join('\n')
}

/** What the summary says, without its envelopes and without the thinking before it. */
function summaryText(text: string): string {
  return cleaned(text)
    .replace(/<analysis>[\s\S]*?<\/analysis>/, '')
    .replace(/<\/?(?:conversation_history_summary|cb_summary|summary)>/g, '')
    .trim()
}
