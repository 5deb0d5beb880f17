import type { Part } from './query.ts'

/**
 * How often a term stands in each part of a passage, packed into one small integer: a posting then costs one map entry,
 * whichever and however many parts it is in. Counts above a part's room are cut: the score saturates long before.
 */
const layout: readonly { part: Part; bits: number; weight: number }[] = [
  { part: 'prompt', bits: 4, weight: 1 },
  { part: 'answer', bits: 4, weight: 1 },
  { part: 'summary', bits: 4, weight: 0.8 },
  { part: 'errors', bits: 3, weight: 0.9 },
  { part: 'paths', bits: 3, weight: 0.8 },
  { part: 'commands', bits: 3, weight: 0.7 },
  { part: 'outputs', bits: 3, weight: 0.4 },
  { part: 'title', bits: 2, weight: 1 },
]

interface Slot {
  part: Part
  shift: number
  max: number
  weight: number
}

const slots: Slot[] = []
let shift = 0
for (const { part, bits, weight } of layout) {
  slots.push({ part, shift, max: (1 << bits) - 1, weight })
  shift += bits
}
const slotOf = new Map(slots.map(slot => [slot.part, slot]))

/** What one more occurrence in `part` makes of `packed`. */
export function counted(packed: number, part: Part): number {
  const slot = slotOf.get(part)
  if (slot === undefined || ((packed >> slot.shift) & slot.max) === slot.max) return packed
  return packed + (1 << slot.shift)
}

/** How often, each part by its weight. Never 0 for what was counted. */
export function frequencyOf(packed: number): number {
  // most postings are of prompt and answer alone
  let sum = (packed & 15) + ((packed >> 4) & 15)
  if (packed > 255) for (const slot of slots.slice(2)) sum += ((packed >> slot.shift) & slot.max) * slot.weight
  return sum
}

export function partsIn(packed: number): Part[] {
  return slots.filter(slot => ((packed >> slot.shift) & slot.max) > 0).map(slot => slot.part)
}

/** The weight of a part's words in a passage's length: words that hardly count make it hardly longer. */
export const weightOf = (part: Part): number => slotOf.get(part)?.weight ?? 0
