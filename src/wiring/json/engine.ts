import type { Node } from 'jsonc-parser'
import type { JsonDialect } from '../../harness/wiring.ts'
import { exactRemoval, insertLast, removal, type Layout } from '../list.ts'
import { beginsLine, indentation, lineEnding, spliced, type Splice } from '../splice.ts'
import { traceOf, type Trace } from '../trace.ts'
import { Unsafe } from '../unsafe.ts'
import { listOf, nodeAt, parseJson, placeOf, same, valueOf, withValue, type Json, type JsonPath } from './document.ts'

/** A text after one change, and what was inserted (null: something was replaced). */
export interface Edited {
  text: string
  trace: Trace | null
}

/** Sets the value at a path of keys, with the objects around it where they are missing. Nothing else changes: that is proved. */
export function set(text: string, path: JsonPath, value: Json, dialect: JsonDialect): Edited {
  const root = parseJson(text, dialect)
  const node = nodeAt(root, path)
  const style = styleOf(text, root)
  if (!node) return insert(text, root, path, value, dialect)
  const multiline = text.slice(node.offset, node.offset + node.length).includes('\n')
  const written = rendered(value, { multiline, indent: indentation(text, node.offset) }, style)
  const after = spliced(text, [{ at: node.offset, remove: node.length, insert: written }])
  prove(text, after, withValue(valueOf(root), path, value), dialect)
  return { text: after, trace: null }
}

/** Puts a value at the end of the array at a path, with the containers around it where they are missing. */
export function append(text: string, path: JsonPath, value: Json, dialect: JsonDialect): Edited {
  const root = parseJson(text, dialect)
  const array = nodeAt(root, path)
  if (array && array.type !== 'array') throw new Unsafe('a list was expected here', array.offset)
  return insert(text, root, [...path, array?.children?.length ?? 0], value, dialect)
}

/** Takes the member or element at a path out, exactly as it came in where `trace` still fits. Emptied containers that came with it go too. */
export function remove(text: string, path: JsonPath, dialect: JsonDialect, trace: Trace | undefined): string {
  const root = parseJson(text, dialect)
  const place = placeOf(root, path)
  if (!root || !place) throw new Error(`nothing stands at ${path.join('.')}`)
  const before = valueOf(root)
  if (trace) {
    // What was made around the entry goes with it, as long as nothing else came to stand there.
    const outer = path.slice(0, path.length - trace.made)
    const at = placeOf(root, outer)
    const item = at && { list: listOf(at.parent), index: at.index }
    const way = exactRemoval(text, place.start, item, 'json', trace)
    const after = way && spliced(text, way)
    if (after !== null && fits(after, outer.length === 0 ? null : withValue(before, outer, undefined), dialect))
      return after
  }
  const after = spliced(text, removal(text, listOf(place.parent), place.index, 'json'))
  if (!fits(after, withValue(before, path, undefined), dialect))
    throw new Unsafe("can't be taken out without disturbing the rest", place.start)
  return emptied(after, path, trace?.made ?? 0, dialect)
}

/** Containers of ours that have nothing in them any more. */
function emptied(text: string, path: JsonPath, made: number, dialect: JsonDialect): string {
  const wider = path.slice(0, -1)
  const node = made > 0 && wider.length > 0 ? nodeAt(parseJson(text, dialect), wider) : null
  if (!node || (node.children?.length ?? 0) > 0) return text
  const after = remove(text, wider, dialect, undefined)
  return emptied(after, wider, made - 1, dialect)
}

interface Style {
  unit: string
  colon: string
  eol: string
}

function styleOf(text: string, root: Node | null): Style {
  const first = root?.children?.[0]
  const unit = first && beginsLine(text, first.offset) ? indentation(text, first.offset) : ''
  const colon = first?.colonOffset === undefined || /\s/.test(text.charAt(first.colonOffset + 1)) ? ': ' : ':'
  return { unit: unit === '' ? '  ' : unit, colon, eol: lineEnding(text) }
}

/** A value as text: objects and lists of them a member a line, plain lists within one. */
function rendered(value: Json, { multiline, indent }: Layout, style: Style): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = { multiline, indent: indent + style.unit }
  const space = style.colon === ':' ? '' : ' '
  const items = Array.isArray(value)
    ? value.map(each => rendered(each, inner, style))
    : Object.entries(value).map(([key, each]) => JSON.stringify(key) + style.colon + rendered(each, inner, style))
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return open + close
  const flat = !multiline || (Array.isArray(value) && value.every(each => typeof each !== 'object' || each === null))
  if (flat) {
    const padding = Array.isArray(value) ? '' : space
    return open + padding + items.join(`,${space}`) + padding + close
  }
  return open + style.eol + items.map(item => inner.indent + item).join(`,${style.eol}`) + style.eol + indent + close
}

function insert(text: string, root: Node | null, path: JsonPath, value: Json, dialect: JsonDialect): Edited {
  // The deepest container that is there; what is missing below it goes in as one piece.
  let depth = path.length - 1
  while (depth > 0 && !nodeAt(root, path.slice(0, depth))) depth--
  const parent = nodeAt(root, path.slice(0, depth))
  const step = path[depth]
  if (step === undefined) throw new Error('a path has at least one step')
  const wrapped = path.slice(depth + 1).reduceRight<Json>((inner, key) => withValue(undefined, [key], inner), value)
  const style = styleOf(text, root)
  const item = (layout: Layout): string => {
    const written = rendered(wrapped, layout, style)
    return typeof step === 'number' ? written : JSON.stringify(step) + style.colon + written
  }
  let splices: Splice[]
  if (!parent) {
    const whole = rendered(withValue(undefined, path, value), { multiline: true, indent: '' }, style)
    splices = [{ at: text.length, remove: 0, insert: whole + style.eol }]
  } else {
    if (parent.type !== (typeof step === 'number' ? 'array' : 'object'))
      throw new Unsafe(`${typeof step === 'number' ? 'a list' : 'an object'} was expected here`, parent.offset)
    // An empty container is opened up, unless everything stands in one line.
    const empty = text.trim().includes('\n') || parent === root ? 'multiline' : 'line'
    splices = insertLast(text, listOf(parent), 'json', { empty, unit: style.unit }, item)
  }
  const after = spliced(text, splices)
  prove(text, after, withValue(root ? valueOf(root) : undefined, path, value), dialect)
  const place = placeOf(parseJson(after, dialect), path)
  if (!place) throw new Error(`what was inserted isn't at ${path.join('.')}`)
  return { text: after, trace: traceOf(splices, place.start, path.length - 1 - depth + (parent ? 0 : 1)) }
}

function fits(text: string, expected: Json, dialect: JsonDialect): boolean {
  try {
    return same(valueOf(parseJson(text, dialect)), expected)
  } catch (error) {
    if (error instanceof Unsafe) return false
    throw error
  }
}

function prove(before: string, after: string, expected: Json, dialect: JsonDialect): void {
  if (before === after || !fits(after, expected, dialect))
    throw new Unsafe("can't be edited without disturbing the rest", null)
}
