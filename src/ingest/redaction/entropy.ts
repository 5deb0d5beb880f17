/** Values that nothing but their randomness gives away. */

/** Below this length nothing is a key or random. */
const shortest = 20
const shortestRandom = 24

/** By character code: 1 lower case, 2 upper case, 3 digit, 4 one of `+/_=-`, 5 one of `.:`, 0 anything else. */
const groups = new Uint8Array(128)
for (const [from, to, group] of [
  ['a', 'z', 1],
  ['A', 'Z', 2],
  ['0', '9', 3],
] as const)
  groups.fill(group, from.charCodeAt(0), to.charCodeAt(0) + 1)
for (const mark of '+/_=-') groups[mark.charCodeAt(0)] = 4
for (const mark of '.:') groups[mark.charCodeAt(0)] = 5

/**
 * The unbroken runs of a text that are long enough to be or to hold a key. Everything else in it needs no look.
 * A loop, since this goes over every byte: the same by a regular expression takes four times as long.
 */
export function longRuns(text: string): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = []
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code < 128 && groups[code] !== 0) continue
    if (at - start >= shortest) runs.push({ start, end: at })
    start = at + 1
  }
  return runs
}

/** Checksums as package managers and git write them: public by nature. */
const checksumBefore =
  /(?:sha\d{1,3}[-:=]|h1:|md5[-:=]|integrity["']?\s*[:=]\s*["']?|ssh-(?:rsa|ed25519|dss)\s+|ecdsa-sha2-\S+\s+|base64,|[A-Za-z0-9+/]{64}\s*)$/

/**
 * Places of random-looking values: 24 characters or more, upper case, lower case and digits mixed throughout.
 * Hex (hashes, UUIDs), words joined by camel case, dashes or underscores, and paths don't mix like that.
 */
export function randomValues(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (const run of longRuns(text)) {
    let { start } = run
    for (const part of text.slice(run.start, run.end).split(/[.:]/)) {
      if (part.length >= shortestRandom && part.length <= 512 && isRandom(part)) {
        if (!checksumBefore.test(text.slice(Math.max(0, start - 80), start)))
          found.push({ start, end: start + part.length })
      }
      start += part.length + 1
    }
  }
  return found
}

function isRandom(value: string): boolean {
  if (value.startsWith('AAAA')) return false // a public key's head
  let upper = 0
  let lower = 0
  let digit = 0
  let switches = 0
  let slashes = 0
  let last = 0
  for (let i = 0; i < value.length; i++) {
    const group = groups[value.charCodeAt(i)] ?? 0
    if (group === 1) lower++
    else if (group === 2) upper++
    else if (group === 3) digit++
    else if (value[i] === '/') slashes++
    // a capital that starts a word is no sign of chance
    if (group !== last && !(last === 2 && group === 1) && group < 4) switches++
    if (group < 4) last = group
  }
  if (upper < 3 || lower < 3 || digit < 2) return false
  if (slashes > 2 && value.length < 24 * slashes) return false // a path
  return switches / value.length >= 0.3
}
