import { ArchiveWriter } from '../archive/write/archive-writer.ts'
import { errorSignatures } from '../index/errors.ts'
import { TermScanner } from '../index/term-scanner.ts'
import { Exclusions } from './exclusions.ts'
import { ProjectCache } from './project-cache.ts'
import type { ReadingAhead } from './reading-ahead.ts'
import type { RiverOptions } from './river-options.ts'
import type { ReadingContext } from './transcript-reading.ts'

/** What reading takes, the opened archive with it. Throws `archive` when it can't be opened. */
export function openContext(options: RiverOptions, ahead: ReadingAhead | null): ReadingContext {
  const { archive, redactor, reader, exclude, now } = options
  const terms = new TermScanner()
  const writer = new ArchiveWriter(archive, { redactor, termsOf: text => terms.scan(text), errorSignatures, now })
  writer.transaction(() => writer.transcripts.readUnder('subagents', reader.subagents))
  return {
    writer,
    redactor,
    options: reader,
    exclusions: new Exclusions(exclude),
    projects: new ProjectCache(now),
    unwritten: new Map(),
    ahead,
    now,
  }
}
