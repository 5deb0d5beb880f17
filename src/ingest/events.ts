import type { PackedPassages } from '../index/packed-passages.ts'
import type { Passage, SessionHead } from '../index/passage.ts'
import type { Problem } from '../shared/model.ts'

/** What the worker tells the main thread. Structured-cloneable. Everything in it is redacted. */
export type IngestEvent =
  /** New or replaced passages, and those that are gone. In slices of at most 200. */
  | { type: 'passages'; upserts: Passage[]; removed: number[] }
  /** All passages of a session, as the archive kept them for a start. */
  | { type: 'packed'; session: SessionHead; packed: PackedPassages }
  /** Every session of the archive was told. */
  | { type: 'replayed' }
  /** A session is new or changed; `prompts` are the person's texts that this read brought, whole, newest last. */
  | { type: 'session'; session: SessionHead; prompts: string[]; path: string; writtenAt: number }
  /** The turn that a session runs just now. */
  | { type: 'running'; harness: string; id: string; prompts: string[]; path: string }
  /** The session was compacted; what the packet needs stands in the archive. `key` tells one compaction from another. */
  | { type: 'compacted'; session: SessionHead; key: string; at: number }
  /** The archive is another file now (it was broken or deleted): what was opened or derived from the old one is void. */
  | { type: 'reopened' }
  | { type: 'forgotten'; sessions: number[] }
  | { type: 'state'; state: IngestState }

export interface IngestState {
  /** `filling`: the first pass over the stores isn't through. */
  phase: 'filling' | 'watching'
  /** Files that can be read now and weren't yet, and outputs that full text still lacks. */
  pending: number
  /** Bytes read and to read in this pass, for a progress bar. */
  progress: { doneBytes: number; totalBytes: number; doneFiles: number; totalFiles: number }
  harnesses: HarnessState[]
  /** Sentences: why the service is degraded (no inotify watches left, disk full, …). Empty: it isn't. */
  degraded: string[]
  lastError: { at: string; message: string } | null
}

export interface HarnessState {
  id: string
  roots: { path: string; state: 'read' | 'absent' | 'unreadable' }[]
  sessions: number
  records: number
  companions: number
  unread: { path: string; reason: string; code: Problem['code'] | 'unknown' }[]
  newestAt: string | null
}
