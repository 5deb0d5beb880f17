import type { Worker } from 'node:worker_threads'
import type { Redactor } from '../archive/redactor.ts'
import type { Harness, ReaderOptions } from '../harness/harness.ts'
import type { Environment } from '../shared/environment.ts'

export interface RiverOptions {
  /** archive.db */
  archive: string
  /** The environments whose stores are read: the daemon's own, and those that `install` recorded. The same array until they change. */
  environments: () => readonly Environment[]
  harnesses: readonly Harness[]
  redactor: Redactor
  exclude: { projects: readonly string[]; paths: readonly string[] }
  reader: ReaderOptions
  now: () => number
  /** Starts a helper that reads transcripts ahead while much is to be read; absent: the river reads all by itself. */
  helper?: { begin: () => Worker; most: number }
  /** Notes the transcript that is being read, so that one which ends the worker is known afterwards. */
  reading?: (path: string | null) => void
}
