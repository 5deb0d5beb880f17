import type { Weights } from '../../../src/index/weights.ts'
import type { Checks } from '../../../src/recall/gates.ts'
import type { Bank } from './bank/bank.ts'
import { Bed } from './bed.ts'
import { ask, emptyScore, type Score } from './score.ts'
import { makeWorld, type World, type WorldSize } from './world.ts'

/** A world of about so many sessions in one archive, and how many of them are measured together. */
export interface Scale {
  sessions: number
  archives: number
  size: WorldSize
  /** Prompts that deserve silence, in each archive. */
  silences: number
}

export const scales: readonly Scale[] = [
  { sessions: 5, archives: 16, size: { projects: 1, planted: 4, filler: 1 }, silences: 42 },
  { sessions: 50, archives: 4, size: { projects: 2, planted: 20, filler: 5 }, silences: 175 },
  { sessions: 1_500, archives: 1, size: { projects: 12, planted: 27, filler: 98 }, silences: 700 },
]

/** The same at a glance: one archive of fifty sessions. */
export const quickScale: Scale = {
  sessions: 50,
  archives: 2,
  size: { projects: 2, planted: 20, filler: 5 },
  silences: 350,
}

export interface Opened {
  bed: Bed
  world: World
  seed: number
}

export async function open(scale: Scale, seed: number, bank: Bank): Promise<Opened[]> {
  const opened: Opened[] = []
  for (let n = 0; n < scale.archives; n++) {
    const own = seed * 1_000 + n
    const world = makeWorld(own, scale.size, bank)
    const bed = new Bed(own)
    for (const history of world.histories) bed.write(history)
    await bed.open()
    opened.push({ bed, world, seed: own })
  }
  return opened
}

export function measured(opened: readonly Opened[], scale: Scale): Score {
  const score = emptyScore()
  for (const { bed, world, seed } of opened) ask(bed, world, seed, scale.silences, score)
  return score
}

/** The same archives with a part of the ranking or a gate switched off. */
export function ablated(
  opened: readonly Opened[],
  scale: Scale,
  off: { weights?: Partial<Weights>; checks?: Partial<Checks> },
): Score {
  for (const { bed } of opened) bed.reset(off)
  return measured(opened, scale)
}

export async function close(opened: readonly Opened[]): Promise<void> {
  for (const { bed } of opened) await bed.end()
}
