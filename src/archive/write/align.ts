/** Texts that stand oftener than this in a stretch are left for the stretches between what is rarer. */
const rare = 64

/**
 * Finds what of `old` stands in `fresh` again: a longest common subsequence of the two (Hunt and Szymanski), so that
 * nothing is kept twice and nothing that was kept is taken for gone. Gives for each place in `fresh` its place in `old`,
 * or -1. Both are content hashes in conversation order. What is very frequent ("(no output)") is aligned between the
 * rest, or the time would grow with the square of its number.
 */
export function align(old: readonly number[], fresh: readonly number[]): number[] {
  const match = new Array<number>(fresh.length).fill(-1)
  alignWithin(old, fresh, { oldFrom: 0, oldTo: old.length, freshFrom: 0, freshTo: fresh.length }, match)
  return match
}

interface Stretch {
  oldFrom: number
  oldTo: number
  freshFrom: number
  freshTo: number
}

function alignWithin(old: readonly number[], fresh: readonly number[], stretch: Stretch, match: number[]): void {
  let { oldFrom, oldTo, freshFrom, freshTo } = stretch
  while (oldFrom < oldTo && freshFrom < freshTo && old[oldFrom] === fresh[freshFrom]) match[freshFrom++] = oldFrom++
  while (oldTo > oldFrom && freshTo > freshFrom && old[oldTo - 1] === fresh[freshTo - 1]) match[--freshTo] = --oldTo
  if (oldFrom === oldTo || freshFrom === freshTo) return

  const places = new Map<number, number[]>()
  for (let at = oldFrom; at < oldTo; at++) {
    const key = old[at]
    if (key === undefined) continue
    const known = places.get(key)
    if (known) known.push(at)
    else places.set(key, [at])
  }
  let left = 0
  for (const [key, at] of places) {
    if (at.length <= rare) continue
    places.delete(key)
    left++
  }
  const anchors = longestRun(places, fresh, freshFrom, freshTo)
  for (const { fresh: i, old: at } of anchors) match[i] = at
  if (left === 0) return
  if (anchors.length === 0) {
    alignInOrder(old, fresh, { oldFrom, oldTo, freshFrom, freshTo }, match)
    return
  }
  let reached = { old: oldFrom, fresh: freshFrom }
  for (const anchor of [...anchors, { old: oldTo, fresh: freshTo }]) {
    const between = { oldFrom: reached.old, oldTo: anchor.old, freshFrom: reached.fresh, freshTo: anchor.fresh }
    alignWithin(old, fresh, between, match)
    reached = { old: anchor.old + 1, fresh: anchor.fresh + 1 }
  }
}

interface Link {
  fresh: number
  old: number
  before: Link | undefined
}

/** The longest run of places that grow in both, in order. `places`: where each text stands in `old`. */
function longestRun(
  places: ReadonlyMap<number, readonly number[]>,
  fresh: readonly number[],
  from: number,
  to: number,
): { old: number; fresh: number }[] {
  // ends[k]: the smallest place in `old` at which a common run of length k + 1 can end, and how it got there
  const ends: Link[] = []
  for (let i = from; i < to; i++) {
    const candidates = places.get(fresh[i] ?? NaN)
    if (!candidates) continue
    for (let n = candidates.length - 1; n >= 0; n--) {
      const at = candidates[n] ?? 0
      const k = firstNotBelow(ends, at)
      if (ends[k]?.old !== at) ends[k] = { old: at, fresh: i, before: ends[k - 1] }
    }
  }
  const run: Link[] = []
  for (let link = ends.at(-1); link; link = link.before) run.push(link)
  return run.reverse()
}

/** For a stretch of nothing but frequent texts: each takes the next of its kind. */
function alignInOrder(old: readonly number[], fresh: readonly number[], stretch: Stretch, match: number[]): void {
  let at = stretch.oldFrom
  for (let i = stretch.freshFrom; i < stretch.freshTo && at < stretch.oldTo; i++) {
    const next = old.indexOf(fresh[i] ?? NaN, at)
    // a text that comes only much later would skip all that lies between
    if (next < 0 || next >= stretch.oldTo || next - at > rare) continue
    match[i] = next
    at = next + 1
  }
}

function firstNotBelow(ends: readonly Link[], at: number): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle]?.old ?? Infinity) < at) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * One order for both: what was kept and stands no more comes before what is new in the same gap, since it was said
 * earlier. Entries are places in `old` or in `fresh`; a matched pair is one entry.
 */
export function merged(oldLength: number, match: readonly number[]): { old: number | null; fresh: number | null }[] {
  const order: { old: number | null; fresh: number | null }[] = []
  let reached = 0
  let waiting: number[] = []
  const passOver = (until: number) => {
    for (; reached < until; reached++) order.push({ old: reached, fresh: null })
    for (const fresh of waiting) order.push({ old: null, fresh })
    waiting = []
  }
  match.forEach((old, fresh) => {
    if (old < 0) {
      waiting.push(fresh)
      return
    }
    passOver(old)
    order.push({ old, fresh })
    reached = old + 1
  })
  passOver(oldLength)
  return order
}
