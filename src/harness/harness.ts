import type { Environment } from '../shared/environment.ts'
import type { Problem, RecordDraft, SessionFacts, UsageDraft } from '../shared/model.ts'
import type { HookAdapter } from './hooks.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { WiringDeclaration } from './wiring.ts'

/**
 * What deja knows of one agent program. Everything that differs between agents is said here, as data or as a pure
 * function; the rooms above carry it out and never ask which harness they have.
 */
export interface Harness {
  /** As in CONTRACT: `codewhale`, `commandcode`, `codebuddy`, `workbuddy`. */
  readonly id: string
  /** For people. */
  readonly name: string
  readonly store: Store
  readonly reader: Reader
  readonly tools: Tools
  readonly hooks: HookAdapter
  readonly wiring: WiringDeclaration
  readonly lifecycle: Lifecycle
  /** Stores among the fixtures of this harness (below `fixtures/<id>`) that the tour shows, in the order of the roots that they stand in for. */
  readonly examples: readonly string[]
}

/** One directory that holds transcripts. */
export interface StoreRoot {
  path: string
  /** Lower wins where two roots hold the same session (CodeWhale's current root before the legacy one). */
  rank: number
}

/** What a file below a root is, told by its path alone. */
export type FileRole =
  | { role: 'transcript' }
  /** Belongs to a transcript; counted, not read as one. */
  | { role: 'companion' }
  /** Holds the turn that a session runs just now (CodeWhale's `checkpoints/<id>.json`): `Reader.runningPrompts` reads it, for binding. */
  | { role: 'running'; session: string }
  /** Half of what an agent writes when it compacts (CodeWhale 0.10): both parts there under one key mean that it happened. */
  | { role: 'compaction'; session: string; key: string; part: 'history' | 'summary' }
  /** Nothing of ours (an agent's own memory, locks, directories to stay out of). */
  | { role: 'ignored' }
  /** Should not be there as far as is known: shown as unread. */
  | { role: 'unknown'; reason: string }

export interface Store {
  /** The store's directories in force under this environment, existing or not, best rank first. Absolute. */
  roots(env: Environment): StoreRoot[]
  /** `path` is relative to the root, with `/`. */
  classify(path: string): FileRole
  /** Whether a directory below the root is worth watching and listing. Relative, with `/`; `''` is the root itself. */
  descends(directory: string): boolean
  /** Files (relative to the root) whose content belongs to a transcript's facts (a title, a parent). Read along with it when they exist. */
  sidecars(path: string): string[]
  /** The session that a transcript's path names, where the path tells it; else null (asked before anything was read). */
  sessionIdOf(path: string): string | null
}

/** Random access to a file's bytes, as they were at one moment. */
export interface ByteSource {
  readonly size: number
  /** Exactly `min(length, size - offset)` bytes. */
  read(offset: number, length: number): Uint8Array
}

/**
 * JSON-serialisable, kept in the archive between reads. Opaque to everyone but its reader. It is kept as it is, without
 * redaction, so no text of the conversation may stand in it: places in the file do.
 */
export type ReaderState = unknown

export interface TranscriptFile {
  /** Absolute, as the records' home. */
  path: string
  /** Relative to its root, with `/`. */
  relative: string
  /** Texts of the sidecars that exist, by the names that `sidecars` gave. */
  sidecars: Readonly<Record<string, string>>
}

export interface ReaderOptions {
  /** `default`: the task, the answer and the edits of a sub-agent; `all`: its whole run; `none`: nothing. */
  subagents: 'default' | 'all' | 'none'
}

/** What one read gave. Applying the steps in order gives the same as one step over the whole file. */
export interface ReadStep {
  state: ReaderState
  /** Null while the file holds no session (empty, a stub without a message). */
  session: SessionFacts | null
  /** New or replaced records, by `seq`. */
  records: RecordDraft[]
  /** Records that moved off or back onto the active branch. */
  aside?: { seqs: number[]; aside: boolean }[]
  usage: UsageDraft[]
  /** All that is wrong with the file as far as it was read; replaces what the step before said. */
  problems: Problem[]
  /** Files (absolute or relative to the transcript's directory) whose text is wanted by `attach`: a large output kept apart. */
  wants?: string[]
  /** Another read right away would go on (a bounded step of a long file). */
  more?: boolean
  /** Where the conversation was compacted, as the `seq` from which on things are new; the newest one of this step. */
  compactedAt?: number
}

/** Pure: no clock, no files, no environment. Never throws on content: bad content is a problem. */
export interface Reader {
  /** Raised when what is read changes; files still on disk are then read once more. */
  readonly version: number
  /**
   * `append`: the file only grows; `read` gets the state and continues at `offsetOf(state)`. The caller makes sure that
   * what was read before is still there (prefix hash, inode) and starts anew with state null if not.
   * `document`: rewritten whole at each save; `read` itself finds what is new and never gives up what was kept.
   */
  readonly mode: 'append' | 'document'
  /** Reads on from `state` (null: nothing was read). One step may be bounded to about 8 MB of input; then `more` is true. */
  read(file: TranscriptFile, state: ReaderState, source: ByteSource, options: ReaderOptions): ReadStep
  /** Bytes of the file that `state` covers (append mode: everything up to the last whole line). */
  offsetOf(state: ReaderState): number
  /** The person's texts in a `running` file. */
  runningPrompts?(source: ByteSource): string[]
  /** The conversation in the `history` part of a `compaction`, as records in order. */
  compactedHistory?(source: ByteSource, session: { workspace: string | null }): RecordDraft[]
  /**
   * Takes in a file that `wants` named; gives the next state and the records that it completes, replacing those of the
   * same `seq`. Its step says nothing else: `session` is null, the facts are as they were. Absent: nothing is ever wanted.
   */
  attach?(file: TranscriptFile, state: ReaderState, wanted: string, text: string, options: ReaderOptions): ReadStep
}

/** Normal names of tools across harnesses, for usage and for `how`. */
export interface Tools {
  /** `Bash`, `Read`, `Write`, `Edit`, `Glob`, `Grep`, `WebSearch`, `WebFetch`, `Agent`, `Skill`, `Todo`, `AskUser`; an MCP name or an unknown one as it is. */
  normalName(tool: string): string
}
