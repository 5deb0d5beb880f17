import type { ForgottenSession, ForgetTarget } from '../archive/write/forget.ts'
import type { Settings } from '../settings/settings.ts'
import type { Environment } from '../shared/environment.ts'
import type { ErrorCode } from '../shared/errors.ts'
import type { SessionRef } from '../shared/model.ts'
import type { IngestEvent } from './events.ts'

/** What the worker is started with. */
export interface WorkerStart {
  dataDir: string
  archive: string
  /** Stores are looked for under it, and under each of the homes that `install` had recorded when the daemon began. */
  env: Environment
  homes: readonly Environment[]
  settings: Pick<Settings, 'exclude' | 'subagents'>
  /** Transcript that an earlier worker was reading when it ended. */
  crashedOn: string | null
  /** Where the worker notes the path it is reading: its length in bytes, then UTF-8. */
  reading: SharedArrayBuffer
}

export type UnforgetTarget = { session: SessionRef } | { project: string } | { before: string }

/** What the main thread asks of the worker. */
export type Call =
  | { name: 'peek'; path: string }
  | { name: 'settle' }
  | { name: 'rebuild' }
  | { name: 'forget'; target: ForgetTarget; dryRun: boolean }
  | { name: 'unforget'; target: UnforgetTarget }
  | { name: 'remember'; project: string; text: string }

export type ToWorker = { type: 'call'; id: number; call: Call } | { type: 'taken' } | { type: 'stop' }

export interface Failure {
  message: string
  code: ErrorCode
  path?: string
  hint?: string
}

export type FromWorker =
  /** The archive stands open; `archive` tells one file from another. */
  | { type: 'opened'; archive: string }
  | { type: 'failed'; failure: Failure }
  | { type: 'event'; event: IngestEvent }
  | { type: 'reply'; id: number; result: ForgottenSession[] | boolean | null }
  | { type: 'refused'; id: number; failure: Failure }
