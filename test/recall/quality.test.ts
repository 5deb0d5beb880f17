import { describe, expect, it } from 'vitest'
import { banks, type BankName } from '../bench/recall/bank/bank.ts'
import { measureMoments } from '../bench/recall/moments.ts'
import { close, measured, open, quickScale } from '../bench/recall/scales.ts'
import { answeredShare, falseShare } from '../bench/recall/score.ts'

/** Of the bench `npm run bench:recall -- --quick`, another sample; the figures there are better than what is asked here. */
const seed = 7

describe('on histories that were made up', () => {
  it.each<{ bank: BankName; named: number; unnamed: number }>([
    { bank: 'dev', named: 0.9, unnamed: 0.55 },
    // nothing is tuned by these: what they show is what others may expect
    { bank: 'held', named: 0.6, unnamed: 0.3 },
  ])(
    'answers questions of the bank $bank, keeps silent otherwise, and stays within its room',
    async ({ bank, named, unnamed }) => {
      const opened = await open(quickScale, seed, banks[bank])
      const score = measured(opened, quickScale)
      await close(opened)
      expect(answeredShare(score, 'named')).toBeGreaterThanOrEqual(named)
      expect(answeredShare(score, 'unnamed')).toBeGreaterThanOrEqual(unnamed)
      expect(falseShare(score)).toBeLessThanOrEqual(0.015)
      expect(Math.max(...score.sizes)).toBeLessThanOrEqual(1_800)
    },
    60_000,
  )

  it('gives hints, fixes and packets where there is something to say, and nowhere else', async () => {
    for (const { name, planted, told, spoke, sizes, room } of await measureMoments(seed, 12, banks.held)) {
      expect(told / planted, name).toBeGreaterThanOrEqual(0.8)
      expect(spoke, name).toBe(0)
      expect(Math.max(...sizes), name).toBeLessThanOrEqual(room)
    }
  }, 60_000)
})
