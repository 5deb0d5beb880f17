import { isDeepStrictEqual } from 'node:util'
import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import type { JsonDialect } from '../../harness/wiring.ts'
import type { List } from '../list.ts'
import { Unsafe } from '../unsafe.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonPath = readonly (string | number)[]

/** The text's root node; null where it holds nothing but blanks. Throws `Unsafe` where it doesn't parse, or a key stands twice. */
export function parseJson(text: string, dialect: JsonDialect): Node | null {
  if (text.trim() === '') return null
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    root = parseTree(text, errors, {
      disallowComments: dialect === 'json',
      allowTrailingComma: dialect === 'jsonc',
      allowEmptyContent: false,
    })
    const [error] = errors
    if (error) throw new Unsafe(`not valid JSON (${printParseErrorCode(error.error)})`, error.offset)
    if (!root) throw new Unsafe('not valid JSON', 0)
    refuseDoubles(root)
  } catch (error) {
    if (error instanceof RangeError) throw new Unsafe('nested too deeply', null)
    throw error
  }
  return root
}

/** Which of two equal keys counts differs between parsers; some refuse the file. */
function refuseDoubles(node: Node): void {
  const seen = new Set<string>()
  for (const child of node.children ?? []) {
    if (child.type === 'property') {
      const key = keyOf(child)
      if (seen.has(key)) throw new Unsafe(`the key ${JSON.stringify(key)} stands twice`, child.offset)
      seen.add(key)
    }
    refuseDoubles(child)
  }
}

function keyOf(property: Node): string {
  const value: unknown = property.children?.[0]?.value
  return typeof value === 'string' ? value : ''
}

/** The value at a path, or null where there is none. Throws `Unsafe` where something on the way is no object or array. */
export function nodeAt(root: Node | null, path: JsonPath): Node | null {
  let node = root
  for (const step of path) {
    if (!node) return null
    if (typeof step === 'number') {
      if (node.type !== 'array') throw new Unsafe('a list was expected here', node.offset)
      node = node.children?.[step] ?? null
    } else {
      if (node.type !== 'object')
        throw new Unsafe(`an object was expected here (to find ${JSON.stringify(step)} in)`, node.offset)
      node = node.children?.find(property => keyOf(property) === step)?.children?.[1] ?? null
    }
  }
  return node
}

/** An object's or array's brackets and items. An object's item is the whole member. */
export function listOf(node: Node): List {
  return {
    open: node.offset + 1,
    close: node.offset + node.length - 1,
    items: (node.children ?? []).map(child => ({ start: child.offset, end: child.offset + child.length })),
  }
}

/** Where a path's last step stands among its siblings and in the text (a member: from its key on); null where it isn't there. */
export function placeOf(
  root: Node | null,
  path: JsonPath,
): { parent: Node; index: number; start: number; end: number } | null {
  const step = path.at(-1)
  const parent = nodeAt(root, path.slice(0, -1))
  if (step === undefined || !parent) return null
  const index =
    typeof step === 'number' ? step : (parent.children ?? []).findIndex(property => keyOf(property) === step)
  const child = parent.children?.[index]
  return child ? { parent, index, start: child.offset, end: child.offset + child.length } : null
}

/** How what stands at a path is written; '' where nothing does. */
export function writtenAt(text: string, path: JsonPath, dialect: JsonDialect): string {
  const place = placeOf(parseJson(text, dialect), path)
  return place ? text.slice(place.start, place.end) : ''
}

/** A node's value. Objects have no prototype, so that no key means anything special. */
export function valueOf(node: Node | null): Json {
  if (!node) return null
  if (node.type === 'array') return (node.children ?? []).map(valueOf)
  if (node.type === 'object')
    return objectOf((node.children ?? []).map(each => [keyOf(each), valueOf(each.children?.[1] ?? null)]))
  const value: unknown = node.value
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function objectOf(entries: Iterable<readonly [string, Json]>): { [key: string]: Json } {
  const object = Object.create(null) as { [key: string]: Json }
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return object
}

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whatever it was, as a value of this room's kind. Throws on what JSON can't say. */
export function jsonOf(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value === 'object') return objectOf(Object.entries(value).map(([key, each]) => [key, jsonOf(each)]))
  throw new Error(`JSON has no ${typeof value}`)
}

export const same = (a: Json | undefined, b: Json | undefined): boolean => isDeepStrictEqual(a, b)

/** The value with another at a path (made where it isn't there), or without it (`undefined`). The given one stays as it is. */
export function withValue(value: Json | undefined, path: JsonPath, at: Json | undefined): Json {
  const [step, ...rest] = path
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...value] : []
    if (rest.length > 0) list[step] = withValue(list[step], rest, at)
    else if (at === undefined) list.splice(step, 1)
    else list[step] = at
    return list
  }
  if (step === undefined) throw new Error('a path has at least one step')
  const entries = isObject(value) ? Object.entries(value) : []
  const now = rest.length > 0 ? withValue(entries.find(([key]) => key === step)?.[1], rest, at) : at
  const others = entries.filter(([key]) => key !== step)
  return objectOf(now === undefined ? others : [...others, [step, now]])
}
