import { behindJoint, chunksOf, codeClass, dottedNumber, letterOrDigit } from './chunks.ts'
import { fold } from './fold.ts'
import { longestChunk, longestTerm, numberTerm, pieceTerms, spelled } from './full-text.ts'
import { isIdle } from './idle.ts'

/** Pieces that are known at once; beyond it all are dropped and learnt anew. */
const mostPieces = 1 << 17
/** A piece that is longer is taken apart each time. Characters. */
const longestKnown = 32
/** Room for the pieces' characters. */
const poolBytes = mostPieces * 12
/** Of a slot: its piece's hash, where that stands in the pool (times 64, and its length; 0: free), its number, the last text that had it. */
const [hashAt, placeAt, pieceAt, seenAt, slotSize] = [0, 1, 2, 3, 4] as const
const slotMask = 2 * mostPieces * slotSize - 1
/** V8 cuts shorter strings out by copying them. */
const shortString = 13

const [zero, nine, letterV, letterBigV, dot, slash, backslash, colon, hash, plus] = [
  48, 57, 118, 86, 46, 47, 92, 58, 35, 43,
] as const
const isDigit = (code: number | undefined): boolean => code !== undefined && code >= zero && code <= nine

/**
 * Says which terms stand in a text: those of `searchText`, in no order, seldom one twice. Full text of everything is made
 * by it, so it goes through plain ASCII by character codes and knows again what it has met, without making strings of it.
 */
export class TermScanner {
  #text = ''
  /** Its UTF-16 units; what lies behind them is of earlier texts. */
  #codes = new Uint16Array(1 << 16)
  #out: string[] = []
  /** What was given for this text and is no known piece. */
  readonly #given = new Set<string>()
  #number = 0
  readonly #slots = new Int32Array(slotMask + 1)
  readonly #pool = new Uint8Array(poolBytes)
  #poolUsed = 0
  readonly #terms: string[] = []

  /** @returns the terms, parted by spaces */
  scan(text: string): string {
    this.#begin(text)
    let from = 0
    const other = /[^\0-\x7f]/g
    while (other.test(text)) {
      const at = other.lastIndex - 1
      if (isIdle(text, at)) continue
      // a line that has other letters than ASCII's goes a slower way
      const start = Math.max(from, text.lastIndexOf('\n', at) + 1)
      const newline = text.indexOf('\n', at)
      const end = newline < 0 ? text.length : newline
      this.#ascii(from, start)
      for (const [chunk] of chunksOf(fold(text.slice(start, end)))) for (const term of spelled(chunk)) this.#give(term)
      from = other.lastIndex = end
    }
    this.#ascii(from, text.length)
    const terms = this.#out.join(' ')
    this.#text = ''
    this.#out = []
    this.#given.clear()
    return terms
  }

  #begin(text: string): void {
    this.#text = text
    if (++this.#number >= 2 ** 31 - 1) this.#forget()
    // two beyond the end are looked at
    if (this.#codes.length < text.length + 2) this.#codes = new Uint16Array(2 * text.length)
    Buffer.from(this.#codes.buffer).write(text, 'utf16le')
    this.#codes.fill(0, text.length, text.length + 2)
  }

  #ascii(from: number, to: number): void {
    const codes = this.#codes
    let i = from
    while (i < to) {
      if (codeClass[codes[i] ?? 0] === 0) i++
      else i = this.#chunk(i, to)
    }
  }

  /** By segments, parted by slashes, and their pieces: letters and digits without anything between them. @returns its end */
  #chunk(start: number, to: number): number {
    const codes = this.#codes
    const end = Math.min(to, start + longestChunk)
    let atSegment = true
    let i = start
    for (;;) {
      while (i < end) {
        const kind = codeClass[codes[i] ?? 0] ?? 0
        if (kind === 0) break
        if (kind === letterOrDigit) {
          const behind = atSegment && mayBeNumber(codes, i, end) ? this.#dottedNumber(i, end, to) : i
          i = behind > i ? behind : this.#piece(i, end)
        } else i++
        atSegment = false
      }
      const next = i < to ? behindJoint(codes, i, to) : i
      if (i >= end) return this.#behindChunk(i, to)
      if (next === i) return i
      atSegment = codes[next - 1] === slash || codes[next - 1] === backslash
      i = next
    }
  }

