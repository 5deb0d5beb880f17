import type { Grouping, UsageGroup, UsageReport } from '../usage/usage.ts'
import type { Endpoint } from './api.ts'

export interface UsageOutput extends UsageReport {
  schemaVersion: 1
  currency: 'USD'
  /** By session `title` is the session's, where it has one. */
  groups: (UsageGroup & { title?: string })[]
}

/** What sessions took. `since`, `until`: as a person writes them; days are local. The output is the object that `--json` prints. */
export const usageEndpoint: Endpoint<
  { by: Grouping; since?: string | undefined; until?: string | undefined },
  UsageOutput
> = { method: 'POST', url: '/v1/usage' }
