import { fold } from '../index/fold.ts'
import { stemOf } from '../index/stem.ts'
import { analyse, type Token } from '../index/tokens.ts'

/** What to look for in a text: each word of a question, as written, inflected, or by its parts. */
export interface Needles {
  words: readonly string[]
  /** Folded, lower case; `value` is what finding it is worth, 1 for the word itself. */
  exact: readonly { word: number; text: string; value: number }[]
  /** Words by their stem. */
  stems: ReadonlyMap<string, number>
}

export interface Occurrence {
  at: number
  end: number
  word: number
  value: number
}

/** Occurrences of one needle that are looked at: the best place is among the first thousands or the text is all of it. */
const mostOccurrences = 2_000
/** Characters of a text in which inflections are looked for. */
const stemmedAtMost = 20_000

const partValue = (token: Token, count: number): number =>
  token.kind === 'whole' ? 0.9 : token.kind === 'part' ? 0.5 : token.kind === 'cjk' ? 0.7 / count : 0.6

/** `standIns`: what was taken for a word (its index), as for a misspelt one. */
export function needlesOf(
  words: readonly string[],
  standIns: readonly { written: string; word: number }[] = [],
): Needles {
  const exact: { word: number; text: string; value: number }[] = []
  const stems = new Map<string, number>()
  words.forEach((text, word) => {
    const own = fold(text).toLowerCase().trim()
    if (own === '') return
    exact.push({ word, text: own, value: 1 })
    const tokens = analyse(text)
    const count = tokens.filter(({ kind }) => kind === 'cjk').length
    for (const token of tokens) {
      if (token.written !== own) exact.push({ word, text: token.written, value: partValue(token, count) })
      if (token.kind === 'word' && tokens.length === 1) stems.set(token.term, word)
    }
  })
  for (const { written, word } of standIns) {
    exact.push({ word, text: written, value: 0.6 })
    stems.set(written, word)
  }
  return { words, exact, stems }
}

/** Folded to one case without moving a character: a place in it is a place in the text. */
export function alike(text: string): string {
  const folded = fold(text).toLowerCase()
  if (folded.length === text.length) return folded
  let same = ''
  for (const character of text) {
    const one = fold(character).toLowerCase()
    same += one.length === character.length ? one : character
  }
  return same
}

const isLetter = (character: string | undefined): boolean => character !== undefined && /[a-zа-яё]/.test(character)

/** Where the words stand in a text that `alike` made, in order. */
export function occurrencesIn(text: string, { exact, stems }: Needles): Occurrence[] {
  const found: Occurrence[] = []
  for (const { word, text: sought, value } of exact) {
    const wordy = isLetter(sought[0])
    let left = mostOccurrences
    for (let at = text.indexOf(sought); at >= 0 && left > 0; at = text.indexOf(sought, at + sought.length)) {
      const end = at + sought.length
      left--
      // within another word it is worth less, and a short one nothing
      const inside = wordy && (isLetter(text[at - 1]) || isLetter(text[end]))
      if (inside && sought.length < 3) continue
      found.push({ at, end, word, value: inside ? value * 0.8 : value })
    }
  }
  if (stems.size > 0) {
    const known = new Map<string, number | undefined>()
    for (const match of text.slice(0, stemmedAtMost).matchAll(/\p{L}{3,40}/gu)) {
      const [written] = match
      if (!known.has(written)) known.set(written, stems.get(stemOf(written)))
      const word = known.get(written)
      if (word !== undefined) found.push({ at: match.index, end: match.index + written.length, word, value: 0.75 })
    }
  }
  return found.sort((a, b) => a.at - b.at)
}
