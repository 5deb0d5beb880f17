import type { Outcome, RecordKind, SessionKind, SessionRecord } from '../shared/model.ts'
import { unpackTexts } from './text.ts'

/** Bits of `records.flags`. */
export const flag = { aside: 1, copied: 2, partial: 4, start: 8 } as const
/** Kept for search or shown with a fork, but no part of the thread: makes no passage. */
export const offThread = flag.aside | flag.copied

export interface SessionRow {
  id: number
  harness: string
  sid: string
  title: string | null
  workspace: string | null
  project: string | null
  started_at: string | null
  updated_at: string | null
  parent_sid: string | null
  kind: SessionKind
  model: string | null
  archived: number
  deleted_at: string | null
  written_ms: number
  records: number
  redaction: number
}

export interface TranscriptRow {
  id: number
  session_id: number | null
  harness: string
  root: string
  path: string
  rank: number
  inode: string | null
  size: number
  mtime_ms: number
  prefix: string | null
  state: string | null
  reader: number
  problems: string | null
  tries: number
  gone_at: string | null
}

export interface RecordRow {
  id: number
  session_id: number
  transcript_id: number
  seq: number | null
  pos: number
  kind: RecordKind
  at: string | null
  tool: string | null
  detail: string | null
  command: string | null
  exit_code: number | null
  outcome: Outcome | null
  form: string | null
  path: string | null
  text: string | null
  removed: string | null
  added: string | null
  big: Uint8Array | null
  flags: number
  hash: number
  redaction: number
}

export function flagsOf(record: SessionRecord): number {
  return (record.aside ? flag.aside : 0) | (record.copied ? flag.copied : 0) | (record.partial ? flag.partial : 0)
}

/** A row as a record. `whole`: long texts in full; else as their columns hold them. */
export function recordOf(row: RecordRow, whole: boolean): SessionRecord {
  const record: SessionRecord = { kind: row.kind, at: row.at }
  if (row.text !== null) record.text = row.text
  if (row.tool !== null) record.tool = row.tool
  if (row.detail !== null) record.detail = row.detail
  if (row.command !== null) record.command = row.command
  if (row.kind === 'command') record.exitCode = row.exit_code
  if (row.outcome !== null) record.outcome = row.outcome
  if (row.path !== null) record.path = row.path
  if (row.removed !== null) record.removed = row.removed
  if (row.added !== null) record.added = row.added
  if (row.flags & flag.aside) record.aside = true
  if (row.flags & flag.copied) record.copied = true
  if (row.flags & flag.partial) record.partial = true
  return whole && row.big !== null ? { ...record, ...unpackTexts(row.big) } : record
}
