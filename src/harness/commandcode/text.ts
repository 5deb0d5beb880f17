import { withoutEnvelope } from '../shared/envelopes.ts'
import { stripRecall } from '../shared/own.ts'

/** What the client puts around or into a person's words. */
const envelopes = ['ide-context', 'system-reminder', 'hook_context']
const command = /^<command-(?:message|name)>/
const commandName = /<command-name>\s*([\s\S]*?)\s*<\/command-name>/
const commandArgs = /<command-args>\s*([\s\S]*?)\s*<\/command-args>/

/** The person's own words in a typed message; a slash command as it was typed (`/name args`). */
export function personsWords(text: string): string {
  const bare = stripRecall(envelopes.reduce(withoutEnvelope, text)).trim()
  if (!command.test(bare)) return bare
  const name = commandName.exec(bare)?.[1] ?? ''
  if (name === '') return bare
  return `/${name.replace(/^\//, '')} ${commandArgs.exec(bare)?.[1] ?? ''}`.trim()
}

const repairNotes = /^(?:\s*<repair_note>[\s\S]*?<\/repair_note>[ \t]*(?:\r?\n|$))+/

/** A tool result without the notes about renamed fields, which come before everything else. */
export function withoutRepairNotes(text: string): string {
  return text.replace(repairNotes, '')
}
