/**
 * One pass over a text that tells what is worth looking for in it. There are a hundred words that may give a secret away;
 * to look for each of them by itself goes over every byte as often. The pass notes which runs of three characters occur,
 * among those that the words have; only a word whose run occurs is looked for. Letters are folded as in `toLowerCase`, so that
 * nothing is missed: a run may occur without its word, never a word without its run.
 */

/** Below this length nothing is a key or random. */
const shortest = 20

/** By character code: 1 lower case, 2 upper case, 3 digit, 4 one of `+/_=-`, 5 one of `.:`, 0 anything else. */
export const groups = new Uint8Array(65_536)
/** By character code: a letter 1 to 26 whatever its case, some marks 27 to 31, 0 anything else. */
const folds = new Uint8Array(65_536)
for (const [from, to, group] of [
  ['a', 'z', 1],
  ['A', 'Z', 2],
  ['0', '9', 3],
] as const)
  groups.fill(group, from.charCodeAt(0), to.charCodeAt(0) + 1)
for (const mark of '+/_=-') groups[mark.charCodeAt(0)] = 4
for (const mark of '.:') groups[mark.charCodeAt(0)] = 5
for (let letter = 1; letter <= 26; letter++) folds[96 + letter] = folds[64 + letter] = letter
folds[0x212a] = 11 // the Kelvin sign, which becomes a k
for (const [n, mark] of ['-', ':', '/', '_', '.'].entries()) folds[mark.charCodeAt(0)] = 27 + n

/** By three folds: the number of the run, if a word has it; 0 if none does. */
const numbers = new Uint8Array(32_768)
/** By a run's number: the words that have it, and where in them it ends. */
const owners: { needle: Needle; end: number }[][] = [[]]

/** Letters by how seldom they are in English and in code; marks and what is folded to nothing are rarer than none. */
const seldom = 'etaoinsrlcdpumhgfbyvwkxzqj'

/** A word to look for: a name that tells a secret, or what a key begins with. */
export interface Needle {
  readonly text: string
  readonly lower: string
}

/** Words of no Latin letters: what they are made of is folded to nothing. */
const foreign: Needle[] = []

/** Makes known a word that texts may hold as it stands, or with other capitals. It is noticed by its rarest run. */
export function needle(text: string): Needle {
  const made: Needle = { text, lower: text.toLowerCase() }
  const codes = Array.from({ length: text.length }, (_, n) => folds[text.charCodeAt(n)] ?? 0)
  let best = { run: 0, worth: -1, end: 0 }
  for (let n = 2; n < codes.length; n++) {
    const run = codes.slice(n - 2, n + 1)
    if (run.filter(code => code === 0).length > 1) continue
    const worth = run.reduce((sum, code) => sum + (code === 0 ? 1 : code > 26 ? 16 : seldom.indexOf(letterOf(code))), 0)
    if (worth > best.worth) best = { run: run.reduce((all, code) => (all << 5) | code, 0), worth, end: n + 1 }
  }
  const [a = 0, b = 0] = codes
  // one of two characters has every run that ends in them
  if (codes.length === 2 && a + b > 0)
    for (let before = 0; before < 32; before++) own((before << 10) | (a << 5) | b, made, 2)
  else if (best.run === 0) foreign.push(made)
  else own(best.run, made, best.end)
  return made
}

const letterOf = (fold: number): string => String.fromCharCode(96 + fold)

function own(run: number, needle: Needle, end: number): void {
  const known = numbers[run] ?? 0
  const owner = { needle, end }
  if (known !== 0) owners[known]?.push(owner)
  else {
    if (owners.length > 255) throw new Error('more runs than a byte counts')
    numbers[run] = owners.length
    owners.push([owner])
  }
}

/** What a look at a text tells. */
export interface Scan {
  /** The unbroken runs of key-like characters that are long enough to be or to hold a key: start, end, start, end, … */
  long: readonly number[]
  /** The words that occur, whatever their capitals, and where they begin, in order. */
  places: ReadonlyMap<Needle, readonly number[]>
}

/** Cyrillic and Han: where there is none, no foreign word is. */
const foreignLetters = /[\u0400-\u04ff\u4e00-\u9fff]/

/** A loop over the characters, since this goes over every byte: a regular expression takes many times as long. */
export function scan(text: string): Scan {
  const long: number[] = []
  const hits: number[] = []
  let start = 0
  let run = 0
  let all = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    all |= code
    run = ((run << 5) | (folds[code] ?? 0)) & 0x7fff
    const number = numbers[run] ?? 0
    if (number !== 0) hits.push(number, at + 1)
    if (groups[code] === 0) {
      if (at - start >= shortest) long.push(start, at)
      start = at + 1
    }
  }
  if (text.length - start >= shortest) long.push(start, text.length)
  const places = new Map<Needle, number[]>()
  const put = (needle: Needle, place: number) => {
    const known = places.get(needle)
    if (known) known.push(place)
    else places.set(needle, [place])
  }
  for (let n = 0; n < hits.length; n += 2) {
    for (const { needle, end } of owners[hits[n] ?? 0] ?? []) {
      const place = (hits[n + 1] ?? 0) - end
      const { lower } = needle
      if (place >= 0 && text.slice(place, place + lower.length).toLowerCase() === lower) put(needle, place)
    }
  }
  if (all > 127 && foreignLetters.test(text)) {
    const lower = lowerCase(text)
    for (const needle of foreign) {
      for (let at = lower.indexOf(needle.lower); at >= 0; at = lower.indexOf(needle.lower, at + needle.lower.length))
        put(needle, at)
    }
  }
  return { long, places }
}

/** Lower case of the same length: one letter alone grows when it is lowered. */
function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase()
}

/** Whether a place is in one of the long runs. */
export function isInLong(long: readonly number[], place: number): boolean {
  let [least, most] = [0, long.length / 2]
  while (least < most) {
    const middle = (least + most) >> 1
    if ((long[2 * middle + 1] ?? 0) <= place) least = middle + 1
    else most = middle
  }
  return (long[2 * least] ?? Infinity) <= place
}
