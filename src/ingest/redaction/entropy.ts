import { groups } from './scan.ts'

/** Values that nothing but their randomness gives away. */

const shortestRandom = 24
const longestRandom = 512
const slash = '/'.charCodeAt(0)

/** Checksums as package managers and git write them: public by nature. */
const checksumBefore =
  /(?:sha\d{1,3}[-:=]|h1:|md5[-:=]|integrity["']?\s*[:=]\s*["']?|ssh-(?:rsa|ed25519|dss)\s+|ecdsa-sha2-\S+\s+|base64,|[A-Za-z0-9+/]{64}\s*)$/

/**
 * Places of random-looking values: 24 characters or more, upper case, lower case and digits mixed throughout.
 * Hex (hashes, UUIDs), words joined by camel case, dashes or underscores, and paths don't mix like that.
 */
export function randomValues(text: string, long: readonly number[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (let n = 0; n < long.length; n += 2) {
    const end = long[n + 1] ?? 0
    let start = long[n] ?? 0
    for (let at = start; at <= end; at++) {
      if (at < end && groups[text.charCodeAt(at)] !== 5) continue
      const length = at - start
      if (length >= shortestRandom && length <= longestRandom && isRandom(text, start, at)) {
        if (!checksumBefore.test(text.slice(Math.max(0, start - 80), start))) found.push({ start, end: at })
      }
      start = at + 1
    }
  }
  return found
}

function isRandom(text: string, start: number, end: number): boolean {
  if (text.startsWith('AAAA', start)) return false // a public key's head
  let upper = 0
  let lower = 0
  let digit = 0
  let switches = 0
  let slashes = 0
  let last = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    const group = groups[code] ?? 0
    if (group === 1) lower++
    else if (group === 2) upper++
    else if (group === 3) digit++
    else if (code === slash) slashes++
    // a capital that starts a word is no sign of chance
    if (group !== last && !(last === 2 && group === 1) && group < 4) switches++
    if (group < 4) last = group
  }
  if (upper < 3 || lower < 3 || digit < 2) return false
  const length = end - start
  if (slashes > 2 && length < 24 * slashes) return false // a path
  return switches / length >= 0.3
}
