import type { ArchiveReader } from '../archive/read/archive-reader.ts'
import { projectOf } from '../archive/project.ts'
import type { Redactor } from '../archive/redactor.ts'
import type { Harness } from '../harness/harness.ts'
import type { HookCall, Moment } from '../harness/hooks.ts'
import type { PassageIndex } from '../index/passage-index.ts'
import type { SessionHead } from '../index/passage.ts'
import type { IngestEvent } from '../ingest/events.ts'
import type { Settings } from '../settings/settings.ts'
import type { SessionRef } from '../shared/model.ts'
import { Agents, type Agent } from './agents.ts'
import type { Asker } from './asker.ts'
import { noteText } from './binding.ts'
import { Blocks } from './blocks.ts'
import { Compactions } from './compactions.ts'
import { Identity } from './identity.ts'
import { fixFor } from './fix.ts'
import { allChecks, type Checks } from './gates.ts'
import type { Note } from './note.ts'
import { NOTES_KEY } from './noted.ts'
import { Digests, type Digest } from './digest.ts'
import type { HintSources } from './hint.ts'
import { dueAt, type DueContext } from './due.ts'
import { Injections, type Injection, type WhyCandidate } from './injections.ts'
import { Ledger } from './ledger.ts'
import { ParkedNotes } from './parked.ts'
import { keysIn, openRecallDb, type RecallDb } from './recall-db.ts'
import { Repeats } from './repeats.ts'
import { replyOf, roomOf, type Reply } from './reply.ts'
import { answerTo, strangerIn, type PromptAnswer } from './stranger.ts'

export interface RecallOptions {
  index: Pick<PassageIndex, 'search'>
  archive: ArchiveReader
  dataDir: string
  settings: Settings
  redactor: Redactor
  /** Epoch milliseconds. */
  now: () => number
  /** Reads that known transcript now, waiting for it at most so many milliseconds. */
  peek: (path: string, deadlineMs: number) => Promise<void>
  /** An agent's name for people, by its harness's id. */
  agentName: (harness: string) => string
  /** Single checks switched off, for ablations. */
  checks?: Partial<Checks>
}

export interface RecallAnswer {
  stdout: string
  /** The reply arrived. */
  given(): void
  /** It didn't, or nobody knows: what was in it is still owed. */
  owed(): void
}

/** What a status line may tell. */
export interface RecallFacts {
  /** Since local midnight. */
  injectionsToday: number
  charsToday: number
  lastAt: string | null
}

/** A compaction found in a file this old when it is first read has been lived with. */
const staleCompactionMs = 30 * 60_000
const packetJustGivenMs = 2 * 60_000
/** Hook calls after which what waited too long is cleared away. */
const sweepEvery = 500

/** The river out: moments → what to say. Lives on the main thread; one of them for a data directory. */
export class Recall {
  readonly #options: RecallOptions
  readonly #db: RecallDb
  /** Writes that stand or fall together. */
  readonly #together
  readonly #agents: Agents
  readonly #ledger: Ledger
  readonly #parked: ParkedNotes
  readonly #blocks: Blocks
  readonly #compactions: Compactions
  readonly #injections: Injections
  readonly #identity: Identity
  readonly #digests: Digests
  readonly #repeats = new Repeats()
  readonly #projects = new Map<string, { project: string; atMs: number }>()
  readonly #directories = new Map<string, readonly string[]>()
  #filling = true
  #answers = 0

