const mostBytes = 4096

/** Memory that outlives a worker which dies, for the path that it is reading. */
export function readingNote(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 + mostBytes)
}

export function noteReading(note: SharedArrayBuffer, path: string | null): void {
  const length = new Int32Array(note, 0, 1)
  if (path === null) {
    length[0] = 0
    return
  }
  const bytes = new TextEncoder().encode(path)
  if (bytes.length > mostBytes) return
  new Uint8Array(note, 4).set(bytes)
  length[0] = bytes.length
}

/** The path that was being read, or null. */
export function notedReading(note: SharedArrayBuffer): string | null {
  const length = new Int32Array(note, 0, 1)[0] ?? 0
  if (length <= 0 || length > mostBytes) return null
  // a decoder takes no shared memory
  return new TextDecoder().decode(new Uint8Array(note, 4, length).slice())
}
