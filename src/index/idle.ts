import { chunksOf } from './chunks.ts'
import { fold } from './fold.ts'

/** Of UTF-16 units: 0 not looked at yet, 1 idle, 2 not. */
const idle = new Uint8Array(1 << 16)

/** Whether a sign only parts words, as a tick or a line of a box does: no letter, and nothing that folds into another. */
export function isIdle(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  let state = idle[code] ?? 0
  if (state === 0) {
    const sign = String.fromCharCode(code)
    const speaks = /\p{Cs}/u.test(sign) || fold(sign) !== sign || chunksOf(sign).next().done !== true
    state = speaks ? 2 : 1
    idle[code] = state
  }
  return state === 1
}

/** Whether ASCII's are all the letters and digits of a text: folding it changes nothing. */
export function isPlain(text: string): boolean {
  const other = /[^\0-\x7f]/g
  while (other.test(text)) if (!isIdle(text, other.lastIndex - 1)) return false
  return true
}
