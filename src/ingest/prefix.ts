import { hash } from 'node:crypto'
import type { ByteSource } from '../harness/harness.ts'

/** Bytes at either end of what was read that are compared. */
const compared = 4096

/** What was read of a file, so that a rewrite is noticed without reading it again. */
export interface Prefix {
  /** Bytes that were read. */
  offset: number
  head: string
  tail: string
  /** `size:mtime` of each sidecar. */
  sidecars: Record<string, string>
}

export function prefixOf(source: ByteSource, offset: number, sidecars: Record<string, string>): Prefix {
  return { offset, ...ends(source, offset), sidecars }
}

/** Whether the bytes that were read are still there, as far as both ends tell. */
export function stillThere(source: ByteSource, prefix: Prefix): boolean {
  if (source.size < prefix.offset) return false
  const { head, tail } = ends(source, prefix.offset)
  return head === prefix.head && tail === prefix.tail
}

export function parsePrefix(text: string | null): Prefix | null {
  if (text === null) return null
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return null
  if (!('offset' in value && 'head' in value && 'tail' in value && 'sidecars' in value)) return null
  const { offset, head, tail, sidecars } = value
  if (typeof offset !== 'number' || typeof head !== 'string' || typeof tail !== 'string') return null
  if (typeof sidecars !== 'object' || sidecars === null) return null
  const known = Object.entries(sidecars).map(([name, sign]) => [name, String(sign)] as const)
  return { offset, head, tail, sidecars: Object.fromEntries(known) }
}

export function sameSidecars(a: Record<string, string>, b: Record<string, string>): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every(name => a[name] === b[name])
}

function ends(source: ByteSource, offset: number): { head: string; tail: string } {
  const length = Math.min(compared, offset)
  return { head: digest(source.read(0, length)), tail: digest(source.read(offset - length, length)) }
}

function digest(bytes: Uint8Array): string {
  return hash('sha1', bytes, 'base64').slice(0, 16)
}
