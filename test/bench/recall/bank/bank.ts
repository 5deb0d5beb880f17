import { everyday as devEveryday } from './dev/everyday.ts'
import { failures as devFailures } from './dev/failures.ts'
import { phrases as devPhrases } from './dev/phrases.ts'
import { topics as devTopics } from './dev/topics.ts'
import type { Failure } from './failure.ts'
import { everyday as heldEveryday } from './held/everyday.ts'
import { failures as heldFailures } from './held/failures.ts'
import { phrases as heldPhrases } from './held/phrases.ts'
import { topics as heldTopics } from './held/topics.ts'
import type { Language, Ways } from './language.ts'
import { everyday as moreEveryday } from './more/everyday.ts'
import { failures as moreFailures } from './more/failures.ts'
import { phrases as morePhrases } from './more/phrases.ts'
import { topics as moreTopics } from './more/topics.ts'
import type { Topic } from './topic.ts'

type Phrases = Readonly<Record<keyof typeof devPhrases, Ways>>
type Everyday = Readonly<Record<Exclude<keyof typeof devEveryday, 'machineMade'>, Ways>> & {
  machineMade: readonly string[]
}

/** What a world is made of and asked by. */
export interface Bank {
  topics: readonly Topic[]
  failures: readonly Failure[]
  phrases: Phrases
  everyday: Everyday
}

const both = <Name extends string>(
  one: Readonly<Record<Name, Ways>>,
  other: Readonly<Record<Name, Ways>>,
): Record<Name, Ways> => {
  const ways: Record<Name, Ways> = { ...one }
  for (const name of Object.keys(one) as Name[]) {
    const said = (language: Language): string[] => [...one[name][language], ...other[name][language]]
    ways[name] = { en: said('en'), zh: said('zh'), ru: said('ru') }
  }
  return ways
}

const everydayOf = (one: Everyday, other: Everyday): Everyday => {
  const { machineMade, ...ways } = one
  const { machineMade: more, ...others } = other
  return { ...both(ways, others), machineMade: [...machineMade, ...more] }
}

/**
 * Two banks that share no topic, no failure and no phrase. Misses are looked at and mended on `dev` alone; `held` says what
 * that was worth to others.
 */
export const banks = {
  dev: {
    topics: [...devTopics, ...moreTopics],
    failures: [...devFailures, ...moreFailures],
    phrases: both(devPhrases, morePhrases),
    everyday: everydayOf(devEveryday, moreEveryday),
  },
  held: { topics: heldTopics, failures: heldFailures, phrases: heldPhrases, everyday: heldEveryday },
} satisfies Record<string, Bank>

export type BankName = keyof typeof banks
