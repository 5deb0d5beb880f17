import { deflateSync, inflateSync } from 'node:zlib'
import { passageTerms } from './indexed-terms.ts'
import type { Passage } from './passage.ts'
import { settledIn } from './settled.ts'
import type { Time } from '../shared/model.ts'

/**
 * Of what `packPassages` gives for a passage. To be raised when a passage is made of other words than before: by its caps,
 * the tokens, their stems, stop words, parts and weights, `settledIn`. A test holds what one sample gives by each version.
 */
export const PACKED_VERSION = 1

/** A passage as the index holds it: terms, no text. */
export interface PackedPassage {
  id: number
  n: number
  at: Time
  settled: number
  length: number
  /** Pairs of a term's place in `PackedPassages.terms` and its packed counts, as varints. */
  postings: Uint8Array
}

/** A session's passages, which share their terms. Structured-cloneable. */
export interface PackedPassages {
  terms: string[]
  passages: PackedPassage[]
}

export function packPassages(passages: readonly Passage[]): PackedPassages {
  const places = new Map<string, number>()
  const packed = passages.map(passage => {
    const { terms, length } = passageTerms(passage)
    const postings: number[] = []
    for (const [term, counts] of terms) {
      let place = places.get(term)
      if (place === undefined) places.set(term, (place = places.size))
      varint(place, postings)
      varint(counts, postings)
    }
    const { id, n, at } = passage
    return { id, n, at, settled: settledIn(passage), length, postings: Uint8Array.from(postings) }
  })
  return { terms: [...places.keys()], passages: packed }
}

/** Each posting: its term's place in `terms`, and the packed counts. Throws where the bytes aren't what `packPassages` made. */
export function eachPosting({ postings }: PackedPassage, tell: (place: number, counts: number) => void): void {
  const reader = { bytes: postings, at: 0 }
  while (reader.at < postings.length) tell(readVarint(reader), readVarint(reader))
}

/** For the disk. Carries a checksum (zlib's Adler-32). */
export function packedBytes({ terms, passages }: PackedPassages): Buffer {
  const heads = passages.map(({ id, n, at, settled, length, postings }) => [
    id,
    n,
    at,
    settled,
    length,
    postings.length,
  ])
  const head = Buffer.from(JSON.stringify([terms, heads]))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(head.length)
  return deflateSync(Buffer.concat([size, head, ...passages.map(({ postings }) => postings)]), { level: 1 })
}

/** Null where the bytes are broken. */
export function packedFrom(bytes: Uint8Array): PackedPassages | null {
  try {
    const all = inflateSync(bytes)
    const size = all.readUInt32LE(0)
    const [terms, heads] = JSON.parse(all.toString('utf8', 4, 4 + size)) as [string[], PackedHead[]]
    let at = 4 + size
    const passages = heads.map(([id, n, time, settled, length, count]) => {
      const postings = new Uint8Array(all.subarray(at, (at += count)))
      return { id, n, at: time, settled, length, postings }
    })
    return at === all.length ? { terms, passages } : null
  } catch {
    return null
  }
}

/** id, n, at, settled, length, bytes of postings */
type PackedHead = [number, number, Time, number, number, number]

/** Seven bits a byte, lowest first. `value`: 0 to 2^32 - 1. */
function varint(value: number, into: number[]): void {
  let rest = value >>> 0
  while (rest > 127) {
    into.push((rest & 127) | 128)
    rest >>>= 7
  }
  into.push(rest)
}

function readVarint(reader: { bytes: Uint8Array; at: number }): number {
  let value = 0
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = reader.bytes[reader.at++]
    if (byte === undefined) break
    value |= (byte & 127) << shift
    if (byte < 128) return value
  }
  throw new Error('packed passages: a number is cut short')
}
