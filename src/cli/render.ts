import type { Terminal } from './context.ts'

/** Text for a terminal: colours, widths, wrapping. What comes from transcripts passes `plain` first. */

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const
export type Style = keyof typeof codes

export function styled(terminal: Terminal, style: Style, text: string): string {
  const [on, off] = codes[style]
  return terminal.colour && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text
}

/** Without anything that a terminal would obey or that hides: escapes, control and bidi characters, zero-width ones. */
export function plain(text: string): string {
  return text

    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-_])/g, '')

    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Columns that a text takes: CJK and emoji take two. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += wide.test(character) ? 2 : /\p{M}/u.test(character) ? 0 : 1
  return width
}

/** Cut to `columns`, with an ellipsis where something was left out. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let result = ''
  let width = 0
  for (const character of text) {
    width += widthOf(character)
    if (width > columns - 1) break
    result += character
  }
  return `${result.trimEnd()}…`
}

/** Filled up with spaces to `columns`. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}

/** Lines of at most `columns`, broken between words where there are any; `whole`: never within one, as in a path. */
export function wrap(text: string, columns: number, whole = false): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    // what was indented stays so
    let line = /^\s*/.exec(paragraph)?.[0] ?? ''
    for (const word of paragraph.match(/\S+\s*/g) ?? ['']) {
      if (line.trim() !== '' && widthOf(line + word.trimEnd()) > columns) {
        lines.push(line.trimEnd())
        line = ''
      }
      let rest = word
      while (!whole && widthOf(rest.trimEnd()) > columns) {
        const head = cutExactly(rest, columns)
        lines.push(head)
        rest = rest.slice(head.length)
      }
      line += rest
    }
    lines.push(line.trimEnd())
  }
  return lines
}

function cutExactly(text: string, columns: number): string {
  let result = ''
  for (const character of text) {
    if (result !== '' && widthOf(result + character) > columns) break
    result += character
  }
  return result
}

/** `1 session`, `1,234 sessions`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`
}

/** A reason as a sentence of its own: with a capital in front, where it begins with a word, and a full stop. */
export function asSentence(text: string): string {
  const whole = /[.!?…]$/.test(text) ? text : `${text}.`
  return /^[a-z]+(?:'[a-z]+)?[ ,]/.test(whole) ? `${whole.charAt(0).toUpperCase()}${whole.slice(1)}` : whole
}
