import type { Agent, Agents } from './agents.ts'
import { isTextOf, markOf, type TextMark } from './text-mark.ts'

/** A transcript in which texts of the person were just found. */
export interface Sighting {
  harness: string
  /** The store's own id, and the archive's row. */
  id: string
  key: number | null
  /** Projects in which the session works; empty where unknown. */
  projects: readonly string[]
  /** Texts that this read brought (redacted), newest last. */
  prompts: readonly string[]
  /** When the file was written, epoch milliseconds. */
  writtenMs: number
}

/** So many prompts are kept of a hook session. */
const keptTexts = 4
/** File times are as coarse as this on some file systems. */
const slackMs = 2_000
const twiceMs = 1_000

/** Remembers a prompt that passed by. `text`: redacted. */
export function noteText(agent: Agent, text: string, now: number): void {
  const mark = markOf(text, now)
  const last = agent.texts.at(-1)
  // the same event from another wiring
  if (mark.size === 0 || (last?.hash === mark.hash && now - last.atMs < twiceMs)) return
  agent.texts = [...agent.texts, mark].slice(-keptTexts)
}

/**
 * The hook session whose texts stand in a transcript, or null: it holds the newest text of one, where that is long enough
 * to tell by, or its last three in order; never a lone "continue". A transcript that was written before the text passed
 * by doesn't count. Where two hook sessions fit alike, neither is chosen: more texts will come.
 */
export function findWriter(sighting: Sighting, agents: Agents): Agent | null {
  const fitting: { agent: Agent; strength: number; atMs: number }[] = []
  for (const agent of agents.recent(sighting.harness)) {
    if (agent.project !== null && sighting.projects.length > 0 && !sighting.projects.includes(agent.project)) continue
    const found = strengthOf(agent.texts, sighting)
    if (found) fitting.push({ agent, ...found })
  }
  const bound = fitting.find(({ agent }) => agent.transcript?.id === sighting.id)
  if (bound && fitting.length === 1) return bound.agent
  fitting.sort((a, b) => b.strength - a.strength || b.atMs - a.atMs)
  const [best, second] = fitting
  if (!best) return null
  if (second?.strength === best.strength) {
    // alike: one that is bound elsewhere already has its transcript
    const free = fitting.filter(
      each =>
        each.strength === best.strength && (each.agent.transcript === null || each.agent.transcript.id === sighting.id),
    )
    return free.length === 1 ? (free[0]?.agent ?? null) : null
  }
  return best.agent
}

/** How well an agent's newest texts stand in a transcript: the number of them that do, in order, from the newest back. */
function strengthOf(texts: readonly TextMark[], sighting: Sighting): { strength: number; atMs: number } | null {
  const newest = texts.at(-1)
  if (!newest || sighting.writtenMs + slackMs < newest.atMs) return null
  const place = sighting.prompts.findLastIndex(prompt => isTextOf(prompt, newest))
  if (place < 0) return null
  let strength = 1
  for (let back = 2; back <= texts.length; back++) {
    const mark = texts.at(-back)
    const prompt = sighting.prompts[place - back + 1]
    if (!mark || prompt === undefined || !isTextOf(prompt, mark)) break
    strength++
  }
  return newest.alone || strength >= 3 ? { strength, atMs: newest.atMs } : null
}
