import type { ByteSource } from '../harness.ts'
import { isObject, parseJson, type JsonObject } from '../shared/json.ts'
import type { Message } from './conversation.ts'

/**
 * Where things stand in a session file as serde writes it (pretty, two spaces): a line break inside a string is always
 * escaped, so a line's indentation tells its depth. That lets a file of 50 MB be read from its last known message on.
 * A file that is laid out otherwise has no layout, and is parsed whole.
 */
export interface Layout {
  /** The document's members before `messages`: `schema_version` and `metadata`. */
  head: JsonObject
  /** Byte offset behind the `[` of `messages`. It moves as `metadata` grows; offsets of messages count from here. */
  base: number
  /** `"messages": []`. */
  empty: boolean
}

const MESSAGES = Buffer.from('\n  "messages": [')
const MESSAGE_START = Buffer.from('\n    {')
const MESSAGE_END = Buffer.from('\n    }')
const ARRAY_END = Buffer.from('\n  ]')
/** `metadata` fits in this mostly; 0.10's usage fingerprints may outgrow it. */
const PREFIX = 64 << 10
const WINDOW = 64 << 10
const WINDOW_MOST = 8 << 20

export function layoutOf(source: ByteSource): Layout | null {
  for (let length = PREFIX; ; length *= 4) {
    const bytes = view(source.read(0, length))
    if (!/^\{\r?\n {2}"/.test(bytes.toString('latin1', 0, 5))) return null
    const at = bytes.indexOf(MESSAGES)
    if (at !== -1) {
      const text = bytes.toString('utf8', 0, at).trimEnd().replace(/,$/, '')
      const head = parseJson(`${text}\n}`)
      if (!isObject(head) || !isObject(head.metadata)) return null
      const base = at + MESSAGES.length
      const next = view(source.read(base, 1)).toString('latin1')
      return next === '\n' || next === ']' ? { head, base, empty: next === ']' } : null
    }
    if (length >= source.size) return null
  }
}

/** Whether the document's last line closes it; a file that was cut off lacks it. */
export function isWhole(source: ByteSource): boolean {
  const length = Math.min(source.size, 256)
  return /(?:^|\n)\}\s*$/.test(view(source.read(source.size - length, length)).toString('latin1'))
}

export interface PlacedMessage {
  message: Message
  /** Byte offsets from `base`, of its first and behind its last byte. */
  start: number
  end: number
}

/** The one message between two offsets, if there is one. */
export function messageBetween(source: ByteSource, layout: Layout, start: number, end: number): Message | null {
  if (end <= start || layout.base + end > source.size) return null
  const message = parseJson(view(source.read(layout.base + start, end - start)).toString('utf8'))
  return isObject(message) ? message : null
}

export interface MessageRun {
  messages: PlacedMessage[]
  /** Absolute offset of the `]` line; null where `limit` bytes ended the run before it. */
  close: number | null
}

/**
 * The messages behind `from` (an offset from `base`), until the array closes or `limit` bytes are through.
 * Null where the layout isn't kept (it is parsed whole then), 'torn' where the array never closes.
 */
export function messagesFrom(
  source: ByteSource,
  layout: Layout,
  from: number,
  limit: number,
): MessageRun | 'torn' | null {
  const messages: PlacedMessage[] = []
  const window = new Window(source, layout.base + from)
  let at = layout.base + from
  for (;;) {
    const line = window.line(at)
    if (line === null) return 'torn'
    if (line.startsWith('\n  ]')) return { messages, close: at }
    if (at - layout.base - from >= limit && messages.length > 0) return { messages, close: null }
    const start = window.find(MESSAGE_START, at)
    if (start === null) return 'torn'
    if (start !== at && !(line.startsWith(',\n    {') && start === at + 1)) return null
    const end = window.find(MESSAGE_END, start + 1)
    if (end === null) return 'torn'
    const [first, last] = [start + MESSAGE_START.length - 1, end + MESSAGE_END.length]
    const message = parseJson(window.text(first, last))
    if (!isObject(message)) return null
    messages.push({ message, start: first - layout.base, end: last - layout.base })
    at = last
  }
}

/** Absolute offset of the line that closes `messages`, searched from `from` on. */
export function closeOf(source: ByteSource, from: number): number | null {
  return new Window(source, from).find(ARRAY_END, from, false)
}

/** How many messages begin between two absolute offsets. */
export function countBetween(source: ByteSource, from: number, to: number): number {
  const window = new Window(source, from)
  let count = 0
  for (let at = window.find(MESSAGE_START, from); at !== null && at < to; at = window.find(MESSAGE_START, at + 1))
    count++
  return count
}

/** A user message whose first block is a text: what isn't, is a tool's result. */
const TYPED = /^\n {4}\{\n {6}"role": "user",\n {6}"content": (?:"|\[\n {8}\{\n {10}"type": "text")/

/** What `take` finds in the newest messages that a person may have typed, oldest first, at most `most` of them. */
export function lastMessages<T>(
  source: ByteSource,
  layout: Layout,
  close: number,
  take: (message: Message) => T[],
  most: number,
): T[] {
  const found: T[][] = []
  let count = 0
  let stop = close
  for (let length = 256 << 10; ; length *= 4) {
    const start = Math.max(layout.base, close - length)
    const bytes = view(source.read(start, stop - start + MESSAGE_START.length))
    let at = bytes.lastIndexOf(MESSAGE_START, stop - start - 1)
    for (; at !== -1 && count < most; at = at === 0 ? -1 : bytes.lastIndexOf(MESSAGE_START, at - 1)) {
      stop = start + at
      if (!TYPED.test(bytes.toString('latin1', at, at + 120))) continue
      const end = bytes.indexOf(MESSAGE_END, at)
      const message = parseJson(bytes.toString('utf8', at, end + MESSAGE_END.length))
      const taken = isObject(message) ? take(message) : []
      found.push(taken)
      count += taken.length
    }
    if (start === layout.base || count >= most) return found.reverse().flat().slice(-most)
  }
}

/** A stretch of the file that grows as it is read on; what lies behind is let go. */
class Window {
  readonly #source: ByteSource
  #bytes: Buffer = Buffer.alloc(0)
  #offset: number
  #step = WINDOW

  constructor(source: ByteSource, offset: number) {
    this.#source = source
    this.#offset = offset
  }

  /** Offset of the first `needle` at or behind `from`. `keep`: what is passed over is wanted afterwards. */
  find(needle: Buffer, from: number, keep = true): number | null {
    let search = from
    for (;;) {
      const at = this.#bytes.indexOf(needle, Math.max(0, search - this.#offset))
      if (at !== -1 && at + this.#offset >= from) return at + this.#offset
      search = Math.max(from, this.#offset + this.#bytes.length - needle.length + 1)
      if (!this.#grow(keep ? from : search)) return null
    }
  }

  /** The few characters at an offset that tell what follows. */
  line(at: number): string | null {
    while (at + 8 > this.#offset + this.#bytes.length) if (!this.#grow(at)) break
    const text = this.#bytes.toString('latin1', at - this.#offset, at - this.#offset + 8)
    return text.length >= 4 ? text : null
  }

  text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start - this.#offset, end - this.#offset)
  }

  #grow(keepFrom: number): boolean {
    const end = this.#offset + this.#bytes.length
    const more = view(this.#source.read(end, Math.min(this.#step, Math.max(0, this.#source.size - end))))
    if (more.length === 0) return false
    this.#step = Math.min(this.#step * 2, WINDOW_MOST)
    const kept = this.#bytes.subarray(Math.max(0, keepFrom - this.#offset))
    this.#offset = Math.max(this.#offset, Math.min(keepFrom, end))
    this.#bytes = kept.length === 0 ? more : Buffer.concat([kept, more])
    return true
  }
}

export function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
