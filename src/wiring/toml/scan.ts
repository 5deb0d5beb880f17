import { parse } from 'smol-toml'

/**
 * Where things stand in a TOML text. The parser proper gives values without places; this gives places without judging:
 * it is only ever asked about texts that the parser took.
 */

export interface Span {
  start: number
  end: number
}

/** A value. Arrays and inline tables have items. */
export interface Value extends Span {
  kind: 'scalar' | 'array' | 'inline'
  items: ValueItem[]
}

/** An element of an array (`key` empty), or a pair of an inline table. */
interface ValueItem extends Span {
  key: string[]
  value: Value
}

export interface Pair extends Span {
  key: string[]
  value: Value
}

/** What stands under one header; the first section is the root's and has none. */
export interface Section {
  path: string[]
  /** Declared as `[[path]]`. */
  array: boolean
  /** Null for the root. */
  header: Span | null
  pairs: Pair[]
}

export function scanToml(text: string): Section[] {
  return new Scanner(text).document()
}

class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): Section[] {
    let section: Section = { path: [], array: false, header: null, pairs: [] }
    const sections = [section]
    for (;;) {
      this.#trivia()
      if (this.#at >= this.#text.length) return sections
      if (this.#next() === '[') {
        section = this.#header()
        sections.push(section)
      } else section.pairs.push(this.#pair())
    }
  }

  #next(length = 1): string {
    return this.#text.slice(this.#at, this.#at + length)
  }

  /** Blanks, line breaks and comments. */
  #trivia(): void {
    for (;;) {
      const char = this.#next()
      if (char === '#') while (this.#at < this.#text.length && this.#next() !== '\n') this.#at++
      else if (char !== '' && ' \t\r\n'.includes(char)) this.#at++
      else return
    }
  }

  #blanks(): void {
    while (this.#next() === ' ' || this.#next() === '\t') this.#at++
  }

  #header(): Section {
    const start = this.#at
    const array = this.#next(2) === '[['
    this.#at += array ? 2 : 1
    const path = this.#key()
    this.#at += array ? 2 : 1
    return { path, array, header: { start, end: this.#at }, pairs: [] }
  }

  #pair(): Pair {
    const start = this.#at
    const key = this.#key()
    this.#at++ // =
    this.#blanks()
    const value = this.#value()
    return { start, end: value.end, key, value }
  }

  #key(): string[] {
    const parts: string[] = []
    for (;;) {
      this.#blanks()
      const start = this.#at
      const quote = this.#next()
      if (quote === '"' || quote === "'") {
        this.#string()
        parts.push(stringValue(this.#text.slice(start, this.#at)))
      } else {
        while (/[\w-]/.test(this.#next())) this.#at++
        parts.push(this.#text.slice(start, this.#at))
        if (this.#at === start) throw new Error(`no key at ${start}`)
      }
      this.#blanks()
      if (this.#next() !== '.') return parts
      this.#at++
    }
  }

  #value(): Value {
    const start = this.#at
    const first = this.#next()
    if (first === '[' || first === '{') return this.#list(first === '[' ? 'array' : 'inline')
    if (first === '"' || first === "'") this.#string()
    else {
      while (this.#at < this.#text.length && !',]}#\r\n'.includes(this.#next())) this.#at++
      while (' \t'.includes(this.#text.charAt(this.#at - 1))) this.#at--
    }
    return { kind: 'scalar', start, end: this.#at, items: [] }
  }

  #list(kind: 'array' | 'inline'): Value {
    const start = this.#at++
    const items: ValueItem[] = []
    const close = kind === 'array' ? ']' : '}'
    for (;;) {
      this.#trivia()
      if (this.#next() === close || this.#at >= this.#text.length) return { kind, start, end: ++this.#at, items }
      if (this.#next() === ',') this.#at++
      else if (kind === 'inline') items.push(this.#pair())
      else {
        const value = this.#value()
        items.push({ start: value.start, end: value.end, key: [], value })
      }
    }
  }

  #string(): void {
    const quote = this.#next()
    const long = this.#next(3) === quote.repeat(3)
    this.#at += long ? 3 : 1
    for (; this.#at < this.#text.length; this.#at++) {
      if (quote === '"' && this.#next() === '\\') this.#at++
      else if (long ? this.#next(3) === quote.repeat(3) : this.#next() === quote) break
    }
    this.#at += long ? 3 : 1
    // Up to two quotes may stand right before the closing three.
    if (long) while (this.#next() === quote) this.#at++
  }
}

/** A string's value, from how it is written. */
function stringValue(written: string): string {
  const { x } = parse(`x = ${written}`)
  return typeof x === 'string' ? x : ''
}
