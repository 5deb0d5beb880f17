import { frequencyTable } from './frequency-table.ts'
import { plainWords } from './plain-words.ts'
import { stemOf } from './stem.ts'

/** The share of passages that have a word which no table knows. */
const unheardOf = 1 / 8192

/** … and that has a word of plain language, where the table doesn't say more. */
const plainShare = 1 / 40

let everyday: ReadonlyMap<string, number> | null = null

/** Made when first asked for: most of what loads this module never does. */
function everydayShares(): ReadonlyMap<string, number> {
  if (everyday !== null) return everyday
  const made = new Map<string, number>()
  for (const [level, words, bigrams] of frequencyTable) {
    const share = 2 ** -level
    for (const word of words.split(' ')) made.set(word, share)
    const characters = Array.from(bigrams)
    for (let i = 0; i + 1 < characters.length; i += 2) {
      made.set(`${characters[i] ?? ''}${characters[i + 1] ?? ''}`, share)
    }
  }
  for (const word of plainWords) {
    const term = stemOf(word)
    made.set(term, Math.max(plainShare, made.get(term) ?? 0))
  }
  everyday = made
  return made
}

/** The share of anybody's passages that have a term, by the shipped table. */
export const everydayShare = (term: string): number => everydayShares().get(term) ?? unheardOf

/**
 * The share of passages that have a term: what was counted here, steadied by the table while little was counted.
 * @param trust how many passages the table weighs as much as
 */
export const shareOf = (term: string, passages: number, all: number, trust = 200): number =>
  Math.min(1, (passages + trust * everydayShare(term)) / (all + trust))

/**
 * How much a term tells, 0 (in every passage) to 1 (in one of ten thousand or fewer): the lower of what this archive and
 * what the table say. In a small archive every word is rare, so there the table decides.
 */
export function rarityOf(term: string, passages: number, all: number): number {
  const share = Math.max(everydayShare(term), shareOf(term, passages, all))
  return Math.max(0, Math.min(1, -Math.log10(share) / 4))
}
