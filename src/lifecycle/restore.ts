import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Harness } from '../harness/harness.ts'
import type { KeptSession, Restored } from '../harness/lifecycle.ts'
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
  // The transcript last: what belongs to it is there when the agent finds it.
  const files = restored.files.toSorted((a, b) => Number(a.path === session.path) - Number(b.path === session.path))
  for (const file of files) {
    const { path } = file
    if (!standsBelow(path, session.root))
      throw new DejaError('refused', `That is outside of the store ${session.root}.`, { path })
    if (isThere(path) && !isOurs(file, session))
      throw new DejaError('refused', 'A file stands there; nothing is ever written over one.', { path })
  }
  const written: string[] = []
  try {
    for (const file of files) writeDraft(file)
    for (const { path } of files) {
      if (isThere(path)) continue
      publish(path)
      written.push(path)
    }
  } catch (error) {
    for (const path of written) rmSync(path, { force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new DejaError('refused', `It couldn't be written: ${reason}`, { cause: error })
  } finally {
    for (const { path } of files) rmSync(draftOf(path), { force: true })
  }
  return {
    paths: restored.files.map(({ path }) => path),
    redacted: files.some(({ text }) => text.includes('[redacted:')),
  }
}

/** A file beside the transcript that an earlier restore had written when it was killed. */
function isOurs({ path, text }: Restored, session: KeptSession): boolean {
  try {
    return path !== session.path && readFileSync(path, 'utf8') === text
  } catch {
    return false
  }
}

/** No store takes a hidden `.tmp` for one of its files, and no agent does. */
const draftOf = (path: string): string => join(dirname(path), `.${basename(path)}.deja.tmp`)

/** On disk before it is seen, so that a kill or a power cut never leaves half a session to its agent. */
function writeDraft({ path, text }: Restored): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = draftOf(path)
  // an earlier one that was killed; or a link that somebody put there, which is not to be followed
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** At one stroke, and never over a file. */
function publish(path: string): void {
  try {
    linkSync(draftOf(path), path)
  } catch (error) {
    if (isThere(path)) throw error
    // a file system without hard links
    renameSync(draftOf(path), path)
  }
}
