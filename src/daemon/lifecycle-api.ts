import type { SessionJson } from '../archive/read/session-reader.ts'
import type { Endpoint } from './api.ts'
import type { SessionsOutput } from './memory-api.ts'

/** Calls that delete, give back and forget. Every output is the object that `--json` prints. */

/** Which sessions: one by its id, or a project's (a directory in it), one agent's or all. */
export interface Choice {
  id?: string | undefined
  project?: string | undefined
  harness?: string | undefined
}

export interface DeleteOutput {
  schemaVersion: 1
  /** Whether the files are gone now; else this is the list of what would go. */
  done: boolean
  sessions: { session: SessionJson; paths: string[] }[]
  /** Sessions that stay, and why. */
  refused: { session: SessionJson; reason: string }[]
}

export const deletedEndpoint: Endpoint<
  undefined,
  SessionsOutput & { soon: { session: SessionJson; until: string }[] }
> = { method: 'GET', url: '/v1/deleted' }

/** `confirmed`: what an earlier call listed and somebody agreed to (`harness:id`); nothing else goes. Null: only list. */
export const deleteEndpoint: Endpoint<Choice & { confirmed: string[] | null; forget: boolean }, DeleteOutput> = {
  method: 'POST',
  url: '/v1/delete',
}

export const restoreEndpoint: Endpoint<
  { id: string },
  { schemaVersion: 1; session: SessionJson; records: number; paths: string[]; redacted: boolean }
> = { method: 'POST', url: '/v1/restore' }

export interface ForgetInput extends Choice {
  /** Sessions that ended before this day. */
  before?: string | undefined
  dryRun: boolean
}

export interface ForgottenJson {
  kind: string
  harness: string
  value: string
  at: string
}

export const forgetEndpoint: Endpoint<ForgetInput, SessionsOutput & { notes: number; dryRun: boolean }> = {
  method: 'POST',
  url: '/v1/forget',
}

export const forgottenEndpoint: Endpoint<undefined, { schemaVersion: 1; forgotten: ForgottenJson[] }> = {
  method: 'GET',
  url: '/v1/forgotten',
}

/** `value`: what `forgotten` lists: an id or its unique beginning, a project, a day. */
export const unforgetEndpoint: Endpoint<{ value: string }, { schemaVersion: 1; forgotten: ForgottenJson }> = {
  method: 'POST',
  url: '/v1/unforget',
}
