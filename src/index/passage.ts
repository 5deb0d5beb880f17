import type { SessionKind, Time } from '../shared/model.ts'

/** The unit of recall: one prompt with what came of it until the next, each part capped (see `passageOf`). Redacted. */
export interface Passage {
  /** The archive's row id of its first record: stable across restarts. */
  id: number
  session: SessionHead
  /** Its place among its session's passages, from 0. */
  n: number
  /** The time of its first record that has one, else null (then the session's times count). */
  at: Time
  prompt: string
  answer: string
  commands: string
  /** Changed and read paths, one a line. */
  paths: string
  /** Normalised error lines (see `errorLines`). */
  errors: string
  /** The first 200–300 characters of each tool output. */
  outputs: string
  /** A compaction's or a branch's summary. */
  summary: string
}

/** What recall needs to know of a passage's session without asking the archive. */
export interface SessionHead {
  /** The archive's row id. */
  key: number
  harness: string
  id: string
  title: string | null
  workspace: string | null
  /** Where it was worked (`projectOf`) and every project in which it changed files. */
  projects: readonly string[]
  parentId: string | null
  kind: SessionKind
  startedAt: Time
  updatedAt: Time
  deleted: boolean
  archived: boolean
}
