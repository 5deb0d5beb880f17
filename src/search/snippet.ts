import type { RecordKind, SessionRecord, Time } from '../shared/model.ts'
import { alike, needlesOf, occurrencesIn, type Needles } from './needles.ts'

/** A piece of a record, cut around what was asked for. */
export interface Snippet {
  /** The record's place in its session, from 0. */
  n: number
  kind: RecordKind
  at: Time
  text: string
}

/** The piece of a text that has most of what is asked for. */
export interface Piece {
  text: string
  /** What the words in it are worth together; 0 when it has none. */
  value: number
  /** How each word of the question stands in it: as it was written there, the best spelling only. */
  written: ReadonlyMap<number, { text: string; value: number }>
}

const before = 80

/** Everything of a record that a person reads, in one text. */
export function textOf(record: SessionRecord): string {
  const parts = [record.command, record.path, record.text, record.removed, record.added]
  return parts.filter(part => part !== undefined && part !== '').join('\n')
}

/** At most `room` characters where most of `words` stand, on one line, with an ellipsis where something was left out. */
export function cutAround(text: string, words: readonly string[], room: number): string {
  return pieceOf(text, needlesOf(words), room).text
}

/** The same with what it is worth. */
export function pieceOf(text: string, needles: Needles, room: number): Piece {
  const folded = alike(text)
  const found = occurrencesIn(folded, needles)
  const best = new Map<number, { text: string; value: number }>()
  let at = 0
  let span = 0
  let value = 0
  for (let first = 0, from = -1; first < found.length; first++) {
    const start = found[first]?.at ?? 0
    if (start === from) continue
    from = start
    const here = new Map<number, number>()
    let end = start
    for (let i = first; i < found.length; i++) {
      const next = found[i]
      if (next === undefined || next.end > start + room) break
      if (next.value > (here.get(next.word) ?? 0)) {
        here.set(next.word, next.value)
        end = Math.max(end, next.end)
      }
    }
    const worth = [...here.values()].reduce((sum, each) => sum + each, 0)
    if (worth > value) [at, span, value] = [start, end - start, worth]
    // nothing can be better than every word as it was asked for
    if (value >= needles.words.length) break
  }
  for (const { at: start, end, word, value: each } of found) {
    if (start < at || end > at + Math.max(span, room)) continue
    if (each > (best.get(word)?.value ?? 0)) best.set(word, { text: folded.slice(start, end), value: each })
  }
  return { text: cutAt(text, at, span, room), value, written: best }
}

function cutAt(text: string, at: number, span: number, room: number): string {
  const lead = Math.min(before, Math.max(0, (room - span) / 2))
  let start = text.length <= room ? 0 : Math.max(0, Math.min(Math.floor(at - lead), text.length - room))
  if (start > 0) {
    const space = text.slice(start, Math.min(at, start + 20)).search(/\s/)
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
