import { hash } from 'node:crypto'
import type { SessionRecord } from '../shared/model.ts'

/**
 * 52 bits (a safe integer) of what a record says, redacted: its kind and texts, not its time, outcome or place. By this
 * a record is recognised in a file that had to be read anew, and a forgotten turn in a copy. Among 1.4 million records
 * two different ones share a hash with a chance of 1 in 4,500; both uses are harmless then.
 */
export function contentHash(record: SessionRecord): number {
  const { kind, text, command, path, removed, added } = record
  const said = [kind, command, path, removed, added].join('\u0000')
  return Number.parseInt(hash('sha1', text === undefined ? said : `${said}\u0000${text}`, 'hex').slice(0, 13), 16)
}

/** Characters that a record says. Short ones ("continue", "ls") are alike by chance, so they are no mark of a copy. */
export function saidLength(record: SessionRecord): number {
  const { text, command, path, removed, added } = record
  return [text, command, path, removed, added].reduce((sum, part) => sum + (part?.length ?? 0), 0)
}
