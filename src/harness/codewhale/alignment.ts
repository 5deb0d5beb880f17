/**
 * Which of the records that a rewritten document gives were known before, by their hashes, in order. Records that
 * vanished or came between don't matter. For each of `fresh` the index in `known`, or -1; indices only rise.
 */
export function align(known: readonly string[], fresh: readonly string[]): number[] {
  const match = fresh.map(() => -1)
  let prefix = 0
  while (prefix < known.length && prefix < fresh.length && known[prefix] === fresh[prefix]) {
    match[prefix] = prefix
    prefix++
  }
  for (const [from, to] of rising(anchors(known, fresh, prefix))) match[to] = from
  spread(known, fresh, match, prefix)
  return match
}

/** Pairs of what stands once on either side. */
function anchors(known: readonly string[], fresh: readonly string[], from: number): (readonly [number, number])[] {
  const [left, right] = [single(known, from), single(fresh, from)]
  const pairs: (readonly [number, number])[] = []
  for (const [hash, to] of right) {
    const at = left.get(hash)
    if (at !== undefined && at !== -1 && to !== -1) pairs.push([at, to])
  }
  return pairs.sort((a, b) => a[1] - b[1])
}

/** Index by hash; -1 where it stands more than once. */
function single(hashes: readonly string[], from: number): Map<string, number> {
  const found = new Map<string, number>()
  for (let index = from; index < hashes.length; index++) {
    const hash = hashes[index] ?? ''
    found.set(hash, found.has(hash) ? -1 : index)
  }
  return found
}

/** The longest run of pairs that rises on both sides (patience sorting). */
function rising(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const piles: number[] = []
  const before = pairs.map(() => -1)
  pairs.forEach(([at], index) => {
    let [low, high] = [0, piles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const top = pairs[piles[middle] ?? 0]?.[0] ?? 0
      if (top < at) low = middle + 1
      else high = middle
    }
    before[index] = low === 0 ? -1 : (piles[low - 1] ?? -1)
    piles[low] = index
  })
  const run: (readonly [number, number])[] = []
  for (let index = piles.at(-1) ?? -1; index !== -1; index = before[index] ?? -1) {
    const pair = pairs[index]
    if (pair !== undefined) run.push(pair)
  }
  return run.reverse()
}

/** What equals a neighbour of a match is matched as well: repeated records beside a single one. */
function spread(known: readonly string[], fresh: readonly string[], match: number[], from: number): void {
  const taken = new Set(match)
  const take = (to: number, at: number): void => {
    if (match[to] !== -1 || at < 0 || taken.has(at) || fresh[to] !== known[at]) return
    match[to] = at
    taken.add(at)
  }
  for (let to = Math.max(from, 1); to < fresh.length; to++) {
    const before = match[to - 1] ?? -1
    if (before !== -1) take(to, before + 1)
  }
  for (let to = fresh.length - 2; to >= from; to--) take(to, (match[to + 1] ?? 0) - 1)
}
