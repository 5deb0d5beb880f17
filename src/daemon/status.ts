import type { IngestState } from '../ingest/events.ts'
import type { Status } from './api.ts'

export type ServiceState = Pick<Status, 'state' | 'reasons' | 'pending' | 'harnesses' | 'progress' | 'lastError'>

/** What the parts say of themselves, put together: `degraded` before `indexing` before `ready`. */
export function serviceState(ingest: IngestState, indexBehind: boolean): ServiceState {
  const indexing = [
    ...(ingest.phase === 'filling' ? ['The stores are being read for the first time.'] : []),
    ...(indexBehind ? ['The index is being filled; search answers from the archive meanwhile.'] : []),
  ]
  const degraded = ingest.degraded.length > 0
  return {
    state: degraded ? 'degraded' : indexing.length > 0 ? 'indexing' : 'ready',
    reasons: [...ingest.degraded, ...indexing],
    pending: ingest.pending,
    harnesses: ingest.harnesses.map(harness => ({
      ...harness,
      unread: harness.unread.map(({ path, reason }) => ({ path, reason })),
    })),
    progress: ingest.phase === 'filling' ? ingest.progress : null,
    lastError: ingest.lastError,
  }
}

/** `status` where no daemon answers. */
export function stoppedStatus(reason: string): Status {
  return {
    schemaVersion: 1,
    state: 'stopped',
    reasons: [reason],
    pid: null,
    version: null,
    protocol: null,
    instanceId: null,
    startedAt: null,
    port: null,
    pending: 0,
    harnesses: [],
    index: { passages: 0, terms: 0 },
    archive: { sessions: 0, records: 0, bytes: 0 },
    memory: { rssBytes: 0, heapBytes: 0 },
    hooks: [],
    progress: null,
    lastError: null,
  }
}
