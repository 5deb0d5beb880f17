import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Harness } from '../harness/harness.ts'
import type { KeptSession } from '../harness/lifecycle.ts'
import { DejaError } from '../shared/errors.ts'
import type { SessionRecord } from '../shared/model.ts'
import { isThere, standsBelow } from './places.ts'

export interface Written {
  /** Absolute. */
  paths: string[]
  /** Texts that were redacted come back as their markers. */
  redacted: boolean
}

/**
 * Writes a deleted session back into its agent's store (files 0600). Never over a file, never outside the store. Throws
 * `refused`; then nothing was written.
 */
export function restoreSession(
  harness: Harness,
  session: KeptSession,
  records: readonly SessionRecord[],
  now: Date,
): Written {
  if (!session.deleted)
    throw new DejaError('refused', 'It was not deleted: its agent still has it.', { path: session.path })
  const restored = harness.lifecycle.restore(session, records, { now: now.toISOString(), newId: randomUUID })
  if (!restored.ok) throw new DejaError('refused', restored.reason)
  for (const { path } of restored.files) {
    if (isThere(path))
      throw new DejaError('refused', 'A file stands there; nothing is ever written over one.', { path })
    if (!standsBelow(path, session.root))
      throw new DejaError('refused', `That is outside of the store ${session.root}.`, { path })
  }
  const written: string[] = []
  try {
    for (const { path, text } of restored.files) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
      written.push(path)
    }
  } catch (error) {
    for (const path of written) rmSync(path, { force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new DejaError('refused', `It couldn't be written: ${reason}`, { cause: error })
  }
  return { paths: written, redacted: restored.files.some(({ text }) => text.includes('[redacted:')) }
}
