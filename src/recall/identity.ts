import type { RecallQueries } from '../archive/recall-queries.ts'
import type { Moment } from '../harness/hooks.ts'
import type { SessionHead } from '../index/passage.ts'
import type { Agent, Agents } from './agents.ts'
import { scopeOf, type Asker } from './asker.ts'
import { findWriter, type Sighting } from './binding.ts'
import type { Ledger } from './ledger.ts'
import type { ParkedNotes } from './parked.ts'

/** How long a transcript counts as written lately. */
const lately = 24 * 3_600_000
const mostRecent = 500
/** A file's time is the last tick of the system's clock, up to so many milliseconds ago. */
const clockStepMs = 10

/** Who asks: which transcript a hook session writes, and which sessions may be its own while nobody knows. */
export class Identity {
  readonly #agents: Agents
  readonly #ledger: Ledger
  readonly #parked: ParkedNotes
  readonly #queries: RecallQueries
  readonly #now: () => number
  /** Sessions that were written lately: until a hook session is bound, one of them may be its own. */
  readonly #recent = new Map<number, { session: SessionHead; writtenMs: number }>()

  constructor(agents: Agents, ledger: Ledger, parked: ParkedNotes, queries: RecallQueries, now: () => number) {
    this.#agents = agents
    this.#ledger = ledger
    this.#parked = parked
    this.#queries = queries
    this.#now = now
    for (const { writtenMs, ...session } of queries.writtenSince(now() - lately))
      this.#recent.set(session.key, { session, writtenMs })
  }

  /** Where the hooks' session is the transcript's, its row is looked up as soon as it is there. */
  identify(agent: Agent, moment: Moment): void {
    if (!moment.sessionIsTranscript || (agent.transcript?.key ?? null) !== null) return
    const session = this.#queries.sessionOf(agent.harness, moment.agentSession)
    if (agent.transcript && !session) return
    agent.transcript = { id: moment.agentSession, key: session?.key ?? null }
    this.#agents.save(agent)
  }

  /** The asker's own session, where its transcript is known and kept. */
  ownOf(agent: Agent): SessionHead | null {
    if (agent.transcript === null) return null
    const session = this.#queries.sessionOf(agent.harness, agent.transcript.id)
    if (session && agent.transcript.key !== session.key) agent.transcript = { id: session.id, key: session.key }
    return session
  }

  askerOf(agent: Agent, moment: Moment, aggressive: boolean): Asker {
    const own = this.ownOf(agent)
    const now = this.#now()
    return {
      agent,
      scope: scopeOf(agent, moment.subagent),
      project: agent.project ?? own?.projects[0] ?? '',
      own,
      ancestors: this.#ancestorsOf(own),
      maybeOwn: agent.transcript === null ? this.#maybeOwn(agent, now) : new Set(),
      aggressive,
      now,
    }
  }

  #ancestorsOf(own: SessionHead | null): string[] {
    const ancestors: string[] = []
    let at = own
    while (at !== null && at.parentId !== null && ancestors.length < 6 && !ancestors.includes(at.parentId)) {
      ancestors.push(at.parentId)
      at = this.#queries.sessionOf(at.harness, at.parentId)
    }
    return ancestors
  }

  /** Transcripts that changed since a hook session's first message, and that no other live one is known to write. */
  #maybeOwn(agent: Agent, now: number): Set<number> {
    const found = new Set<number>()
    for (const { session, writtenMs } of this.#recent.values()) {
      if (session.harness !== agent.harness || writtenMs < agent.firstMs - clockStepMs) continue
      if (agent.project !== null && !session.projects.includes(agent.project)) continue
      const owner = this.#agents.ownerOf(session.harness, session.id)
      if (!owner || owner === agent || !this.#agents.isLive(owner, now)) found.add(session.key)
    }
    return found
  }

  /** A session was read: its new texts may tell whose it is. `writtenMs`: when its file was written. */
  seen(session: SessionHead, prompts: readonly string[], writtenMs: number): void {
    const now = this.#now()
    this.#recent.delete(session.key)
    if (now - writtenMs < lately) this.#recent.set(session.key, { session, writtenMs })
    if (this.#recent.size > mostRecent)
      for (const key of [...this.#recent.keys()].slice(0, 100)) this.#recent.delete(key)
    if (
      prompts.length === 0 ||
      session.kind === 'subagent' ||
      this.#agents.recent(session.harness).every(agent => agent.texts.length === 0)
    )
      return
    // the texts before, from the archive: a short one is told by its company
    const earlier = this.#queries.prompts(session.key, prompts.length + 4, 'last').map(record => record.text ?? '')
    const known = earlier.slice(0, Math.max(0, earlier.length - prompts.length))
    this.bind({
      harness: session.harness,
      id: session.id,
      key: session.key,
      projects: session.projects,
      prompts: [...known, ...prompts],
      writtenMs,
    })
  }

  /** Binds the hook session whose texts stand in a transcript to it. */
  bind(sighting: Sighting): void {
    const agent = findWriter(sighting, this.#agents)
    if (
      !agent ||
      (agent.transcript?.id === sighting.id && (sighting.key === null || agent.transcript.key === sighting.key))
    )
      return
    const before = scopeOf(agent, false)
    const first = agent.transcript === null
    const same = agent.transcript?.id === sighting.id
    agent.transcript = { id: sighting.id, key: sighting.key }
    if (!same) agent.boundMs = this.#now()
    this.#agents.save(agent)
    if (!first) return // another conversation now: its ledger and its digest are its own
    this.#ledger.move(before, scopeOf(agent, false))
    this.#parked.move(before, scopeOf(agent, false))
  }

  /** Sessions that are being worked in now in a project (rows of the archive): a stranger who asks may be one of them. */
  liveSessions(project: string): number[] {
    const now = this.#now()
    const keys = new Set<number>()
    for (const agent of this.#agents.recent()) {
      if (agent.project !== project || !this.#agents.isLive(agent, now)) continue
      const key =
        agent.transcript === null ? null : (this.#queries.sessionOf(agent.harness, agent.transcript.id)?.key ?? null)
      if (key !== null) keys.add(key)
      else for (const maybe of this.#maybeOwn(agent, now)) keys.add(maybe)
    }
    return [...keys]
  }

  forget(key: number): void {
    this.#agents.forget(key)
    this.#recent.delete(key)
  }
}
