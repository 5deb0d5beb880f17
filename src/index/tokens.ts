import { chunksOf, cjkRun, dottedNumber, humped, humps } from './chunks.ts'
import { fold } from './fold.ts'
import { stemOf } from './stem.ts'
import { isGrammarBigram, isStopWord } from './stop-words.ts'

/**
 * How a token came about. `whole`: an identifier, a path's tail or a file's name as one; `part`: one of the words in it;
 * `number`: digits, dotted ones whole; `cjk`: a bigram (or a lone character) of Chinese, Japanese or Korean.
 */
export type TokenKind = 'word' | 'whole' | 'part' | 'number' | 'cjk'

export interface Token {
  /** Folded, lower case, stemmed where it is a word. */
  term: string
  kind: TokenKind
  /** Names a thing rather than being language: an identifier, a path, a version, an address, an error's code. */
  identifier: boolean
  /** Lower case, folded, not stemmed. */
  written: string
}

const maxWord = 64
const maxWhole = 96

const plainNumber = /^\d+$/
const mixed = /^(?=.*\d)(?=.*\p{L})[\p{L}\p{N}]+$/u

/** `getHTTPResponse2` → get, HTTP, Response2; digits stay with the letters before them. */
function partsOf(identifier: string): string[] {
  const parts: string[] = []
  for (const piece of identifier.split(/[^\p{L}\p{N}\p{M}]+/u))
    if (piece !== '') parts.push(...(humped.test(piece) ? (piece.match(humps) ?? [piece]) : [piece]))
  return parts
}

const word = (written: string, kind: TokenKind, identifier: boolean): Token => ({
  term: kind === 'whole' ? written : stemOf(written),
  kind,
  identifier,
  written,
})

function addWord(written: string, kind: 'word' | 'part', marked: boolean, into: Token[]): void {
  if (written.length > maxWord || (written.length < 2 && !plainNumber.test(written))) return
  if (plainNumber.test(written)) {
    if (written.length <= 12) into.push({ term: written, kind: 'number', identifier: false, written })
  } else if (!isStopWord(written) || marked) {
    into.push(word(written, kind, marked || (mixed.test(written) && written.length > 2)))
  }
}

/** An identifier without slashes: whole, then its words. Naming styles meet in the whole: `retryLimit` = `retry_limit`. */
function addIdentifier(text: string, marked: boolean, into: Token[]): void {
  if (dottedNumber.test(text)) {
    const written = text.toLowerCase().replace(/^v/, '')
    const joints = written.split('.').length - 1
    if (written.length <= maxWord)
      into.push({ term: written, kind: 'number', identifier: marked || joints > 1, written })
    return
  }
  const parts = partsOf(text)
  if (parts.length < 2) {
    addWord(text.toLowerCase().replace(/^[_$]+|[_$]+$/g, ''), 'word', marked || /^[_$]|[_$]$/.test(text), into)
    return
  }
  const whole = text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}.]+/gu, '')
  const kebab = /^\p{Lu}?\p{Ll}+(?:-\p{Lu}?\p{Ll}+)+$/u.test(text)
  const abbreviation = /^(?:\p{L}\.)+\p{L}?$/u.test(text)
  if (whole.length <= maxWhole && whole.length > 2) into.push(word(whole, 'whole', marked || !(kebab || abbreviation)))
  for (const part of parts) addWord(part.toLowerCase(), 'part', false, into)
}

/** A path: its last two segments as one, then each segment as an identifier. Absolute and relative spellings so meet. */
function addPath(text: string, marked: boolean, into: Token[]): void {
  const segments = text
    .replace(/^[a-z][a-z+.-]*:\/\//i, '')
    .split(/[/\\]+/)
    .filter(segment => segment !== '' && !/^[.~]+$/.test(segment))
  const [folder, file] = segments.slice(-2)
  const named = segments.length > 2 || /\.[a-z]\w*$/i.test(text) || marked
  if (folder !== undefined && file !== undefined) {
    const tail = `${folder}/${file}`.toLowerCase()
    if (tail.length <= maxWhole && named) into.push(word(tail, 'whole', true))
  }
  for (const segment of segments) addIdentifier(segment, false, into)
}

function addCjk(run: string, into: Token[]): void {
  const characters = Array.from(run)
  if (characters.length === 1 && !isGrammarBigram(run)) {
    into.push({ term: run, kind: 'cjk', identifier: false, written: run })
  }
  for (let i = 0; i + 1 < characters.length; i++) {
    const bigram = `${characters[i] ?? ''}${characters[i + 1] ?? ''}`
    if (!isGrammarBigram(bigram)) into.push({ term: bigram, kind: 'cjk', identifier: false, written: bigram })
  }
}

function addChunk(chunk: string, marked: boolean, into: Token[]): void {
  if (cjkRun.test(chunk)) addCjk(chunk, into)
  else if (/[/\\]/.test(chunk)) addPath(chunk, marked, into)
  else if (/^[\p{L}\p{N}\p{M}]+$/u.test(chunk) && !humped.test(chunk))
    addWord(chunk.toLowerCase(), 'word', marked, into)
  else if (chunk.includes("'")) {
    // a possessive is its noun, a contraction a stop word
    if (!isStopWord(chunk.toLowerCase()))
      for (const piece of chunk.replace(/'s$/i, '').split("'")) addIdentifier(piece, marked, into)
  } else if (/^\p{L}(?:\+\+|#)$/u.test(chunk)) into.push(word(chunk.toLowerCase(), 'whole', false))
  else addIdentifier(chunk, marked, into)
}

/** Chunks come again and again: what they give is kept, in two generations of which the older goes as a whole. */
let young = new Map<string, readonly Token[]>()
let old = new Map<string, readonly Token[]>()
const generation = 16_000

function keep(chunk: string, tokens: readonly Token[]): void {
  if (young.size >= generation) {
    old = young
    young = new Map()
  }
  young.set(chunk, tokens)
}

function tokensOfChunk(chunk: string): readonly Token[] {
  const recent = young.get(chunk)
  if (recent !== undefined) return recent
  const before = old.get(chunk)
  const tokens: Token[] = []
  if (before === undefined) addChunk(chunk, false, tokens)
  // a copy: a piece cut out of a text keeps the whole text alive
  if (chunk.length <= maxWord) keep(Buffer.from(chunk).toString(), before ?? tokens)
  return before ?? tokens
}

/** What `text` says, token by token, in order, stop words left out. What stands in backquotes or after `--` is a name. */
export function analyse(text: string): Token[] {
  const folded = fold(text)
  const tokens: Token[] = []
  for (const match of chunksOf(folded)) {
    const chunk = match[0]
    const before = folded[match.index - 1]
    const marked =
      (before === '`' && folded[match.index + chunk.length] === '`') ||
      (before === '-' && folded.slice(match.index - 3, match.index) === ' --')
    if (marked) addChunk(chunk, true, tokens)
    else tokens.push(...tokensOfChunk(chunk))
  }
  return tokens
}

/** The terms of a text for the index. */
export function tokensOf(text: string): string[] {
  const terms: string[] = []
  for (const [chunk] of chunksOf(fold(text))) for (const { term } of tokensOfChunk(chunk)) terms.push(term)
  return terms
}
