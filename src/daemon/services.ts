import { setTimeout as sleep } from 'node:timers/promises'
import { identityOf } from '../archive/database.ts'
import { openArchiveReader, type ArchiveReader } from '../archive/read/archive-reader.ts'
import { projectOf } from '../archive/project.ts'
import type { Harness } from '../harness/harness.ts'
import { harnesses } from '../harness/registry.ts'
import { PassageIndex } from '../index/passage-index.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { REDACTION_VERSION, redact } from '../ingest/redaction/redact.ts'
import { Recall } from '../recall/recall.ts'
import type { Settings } from '../settings/settings.ts'
import type { Environment } from '../shared/environment.ts'
import { DejaError } from '../shared/errors.ts'
import { AheadIndex } from './ahead.ts'
import type { Status } from './api.ts'
import { MemoryCeiling } from './ceiling.ts'
import { IndexFeed } from './feed.ts'
import { HookStats } from './hook-stats.ts'
import type { Log } from './log.ts'
import { keepRetention } from './retention.ts'
import { serviceState } from './status.ts'

/** How often memory is looked at. */
const MEMORY_WATCH_MS = 5000
/** Three seconds in all. */
const OPEN_TRIES = 60
const OPEN_AGAIN_MS = 50

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
  /** Begun already: it opens the archive while all of this is loaded. */
  ingest: Ingest
}

/** What the routes work with. */
export interface Services extends Omit<ServiceOptions, 'about'> {
  readonly harnesses: readonly Harness[]
  /** Another one after the archive was replaced: not to be kept across calls. */
  readonly archive: ArchiveReader
  readonly index: PassageIndex
  /** As the archive. */
  readonly recall: Recall
  readonly hookStats: HookStats
  /** The project of a directory; decided by one function for writing and reading. */
  readonly projectOf: (directory: string) => string
  readonly status: () => Status
  readonly close: () => Promise<void>
}

/**
 * Puts the parts together. `ready` is called as soon as answers can be made, which may be while the worker still opens the
 * archive. Throws what keeps the archive from opening; ingest is ended then.
 */
export async function openServices(
  { about, ...options }: ServiceOptions,
  ready: (parts: Pick<Services, 'archive' | 'recall'>) => void,
): Promise<Services> {
  const { dataDir, settings, log, ingest } = options
  const index = new PassageIndex()
  const feed = new IndexFeed(index, error => log.error('indexing', error))
  const hookStats = new HookStats()
  // The archive of an earlier daemon, most often; another one where the worker has to put that aside.
  const early = openEarly()
  let open: ReturnType<typeof openReaders>
  try {
    if (early !== null) ready(early.readers)
    await ingest.opened
    if (early !== null && early.identity === identityOf(ingest.archivePath)) open = early.readers
    else {
      early?.readers.close()
      open = await onceThere(openReaders)
      ready(open)
    }
  } catch (error) {
    early?.readers.close()
    // Its worker would keep the process alive.
    await ingest.stop()
    throw error
  }
  const ceiling = new MemoryCeiling(index, settings.memoryCeilingMb)
  const watch = setInterval(() => {
    const shed = ceiling.check(process.memoryUsage(), performance.now())
    if (shed > 0) log.info(`memory: ${shed} passages left the index`)
  }, MEMORY_WATCH_MS)
  const endRetention = keepRetention(settings.retentionDays, ingest, options.now, error =>
    log.error('retention', error),
  )
  ingest.on(event => {
    if (event.type === 'reopened') {
      open.close()
      open = openReaders()
    }
    open.recall.onIngest(event)
    const taken = feed.onIngest(event)
    const { ahead } = open
    return event.type === 'replayed' ? taken.then(() => ahead.replayed()) : taken
  })

  /** Null: none that can be read as it is. What is wrong, the worker says or mends. */
  function openEarly() {
    try {
      const identity = identityOf(ingest.archivePath)
      if (identity === null) return null
      return { identity, readers: openReaders() }
    } catch {
      return null
    }
  }

  /** What holds the archive open for reading: all of it anew when the archive is another file. */
  function openReaders() {
    const redactor = { version: REDACTION_VERSION, redact }
    const archive = openArchiveReader(ingest.archivePath, redactor)
    const ahead = new AheadIndex(index, archive, error => log.error('full text', error))
    let recall: Recall
    try {
      recall = new Recall({
        index: ahead,
        archive,
        dataDir,
        settings,
        redactor,
        now: () => options.now().getTime(),
        peek: (path, deadlineMs) => ingest.peek(path, deadlineMs),
        agentName: id => harnesses.find(harness => harness.id === id)?.name ?? id,
      })
    } catch (error) {
      archive.close()
      throw error
    }
    const close = () => {
      recall.close()
      archive.close()
    }
    return { archive, ahead, recall, close }
  }

  return {
    ...options,
    harnesses,
    get archive() {
      return open.archive
    },
    index,
    get recall() {
      return open.recall
    },
    hookStats,
    projectOf,
    status: () => {
      const memory = process.memoryUsage()
      return {
        schemaVersion: 1,
        ...serviceState(ingest.state(), feed.behind),
        ...about(),
        index: index.stats,
        archive: open.archive.counts(),
        memory: { rssBytes: memory.rss, heapBytes: memory.heapUsed },
        hooks: hookStats.list(),
      }
    },
    close: async () => {
      endRetention()
      clearInterval(watch)
      feed.stop()
      await ingest.stop()
      open.close()
    },
  }
}

/** The worker may be putting a broken archive aside and begin another: for a moment there is none, or half of one. */
async function onceThere<T>(open: () => T): Promise<T> {
  for (let tries = OPEN_TRIES; ; tries--) {
    try {
      return open()
    } catch (error) {
      if (tries === 0 || !(error instanceof DejaError) || error.code !== 'archive') throw error
      await sleep(OPEN_AGAIN_MS)
    }
  }
}
