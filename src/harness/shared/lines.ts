import type { ByteSource } from '../harness.ts'

const NEWLINE = 0x0a
const CHUNK = 1 << 20
/** Input of one step, so that a long file is read in pieces. */
const STEP_BYTES = 8 << 20
/** A longer line is skipped and counted: nothing that an agent says is that long. */
const LINE_BYTES = 64 << 20

export interface Line {
  /** Byte offset of its first byte. */
  offset: number
  /** Byte offset behind its newline. */
  end: number
  /** Without the newline; undefined where the line is longer than 64 MiB. */
  text: string | undefined
}

/** The whole lines from `from` on, at most about 8 MiB of them, or one line that is longer. Half a line at the end waits. */
export function readLines(source: ByteSource, from: number): { lines: Line[]; end: number; more: boolean } {
  const lines: Line[] = []
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false })
  let parts: Uint8Array[] = []
  let length = 0
  let start = from
  let offset = from
  while (offset < source.size && (lines.length === 0 || offset - from < STEP_BYTES)) {
    const chunk = source.read(offset, CHUNK)
    if (chunk.length === 0) break
    let at = 0
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, at)
      if (newline === -1) break
      length += newline - at
      const text = length > LINE_BYTES ? undefined : decoder.decode(joined(parts, chunk.subarray(at, newline)))
      lines.push({ offset: start, end: offset + newline + 1, text })
      parts = []
      length = 0
      at = newline + 1
      start = offset + at
    }
    const rest = chunk.subarray(at)
    length += rest.length
    if (length > LINE_BYTES) parts = []
    else if (rest.length > 0) parts.push(rest)
    offset += chunk.length
  }
  return { lines, end: start, more: offset < source.size }
}

function joined(parts: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  return parts.length === 0 ? last : Buffer.concat([...parts, last])
}
