import type { SessionJson } from '../archive/read/session-reader.ts'
import type { Resume } from '../harness/lifecycle.ts'
import type { NoteHit } from '../search/notes.ts'
import type { SearchHit } from '../search/search.ts'
import type { RecordKind, SessionRecord, Time } from '../shared/model.ts'
import type { Endpoint } from './api.ts'

/** Calls about what is kept. Every output is the object that `--json` prints. */

/** What one search may ask for. */
export const mostSessions = 500

export interface SearchInput {
  query: string
  harness?: string | undefined
  /** A directory in the project, or the project as `last --json` names it. */
  project?: string | undefined
  /** An id or its unique beginning. */
  session?: string | undefined
  role?: 'user' | 'assistant' | 'tool' | undefined
  since?: string | undefined
  until?: string | undefined
  limit: number
}

export interface SearchOutput {
  schemaVersion: 1
  query: string
  total: number
  tookMs: number
  hits: SearchHit[]
  notes: NoteHit[]
  note: string | null
}

/** A record as the contract's JSON has it. */
export interface RecordJson extends Omit<SessionRecord, 'text'> {
  n: number
  kind: RecordKind
  at: Time
  text: string
}

export interface ShowOutput {
  schemaVersion: 1
  session: SessionJson
  total: number
  records: RecordJson[]
}

export interface SessionsOutput {
  schemaVersion: 1
  sessions: SessionJson[]
}

export const searchEndpoint: Endpoint<SearchInput, SearchOutput> = { method: 'POST', url: '/v1/search' }

export const showEndpoint: Endpoint<{ id: string; offset: number; limit: number }, ShowOutput> = {
  method: 'POST',
  url: '/v1/show',
}

/** `directory`: the asker's; null: every project's. */
export const lastEndpoint: Endpoint<{ directory: string | null; limit: number }, SessionsOutput> = {
  method: 'POST',
  url: '/v1/last',
}

export const resumeEndpoint: Endpoint<{ id: string }, { schemaVersion: 1; session: SessionJson; resume: Resume }> = {
  method: 'POST',
  url: '/v1/resume',
}

/** Returns once everything that can be read now has been; `rebuild` reads it all once more. */
export const indexEndpoint: Endpoint<
  { rebuild: boolean },
  { schemaVersion: 1; archive: { sessions: number; records: number; bytes: number }; passages: number }
> = { method: 'POST', url: '/v1/index' }
