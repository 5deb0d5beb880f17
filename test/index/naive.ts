/** The ranking as its definition says, over texts, with no index: what the real one must equal. */
import type { Passage } from '../../src/index/passage.ts'
import { everydayShare } from '../../src/index/rarity.ts'
import { tokensOf } from '../../src/index/tokens.ts'
import { defaultWeights } from '../../src/index/weights.ts'

/** Prompts only; plain words; no titles, dates, glossary, near spellings or priors. */
export function naiveScores(passages: readonly Passage[], query: string): Map<number, number> {
  const { saturation: k, length: b, neighbour, needsNone, whole, table } = defaultWeights
  const sessions = new Map<number, { terms: string[] }[]>()
  for (const passage of [...passages].sort((a, c) => a.n - c.n)) {
    const own = sessions.get(passage.session.key) ?? []
    own.push({ terms: tokensOf(passage.prompt) })
    sessions.set(passage.session.key, own)
  }
  const all = passages.length
  const total = [...sessions.values()].flat().reduce((sum, { terms }) => sum + terms.length, 0)
  const mean = Math.max(1, total / all)
  const meanWindow = mean + (2 * (neighbour + neighbour ** 2) * mean) / (1 + mean / needsNone)
  const meanSession = Math.max(1, total / sessions.size)
  const asked = tokensOf(query)
  const scores = new Map<number, number>()
  for (const [key, own] of sessions) {
    const countIn = (at: number, term: string) => Math.min(15, own[at]?.terms.filter(each => each === term).length ?? 0)
    const lengthAt = (at: number) => own[at]?.terms.length ?? 0
    const around = (at: number, of: (at: number) => number) =>
      neighbour * (of(at - 1) + of(at + 1)) + neighbour ** 2 * (of(at - 2) + of(at + 2))
    let best = 0
    const weightOf = (term: string) => {
      const having = [...sessions.values()].flat().filter(({ terms }) => terms.includes(term)).length
      if (having === 0) return 0
      const share = Math.min(1, (having + table * everydayShare(term)) / (all + table))
      const times = asked.filter(each => each === term).length
      return Math.log(1 + (1 - share) / share) * (1 + defaultWeights.repeated * Math.log(times))
    }
    const terms = [...new Set(asked)].map(term => ({ term, weight: weightOf(term) }))
    own.forEach((_passage, at) => {
      const need = 1 / (1 + lengthAt(at) / needsNone)
      const window = lengthAt(at) + need * around(at, lengthAt)
      const long = k * (1 - b + (b * window) / meanWindow)
      let score = 0
      for (const { term, weight } of terms) {
        const often = countIn(at, term) + need * around(at, each => countIn(each, term))
        score += (weight * often * (k + 1)) / (often + long)
      }
      best = Math.max(best, score)
    })
    let inSession = 0
    const length = own.reduce((sum, { terms: words }) => sum + words.length, 0)
    for (const { term, weight } of terms) {
      const often = own.reduce((sum, _passage, at) => sum + countIn(at, term), 0)
      inSession += (weight * often * 2.2) / (often + 1.2 * (0.3 + (0.7 * length) / meanSession))
    }
    if (best > 0) scores.set(key, best + whole * inSession)
  }
  return scores
}
