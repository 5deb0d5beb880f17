import { describe, expect, it } from 'vitest'
import { banks } from '../bench/recall/bank/bank.ts'
import { measureMoments } from '../bench/recall/moments.ts'
import { close, measured, open, quickScale } from '../bench/recall/scales.ts'
import { answeredShare, falseShare } from '../bench/recall/score.ts'

/** Of the bench `npm run bench:recall -- --quick`, another sample; the figures there are better than what is asked here. */
const seed = 7

describe('on histories that were made up', () => {
  it('answers questions, keeps silent otherwise, and stays within its room', async () => {
    const opened = await open(quickScale, seed, banks.held)
    const score = measured(opened, quickScale)
    await close(opened)
    expect(answeredShare(score, 'named')).toBeGreaterThanOrEqual(0.9)
    expect(answeredShare(score, 'unnamed')).toBeGreaterThanOrEqual(0.5)
    expect(falseShare(score)).toBeLessThanOrEqual(0.015)
    expect(Math.max(...score.sizes)).toBeLessThanOrEqual(1_800)
  }, 60_000)

  it('gives hints, fixes and packets where there is something to say, and nowhere else', async () => {
    for (const { name, planted, told, spoke, sizes, room } of await measureMoments(seed, 12, banks.held)) {
      expect(told / planted, name).toBeGreaterThanOrEqual(0.8)
      expect(spoke, name).toBe(0)
      expect(Math.max(...sizes), name).toBeLessThanOrEqual(room)
    }
  }, 60_000)
})
