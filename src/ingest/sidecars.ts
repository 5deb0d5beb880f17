import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { readSmall } from './file-source.ts'
import type { TranscriptRef } from './transcript-reading.ts'

const sidecarLimit = 1 << 20

/** The texts of a transcript's sidecars that exist, and a sign of each by which a change is noticed. */
export function readSidecars({ harness, root, relative }: TranscriptRef): {
  signs: Record<string, string>
  texts: Record<string, string>
} {
  const signs: Record<string, string> = {}
  const texts: Record<string, string> = {}
  for (const name of harness.store.sidecars(relative)) {
    const place = join(root.path, name)
    const sign = signOf(place)
    const text = sign === null ? null : readSmall(root.path, place, sidecarLimit)
    if (sign === null || text === null) continue
    signs[name] = sign
    texts[name] = text
  }
  return { signs, texts }
}

function signOf(path: string): string | null {
  try {
    const { size, mtimeMs } = lstatSync(path)
    return `${size}:${mtimeMs}`
  } catch {
    return null
  }
}
