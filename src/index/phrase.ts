import { fold } from './fold.ts'
import { dot, longestChunk, longestTerm, lower, searchText, termsOf } from './full-text.ts'
import { isPlain } from './idle.ts'

/** Whether a text has each of `phrases` word for word. Null when `termsMatch` of them says it already. */
export function phraseCheck(phrases: readonly string[]): ((text: string) => boolean) | null {
  const sought = phrases
    .map(phrase => ({ phrase, terms: searchText(phrase).split(' ') }))
    .filter(
      ({ phrase, terms }) => (terms.length > 1 && !isOneName(phrase, terms)) || (terms[0] ?? '').length > longestTerm,
    )
    .map(({ terms }) => ({ terms, rough: roughly(terms) }))
  if (sought.length === 0) return null
  return text => {
    if (isPlain(text)) {
      const small = text.toLowerCase()
      // most that have all the words don't have them side by side: that is seen without taking lines apart
      const may = sought.every(({ rough }) => rough?.every(pattern => pattern.test(small)) === true)
      if (!may && !hasLongChunk(text)) return false
    }
    const lines = new Lines(text)
    return sought.every(({ terms }) => lines.say(terms))
  }
}

/** A name in camel case is a term as a whole, its words come behind: what has that term has the name. */
const isOneName = (phrase: string, [whole, ...words]: readonly string[]): boolean =>
  /^[\p{L}\p{N}]+$/u.test(phrase) && words.length > 1 && whole === words.join('')

/** What is joined for so long is cut (see `longestChunk`): then anything may stand between its terms and the next. */
function hasLongChunk(text: string): boolean {
  for (let end = longestChunk - 1; end < text.length;) {
    let at = end
    while (at > end - longestChunk && text.charCodeAt(at) > space) at--
    if (at === end - longestChunk) return true
    end = at + longestChunk
  }
  return false
}
const space = 32

/**
 * Patterns that a lower-case text in plain ASCII fits if it has these terms side by side; it may fit without. A name in
 * camel case gives the whole before its words: that is no neighbourhood. Null: a term isn't ASCII.
 */
function roughly(terms: readonly string[]): RegExp[] | null {
  const runs: string[][] = []
  for (const [i, term] of terms.entries()) {
    const written = term.replaceAll(dot, '.')
    if (/[^\0-\x7f]/.test(written)) return null
    const before = terms[i - 1]
    const escaped = written.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    if (before === undefined || before.startsWith(term)) runs.push([escaped])
    else runs.at(-1)?.push(escaped)
  }
  return runs.map(run => new RegExp(run.join('[^a-z0-9]*v?')))
}

/** A text whose lines are taken apart only where something is looked for. */
class Lines {
  readonly #lines: string[]
  readonly #terms: (string[] | undefined)[] = []
  readonly #lower: string

  constructor(text: string) {
    const folded = fold(text)
    this.#lines = folded.split('\n')
    this.#lower = lower(folded)
  }

  /** Whether these terms stand somewhere side by side, over the ends of lines too. */
  say(terms: readonly string[]): boolean {
    let anchor = 0
    for (let i = 0; i < terms.length; i++) {
      const term = (terms[i] ?? '').replaceAll(dot, '.')
      if (!this.#lower.includes(term)) return false
      if (term.length > (terms[anchor] ?? '').length) anchor = i
    }
    const phrase = ` ${terms.join(' ')} `
    const rare = (terms[anchor] ?? '').replaceAll(dot, '.')
    let line = 0
    let start = 0
    for (let at = this.#lower.indexOf(rare); at >= 0; at = this.#lower.indexOf(rare, start)) {
      // a lower-cased line is rarely of another length, but it has as many ends of lines before it
      for (let end = this.#lower.indexOf('\n', start); end >= 0 && end < at; end = this.#lower.indexOf('\n', start)) {
        line++
        start = end + 1
      }
      if (this.#around(line, anchor, terms.length - 1 - anchor).includes(phrase)) return true
      const end = this.#lower.indexOf('\n', at)
      if (end < 0) return false
      line++
      start = end + 1
    }
    return false
  }

  /** A line's terms with at least so many of the lines before and after it. */
  #around(line: number, before: number, after: number): string {
    const out = [...this.#of(line)]
    for (let i = line - 1, left = before; i >= 0 && left > 0; i--) {
      const terms = this.#of(i)
      out.unshift(...terms.slice(-left))
      left -= terms.length
    }
    for (let i = line + 1, left = after; i < this.#lines.length && left > 0; i++) {
      const terms = this.#of(i)
      out.push(...terms.slice(0, left))
      left -= terms.length
    }
    return ` ${out.join(' ')} `
  }

  #of(line: number): readonly string[] {
    return (this.#terms[line] ??= termsOf(this.#lines[line] ?? ''))
  }
}
