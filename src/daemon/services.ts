import type { Harness } from '../harness/harness.ts'
import type { HookCall } from '../harness/hooks.ts'
import type { Settings } from '../settings/settings.ts'
import type { Environment } from '../shared/environment.ts'
import type { Status } from './api.ts'
import { HookStats } from './hook-stats.ts'
import type { Log } from './log.ts'
import { serviceState } from './status.ts'

export interface ServiceOptions {
  dataDir: string
  env: Environment
  settings: Settings
  now: () => Date
  log: Log
  instanceId: string
  /** Begins the daemon's end; returns at once. */
  drain: () => void
  about: () => Pick<Status, 'pid' | 'version' | 'protocol' | 'instanceId' | 'startedAt' | 'port'>
}

/** What the routes work with. */
export interface Services extends Omit<ServiceOptions, 'about' | 'log'> {
  harnesses: readonly Harness[]
  recall: {
    answer(harness: Harness, call: HookCall): Promise<{ stdout: string; given: () => void; owed: () => void } | null>
  }
  hookStats: HookStats
  status: () => Status
  close: () => Promise<void>
}

export function openServices({ about, ...options }: ServiceOptions): Promise<Services> {
  const hookStats = new HookStats()
  const state = () =>
    serviceState(
      {
        phase: 'watching',
        pending: 0,
        progress: { doneBytes: 0, totalBytes: 0, doneFiles: 0, totalFiles: 0 },
        harnesses: [],
        degraded: [],
        lastError: null,
      },
      false,
    )
  return Promise.resolve({
    ...options,
    harnesses: [],
    recall: { answer: () => Promise.resolve(null) },
    hookStats,
    status: () => {
      const memory = process.memoryUsage()
      return {
        schemaVersion: 1,
        ...state(),
        ...about(),
        index: { passages: 0, terms: 0 },
        archive: { sessions: 0, records: 0, bytes: 0 },
        memory: { rssBytes: memory.rss, heapBytes: memory.heapUsed },
        hooks: hookStats.list(),
      }
    },
    close: () => Promise.resolve(),
  })
}
