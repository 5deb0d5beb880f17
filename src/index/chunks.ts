// Where texts are cut, for the index and for full text alike.

const cjk = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々〆ー`
const inWord = String.raw`[[\p{L}\p{N}\p{M}_$]--[${cjk}]]`
/** A run of CJK; or what stands between white space and punctuation, inner joints (`.` `/` `-` `::` …) included. */
const chunks = new RegExp(
  String.raw`[${cjk}]+|${inWord}+(?:(?:[.\/\\@'~+\-]|::|:\/\/|\/[.~@]+|->)${inWord}+)*(?:\+\+|\x23)?`,
  'gv',
)
/** The same for plain ASCII: a fraction of the time. */
const asciiChunks = /[A-Za-z0-9_$]+(?:(?:[./\\@'~+-]|::|:\/\/|\/[.~@]+|->)[A-Za-z0-9_$]+)*(?:\+\+|#)?/g
const ascii = /^[\0-\x7f]*$/

/** The chunks of a folded text, in order. */
export const chunksOf = (folded: string): RegExpStringIterator<RegExpExecArray> =>
  folded.matchAll(ascii.test(folded) ? asciiChunks : chunks)

export const letterOrDigit = 1
/** Of UTF-16 units: `letterOrDigit` of ASCII, 2 for the other signs that words there are made of, else 0. */
export const codeClass = new Uint8Array(1 << 16)
for (let code = 0; code < 128; code++) {
  const sign = String.fromCharCode(code)
  codeClass[code] = /[A-Za-z0-9]/.test(sign) ? letterOrDigit : /[_$]/.test(sign) ? 2 : 0
}
const [apostrophe, plus, dash, dot, slash, colon, greater, at, backslash, tilde] = [
  39, 43, 45, 46, 47, 58, 62, 64, 92, 126,
] as const

/**
 * Where the next word begins when what stands between it and the one before joins them, as `asciiChunks` says it; else
 * `from`. @param from the first unit behind a word @param to units from here on are not looked at
 */
export function behindJoint(codes: Uint16Array, from: number, to: number): number {
  const wordAt = (i: number) => i < to && codeClass[codes[i] ?? 0] !== 0
  switch (codes[from]) {
    case dot:
    case backslash:
    case at:
    case apostrophe:
    case tilde:
    case plus:
      return wordAt(from + 1) ? from + 1 : from
    case dash:
      if (wordAt(from + 1)) return from + 1
      return codes[from + 1] === greater && wordAt(from + 2) ? from + 2 : from
    case colon:
      if (codes[from + 1] === colon) return wordAt(from + 2) ? from + 2 : from
      return codes[from + 1] === slash && codes[from + 2] === slash && wordAt(from + 3) ? from + 3 : from
    case slash: {
      let next = from + 1
      while (next < to && (codes[next] === dot || codes[next] === tilde || codes[next] === at)) next++
      return wordAt(next) ? next : from
    }
    default:
      return from
  }
}

/** Of a chunk: it is a run of CJK. */
export const cjkRun = new RegExp(`^[${cjk}]`, 'v')

/** A version or an address; kept whole. */
export const dottedNumber = /^v?\d+(?:\.\d+)+(?:[-+][\w.]+)?$/i
/** The words of a name in camel case; digits stay with the letters before them. */
export const humps = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+\d*|\p{Lu}+\d*|[\p{L}\p{M}\d]+/gu
export const humped = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u
