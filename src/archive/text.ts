import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { SessionRecord } from '../shared/model.ts'

/** Characters of a text that its column holds; beyond it the whole goes deflated into `big`. */
const columnLimit = 4096
/** Of a long output the column keeps its start and its end, where the errors stand. */
const outputHead = 1000
const outputTail = 1000

type Text = string | null

export interface PackedTexts {
  text: Text
  removed: Text
  added: Text
  big: Uint8Array | null
}

/** What another thread has packed already. */
const packedAhead = new WeakMap<SessionRecord, PackedTexts>()

/** `packTexts` of this record was done elsewhere. */
export function rememberPacked(record: SessionRecord, packed: PackedTexts): void {
  packedAhead.set(record, packed)
}

export function packTexts(record: SessionRecord): PackedTexts {
  const ahead = packedAhead.get(record)
  if (ahead) return ahead
  const { text, removed, added } = record
  const long = [text, removed, added].some(part => part !== undefined && part.length > columnLimit)
  return {
    text: text === undefined ? null : record.kind === 'output' ? ends(text) : head(text),
    removed: removed === undefined ? null : head(removed),
    added: added === undefined ? null : head(added),
    big: long ? deflate({ ...(text && { text }), ...(removed && { removed }), ...(added && { added }) }) : null,
  }
}

/** Characters of one record that full text takes in: what lies beyond is data, and one record must not hold up a hook. */
const mostCharacters = 1_000_000

/** What full text knows of a record that is whole. */
export function fullTextOf(record: SessionRecord): string {
  return [record.text, record.command, record.path, record.removed, record.added]
    .filter(part => part !== undefined && part !== '')
    .join('\n')
    .slice(0, mostCharacters)
}

/** The whole texts of a row that has `big`. */
export function unpackTexts(big: Uint8Array): { text?: string; removed?: string; added?: string } {
  const value = inflate(big)
  if (typeof value !== 'object' || value === null) return {}
  const found: { text?: string; removed?: string; added?: string } = {}
  if ('text' in value && typeof value.text === 'string') found.text = value.text
  if ('removed' in value && typeof value.removed === 'string') found.removed = value.removed
  if ('added' in value && typeof value.added === 'string') found.added = value.added
  return found
}

export function deflate(value: unknown): Buffer {
  return deflateRawSync(JSON.stringify(value), { level: 3 })
}

export function inflate(bytes: Uint8Array): unknown {
  return JSON.parse(inflateRawSync(bytes).toString('utf8'))
}

function head(text: string): string {
  return text.length > columnLimit ? whole(text.slice(0, columnLimit)) : text
}

function ends(text: string): string {
  if (text.length <= columnLimit) return text
  return `${whole(text.slice(0, outputHead))}\n[…]\n${text.slice(-outputTail).replace(/^[\udc00-\udfff]/, '')}`
}

/** A cut never leaves half a surrogate pair. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}
