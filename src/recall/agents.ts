import type { Statement } from 'better-sqlite3'
import type { RecallDb } from './recall-db.ts'
import { marksOf, type TextMark } from './text-mark.ts'

/** A conversation that talks to us through hooks. */
export interface Agent {
  readonly harness: string
  /** The id that its hooks give themselves. */
  readonly id: string
  workspace: string | null
  project: string | null
  firstMs: number
  lastMs: number
  endedMs: number | null
  /** Its transcript: the store's own id and the archive's row, where known. */
  transcript: { id: string; key: number | null } | null
  boundMs: number | null
  /** Its last prompts, newest last. */
  texts: TextMark[]
}

interface AgentRow {
  harness: string
  agent: string
  workspace: string | null
  project: string | null
  first_ms: number
  last_ms: number
  ended_ms: number | null
  transcript: string | null
  transcript_key: number | null
  bound_ms: number | null
  texts: string
}

/** Silence after which a session that never ended counts as over: its agent was killed. */
const silenceMs = 20 * 60_000
/** How far back a hook session is kept in mind. */
const keptMs = 30 * 24 * 3_600_000
/** Being live is written down this often at most. */
const touchMs = 5_000

/** A session of an agent of which nothing was seen before. */
export function newAgent(
  harness: string,
  id: string,
  workspace: string | null,
  project: string | null,
  now: number,
): Agent {
  return {
    harness,
    id,
    workspace,
    project,
    firstMs: now,
    lastMs: now,
    endedMs: null,
    transcript: null,
    boundMs: null,
    texts: [],
  }
}

/** The agent sessions that hooks came from: who is live, and which transcript each one writes. */
export class Agents {
  readonly #known = new Map<string, Agent>()
  readonly #written = new Map<string, number>()
  /** Changed, and not written down yet. */
  readonly #unsaved = new Set<Agent>()
  readonly #putAll
  readonly #put: Statement<AgentRow[]>
  readonly #one: Statement<[string, string], AgentRow>
  readonly #drop: Statement<[number]>
  readonly #forget: Statement<[number]>

  constructor(db: RecallDb, now: number) {
    this.#put = db.prepare(`INSERT OR REPLACE INTO agents VALUES
      (@harness, @agent, @workspace, @project, @first_ms, @last_ms, @ended_ms, @transcript, @transcript_key, @bound_ms, @texts)`)
    this.#putAll = db.transaction((agents: readonly Agent[]) => {
      for (const agent of agents) this.#put.run(rowOf(agent))
    })
    this.#one = db.prepare('SELECT * FROM agents WHERE harness = ? AND agent = ?')
    this.#drop = db.prepare('DELETE FROM agents WHERE last_ms < ?')
    this.#forget = db.prepare(`UPDATE agents SET texts = '[]', transcript_key = NULL WHERE transcript_key = ?`)
    this.#drop.run(now - keptMs)
    const recent = db.prepare<[number], AgentRow>(
      'SELECT * FROM agents WHERE last_ms > ? ORDER BY last_ms DESC LIMIT 500',
    )
    for (const row of recent.all(now - 24 * 3_600_000)) this.#known.set(keyOf(row.harness, row.agent), agentOf(row))
  }

  find(harness: string, id: string): Agent | null {
    const key = keyOf(harness, id)
    const known = this.#known.get(key)
    if (known) return known
    const row = this.#one.get(harness, id)
    if (!row) return null
    const agent = agentOf(row)
    this.#known.set(key, agent)
    return agent
  }

  /** A hook of this session came: it is live. */
  seen(harness: string, id: string, workspace: string | null, project: string | null, now: number): Agent {
    const found = this.find(harness, id)
    const agent = found ?? newAgent(harness, id, workspace, project, now)
    const fresh = !found || agent.endedMs !== null || (workspace !== null && workspace !== agent.workspace)
    if (workspace !== null) [agent.workspace, agent.project] = [workspace, project]
    agent.lastMs = now
    agent.endedMs = null
    const key = keyOf(harness, id)
    this.#known.delete(key)
    this.#known.set(key, agent) // newest last
    if (fresh || now - (this.#written.get(key) ?? 0) > touchMs) this.save(agent)
    if (this.#known.size > 2_000) this.#dropOldest()
    return agent
  }

  #dropOldest(): void {
    this.flush()
    for (const key of [...this.#known.keys()].slice(0, 500)) this.#known.delete(key)
  }

  /** Writes it down as soon as the reply that is being made is out. */
  save(agent: Agent): void {
    this.#written.set(keyOf(agent.harness, agent.id), agent.lastMs)
    if (this.#written.size > 5_000) this.#written.clear()
    if (this.#unsaved.size === 0) setImmediate(() => this.flush())
    this.#unsaved.add(agent)
  }

  /** Writes down what `save` has put off. */
  flush(): void {
    if (this.#unsaved.size === 0) return
    const agents = [...this.#unsaved]
    this.#unsaved.clear()
    this.#putAll(agents)
  }

  ended(harness: string, id: string, now: number): void {
    const agent = this.find(harness, id)
    if (!agent) return
    agent.endedMs = now
    this.save(agent)
  }

  isLive(agent: Agent, now: number): boolean {
    return agent.endedMs === null && now - agent.lastMs < silenceMs
  }

  /** Those of the last day, oldest first. */
  recent(harness?: string): Agent[] {
    const all = [...this.#known.values()]
    return harness === undefined ? all : all.filter(agent => agent.harness === harness)
  }

  /** The agent that writes a transcript: the one bound to it last. */
  ownerOf(harness: string, transcript: string): Agent | null {
    const owners = this.recent(harness).filter(agent => agent.transcript?.id === transcript)
    return owners.sort((a, b) => (b.boundMs ?? 0) - (a.boundMs ?? 0) || b.lastMs - a.lastMs)[0] ?? null
  }

  forget(key: number): void {
    this.flush()
    this.#forget.run(key)
    for (const agent of this.#known.values())
      if (agent.transcript?.key === key) {
        agent.texts = []
        agent.transcript = { id: agent.transcript.id, key: null }
      }
  }
}

const keyOf = (harness: string, id: string): string => `${harness}:${id}`

const rowOf = (agent: Agent): AgentRow => ({
  harness: agent.harness,
  agent: agent.id,
  workspace: agent.workspace,
  project: agent.project,
  first_ms: agent.firstMs,
  last_ms: agent.lastMs,
  ended_ms: agent.endedMs,
  transcript: agent.transcript?.id ?? null,
  transcript_key: agent.transcript?.key ?? null,
  bound_ms: agent.boundMs,
  texts: JSON.stringify(agent.texts),
})

const agentOf = (row: AgentRow): Agent => ({
  harness: row.harness,
  id: row.agent,
  workspace: row.workspace,
  project: row.project,
  firstMs: row.first_ms,
  lastMs: row.last_ms,
  endedMs: row.ended_ms,
  transcript: row.transcript === null ? null : { id: row.transcript, key: row.transcript_key },
  boundMs: row.bound_ms,
  texts: marksOf(row.texts),
})
