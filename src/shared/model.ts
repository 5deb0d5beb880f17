/** The things that pass between the rooms: what a transcript becomes, whatever harness wrote it. */

export type RecordKind = 'prompt' | 'answer' | 'command' | 'read' | 'edit' | 'write' | 'output' | 'summary'
export type Outcome = 'ok' | 'failed' | 'unknown'
export type SessionKind = 'main' | 'fork' | 'subagent'

/**
 * ISO 8601 UTC (`2026-09-24T10:03:00.000Z`), or a date alone (`2026-09-24`) where the store knows only the day.
 * Null where the store holds no time; never the file's date.
 */
export type Time = string | null

/** One thing in a conversation. Which fields are set follows from `kind` (see CONTRACT: record `kind`). */
export interface SessionRecord {
  kind: RecordKind
  at: Time
  /** prompt, answer, output, summary: the text. Others: absent. */
  text?: string
  /** The harness's own name of the tool; on everything that a tool call made, its `output` too. */
  tool?: string
  /** On a call's `output`: the skill that it loaded, or the type of the sub-agent that it started. */
  detail?: string
  /** command only: the command line as it was run, arguments quoted. */
  command?: string
  /** command only: the recorded code, or null where none is known. */
  exitCode?: number | null
  outcome?: Outcome
  /** read, edit, write: absolute where the workspace is known. */
  path?: string
  /** edit only. */
  removed?: string
  /** edit, write. */
  added?: string
  /** On a branch that the person went back from: kept for search, no part of the active thread. */
  aside?: boolean
  /** A copy that a fork carries of its parent's record: shown with the fork, neither indexed nor counted. */
  copied?: boolean
  /** An answer that was cut off. */
  partial?: boolean
}

/** A record as its reader gives it. `seq` orders a transcript's records; the same `seq` again replaces. */
export interface RecordDraft extends SessionRecord {
  seq: number
}

/** What a transcript says about its session, as far as it was read. */
export interface SessionFacts {
  /** The store's own id, whole. */
  id: string
  title: string | null
  workspace: string | null
  startedAt: Time
  updatedAt: Time
  parentId: string | null
  kind: SessionKind
  model: string | null
  /** Put away by the person in the agent itself (CodeWhale's `archived`). */
  archived: boolean
}

/** Tokens of one response, or of a whole session. null: the store doesn't tell; 0: known to be none. */
export interface Tokens {
  /** Without cache reads and writes. */
  input: number | null
  /** With reasoning. */
  output: number | null
  cacheRead: number | null
  cacheWrite: number | null
  reasoning: number | null
  /** One figure that the store doesn't split. */
  unsplit: number | null
}

export interface UsageDraft {
  /** Same key in the same harness: the same response, counted once (forks and branches carry copies). */
  key: string
  /** `response`: what one response took. `total`: the session's running total; a later one replaces it and growth is what was spent since. */
  scope: 'response' | 'total'
  at: Time
  model: string | null
  provider: string | null
  tokens: Tokens
  /** As the harness recorded it, in USD; null where it recorded none. */
  costUsd: number | null
  /**
   * Whether `costUsd` covers all of it. Null where there is no cost, so that prices may tell one; `elsewhere`: it was
   * recorded in another currency alone, and stays unknown in USD.
   */
  costCoverage: 'full' | 'part' | 'elsewhere' | null
  /** What a fork copied from its parent and did not spend itself (`total` only). */
  inherited?: { sessionId: string }
}

/** Something that couldn't be read. `doctor` and `status` show it. */
export interface Problem {
  /** `torn` and `waiting` may heal by themselves. `unsupported`: newer than this reader knows. */
  code: 'torn' | 'waiting' | 'corrupt' | 'unsupported' | 'oversized' | 'unreadable'
  /** One sentence: what, where in the file, what was expected. */
  reason: string
}

/** How sessions are named everywhere: `harness:id`. */
export interface SessionRef {
  harness: string
  id: string
}
