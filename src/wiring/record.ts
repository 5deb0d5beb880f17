import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

/** What was written into other programs' files, so that it can be taken out to the byte. A lost one costs exactness, no more. */

const trace = z.object({ inserted: z.string(), lead: z.number(), comma: z.boolean(), made: z.number() })
const entry = z.object({
  harness: z.string(),
  scope: z.enum(['surfaces', 'hooks']),
  kind: z.string(),
  /** As it is named, not where a link leads. */
  file: z.string(),
  traces: z.record(z.string(), trace),
})
const schema = z.object({
  schemaVersion: z.literal(1),
  /** In the order in which they were made. */
  entries: z.array(entry),
  /** Files that weren't there before. */
  files: z.array(z.string()),
  /** Directories that weren't there before. */
  directories: z.array(z.string()),
})

export type RecordEntry = z.infer<typeof entry>
export type WiringRecord = z.infer<typeof schema>
export type Scope = RecordEntry['scope']

const noRecord: WiringRecord = { schemaVersion: 1, entries: [], files: [], directories: [] }

const fileOf = (dataDir: string): string => join(dataDir, 'wiring.json')

/** The record, or an empty one where it is gone or can't be read. */
export function readRecord(dataDir: string): WiringRecord {
  try {
    return schema.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8')))
  } catch {
    return noRecord
  }
}

/** Replaces the record at one stroke; an empty one leaves no file. */
export function writeRecord(dataDir: string, record: WiringRecord): void {
  const file = fileOf(dataDir)
  if (record.entries.length + record.files.length + record.directories.length === 0) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}.tmp`
  const descriptor = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(descriptor, `${JSON.stringify(record, null, 2)}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(temporary, file)
}

export function sameEntry(a: Omit<RecordEntry, 'traces'>, b: Omit<RecordEntry, 'traces'>): boolean {
  return a.harness === b.harness && a.scope === b.scope && a.kind === b.kind && a.file === b.file
}
