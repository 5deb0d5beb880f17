import type { SessionHead } from '../index/passage.ts'
import type { Agent } from './agents.ts'

/** Who asks: a conversation, and what belongs to it so closely that it is no history to it. */
export interface Asker {
  agent: Agent
  /** The ledger's name for it. */
  scope: string
  project: string
  /** Its own session, where the transcript is known. */
  own: SessionHead | null
  /** Ids (of its harness) of its ancestors. */
  ancestors: readonly string[]
  /** Sessions that may be its own as long as its transcript isn't known. */
  maybeOwn: ReadonlySet<number>
  aggressive: boolean
  now: number
}

/** Why a session is no history to the asker: itself, its kin, or perhaps itself. Null: it is history. */
export function kinship(asker: Asker, session: SessionHead): 'own' | 'kin' | 'maybe-own' | null {
  if (asker.maybeOwn.has(session.key)) return 'maybe-own'
  if (session.harness !== asker.agent.harness) return null
  const id = asker.own?.id ?? asker.agent.transcript?.id
  if (id === undefined) return null
  if (session.id === id || session.key === asker.own?.key) return 'own'
  if (session.parentId === id || asker.ancestors.includes(session.id)) return 'kin'
  return session.parentId !== null && asker.ancestors.includes(session.parentId) ? 'kin' : null
}

/** The ledger's name of a conversation. Sub-agents have a context of their own. */
export function scopeOf(agent: Agent, subagent: boolean): string {
  const name =
    agent.transcript === null ? `${agent.harness}/hook/${agent.id}` : `${agent.harness}/${agent.transcript.id}`
  return subagent ? `${name}/sub` : name
}
