import type { Random } from '../corpus/random.ts'

/** Names of components as teams give them: seldom words of the language, and compounds of plain ones. */
const nouns =
  `heron lantern quarry bramble sextant harrow tamarind osprey gantry pewter marlin fennel drizzle cobalt juniper
saffron thimble anvil walrus sorrel tundra gasket pelican mortar turnip bobbin falconer citadel cinder plover nutmeg trellis
mangrove beacon paddock scuttle larder wicket barnacle canopy hollow spindle copper magpie tollgate ferry mulberry ratchet
crucible gauntlet pontoon samovar tarpaulin yarrow zephyr bulwark caboose dovetail eyelet flotsam`.split(/\s+/)
const plain =
  'tide order stock ride grade ledger parcel fleet ticket menu lease tariff shift claim route meter seat'.split(' ')
const roles = 'Bridge Importer Planner Mirror Courier Keeper Sorter Relay Broker Board'.split(' ')

/** Names of repositories. */
const places =
  `northwind saltmarsh greybox kestrelworks papermill longhaul vantage tidepool ironbark coldharbour millrace
foxglove stonebridge lowtide amberline farpoint`.split(/\s+/)

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Different names, in an order that the seed decides. */
export function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const mixed = [...list]
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const [a, b] = [mixed[i], mixed[j]]
    if (a !== undefined && b !== undefined) [mixed[i], mixed[j]] = [b, a]
  }
  return mixed
}

export const componentNames = (random: Random): string[] =>
  shuffled(random, [...nouns, ...plain.map(word => `${word}${random.pick(roles)}`)])

export const projectNames = (random: Random): string[] => shuffled(random, places)

/** One identifier in each style; `retryLimit`, `retry_limit`, `RETRY_LIMIT`, `retry-limit`. */
export function styled(words: readonly string[], style: number): string {
  switch (style % 4) {
    case 0:
      return words.map((word, n) => (n === 0 ? word : capital(word))).join('')
    case 1:
      return words.join('_')
    case 2:
      return words.join('_').toUpperCase()
    default:
      return words.map(capital).join('')
  }
}

/** `tideImporter` → tide, importer. */
export const wordsOf = (name: string): string[] => name.split(/(?=[A-Z])/).map(word => word.toLowerCase())

export const className = (name: string): string => capital(name)
export const snake = (name: string): string => wordsOf(name).join('_')