  constructor(options: RecallOptions) {
    this.#options = options
    const now = options.now()
    this.#db = openRecallDb(options.dataDir)
    try {
      this.#together = this.#db.transaction((write: () => void) => write())
      this.#agents = new Agents(this.#db, now)
      this.#ledger = new Ledger(this.#db, now)
      this.#parked = new ParkedNotes(this.#db, now)
      this.#blocks = new Blocks(this.#db, now)
      this.#compactions = new Compactions(this.#db)
      this.#injections = new Injections(this.#db)
      this.#digests = new Digests(this.#sources())
      this.#identity = new Identity(this.#agents, this.#ledger, this.#parked, options.archive.recall, options.now)
      // what was forgotten while the word of it didn't reach here: the daemon was killed
      const { sessions } = options.archive
      this.forgetSessions(keysIn(this.#db).filter(key => key > 0 && sessions.json(key) === null))
    } catch (error) {
      // the archive is broken: recall.db is held for one alone, and the next try needs it
      this.#db.close()
      throw error
    }
  }

  close(): void {
    this.#agents.flush()
    this.#db.close()
  }

  onIngest(event: IngestEvent): void {
    switch (event.type) {
      case 'session':
        this.#digests.changed(event.session.key)
        this.#forgetDirectories(event.session)
        this.#identity.seen(event.session, event.prompts, event.writtenAt)
        break
      case 'running':
        this.#identity.bind({
          harness: event.harness,
          id: event.id,
          key: null,
          projects: [],
          prompts: event.prompts,
          writtenMs: this.#options.now(),
        })
        break
      case 'compacted':
        this.#onCompacted(event.session, event.key, event.at)
        break
      case 'forgotten':
        this.forgetSessions(event.sessions)
        break
      case 'state':
        this.#filling = event.state.phase === 'filling'
        break
      case 'passages':
      case 'packed':
      case 'replayed':
        break
    }
  }

