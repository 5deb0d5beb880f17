import { exactRemoval, insertLast, removal, type List } from '../list.ts'
import { indentation, lineEnd, lineEnding, lineStart, nextLine, spliced, type Splice } from '../splice.ts'
import { traceOf, type Trace } from '../trace.ts'
import { Unsafe } from '../unsafe.ts'
import {
  blockLead,
  isTable,
  means,
  parseToml,
  placeOfPath,
  siteOf,
  startsWith,
  withKey,
  writtenKey,
  type Site,
  type TomlDocument,
} from './document.ts'
import type { Section, Span, Value } from './scan.ts'

/** An array of a table at the top of a TOML file: `[tools] always_load`, `[hooks] hooks`. */
export interface ArrayPath {
  table: string
  key: string
}

/** What the array holds; empty where it isn't there. Throws `Unsafe` where something else stands in its place. */
export function arrayValue(document: TomlDocument, { table, key }: ArrayPath): unknown[] {
  const outer = document.value[table]
  if (outer === undefined) return []
  if (!isTable(outer)) throw new Unsafe(`a table was expected under "${table}"`, placeOfPath(document, [table]))
  const list = outer[key]
  if (list === undefined) return []
  if (!Array.isArray(list))
    throw new Unsafe(`a list was expected under "${table}.${key}"`, placeOfPath(document, [table, key]))
  return list
}

/** The document's value with another array. */
export function withArray(document: TomlDocument, { table, key }: ArrayPath, list: unknown[]): Record<string, unknown> {
  const outer = document.value[table]
  const inner = isTable(outer) ? outer : (Object.create(null) as Record<string, unknown>)
  return withKey(document.value, table, withKey(inner, key, list))
}

/** Whether a text means the document without something of the array: an array or table that is empty then may be gone as well. */
export function meansWithout(text: string, document: TomlDocument, path: ArrayPath, list: unknown[]): boolean {
  if (means(text, withArray(document, path, list))) return true
  const outer = document.value[path.table]
  if (list.length > 0 || !isTable(outer)) return false
  const rest = withKey(outer, path.key, undefined)
  if (means(text, withKey(document.value, path.table, rest))) return true
  return Object.keys(rest).length === 0 && means(text, withKey(document.value, path.table, undefined))
}

export function listOf(value: Value): List {
  return { open: value.start + 1, close: value.end - 1, items: value.items }
}

/** How an element is written into an array that has a place already. */
type Element = (multiline: boolean) => string

/** Puts an element behind the last one of the array, or makes the array where it is due; null where only a block at the end will do. */
export function appendToPairs(
  document: TomlDocument,
  path: ArrayPath,
  element: Element,
): { splices: Splice[]; made: number } | null {
  const { text, sections } = document
  const eol = lineEnding(text)
  const style = { empty: 'line', unit: '  ' } as const
  const site = siteOf(document, [path.table, path.key])
  if (site?.value)
    return {
      splices: insertLast(text, listOf(site.value), 'toml', style, ({ multiline }) => element(multiline)),
      made: 0,
    }
  const array = `[${element(false)}]`
  if (site?.inline) {
    const pair = `${writtenKey(site.inline.rest)} = ${array}`
    return { splices: insertLast(text, listOf(site.inline.table), 'toml', style, () => pair), made: 1 }
  }
  const own = sections.find(section => !section.array && section.path.length === 1 && section.path[0] === path.table)
  if (own) return { splices: [lineAfter(text, lastSpan(own), `${writtenKey([path.key])} = ${array}`, eol)], made: 1 }
  // `tools.x = 1` at the root makes the table, which no header may open again.
  const dotted = sections[0]?.pairs.findLast(pair => startsWith(pair.key, [path.table]))
  if (dotted)
    return { splices: [lineAfter(text, dotted, `${writtenKey([path.table, path.key])} = ${array}`, eol)], made: 1 }
  return null
}

/** A block at the end of the text. */
export function appendBlock(text: string, lines: readonly string[]): Splice {
  const eol = lineEnding(text)
  return { at: text.length, remove: 0, insert: blockLead(text) + lines.map(line => line + eol).join('') }
}

/** The last pair of a section, else its header: what a new line goes behind. */
export function lastSpan(section: Section): Span {
  return section.pairs.at(-1) ?? section.header ?? { start: 0, end: 0 }
}

/** A line of its own behind the one on which a span ends. */
export function lineAfter(text: string, span: Span, line: string, eol: string): Splice {
  return { at: lineEnd(text, span.end), remove: 0, insert: eol + indentation(text, span.start) + line }
}

/** The trace of an insertion, from where the entry stands now. */
export function inserted(
  before: string,
  splices: Splice[],
  made: number,
  start: (after: TomlDocument) => number,
): { text: string; trace: Trace } {
  const text = spliced(before, splices)
  return { text, trace: traceOf(splices, start(parseToml(text)), made) }
}

/** Takes an element of an array that is set by a pair out. */
export function removeElement(
  document: TomlDocument,
  path: ArrayPath,
  { site, value }: { site: Site; value: Value },
  index: number,
  trace: Trace | undefined,
): string {
  const { text } = document
  const rest = arrayValue(document, path).toSpliced(index, 1)
  const start = value.items[index]?.start ?? 0
  const outer = trace?.made === 1 && site.inline ? { list: listOf(site.inline.table), index: site.inline.index } : null
  const exact = exactRemoval(text, start, trace?.made === 0 ? { list: listOf(value), index } : outer, 'toml', trace)
  const back = exact && spliced(text, exact)
  if (back !== null && meansWithout(back, document, path, rest)) return back
  const after = spliced(text, removal(text, listOf(value), index, 'toml'))
  if (!meansWithout(after, document, path, rest))
    throw new Unsafe("can't be taken out without disturbing the rest", start)
  // An array that we made, or of which nobody knows who did, goes when it is empty.
  return rest.length > 0 || trace?.made === 0 ? after : withoutPair(parseToml(after), path, trace)
}

function withoutPair(document: TomlDocument, path: ArrayPath, trace: Trace | undefined): string {
  const { text } = document
  const site = siteOf(document, [path.table, path.key])
  if (!site) return text
  const splices = site.inline
    ? removal(text, listOf(site.inline.table), site.inline.index, 'toml')
    : [lines(text, site.pair.start, site.pair.end)]
  const after = spliced(text, splices)
  if (!meansWithout(after, document, path, [])) return text
  const own = parseToml(after).sections.find(
    each => !each.array && each.path.length === 1 && each.path[0] === path.table,
  )
  if (trace?.made !== 2 || !own?.header || own.pairs.length > 0) return after
  const bare = spliced(after, [withBlankBefore(after, lines(after, own.header.start, own.header.end))])
  return meansWithout(bare, document, path, []) ? bare : after
}

/** The whole lines of a span. */
export function lines(text: string, start: number, end: number): Splice {
  const from = lineStart(text, start)
  return { at: from, remove: nextLine(text, end) - from, insert: '' }
}

/** The same with an empty line in front, where there is one. */
export function withBlankBefore(text: string, splice: Splice): Splice {
  const blank = /(?:^|\n)([ \t]*\r?\n)$/.exec(text.slice(0, splice.at))?.[1]?.length ?? 0
  return { at: splice.at - blank, remove: splice.remove + blank, insert: splice.insert }
}
