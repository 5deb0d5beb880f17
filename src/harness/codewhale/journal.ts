import type { ByteSource } from '../harness.ts'
import type { Time } from '../../shared/model.ts'
import { arrayOf, isObject, objectOf, parseJson, textOf, type JsonObject } from '../shared/json.ts'
import type { Message } from './conversation.ts'
import { view } from './layout.ts'

/**
 * The journal (0.9.5+) holds the messages a second time, with the times of their appending. 0.9.5–0.9.10 builds it anew
 * at each save and so stamps all alike with the time of saving; 0.10 keeps them. Its times count where the first and
 * the last entry differ, and for entries that share theirs with no neighbour (a fork's copies do, and what 0.9 left).
 */
export interface Times {
  usable: boolean
  /** By message, from the first one asked for; null where the journal holds none. */
  at: Time[]
}

interface Entry {
  id: string
  parent: string | null
  /** As it stands in the file: two are the same time only when they are equal to the last digit. */
  stamp: string
}

const NONE: Times = { usable: false, at: [] }

/** The times of all `count` messages, from a parsed document. */
export function timesOfDocument(document: JsonObject, count: number): Times {
  const journal = objectOf(document.journal)
  const entries = arrayOf(journal.entries).flatMap(value => {
    const id = isObject(value) ? textOf(value.id) : null
    const stamp = isObject(value) ? textOf(value.created_at) : null
    return id === null || stamp === null ? [] : [{ id, parent: textOf(objectOf(value).parent_id), stamp }]
  })
  return timesOf(entries, textOf(journal.leaf_id) ?? textOf(document.leaf_id), count)
}

function timesOf(entries: readonly Entry[], leaf: string | null, count: number): Times {
  if (!areUsable(entries[0], entries.at(-1))) return NONE
  const byId = new Map(entries.map((entry, index) => [entry.id, index]))
  const chain: number[] = []
  let next = leaf ?? entries.at(-1)?.id ?? null
  while (next !== null && chain.length <= count) {
    const index = byId.get(next)
    const entry = index === undefined ? undefined : entries[index]
    if (index === undefined || entry === undefined) break
    chain.push(index)
    next = entry.parent
  }
  // The active branch is what `messages` holds; where it isn't, no time can be told.
  if (chain.length !== count) return NONE
  return { usable: true, at: chain.reverse().map(index => timeOf(entries, index)) }
}

function areUsable(first: Entry | undefined, last: Entry | undefined): boolean {
  return first !== undefined && last !== undefined && first.stamp !== last.stamp
}

function timeOf(entries: readonly Entry[], index: number): Time {
  const stamp = entries[index]?.stamp
  if (stamp === undefined || entries[index - 1]?.stamp === stamp || entries[index + 1]?.stamp === stamp) return null
  return isoTime(stamp)
}

/** RFC 3339 with any number of digits as ISO 8601 UTC with milliseconds. */
export function isoTime(stamp: string | null): Time {
  if (stamp === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(stamp)) return null
  const ms = Date.parse(stamp.replace(/(\.\d{3})\d+/, '$1'))
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

const ENTRIES = Buffer.from('\n  "journal": {\n    "entries": [')
const ENTRY_START = Buffer.from('\n      {')
const ENTRY_END = Buffer.from('\n      }')
const ENTRIES_END = Buffer.from('\n    ]')
const STAMP = '\n        "created_at": "'
/** Behind the journal stand the system prompt and what tools left: more than this is not searched. */
const BEHIND_MOST = 32 << 20

/** The times of all `count` messages, from the bytes behind `close` (the line that ends `messages`), without parsing them. */
export function timesOfLayout(source: ByteSource, close: number, count: number): Times {
  const bytes = view(source.read(close, source.size - close))
  const start = bytes.indexOf(ENTRIES)
  if (start === -1) return NONE
  const entries: Entry[] = []
  let at = start + ENTRIES.length
  const end = bytes.indexOf(ENTRIES_END, at)
  for (;;) {
    const open = bytes.indexOf(ENTRY_START, at)
    if (open === -1 || (end !== -1 && end < open)) break
    const shut = bytes.indexOf(ENTRY_END, open)
    if (shut === -1) return NONE
    const entry = bytes.subarray(open, shut)
    const [id, stamp] = [member(entry, 'id'), member(entry, 'created_at')]
    if (id === null || stamp === null) return NONE
    entries.push({ id, parent: member(entry, 'parent_id'), stamp })
    at = shut + ENTRY_END.length
  }
  const leaf = /^\n {4}\],?\n {4}"leaf_id": "([^"\\]+)"/.exec(bytes.toString('latin1', at, at + 200))?.[1] ?? null
  return timesOf(entries, leaf, count)
}