  /** What to print for a hook's call; null: nothing. Never throws on what an agent sent. */
  async answer(harness: Harness, call: HookCall): Promise<RecallAnswer | null> {
    const moment = harness.hooks.parse(call)
    if (!moment) return null
    const mode = modeOf(call.env.DEJA_RECALL, this.#options.settings.recall)
    const now = this.#options.now()
    const project = moment.workspace === null ? null : this.#projectOf(moment.workspace, now)
    if (moment.type === 'session-end') {
      this.#agents.ended(harness.id, moment.agentSession, now)
      return null
    }
    const agent = this.#agents.seen(harness.id, moment.agentSession, moment.workspace, project, now)
    if (mode === 'off' || this.#isExcluded(moment.workspace)) return null
    this.#identity.identify(agent, moment)
    if (moment.type === 'prompt' && moment.messageId !== undefined) {
      const known = this.#blocks.of(harness.id, agent.id, moment.messageId)
      if (known !== undefined) return known === null ? null : this.#again(harness, moment, known, call)
      if (moment.replay) {
        this.#blocks.put(harness.id, agent.id, moment.messageId, null, [], now)
        return null
      }
    } else if (this.#repeats.isRepeat(harness.id, moment, now)) return null
    if (moment.type === 'prompt' && harness.hooks.bindsByText && !moment.subagent) {
      noteText(agent, this.#options.redactor.redact(moment.text), now)
      this.#agents.save(agent)
    }
    await this.#look(agent, moment)
    const speak = () => this.#speak(harness, call, moment, agent, mode === 'aggressive')
    const answer = this.#options.archive.atOnce(speak)
    if (!answer) this.#repeats.unanswered(harness.id, moment)
    if (++this.#answers % sweepEvery === 0) this.#parked.sweep(now)
    return answer
  }

  /** What was injected, newest first. */
  log(limit: number): Injection[] {
    return this.#injections.list(limit)
  }

  /** How an injection (the last one, or number `n`) was chosen; null where there is none of that number. */
  why(n?: number): { injection: Injection; candidates: WhyCandidate[] } | null {
    return this.#injections.find(n)
  }

  /** How a prompt would be answered now, in a workspace, by a session that nothing was given to yet. Changes nothing. */
  whyPrompt(prompt: string, workspace: string, aggressive = false): PromptAnswer {
    return answerTo(prompt, this.#stranger(workspace, aggressive), this.#sources(), this.#options.settings.recallSizes)
  }

  /**
   * What fixed an error here before, as one would ask at a prompt. Changes nothing.
   * @param leftOut sessions (the archive's rows) that are no history to the asker
   */
  fixes(error: string, workspace: string, leftOut: ReadonlySet<number> = new Set()): Note[] {
    const asker = { ...this.#stranger(workspace), maybeOwn: leftOut }
    const note = fixFor({ command: '', output: error }, asker, this.#sources())
    return note === null ? [] : [note]
  }

  /** Where the project of a directory stands; null where there is nothing to say. Changes nothing. */
  standing(workspace: string, leftOut: ReadonlySet<number>): Digest | null {
    return this.#digests.of({ ...this.#stranger(workspace), maybeOwn: leftOut }, null)
  }

  /** Whether hooks came from the session of this transcript: then they tell whether it is live. */
  isHooked(session: SessionRef): boolean {
    return this.#agents.ownerOf(session.harness, session.id) !== null
  }

  /** Nothing of these sessions (the archive's rows) is said any more, at once. */
  forgetSessions(keys: readonly number[]): void {
    if (keys.length === 0) return
    // a project's notes go with it
    const set = new Set([...keys, NOTES_KEY])
    this.#together(() => {
      for (const key of set) {
        this.#identity.forget(key)
        this.#digests.changed(key)
        this.#ledger.forget(key)
        this.#compactions.forget(key)
      }
      this.#parked.forget(set)
      this.#blocks.forget(set)
      this.#injections.forget(set)
    })
    // the log of the database holds old pages until then
    this.#db.pragma('wal_checkpoint(TRUNCATE)')
  }

  /** Sessions that are being worked in now in a project (rows of the archive): a stranger who asks may be one of them. */
  liveSessions(project: string): number[] {
    return this.#identity.liveSessions(project)
  }

  facts(): RecallFacts {
    const midnight = new Date(this.#options.now())
    midnight.setHours(0, 0, 0, 0)
    const { count, chars, lastAt } = this.#injections.since(midnight.getTime())
    return { injectionsToday: count, charsToday: chars, lastAt }
  }

  #stranger(workspace: string, aggressive = false): Asker {
    const now = this.#options.now()
    return strangerIn(workspace, this.#projectOf(workspace, now), aggressive, now)
  }

  #sources(): HintSources {
    return {
      queries: this.#options.archive.recall,
      index: this.#options.index,
      agentName: this.#options.agentName,
      checks: { ...allChecks, ...this.#options.checks },
      notes: this.#options.archive.notes,
      directories: project => this.#directoriesOf(project),
    }
  }

  /** A directory that wasn't known of: asked for anew. */
  #forgetDirectories({ workspace, projects }: SessionHead): void {
    for (const project of projects)
      if (workspace !== null && this.#directories.get(project)?.includes(workspace) === false)
        this.#directories.delete(project)
  }

  #directoriesOf(project: string): readonly string[] {
    const known = this.#directories.get(project) ?? this.#options.archive.recall.workspaces(project)
    if (this.#directories.size > 200) this.#directories.clear()
    this.#directories.set(project, known)
    return known
  }

  /** Looks at the caller's own transcript: what was written there a moment ago counts. */
  async #look(agent: Agent, moment: Moment): Promise<void> {
    const { recall } = this.#options.archive
    const deadline =
      moment.type === 'compaction' || (moment.type === 'before-tool' && moment.sessionIsTranscript)
        ? 60
        : moment.type === 'prompt'
          ? 30
          : 0
    if (deadline === 0 || moment.subagent) return
    const session = this.#identity.ownOf(agent)
    const named =
      moment.transcriptPath !== null && recall.sessionAt(moment.transcriptPath) !== null ? moment.transcriptPath : null
    const path = named ?? (session ? recall.transcriptOf(session.key) : null)
    if (path !== null) await this.#options.peek(path, deadline)
  }

  #speak(harness: Harness, call: HookCall, moment: Moment, agent: Agent, aggressive: boolean): RecallAnswer | null {
    const asker = this.#identity.askerOf(agent, moment, aggressive)
    const channel = harness.hooks.channel(moment)
    const context: DueContext = {
      asker,
      channel,
      before: harness.hooks.channel({ ...moment, type: 'before-tool', callId: null, tool: { type: 'other' } }),
      digestAtStart: harness.hooks.digestAtStart,
      filling: this.#filling,
      digests: this.#digests,
      ledger: this.#ledger,
      parked: this.#parked,
      compactions: this.#compactions,
      redact: this.#options.redactor.redact,
      records: key => this.#options.archive.recall.tail(key, 600),
      compaction: key => this.#options.archive.compactions.newest(key),
      ...this.#sources(),
    }
    const { due, candidates, settled } = dueAt(moment, context)
    const sizes = this.#options.settings.recallSizes
    const reply =
      channel.room > 0 && due.length > 0
        ? replyOf(due, channel, kind => roomOf(kind, sizes, aggressive, channel))
        : null
    const stdout = reply ? harness.hooks.render(moment, reply.frame, call) : ''
    if (!reply || stdout === '') {
      if (moment.type === 'prompt' && moment.messageId !== undefined)
        this.#blocks.put(harness.id, agent.id, moment.messageId, null, [], asker.now)
      settled(null)
      return null
    }
    return this.#answerOf(reply, stdout, moment, asker, arrived => {
      settled(arrived ? reply : null)
      if (arrived) this.#injections.add(agent, moment.type, { ...reply, candidates }, reply.chars, asker.now)
    })
  }

  #answerOf(
    reply: Reply,
    stdout: string,
    moment: Moment,
    asker: Asker,
    onClosed: (arrived: boolean) => void,
  ): RecallAnswer {
    const { agent, scope } = asker
    const items = reply.notes.map(note => ({ item: note.name, sessionKey: note.sessionKey }))
    if (reply.kinds.includes('digest')) items.push({ item: 'digest', sessionKey: 0 })
    const packet = reply.kinds.includes('packet') ? (asker.own?.key ?? null) : null
    this.#ledger.reserve(scope, items)
    if (packet !== null) this.#compactions.reserve(packet)
    const message = moment.type === 'prompt' ? moment.messageId : undefined
    const keys = [...reply.notes.map(note => note.sessionKey), ...reply.sources.keys()]
    let open = true
    const close = (arrived: boolean): void => {
      if (!open) return
      open = false
      this.#ledger.release(scope, items)
      const now = this.#options.now()
      this.#together(() => {
        if (packet !== null) this.#compactions.settle(packet, arrived, now)
        if (message !== undefined)
          this.#blocks.put(agent.harness, agent.id, message, arrived ? reply.frame : null, arrived ? keys : [], now)
        if (arrived)
          for (const note of reply.notes) this.#ledger.put(scope, { item: note.name, sessionKey: note.sessionKey }, now)
        onClosed(arrived)
      })
    }
    return { stdout, given: () => close(true), owed: () => close(false) }
  }

