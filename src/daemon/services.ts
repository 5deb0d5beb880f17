import { openArchiveReader, type ArchiveReader } from '../archive/read/archive-reader.ts'
import { projectOf } from '../archive/project.ts'
import type { Harness } from '../harness/harness.ts'
import type { HookCall } from '../harness/hooks.ts'
import { harnesses } from '../harness/registry.ts'
import { PassageIndex } from '../index/passage-index.ts'
import { Ingest } from '../ingest/ingest.ts'
import { REDACTION_VERSION, redact } from '../ingest/redaction/redact.ts'
import { homesOf } from '../settings/homes.ts'
import type { Settings } from '../settings/settings.ts'
import type { Environment } from '../shared/environment.ts'
import type { Status } from './api.ts'
import { IndexFeed } from './feed.ts'
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
  /** The ingest worker's bundle, where it doesn't stand beside this one. */
  worker?: URL
}

/** What the routes work with. */
export interface Services extends Omit<ServiceOptions, 'about' | 'worker'> {
  readonly harnesses: readonly Harness[]
  /** Another one after the archive was replaced: not to be kept across calls. */
  readonly archive: ArchiveReader
  readonly ingest: Ingest
  readonly index: PassageIndex
  readonly recall: {
    answer(harness: Harness, call: HookCall): Promise<{ stdout: string; given: () => void; owed: () => void } | null>
  }
  readonly hookStats: HookStats
  /** The project of a directory; decided by one function for writing and reading. */
  readonly projectOf: (directory: string) => string
  readonly status: () => Status
  readonly close: () => Promise<void>
}

/** Opens the archive, begins to read the stores, and puts the parts together. Throws what keeps the archive from opening. */
export async function openServices({ about, worker, ...options }: ServiceOptions): Promise<Services> {
  const { dataDir, env, settings, log } = options
  const homes = homesOf(dataDir, env).slice(1)
  const ingest = await Ingest.start({ dataDir, env, homes, settings, ...(worker === undefined ? {} : { worker }) })
  const openArchive = () => openArchiveReader(ingest.archivePath, { version: REDACTION_VERSION, redact })
  const index = new PassageIndex()
  const feed = new IndexFeed(index, error => log.error('indexing', error))
  const hookStats = new HookStats()
  let archive = openArchive()
  ingest.on(event => {
    if (event.type === 'reopened') {
      archive.close()
      archive = openArchive()
    }
    return feed.onIngest(event)
  })
  return {
    ...options,
    harnesses,
    get archive() {
      return archive
    },
    ingest,
    index,
    recall: { answer: () => Promise.resolve(null) },
    hookStats,
    projectOf,
    status: () => {
      const memory = process.memoryUsage()
      return {
        schemaVersion: 1,
        ...serviceState(ingest.state(), feed.behind),
        ...about(),
        index: index.stats,
        archive: archive.counts(),
        memory: { rssBytes: memory.rss, heapBytes: memory.heapUsed },
        hooks: hookStats.list(),
      }
    },
    close: async () => {
      feed.stop()
      await ingest.stop()
      archive.close()
    },
  }
}
