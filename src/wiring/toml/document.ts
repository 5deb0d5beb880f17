import { isDeepStrictEqual } from 'node:util'
import { parse, TomlError } from 'smol-toml'
import { lineEnding } from '../splice.ts'
import { Unsafe } from '../unsafe.ts'
import { scanToml, type Pair, type Section, type Value } from './scan.ts'

type Table = Record<string, unknown>

/** A TOML text with what it means and where that stands. */
export interface TomlDocument {
  text: string
  value: Table
  sections: Section[]
}

/** Throws `Unsafe` with the place where the text doesn't parse. */
export function parseToml(text: string): TomlDocument {
  return { text, value: tomlValue(text), sections: scanToml(text) }
}

/** Whole numbers as bigint: none is too large, and 1 differs from 1.0. */
function tomlValue(text: string): Table {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (error) {
    if (error instanceof RangeError) throw new Unsafe('nested too deeply', null)
    if (!(error instanceof TomlError)) throw error
    const message = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'it does not parse'
    throw new Unsafe(`not valid TOML (${message})`, offsetOf(text, error.line, error.column))
  }
}

function offsetOf(text: string, line: number, column: number): number {
  const lines = text.split('\n').slice(0, line - 1)
  return lines.reduce((sum, each) => sum + each.length + 1, 0) + column - 1
}

/** Whether a text means exactly this. */
export function means(text: string, expected: unknown): boolean {
  try {
    return isDeepStrictEqual(tomlValue(text), expected)
  } catch (error) {
    if (error instanceof Unsafe) return false
    throw error
  }
}

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** A table like another, with one key set or (undefined) without it. The given one stays as it is. */
export function withKey(table: Table, key: string, value: unknown): Table {
  const copy = Object.create(null) as Table
  for (const [name, each] of Object.entries(table)) {
    if (name !== key)
      Object.defineProperty(copy, name, { value: each, enumerable: true, configurable: true, writable: true })
  }
  if (value !== undefined) copy[key] = value
  return copy
}

/** Where a key of a table is set: as a pair of a section, or inside an inline table. */
export interface Site {
  /** The pair that holds the value, or the inline table that would hold it. */
  pair: Pair
  section: Section
  /** The value at the path itself. Absent: only an inline table above it is there. */
  value?: Value
  /** The innermost inline table on the way, with what of the path remains below it. */
  inline?: { table: Value; rest: string[]; index: number }
}

/** Finds where `path` is set by a pair; undefined where no pair sets it or an inline table above it. */
export function siteOf(document: TomlDocument, path: readonly string[]): Site | undefined {
  for (const section of document.sections) {
    if (section.array) continue
    for (const pair of section.pairs) {
      const whole = [...section.path, ...pair.key]
      if (whole.length > path.length || !startsWith(path, whole)) continue
      if (whole.length === path.length) return { pair, section, value: pair.value }
      if (pair.value.kind === 'inline') return { pair, section, ...within(pair.value, path.slice(whole.length)) }
    }
  }
  return undefined
}

function within(table: Value, rest: string[]): Pick<Site, 'value' | 'inline'> {
  for (const [index, item] of table.items.entries()) {
    if (!startsWith(rest, item.key)) continue
    if (item.key.length === rest.length) return { value: item.value, inline: { table, rest, index } }
    if (item.value.kind === 'inline') return within(item.value, rest.slice(item.key.length))
  }
  return { inline: { table, rest, index: -1 } }
}

export function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.length <= path.length && start.every((step, i) => path[i] === step)
}

/** Where to say that something stands in the way: the first place that names the path or something below it. */
export function placeOfPath(document: TomlDocument, path: readonly string[]): number | null {
  for (const section of document.sections) {
    if (section.header && startsWith(section.path, path)) return section.header.start
    for (const pair of section.pairs) {
      const whole = [...section.path, ...pair.key]
      if (startsWith(whole, path) || startsWith(path, whole)) return pair.start
    }
  }
  return null
}

/** A string, number or boolean as TOML. */
export function written(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  // A literal string keeps quotes and backslashes of commands and Windows paths readable.
  if (/["\\]/.test(value) && !/['\p{Cc}]/u.test(value)) return `'${value}'`
  return `"${value.replace(/["\\\p{Cc}]/gu, escaped)}"`
}

function escaped(char: string): string {
  return char === '"' || char === '\\' ? `\\${char}` : `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
}

/** A key as TOML. */
export function writtenKey(path: readonly string[]): string {
  return path.map(part => (/^[\w-]+$/.test(part) ? part : written(part))).join('.')
}

/** What goes before a block at the end of a text: the end of an unfinished line, and an empty line. */
export function blockLead(text: string): string {
  const eol = lineEnding(text)
  if (text.trim() === '') return text === '' || text.endsWith('\n') ? '' : eol
  return (text.endsWith('\n') ? '' : eol) + eol
}