/** A string member of an entry itself: nested ones are indented further. Searched from the end where it stands behind the message. */
function member(entry: Buffer, name: 'id' | 'parent_id' | 'created_at'): string | null {
  const key = `\n        "${name}": "`
  const isLast = name === 'created_at'
  // serde's order is id, parent_id, kind: a root's message need not be searched for a parent.
  if (name === 'parent_id' && ROOT.test(entry.toString('latin1', 0, 160))) return null
  const at = isLast ? entry.lastIndexOf(key) : entry.indexOf(key)
  if (at === -1) return null
  const end = entry.indexOf('"', at + key.length)
  return entry.toString('utf8', at + key.length, end)
}

const ROOT = /^\n {6}\{\n {8}"id": "[^"\\]*",\n {8}"kind"/

/**
 * The times of the last messages, read backwards from the journal's end, so that a saved-again file costs its news.
 * Null where that way isn't open (then `timesOfLayout` tells). The same as the last of all times otherwise.
 */
export function timesOfTail(source: ByteSource, close: number, tail: readonly Message[]): Times | null {
  const end = endOfEntries(source, close)
  const first = firstStamp(source, close)
  if (end === null || first === null) return null
  const size = tail.reduce((sum, message) => sum + JSON.stringify(message).length * 2, 0)
  for (let length = (64 << 10) + size; ; length *= 4) {
    const start = Math.max(close, end.at - length)
    const walked = walkBack(view(source.read(start, end.at - start)), end.leaf, tail)
    if (walked === 'other') return null
    if (walked !== 'short') return walked.last === first ? NONE : { usable: true, at: walked.at }
    if (start === close || length > 8 * size + (4 << 20)) return null
  }
}

function walkBack(
  bytes: Buffer,
  leaf: string,
  tail: readonly Message[],
): { at: Time[]; last: string } | 'short' | 'other' {
  const at: Time[] = []
  let wanted: string | null = leaf
  let after: string | null = null
  let last: string | null = null
  let open: { stamp: string; isSame: boolean } | null = null
  for (let stop = bytes.length; ;) {
    const start: number = bytes.lastIndexOf(ENTRY_START, stop - 1)
    if (start === -1) return 'short'
    const text = bytes.toString('utf8', start, bytes.indexOf(ENTRY_END, start) + ENTRY_END.length)
    const entry = parseJson(text)
    const stamp = isObject(entry) ? textOf(entry.created_at) : null
    if (!isObject(entry) || stamp === null) return 'other'
    last ??= stamp
    // An entry's time is known when the one before it is seen.
    if (open !== null) at.push(open.isSame || open.stamp === stamp ? null : isoTime(open.stamp))
    open = null
    if (at.length === tail.length) return { at: at.reverse(), last }
    if (entry.id === wanted) {
      const message = tail[tail.length - 1 - at.length]
      if (isObject(entry.message) && JSON.stringify(entry.message) !== JSON.stringify(message)) return 'other'
      open = { stamp, isSame: after === stamp }
      wanted = textOf(entry.parent_id)
    }
    after = stamp
    stop = start
  }
}

/** Where the journal's entries end, and the active branch's leaf. The nearer to the file's end, the sooner found. */
function endOfEntries(source: ByteSource, close: number): { at: number; leaf: string } | null {
  for (let length = 64 << 10; ; length *= 4) {
    const start = Math.max(close, source.size - length)
    const bytes = view(source.read(start, source.size - start))
    const at = bytes.lastIndexOf('\n    ],\n    "leaf_id": "')
    if (at !== -1) {
      const leaf = /"leaf_id": "([^"\\]+)"/.exec(bytes.toString('latin1', at, at + 200))?.[1]
      return leaf === undefined ? null : { at: start + at, leaf }
    }
    if (start === close || length > BEHIND_MOST) return null
  }
}

/** The time of the journal's first entry, which begins right behind `messages`. */
function firstStamp(source: ByteSource, close: number): string | null {
  for (let length = 64 << 10; ; length *= 4) {
    const bytes = view(source.read(close, length))
    const at = bytes.indexOf(STAMP)
    const end = at === -1 ? -1 : bytes.indexOf('"', at + STAMP.length)
    if (end !== -1) return bytes.toString('utf8', at + STAMP.length, end)
    if (close + length >= source.size || length > BEHIND_MOST) return null
  }
}