  #behindChunk(from: number, to: number): number {
    let i = from
    for (;;) {
      while (i < to && codeClass[this.#codes[i] ?? 0] !== 0) i++
      const next = i < to ? behindJoint(this.#codes, i, to) : i
      if (next === i) return i
      i = next
    }
  }

  /** @returns where the number ends; `start` when it is none */
  #dottedNumber(start: number, end: number, to: number): number {
    const codes = this.#codes
    let i = start
    for (; i < end; i++) {
      if (codeClass[codes[i] ?? 0] !== 0) continue
      if (codes[i] === slash || codes[i] === backslash) break
      if (codes[i] === colon && codes[i + 1] === slash && codes[i + 2] === slash) break
      const next = behindJoint(codes, i, to)
      if (next === i) {
        // `c++`, `c#`: the signs belong to the chunk
        if (codes[i] === hash || (codes[i] === plus && codes[i + 1] === plus)) return start
        break
      }
      i = Math.min(next, end) - 1
    }
    const segment = this.#text.slice(start, i)
    if (!dottedNumber.test(segment)) return start
    this.#give(numberTerm(segment))
    return i
  }

  /** @returns where it ends */
  #piece(start: number, to: number): number {
    const codes = this.#codes
    let hashed = 0
    let end = start
    for (; end < to; end++) {
      const code = codes[end] ?? 0
      if (codeClass[code] !== letterOrDigit) break
      hashed = Math.imul(hashed ^ code, 0x5bd1e995)
      hashed ^= hashed >>> 15
    }
    if (end - start > longestKnown) {
      for (const term of pieceTerms(this.#text.slice(start, end))) this.#give(term)
      return end
    }
    const slots = this.#slots
    let slot = (hashed * slotSize) & slotMask
    while (slots[slot + placeAt] !== 0) {
      if (slots[slot] === hashed && this.#stands(slots[slot + placeAt] ?? 0, start, end)) {
        if (slots[slot + seenAt] !== this.#number) {
          slots[slot + seenAt] = this.#number
          this.#out.push(this.#terms[slots[slot + pieceAt] ?? 0] ?? '')
        }
        return end
      }
      slot = (slot + slotSize) & slotMask
    }
    this.#learn(start, end, hashed)
    return end
  }

  #stands(place: number, start: number, end: number): boolean {
    if ((place & 63) !== end - start) return false
    const at = (place >>> 6) - start
    for (let i = start; i < end; i++) if (this.#pool[at + i] !== this.#codes[i]) return false
    return true
  }

  #learn(start: number, end: number, hashed: number): void {
    if (this.#terms.length >= mostPieces || this.#poolUsed + end - start > poolBytes) this.#forget()
    let slot = (hashed * slotSize) & slotMask
    while (this.#slots[slot + placeAt] !== 0) slot = (slot + slotSize) & slotMask
    this.#slots[slot + hashAt] = hashed
    this.#slots[slot + placeAt] = (this.#poolUsed << 6) | (end - start)
    this.#slots[slot + pieceAt] = this.#terms.length
    this.#slots[slot + seenAt] = this.#number
    this.#pool.set(this.#codes.subarray(start, end), this.#poolUsed)
    this.#poolUsed += end - start
    const given = pieceTerms(this.#text.slice(start, end)).join(' ')
    // a copy: a piece cut out of a text keeps the whole text alive
    const terms = given.length < shortString ? given : Buffer.from(given).toString()
    this.#terms.push(terms)
    this.#out.push(terms)
  }

  #forget(): void {
    this.#slots.fill(0)
    this.#terms.length = 0
    this.#poolUsed = 0
    this.#number = 1
  }

  #give(term: string): void {
    if (this.#given.has(term)) return
    this.#given.add(term)
    this.#out.push(term.length > longestTerm ? term.slice(0, longestTerm) : term)
  }
}

/** Whether what begins here may be a dotted number: digits, perhaps behind a `v`, and a dot with more of them. */
function mayBeNumber(codes: Uint16Array, start: number, end: number): boolean {
  let i = codes[start] === letterV || codes[start] === letterBigV ? start + 1 : start
  const digits = i
  while (i < end && isDigit(codes[i])) i++
  return i > digits && i + 1 < end && codes[i] === dot && isDigit(codes[i + 1])
}
