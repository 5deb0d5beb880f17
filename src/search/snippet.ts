import { fold } from '../index/fold.ts'
import type { RecordKind, SessionRecord, Time } from '../shared/model.ts'

/** A piece of a record, cut around what was asked for. */
export interface Snippet {
  /** The record's place in its session, from 0. */
  n: number
  kind: RecordKind
  at: Time
  text: string
}

const before = 80

/** Everything of a record that a person reads, in one text. */
export function textOf(record: SessionRecord): string {
  const parts = [record.command, record.path, record.text, record.removed, record.added]
  return parts.filter(part => part !== undefined && part !== '').join('\n')
}

/** The place of the first of `words` in a text, or -1. Words are found by their first letters, since stems match too. */
export function placeOf(text: string, words: readonly string[]): number {
  const folded = fold(text).toLowerCase()
  let best = -1
  for (const word of words) {
    const sought = fold(word).toLowerCase()
    const exact = folded.indexOf(sought)
    const stem = sought.length > 5 ? sought.slice(0, Math.max(4, sought.length - 3)) : sought
    const at = exact >= 0 ? exact : folded.indexOf(stem)
    if (at >= 0 && (best < 0 || at < best)) best = at
  }
  return best
}

/** At most `room` characters around the first of `words`, on one line, with an ellipsis where something was left out. */
export function cutAround(text: string, words: readonly string[], room: number): string {
  const at = Math.max(0, placeOf(text, words))
  let start = text.length <= room ? 0 : Math.max(0, Math.min(at - before, text.length - room))
  if (start > 0) {
    const space = text.slice(start, start + 20).search(/\s/)
    if (space >= 0) start += space + 1
  }
  const end = Math.min(text.length, start + room)
  const piece = text
    .slice(start, end)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return `${start > 0 ? '… ' : ''}${piece}${end < text.length ? ' …' : ''}`
}
