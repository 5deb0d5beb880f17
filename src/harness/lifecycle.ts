import type { Environment } from '../shared/environment.ts'
import type { SessionFacts, SessionRecord } from '../shared/model.ts'

/** A kept session, as `resume`, `delete` and `restore` see it. */
export interface KeptSession extends SessionFacts {
  harness: string
  /** The transcript's last known place (absolute), and its root. */
  path: string
  root: string
  /** Every transcript file of the session (absolute): one id may stand in several. */
  paths: string[]
  /** Ids of the sub-agents that are kept under it; absent: none are known. */
  subagents?: readonly string[]
  deleted: boolean
}

export type Resume =
  | {
      ok: true
      /** Shell words, unquoted. */ command: string[]
      /** Go there first; null: run where you are. */ directory: string | null
      note: string | null
    }
  | { ok: false; reason: string }

/** A file to write back. */
export interface Restored {
  /** Absolute, below the root. */
  path: string
  text: string
}

/** Declarations and pure functions; `src/lifecycle` carries them out. */
export interface Lifecycle {
  resume(session: KeptSession, context: { directoryExists: boolean; platform: NodeJS.Platform }): Resume
  /**
   * Every path (absolute; files or directories) that belongs to the session, existing or not: companions, sub-agents,
   * tool results, rollback, file history. Never a project's `memory/`.
   */
  files(session: KeptSession, env: Environment): string[]
  /** The session as its agent reads it, or why not. `records` are all of its own, in order; redacted text stands as its marker. */
  restore(
    session: KeptSession,
    records: readonly SessionRecord[],
    context: { now: string; newId(): string },
  ): { ok: true; files: Restored[] } | { ok: false; reason: string }
  /** Days after which the agent itself deletes a transcript that wasn't changed; null: it doesn't. `settings` is the text of the agent's settings file, if any. */
  retention(settings: string | null, env: Environment): { days: number | null; settingsFile: string | null }
}