  /** A message that is asked for again gets what it got. */
  #again(harness: Harness, moment: Moment, block: string, call: HookCall): RecallAnswer {
    const nothing = (): void => undefined
    return { stdout: harness.hooks.render(moment, block, call), given: nothing, owed: nothing }
  }

  #onCompacted(session: SessionHead, key: string, at: number): void {
    const now = this.#options.now()
    const justGiven =
      now - this.#compactions.announcedMs(session.key) < packetJustGivenMs && now - at < packetJustGivenMs
    const owner = this.#agents.ownerOf(session.harness, session.id)
    const live = owner !== null && this.#agents.isLive(owner, now)
    const fresh = now - at < staleCompactionMs || (live && at >= owner.firstMs)
    this.#compactions.happened(session.key, key, at, fresh && !justGiven)
    if (fresh) this.#ledger.compacted(`${session.harness}/${session.id}`)
  }

  #projectOf(workspace: string, now: number): string {
    const known = this.#projects.get(workspace)
    if (known && now - known.atMs < 30_000) return known.project
    const project = projectOf(workspace)
    if (this.#projects.size > 500) this.#projects.clear()
    this.#projects.set(workspace, { project, atMs: now })
    return project
  }

  #isExcluded(workspace: string | null): boolean {
    return (
      workspace !== null &&
      this.#options.settings.exclude.projects.some(
        path => workspace === path || workspace.startsWith(`${path.replace(/\/+$/, '')}/`),
      )
    )
  }
}

/** A hook's own environment wins over the settings; a word that is none of the three counts for nothing. */
function modeOf(value: string | undefined, setting: Settings['recall']): Settings['recall'] {
  const word = value?.trim().toLowerCase()
  return word === 'off' || word === 'safe' || word === 'aggressive' ? word : setting
}
