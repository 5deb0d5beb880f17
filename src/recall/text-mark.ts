import { hash } from 'node:crypto'
import { isChatter, personsWords } from './persons-words.ts'

/**
 * What is kept of a prompt that passed by, to find it again in a transcript: lengths and hashes, no text. The transcript
 * may hold more (a mention that was expanded behind the text or within it) or less (a text that the hook cut).
 */
export interface TextMark {
  /** Characters of the normalised text. */
  size: number
  hash: string
  /** The part in front of the first `@`, where it is long enough to tell by. */
  before: { size: number; hash: string } | null
  atMs: number
  /** Long and telling enough to bind by alone. */
  alone: boolean
}

/** A text this long isn't typed twice by chance. */
const telling = 24

const normal = (text: string): string => personsWords(text).normalize('NFC').replaceAll(/\s+/g, ' ').trim()
const digest = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16)

/** `text`: redacted, as transcripts are. */
export function markOf(text: string, atMs: number): TextMark {
  const plain = normal(text)
  const mention = plain.search(/(?:^|\s)@\S/)
  const before = mention >= telling ? plain.slice(0, mention) : null
  return {
    size: plain.length,
    hash: digest(plain),
    before: before === null ? null : { size: before.length, hash: digest(before) },
    atMs,
    alone: plain.length >= telling && !isChatter(plain),
  }
}

/** Whether a transcript's prompt (redacted) is the text of a mark. */
export function isTextOf(prompt: string, mark: TextMark): boolean {
  const plain = normal(prompt)
  if (mark.size === 0 || plain.length < Math.min(mark.size, mark.before?.size ?? mark.size)) return false
  if (plain.length === mark.size) return digest(plain) === mark.hash
  // expanded behind: only where the text is long enough that its beginning tells
  if (mark.size >= telling && plain.length > mark.size && digest(plain.slice(0, mark.size)) === mark.hash) return true
  return mark.before !== null && digest(plain.slice(0, mark.before.size)) === mark.before.hash
}

export function marksOf(json: string): TextMark[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value.filter(isMark) : []
  } catch {
    return []
  }
}

function isMark(value: unknown): value is TextMark {
  return (
    typeof value === 'object' &&
    value !== null &&
    'hash' in value &&
    'size' in value &&
    'before' in value &&
    'atMs' in value &&
    'alone' in value
  )
}
