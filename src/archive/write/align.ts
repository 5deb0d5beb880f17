/** At most so many places of one repeated text are tried, those nearest to where it would stand. */
const placesTried = 64

/**
 * Finds what of `old` stands in `fresh` again: a longest common subsequence of the two (Hunt and Szymanski), so that
 * nothing is kept twice and nothing that was kept is taken for gone. Gives for each place in `fresh` its place in `old`,
 * or -1. Both are content hashes in conversation order.
 */
export function align(old: readonly number[], fresh: readonly number[]): number[] {
  const match = new Array<number>(fresh.length).fill(-1)
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) {
    match[start] = start
    start++
  }
  let oldEnd = old.length
  let freshEnd = fresh.length
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1] === fresh[freshEnd - 1]) match[--freshEnd] = --oldEnd

  const places = new Map<number, number[]>()
  for (let at = start; at < oldEnd; at++) {
    const key = old[at]
    if (key === undefined) continue
    const known = places.get(key)
    if (known) known.push(at)
    else places.set(key, [at])
  }

  // ends[k]: the smallest place in `old` at which a common run of length k + 1 can end, and how it got there
  const ends: { at: number; link: Link }[] = []
  for (let i = start; i < freshEnd; i++) {
    const key = fresh[i]
    const candidates = key === undefined ? undefined : places.get(key)
    if (!candidates) continue
    for (const at of nearest(candidates, i).reverse()) {
      const k = firstNotBelow(ends, at)
      if (ends[k]?.at === at) continue
      ends[k] = { at, link: { fresh: i, old: at, before: ends[k - 1]?.link } }
    }
  }
  for (let link = ends.at(-1)?.link; link; link = link.before) match[link.fresh] = link.old
  return match
}

interface Link {
  fresh: number
  old: number
  before: Link | undefined
}

function nearest(places: readonly number[], to: number): number[] {
  if (places.length <= placesTried) return [...places]
  const middle = places.findIndex(at => at >= to)
  const from = Math.max(
    0,
    Math.min((middle < 0 ? places.length : middle) - placesTried / 2, places.length - placesTried),
  )
  return places.slice(from, from + placesTried)
}

function firstNotBelow(ends: readonly { at: number }[], at: number): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle]?.at ?? Infinity) < at) low = middle + 1
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
