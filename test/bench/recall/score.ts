import type { Bed } from './bed.ts'
import { questionsOf, silencesOf, type Question, type Silence } from './questions.ts'
import type { World } from './world.ts'

/** How a set of questions was answered. */
interface Tally {
  asked: number
  /** The block begins with the right session. */
  first: number
  /** The block holds the answer. */
  answered: number
  silent: number
}

export interface Score {
  /** By kind, by language, and all that have a name (`named`) or none (`unnamed`). */
  questions: Map<string, Tally>
  silences: Map<string, { asked: number; spoke: number }>
  /** Characters of each block. */
  sizes: number[]
  /** Milliseconds of each prompt. */
  times: number[]
  /** What was missed, or said for nothing: a line each. */
  misses: string[]
}

export const emptyScore = (): Score => ({ questions: new Map(), silences: new Map(), sizes: [], times: [], misses: [] })

const languagesOf = ({ language, plant }: Question): string =>
  language === plant.language ? language : `${language}→${plant.language}`

/** Asks everything of a world, as one who was given nothing yet. */
export function ask(bed: Bed, world: World, seed: number, silences: number, score: Score): void {
  for (const question of questionsOf(world, seed)) {
    const block = blockFor(bed, question, score)
    const session = /^- .*? ([0-9a-f]{8})$/m.exec(block ?? '')?.[1]
    const first = session === question.plant.session.slice(0, 8)
    const lower = block?.toLowerCase() ?? ''
    const answered = block !== null && question.plant.answers.some(answer => lower.includes(answer.toLowerCase()))
    if (!answered) score.misses.push(missOf(bed, question))
    const sort = question.named ? 'named' : 'unnamed'
    const across = question.language === question.plant.language ? 'one language' : 'across'
    for (const name of [question.kind, `${sort}, ${languagesOf(question)}`, `${sort}, ${across}`, sort]) {
      const tally = score.questions.get(name) ?? { asked: 0, first: 0, answered: 0, silent: 0 }
      tally.asked++
      if (first) tally.first++
      if (answered) tally.answered++
      if (block === null) tally.silent++
      score.questions.set(name, tally)
    }
  }
  for (const prompt of silencesOf(world, seed, silences)) {
    const block = blockFor(bed, prompt, score)
    if (block !== null) score.misses.push(falseOf(bed, prompt, block))
    for (const name of [prompt.kind, 'all']) {
      const tally = score.silences.get(name) ?? { asked: 0, spoke: 0 }
      tally.asked++
      if (block !== null) tally.spoke++
      score.silences.set(name, tally)
    }
  }
}

/** A prompt that deserved silence, by what something was shown, and what. */
function falseOf(bed: Bed, { kind, language, text, workspace }: Silence, block: string): string {
  const { candidates } = bed.recall.whyPrompt(text, workspace)
  const shown = candidates.filter(({ gate }) => gate === null)
  return [`FALSE ${kind} [${language}] ${text}`, ...shown.map(({ terms }) => `  by [${terms.join(', ')}]`), block].join(
    '\n',
  )
}

/** The question, what holds the answer, and what became of it. */
function missOf(bed: Bed, { kind, language, plant, text, workspace }: Question): string {
  const { candidates, silence } = bed.recall.whyPrompt(text, workspace)
  const own = candidates.findIndex(({ session }) => session.id === plant.session)
  const { gate = null, terms = [] } = candidates[own] ?? {}
  const first = candidates.find(each => each.gate === null)
  const became = own < 0 ? `not met, ${silence ?? `${candidates.length} others`}` : `${own + 1}. ${gate ?? 'shown'}`
  const areas = plant.topic?.area ?? plant.failure?.symptom
  return [
    `MISS ${kind} ${language}→${plant.language} ${text}`,
    `  of ${areas?.[plant.language] ?? ''} (${plant.values.c ?? ''}): ${became} [${terms.join(', ')}]`,
    first === undefined ? '' : `  shown: ${first.session.title ?? ''} [${first.terms.join(', ')}]`,
  ].join('\n')
}

function blockFor(bed: Bed, { text, workspace }: Question | Silence, score: Score): string | null {
  const started = performance.now()
  const { block } = bed.recall.whyPrompt(text, workspace)
  score.times.push(performance.now() - started)
  if (block !== null) score.sizes.push(Array.from(block).length)
  return block
}

export const answeredShare = (score: Score, name: string): number => {
  const tally = score.questions.get(name)
  return tally === undefined ? 0 : tally.answered / tally.asked
}

export const falseShare = (score: Score): number => {
  const tally = score.silences.get('all')
  return tally === undefined ? 0 : tally.spoke / tally.asked
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
