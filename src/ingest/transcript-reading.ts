import { isAbsolute } from 'node:path'
import type { Redactor } from '../archive/redactor.ts'
import type { TranscriptRow } from '../archive/rows.ts'
import type { ArchiveWriter } from '../archive/write/archive-writer.ts'
import type { Change } from '../archive/write/conversation.ts'
import type { Harness, ReaderOptions, ReadStep, StoreRoot, TranscriptFile } from '../harness/harness.ts'
import type { Problem, RecordDraft, SessionFacts, UsageDraft } from '../shared/model.ts'
import { FileSource, seen } from './file-source.ts'
import type { Exclusions } from './exclusions.ts'
import { buildPassages, type PassageChange } from './passage-building.ts'
import { prepareStep, type PreparedStep } from './prepared-step.ts'
import { parsePrefix, prefixOf, sameSidecars, stillThere, type Prefix } from './prefix.ts'
import type { ProjectCache } from './project-cache.ts'
import { lasting, mostOf, parseProblems } from './problems.ts'
import type { ReadingAhead } from './reading-ahead.ts'
import { timeFrom } from './record-time.ts'
import { cleanState } from './redact-step.ts'
import { readSidecars } from './sidecars.ts'

/** A transcript in its store. */
export interface TranscriptRef {
  harness: Harness
  root: StoreRoot
  /** Absolute. */
  path: string
  /** Below the root, with `/`. */
  relative: string
}

/** What reading needs of its surroundings. */
export interface ReadingContext {
  writer: ArchiveWriter
  redactor: Redactor
  options: ReaderOptions
  exclusions: Exclusions
  projects: ProjectCache
  /** States that hold a secret: in memory alone, by transcript row. */
  unwritten: Map<number, { state: unknown; prefix: Prefix }>
  /** What helpers have read already; null: there are none. */
  ahead: Pick<ReadingAhead, 'take'> | null
  now: () => number
}

/** What one step brought. */
export interface ReadingResult {
  /** Read on right away. */
  more: boolean
  session: { key: number; created: boolean } | null
  passages: PassageChange
  prompts: string[]
  /** `at`: when it happened (epoch milliseconds), by the record after it where that has a time. */
  compacted: { key: string; at: number }[]
  problems: Problem[]
  /** Epoch milliseconds of the file's last change. */
  writtenAt: number
  /** Why nothing of the file is kept, where that is so. */
  left: 'excluded' | 'forgotten' | 'shadowed' | null
  bytes: number
}

/** Everything that a read which began anew has brought so far. */
interface Gathered {
  records: Map<number, RecordDraft>
  usage: UsageDraft[]
  compactedAt: number | null
}

/** One read of one transcript, in bounded steps. */
export class TranscriptReading {
  readonly ref: TranscriptRef
  readonly #context: ReadingContext
  #source: FileSource | null = null
  #row: TranscriptRow | null = null
  #file: TranscriptFile | null = null
  #state: unknown = null
  /** The next steps, read by a helper. */
  #ahead: PreparedStep[] = []
  #sidecars: Record<string, string> = {}
  /** Began at the file's start: what it holds is laid over what was kept of it. */
  #anew = false
  #same = false
  /** The file may be a copy of another of its session. */
  #mayCopy = false
  #gathered: Gathered | null = null
  #problems: Problem[] = []
  #reached = 0

  constructor(context: ReadingContext, ref: TranscriptRef) {
    this.#context = context
    this.ref = ref
  }

