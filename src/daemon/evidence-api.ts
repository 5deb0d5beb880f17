import type { Injection, WhyCandidate } from '../recall/injections.ts'
import type { SessionJson } from '../archive/read/session-reader.ts'
import type { Touch } from '../search/blame.ts'
import type { Way } from '../search/how.ts'
import type { Endpoint } from './api.ts'

/** Calls about what was injected, and about files, tools and errors. Every output is the object that `--json` prints. */

export const logEndpoint: Endpoint<{ limit: number }, { schemaVersion: 1; injections: Injection[] }> = {
  method: 'POST',
  url: '/v1/log',
}

export interface WhyOutput {
  schemaVersion: 1
  /** The injection that it is about; null when a prompt was given. */
  injection: Injection | null
  /** Why a prompt gets nothing at all; else null. */
  silence: string | null
  /** What a prompt would be given: the frame; null: nothing, or an injection was asked about. */
  block: string | null
  candidates: WhyCandidate[]
}

/** Injection `n`, the last one where both are null, or what a prompt would get in a directory. */
export const whyEndpoint: Endpoint<{ n: number | null; prompt: string | null; directory: string }, WhyOutput> = {
  method: 'POST',
  url: '/v1/why',
}

/** `path`: absolute, or the end of one. `line`: the text of the line asked about, which the caller has read. */
export const blameEndpoint: Endpoint<
  { path: string; line: string | null; limit: number },
  { schemaVersion: 1; path: string; touches: Touch[] }
> = { method: 'POST', url: '/v1/blame' }

/** `directory` null: every project. */
export const howEndpoint: Endpoint<
  { tool: string; directory: string | null; limit: number },
  { schemaVersion: 1; tool: string; ways: Way[] }
> = { method: 'POST', url: '/v1/how' }

export interface FixJson {
  /** What failed, where and when, and what made it pass. */
  text: string
  session: SessionJson
}

/** `directory`: the asker's; `everywhere`: other projects after its own. */
export const fixEndpoint: Endpoint<
  { error: string; directory: string; everywhere?: boolean | undefined },
  { schemaVersion: 1; fixes: FixJson[] }
> = { method: 'POST', url: '/v1/fix' }

export const statuslineEndpoint: Endpoint<undefined, { schemaVersion: 1; line: string }> = {
  method: 'GET',
  url: '/v1/statusline',
}
