import { chunksOf, cjkRun, dottedNumber, humped, humps } from './chunks.ts'
import { fold } from './fold.ts'

// What full text knows of a text. The archive's table holds for each record which terms stand in it, not where: places
// were half of the archive. So whoever asks for more than one term (a phrase, a path, a run of CJK) asks for records that
// have all of them, and then looks into these records' own texts (phrase.ts).

/** Stands for the dots of a number: a private-use character, which the table's tokenizer takes for part of a word. */
export const dot = '\ue000'
/** Characters of a term that the table holds; a longer one is known by its beginning. */
export const longestTerm = 64
/** Characters of a chunk that count: what is joined for longer without a space is data, as base64. */
export const longestChunk = 512

/** What chunks give, all of it dropped when it grows too large. */
const knownSpelled = new Map<string, readonly string[]>()
const spelledLimit = 20_000
const keptChunk = 64

/** The terms of a chunk, in order. */
export function spelled(chunk: string): readonly string[] {
  const known = knownSpelled.get(chunk)
  if (known !== undefined) return known
  const terms = spell(chunk)
  if (knownSpelled.size >= spelledLimit) knownSpelled.clear()
  // a copy: a piece cut out of a text keeps the whole text alive
  if (chunk.length <= keptChunk) knownSpelled.set(Buffer.from(chunk).toString(), terms)
  return terms
}

function spell(chunk: string): string[] {
  const out: string[] = []
  if (cjkRun.test(chunk)) {
    const characters = Array.from(chunk)
    if (characters.length === 1) out.push(chunk)
    for (let i = 0; i + 1 < characters.length; i++) out.push(`${characters[i] ?? ''}${characters[i + 1] ?? ''}`)
    return out
  }
  for (const segment of chunk.slice(0, longestChunk).split(/[/\\]+|:\/\//)) {
    if (dottedNumber.test(segment)) out.push(numberTerm(segment))
    else for (const piece of segment.split(/[^\p{L}\p{N}\p{M}]+/u)) if (piece !== '') out.push(...pieceTerms(piece))
  }
  return out
}

/** Of letters and digits: as it is, and the words in it. */
export function pieceTerms(piece: string): string[] {
  return humped.test(piece) ? [lower(piece), ...(piece.match(humps) ?? []).map(lower)] : [lower(piece)]
}

export const lower = (piece: string): string => piece.toLowerCase().replaceAll('ς', 'σ')
export const numberTerm = (segment: string): string => segment.toLowerCase().replace(/^v/, '').replaceAll('.', dot)

/**
 * A text term by term, in order, parted by spaces; nothing is stemmed or left out: each word as written, an identifier
 * in camel case whole and then by its words, dotted numbers as one, CJK by bigrams. The same on the writing and the
 * asking side, so one text says another word for word when its terms stand there side by side.
 */
export function searchText(text: string): string {
  return termsOf(fold(text)).join(' ')
}

/** The terms of a text that is folded already. */
export function termsOf(folded: string): string[] {
  const terms: string[] = []
  for (const [chunk] of chunksOf(folded)) for (const term of spelled(chunk)) terms.push(term)
  return terms
}

/** FTS5's expression for records that have all of these, as far as the table knows. Null: there is no word in them. */
export function termsMatch(texts: readonly string[]): string | null {
  const terms = new Set(texts.flatMap(text => searchText(text).split(' ')).map(term => term.slice(0, longestTerm)))
  terms.delete('')
  // a long one is a rare one
  const telling = [...terms].sort((a, b) => b.length - a.length).slice(0, termsAtMost)
  return telling.length === 0 ? null : telling.map(term => `"${term}"`).join(' AND ')
}
/** Of more terms than these, the rest is left to the check. */
const termsAtMost = 32
