import { simplified } from './simplified.ts'

const wide = /[\u0300-\u036f\u0370-\u{10ffff}]/u

/**
 * One spelling for what is one word to a reader: full-width and compatibility forms (NFKC), accents, ё, traditional
 * Chinese characters. Keeps case (camel case is cut by it) and, but for ligatures, the length.
 */
export function fold(text: string): string {
  if (!/[^\p{ASCII}]/u.test(text)) return text
  let folded = text.normalize('NFKC').normalize('NFD')
  folded = folded.replace(/([a-zA-Zеёіа-яА-ЯЁ])[\u0300-\u036f]+/gu, (whole, letter: string) =>
    // й is a letter of its own, not an accented и
    /[иИ]\u0306/u.test(whole) ? whole : letter,
  )
  folded = folded.normalize('NFC').replace(/[’ʼ]/gu, "'")
  return wide.test(folded) ? simplified(folded) : folded
}
