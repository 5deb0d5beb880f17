import type { Channel } from '../harness/hooks.ts'
import type { Settings } from '../settings/settings.ts'
import { newAgent } from './agents.ts'
import type { Asker } from './asker.ts'
import type { HintSources } from './hint.ts'
import { whyCandidate, type WhyCandidate } from './injections.ts'
import { recallFor } from './prompt-recall.ts'
import { replyOf, roomOf } from './reply.ts'

/** How a prompt would be answered. */
export interface PromptAnswer {
  /** Why nothing was looked for; null: it was. */
  silence: string | null
  /** The frame that an agent would get. */
  block: string | null
  candidates: WhyCandidate[]
}

/** As much as the widest channel takes. */
const promptRoom = 8_000
/** Sessions of other projects that are named as such. */
const elsewhereTold = 3

/** One who asks in a directory and was given nothing yet: a person at the command line, an agent by MCP. */
export function strangerIn(workspace: string, project: string, aggressive: boolean, now: number): Asker {
  const agent = newAgent('', '', workspace, project, now)
  return { agent, scope: '', project, own: null, ancestors: [], maybeOwn: new Set(), aggressive, now }
}

/** How a prompt of a stranger would be answered, and what it made one think of, other projects' look-alikes included. */
export function answerTo(
  prompt: string,
  asker: Asker,
  sources: HintSources,
  sizes: Settings['recallSizes'],
): PromptAnswer {
  const { candidates, silence, notes } = recallFor(prompt, asker, { has: () => false, lately: new Map() }, sources)
  const channel: Channel = { room: promptRoom, carries: ['recall'] }
  const reply = replyOf([{ kind: 'recall', notes }], channel, kind => roomOf(kind, sizes, asker.aggressive, channel))
  const elsewhere = silence === null ? lookAlikes(prompt, asker, sources) : []
  return { silence, block: reply?.frame ?? null, candidates: [...candidates.map(whyCandidate), ...elsewhere] }
}

function lookAlikes(prompt: string, { project, now }: Asker, { index }: HintSources): WhyCandidate[] {
  const found = index.search({
    text: prompt,
    mode: 'person',
    scope: { accepts: session => !session.projects.includes(project) },
    limit: elsewhereTold,
    now,
  })
  return found.map(({ session, score, parts, terms }) => {
    const written = terms.slice(0, 8).map(term => term.written)
    return whyCandidate({ session, score, parts, terms: written, gate: 'other-project' })
  })
}
