import { beginsLine, indentation, lineEnding, lineStart, nextLine, type Splice } from './splice.ts'
import { traced, type Trace } from './trace.ts'

/** A bracketed, comma-separated list in a text: a JSON object or array, a TOML array or inline table. */
export interface List {
  /** Just behind the opening bracket. */
  open: number
  /** At the closing bracket. */
  close: number
  items: readonly Item[]
}

interface Item {
  start: number
  end: number
}

export type Syntax = 'json' | 'toml'

/** What stands between two items: a comma, and where the last comment ends. */
interface Gap {
  comma: number | null
  comment: { end: number; wholeLine: boolean } | null
}

function gap(text: string, from: number, to: number, syntax: Syntax): Gap {
  const found: Gap = { comma: null, comment: null }
  for (let i = from; i < to;) {
    const two = text.slice(i, i + 2)
    if (syntax === 'toml' ? two.startsWith('#') : two === '//') {
      let end = i
      while (end < to && !'\r\n'.includes(text.charAt(end))) end++
      found.comment = { end, wholeLine: true }
      i = end
    } else if (syntax === 'json' && two === '/*') {
      const end = text.indexOf('*/', i + 2) + 2
      found.comment = { end, wholeLine: false }
      i = end
    } else {
      if (two.startsWith(',')) found.comma ??= i
      i++
    }
  }
  return found
}

/** How an item is to be written: on lines of its own, indented so, or within one line. */
export interface Layout {
  multiline: boolean
  indent: string
}

/** Puts an item behind the last one. `empty`: how to write the first item of an empty list; `unit`: one step of indentation. */
export function insertLast(
  text: string,
  list: List,
  syntax: Syntax,
  style: { empty: 'multiline' | 'line'; unit: string },
  render: (layout: Layout) => string,
): Splice[] {
  const eol = lineEnding(text)
  const base = indentation(text, list.open - 1)
  const first = list.items[0]
  const last = list.items.at(-1)
  const inner = text.slice(list.open, first?.start ?? list.close)
  const multiline = first ? inner.includes('\n') : style.empty === 'multiline'
  const indent = !multiline
    ? base
    : first && beginsLine(text, first.start)
      ? indentation(text, first.start)
      : base + style.unit
  const item = render({ multiline, indent })
  if (!last) {
    if (!multiline) return [{ at: list.open, remove: 0, insert: /^[ \t]/.test(inner) ? ` ${item}` : item }]
    const closing = inner.includes('\n') ? '' : eol + base
    return [{ at: list.open, remove: 0, insert: eol + indent + item + closing }]
  }
  const dense =
    list.items.length > 1
      ? !/\s/.test(text.slice(last.start - 1, last.start))
      : /^[^\s]+$/.test(text.slice(list.open, list.close))
  const separator = multiline ? eol + indent : dense ? '' : ' '
  const behind = gap(text, last.end, list.close, syntax)
  const lineBreak = behind.comment?.wholeLine === true ? eol + indent : separator
  if (behind.comma === null) {
    if (!behind.comment) return [{ at: last.end, remove: 0, insert: `,${separator}${item}` }]
    return [
      { at: last.end, remove: 0, insert: ',' },
      { at: behind.comment.end, remove: 0, insert: lineBreak + item },
    ]
  }
  // The list ends with a comma, and keeps that manner.
  const inComment = behind.comment !== null && behind.comment.end > behind.comma
  const at = inComment && behind.comment ? behind.comment.end : behind.comma + 1
  return [{ at, remove: 0, insert: `${inComment ? lineBreak : separator}${item},` }]
}

/** The exact reverse of an insertion around an entry that starts at `start`, or null where it doesn't stand as it was. `item`: the outermost thing that came in, in its list. */
export function exactRemoval(
  text: string,
  start: number,
  item: { list: List; index: number } | null,
  syntax: Syntax,
  trace: Trace | undefined,
): Splice[] | null {
  const from = traced(text, start, trace)
  if (from === null || !trace) return null
  const way = cut(from, from + trace.inserted.length)
  if (!trace.comma) return way
  const comma = item ? commaBefore(text, item.list, item.index, syntax) : null
  return comma === null ? null : [...cut(comma, comma + 1), ...way]
}

function commaBefore(text: string, { items }: List, index: number, syntax: Syntax): number | null {
  const before = items[index - 1]
  return before ? gap(text, before.end, items[index]?.start ?? before.end, syntax).comma : null
}

/** Takes an item out with its comma and its blanks, however it came in. */
export function removal(text: string, list: List, index: number, syntax: Syntax): Splice[] {
  const item = list.items[index]
  if (!item) throw new Error(`a list of ${list.items.length} has no item ${index}`)
  const next = list.items[index + 1]
  const commaAfter = gap(text, item.end, next?.start ?? list.close, syntax).comma
  if (commaAfter !== null) {
    const rest = text.slice(commaAfter + 1, nextLine(text, commaAfter))
    if (beginsLine(text, item.start) && rest.trim() === '' && rest.endsWith('\n'))
      return cut(lineStart(text, item.start), nextLine(text, commaAfter))
    const blanks = next ? (/^[ \t]*/.exec(rest)?.[0].length ?? 0) : 0
    return cut(item.start, commaAfter + 1 + blanks)
  }
  // The last one. Blanks in front go; a line break only where another follows, as it may end a comment.
  let from = item.start
  while (from > list.open && ' \t'.includes(text.charAt(from - 1))) from--
  const followed = text.slice(item.end, nextLine(text, item.end))
  if (followed.trim() === '' && followed.endsWith('\n') && text.charAt(from - 1) === '\n' && from > list.open) {
    from -= text.charAt(from - 2) === '\r' ? 2 : 1
  }
  const blank = text.slice(list.open, item.start).trim() === '' && text.slice(item.end, list.close).trim() === ''
  const comma = commaBefore(text, list, index, syntax)
  if (comma === null) return blank ? cut(list.open, list.close) : cut(from, item.end)
  if (from <= comma + 1) return cut(comma, item.end)
  return [...cut(comma, comma + 1), ...cut(from, item.end)]
}

function cut(from: number, to: number): Splice[] {
  return [{ at: from, remove: to - from, insert: '' }]
}