  /** Reads on by one step. Throws what the file system, the reader or the archive throws; then the reading is over. */
  step(): ReadingResult {
    try {
      const result = this.#step()
      if (!result.more) this.close()
      return result
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    this.#source?.close()
    this.#source = null
  }

  #step(): ReadingResult {
    const { writer } = this.#context
    const { reader } = this.ref.harness
    if (!this.#source) {
      const early = this.#begin()
      if (early) return early
    }
    const source = this.#source
    const row = this.#row
    const file = this.#file
    if (!source || !row || !file) return this.#nothing(null)

    const { step, workspace } = this.#ahead.shift() ?? prepareStep(this.ref, file, this.#state, source, this.#context)
    this.#state = step.state
    const before = this.#reached
    this.#reached = reader.mode === 'append' && step.state !== null ? reader.offsetOf(step.state) : source.size
    // a step that neither moves on nor ends would be asked for ever
    const more = step.more === true && (this.#reached > before || reader.mode === 'document')
    this.#problems = mostOf(step.problems)

    const facts = step.session
    if (!facts) {
      if (step.records.length > 0) this.#gather(step)
      if (!more)
        writer.transaction(() =>
          this.#saveRow(row.session_id, {
            held: this.#anew && (row.session_id !== null || this.#gathered !== null),
            more,
          }),
        )
      return { ...this.#nothing(null), more }
    }
    const left = this.#leaves(facts, workspace)
    if (left) {
      writer.transaction(() => this.#release(left))
      return this.#nothing(left)
    }
    const result = writer.transaction(() => this.#write(facts, workspace, step, more))
    return {
      ...result,
      more,
      bytes: Math.max(0, this.#reached - before),
      problems: this.#problems,
      left: null,
      writtenAt: source.stats.mtimeMs,
    }
  }

  /** Opens the file and finds where to go on. A result: there is nothing to read. */
  #begin(): ReadingResult | null {
    const { writer, exclusions, unwritten } = this.#context
    const { harness, root, path, relative } = this.ref
    if (exclusions.path(path)) return this.#nothing('excluded')
    const source = new FileSource(root.path, path)
    this.#source = source
    const { reader, store } = harness
    const row = writer.transcripts.ensure({ harness: harness.id, root: root.path, path, rank: root.rank })
    this.#row = row
    const id = store.sessionIdOf(relative)
    if (id !== null && writer.tombstones.coversId({ harness: harness.id, id })) {
      writer.transaction(() => this.#release('forgotten'))
      return this.#nothing('forgotten')
    }
    const { signs, texts } = readSidecars(this.ref)
    this.#sidecars = signs
    this.#file = { path, relative, sidecars: texts }

    const live = unwritten.get(row.id)
    const prefix = live?.prefix ?? parsePrefix(row.prefix)
    const state: unknown = live ? live.state : row.state === null ? null : JSON.parse(row.state)
    const { inode, size, mtime_ms: mtimeMs } = seen(source)
    const sameFile = row.inode === inode && row.size === size && row.mtime_ms === mtimeMs
    const current = row.reader === reader.version && row.gone_at === null
    const sidecarsAsBefore = sameSidecars(prefix?.sidecars ?? {}, this.#sidecars)
    const problems = parseProblems(row.problems)
    // what was wrong with the very same bytes still is
    this.#problems = problems
    if (sameFile && current && (sidecarsAsBefore || prefix === null)) return this.#nothing(null)
    this.#problems = lasting(problems)

    const there = prefix !== null && stillThere(source, prefix)
    // nothing was added and yet it was written: what lies between the two ends may have changed
    const onlyGrew = row.inode === inode && there && (sameFile || size > row.size)
    const goesOn = reader.mode === 'document' ? state !== null : state !== null && onlyGrew
    if (goesOn && row.reader === reader.version) {
      this.#state = state
      this.#reached = reader.mode === 'append' ? reader.offsetOf(state) : 0
      return null
    }
    this.#state = null
    this.#ahead = this.#context.ahead?.take(path, seen(source), signs) ?? []
    this.#anew = true
    this.#mayCopy = true
    this.#same = reader.mode === 'append' ? onlyGrew : sameFile
    this.#problems = []
    return null
  }

  #write(
    facts: SessionFacts,
    rawWorkspace: string | null,
    step: ReadStep,
    more: boolean,
  ): Omit<ReadingResult, 'more' | 'bytes' | 'problems' | 'left' | 'writtenAt'> {
    const { writer, projects, redactor, now } = this.#context
    const { harness, root } = this.ref
    const row = this.#row
    const source = this.#source
    if (!row || !source) throw new Error('a reading that was closed')
    const ref = { harness: harness.id, id: facts.id }
    const project = rawWorkspace === null ? null : redactor.redact(projects.of(rawWorkspace))
    const { key, created } = writer.sessions.upsert(harness.id, facts, {
      project,
      writtenMs: source.stats.mtimeMs,
      redaction: redactor.version,
      transcript: row.id,
    })
    for (const other of writer.transcripts.ofSession(key)) {
      if (other.id !== row.id && other.gone_at === null && other.rank > root.rank) writer.transcripts.shadow(other.id)
    }
    // what a total grew by while nobody watched was spent before the file's last change
    const spentBy = Math.min(now(), source.stats.mtimeMs)
    const mayHold = this.#anew ? this.#mayHold(key, row.id) : new Set<number>()
    // rows are known again by what they say, by today's rules
    if (mayHold.size > 0) writer.redactAgain.run(key)
    if (mayHold.size > 0 || this.#gathered) this.#gather(step)
    const session = { key, ref }
    let change: Change | null = null
    const compacted: { key: string; at: number }[] = []
    let compactedAt = step.compactedAt ?? null
    const own = (read: readonly RecordDraft[]) =>
      this.#mayCopy ? writer.conversation.withoutCopies(key, row.id, read, mayHold) : read
    let drafts: readonly RecordDraft[] = step.records
    if (!this.#gathered) {
      drafts = own(step.records)
      writer.tombstones.examine(ref, facts.parentId, drafts)
      change = writer.conversation.proceed(session, row.id, drafts, step.aside ?? [])
      writer.usage.put(key, harness.id, step.usage, spentBy)
      this.#anew = false
    } else if (!more) {
      drafts = own([...this.#gathered.records.values()])
      writer.tombstones.examine(ref, facts.parentId, drafts)
      const complete = this.#same && harness.reader.mode === 'append'
      change = writer.conversation.renew(session, row.id, drafts, mayHold, { same: this.#same, complete })
      writer.usage.put(key, harness.id, this.#gathered.usage, spentBy)
      compactedAt = this.#gathered.compactedAt
      this.#gathered = null
      this.#anew = false
    }
    if (!change) return { session: null, passages: { upserts: [], removed: [] }, prompts: [], compacted }

    writer.errors.update(key, change.touched)
    const changedFiles = drafts.flatMap(({ kind, path }) =>
      (kind === 'edit' || kind === 'write') && path !== undefined && isAbsolute(path) ? [path] : [],
    )
    writer.sessions.addProjects(
      key,
      [...projects.touched(changedFiles)].map(touched => redactor.redact(touched)),
    )
    if (compactedAt !== null) {
      const written = Math.round(source.stats.mtimeMs)
      // by the file's time it is paired with what the agent wrote apart
      const name = writer.compactions.inTranscript(key, row.id, compactedAt, written)
      if (name !== null) compacted.push({ key: name, at: timeFrom(drafts, compactedAt) ?? written })
    }
    this.#saveRow(key, { held: false, more })
    writer.sessions.recount(key)
    const passages = change.from === null ? { upserts: [], removed: [] } : buildPassages(writer, key, change.from)
    passages.removed.push(...change.removedStarts)
    return { session: { key, created }, passages, prompts: change.prompts, compacted }
  }

  /** Rows of this file and of files that are no longer there: what is read anew may be theirs. */
  #mayHold(key: number, own: number): Set<number> {
    const { writer } = this.#context
    const living = new Set(
      writer.transcripts
        .ofSession(key)
        .flatMap(other => (other.id !== own && other.gone_at === null ? [other.id] : [])),
    )
    return new Set(
      writer.records.outlines(key).flatMap(row => (living.has(row.transcript_id) ? [] : [row.transcript_id])),
    )
  }

  #gather(step: ReadStep): void {
    this.#gathered ??= { records: new Map(), usage: [], compactedAt: null }
    const { records, usage } = this.#gathered
    for (const record of step.records) records.set(record.seq, record)
    for (const { seqs, aside } of step.aside ?? []) {
      for (const seq of seqs) {
        const record = records.get(seq)
        if (record) records.set(seq, { ...record, aside })
      }
    }
    usage.push(...step.usage)
    if (step.compactedAt !== undefined) this.#gathered.compactedAt = step.compactedAt
  }

  /** Why nothing of this session is to be kept, if so. */
  #leaves(facts: SessionFacts, workspace: string | null): ReadingResult['left'] {
    const { writer, exclusions, projects } = this.#context
    const { harness, root } = this.ref
    const project = workspace === null ? null : projects.of(workspace)
    if (exclusions.session(workspace, project)) return 'excluded'
    const { id, startedAt, updatedAt } = facts
    if (writer.tombstones.covers({ harness: harness.id, id, project, startedAt, updatedAt })) return 'forgotten'
    const known = writer.sessions.find({ harness: harness.id, id })
    const better =
      known &&
      writer.transcripts
        .ofSession(known.id)
        .some(other => other.id !== this.#row?.id && other.gone_at === null && other.rank < root.rank)
    return better ? 'shadowed' : null
  }

  /** Keeps of the file no more than that it was looked at. */
  #release(left: ReadingResult['left']): void {
    const row = this.#row
    const source = this.#source
    if (!row || !source) return
    this.#context.unwritten.delete(row.id)
    this.#context.writer.transcripts.save({
      ...row,
      session_id: null,
      // an exclusion may be lifted, a better file may go: then it is read from its start
      ...(left === 'forgotten' ? seen(source) : { inode: null, size: 0, mtime_ms: 0 }),
      prefix: null,
      state: null,
      reader: this.ref.harness.reader.version,
      problems: null,
      tries: 0,
      gone_at: null,
    })
    this.close()
  }

  /** `held`: the file can't be read just now, what was read before stands. `more`: it was not read to its end. */
  #saveRow(session: number | null, { held, more }: { held: boolean; more: boolean }): void {
    const row = this.#row
    const source = this.#source
    if (!row || !source) return
    const { unwritten, writer, redactor } = this.#context
    const { reader } = this.ref.harness
    const next: TranscriptRow = {
      ...row,
      session_id: session,
      root: this.ref.root.path,
      rank: this.ref.root.rank,
      ...seen(source),
      ...(more && { size: sizeSoFar(reader.mode, this.#reached) }),
      problems: this.#problems.length > 0 ? JSON.stringify(this.#problems) : null,
      tries: 0,
      gone_at: null,
    }
    if (!held) {
      const prefix = prefixOf(source, Math.min(this.#reached, source.size), this.#sidecars)
      const state = cleanState(this.#state, redactor)
      next.reader = reader.version
      if (state === null) unwritten.set(row.id, { state: this.#state, prefix })
      else {
        unwritten.delete(row.id)
        next.state = state
        next.prefix = JSON.stringify(prefix)
      }
    }
    writer.transcripts.save(next)
    this.#row = next
  }

  #nothing(left: ReadingResult['left']): ReadingResult {
    this.close()
    return {
      more: false,
      session: null,
      passages: { upserts: [], removed: [] },
      prompts: [],
      compacted: [],
      problems: this.#problems,
      writtenAt: 0,
      left,
      bytes: 0,
    }
  }
}

/** The size that a read which isn't through leaves behind: less than the file's, so that it is taken up again. */
function sizeSoFar(mode: 'append' | 'document', reached: number): number {
  return mode === 'append' ? reached : 0
}
