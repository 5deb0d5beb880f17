/**
 * Recall measured on histories of our own: seeded sessions in the three stores with planted decisions, reasons, fixes and
 * reversals, read by the real readers; questions of each kind in English, Chinese and Russian; prompts that deserve silence;
 * hints, fixes and packets with their negatives.
 *
 *   npm run bench:recall -- [--seed 1] [--sessions 5|50|1500] [--bank dev|held] [--misses] [--quick] [--ablate]
 *
 * Two banks of topics, failures and phrases are measured apart: `dev`, by which misses are mended, and `held`, by which
 * nothing is. `--misses` lists what was missed or said for nothing, for `dev` alone.
 *
 * A named question shares a component, an identifier or an error's text with the history; an unnamed one is a paraphrase.
 */
import { parseArgs } from 'node:util'
import { defaultWeights, type Weights } from '../../src/index/weights.ts'
import { allChecks, type Checks } from '../../src/recall/gates.ts'
import { banks, type BankName } from './recall/bank/bank.ts'
import { measureMoments } from './recall/moments.ts'
import { ablated, close, measured, open, quickScale, scales, type Scale } from './recall/scales.ts'
import { answeredShare, falseShare, quantile, type Score } from './recall/score.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    sessions: { type: 'string' },
    bank: { type: 'string' },
    misses: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    ablate: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const room = 1_800

const percent = (part: number, whole: number): string =>
  (whole === 0 ? '-' : ((100 * part) / whole).toFixed(1)).padStart(6)

function summary(score: Score): string {
  const share = (name: string): string => percent(answeredShare(score, name), 1)
  return `named ${share('named')}  unnamed ${share('unnamed')}  false ${percent(falseShare(score), 1)}`
}

function report(scale: Scale, bank: BankName, score: Score): void {
  console.log(`\n${bank}, seed ${seed}, ${scale.archives} × ${scale.sessions} sessions`)
  console.log(`${'questions'.padEnd(24)}     n  hit@1 answer silent`)
  for (const [name, { asked, first, answered, silent }] of [...score.questions].sort(([a], [b]) => a.localeCompare(b)))
    console.log(
      `${name.padEnd(24)} ${String(asked).padStart(5)} ${percent(first, asked)} ${percent(answered, asked)} ${percent(silent, asked)}`,
    )
  console.log(`${'deserve silence'.padEnd(24)}     n  false`)
  for (const [name, { asked, spoke }] of score.silences)
    console.log(`${name.padEnd(24)} ${String(asked).padStart(5)} ${percent(spoke, asked)}`)
  const above = score.sizes.filter(size => size > room).length
  console.log(
    `characters injected: median ${quantile(score.sizes, 0.5)}, p95 ${quantile(score.sizes, 0.95)}, above the room ${above}; ` +
      `ms a prompt: median ${quantile(score.times, 0.5).toFixed(1)}, p95 ${quantile(score.times, 0.95).toFixed(1)}`,
  )
}

async function ablate(scale: Scale, bank: BankName): Promise<void> {
  const opened = await open(scale, seed, banks[bank])
  const base = measured(opened, scale)
  console.log(`\n${bank}, seed ${seed}, ${scale.archives} × ${scale.sessions} sessions, each part switched off in turn`)
  console.log(`${'(all on)'.padEnd(24)} ${summary(base)}`)
  // exponents and lengths have no zero that switches them off
  const neutral: Partial<Weights> = { saturation: 1e9, evenness: 0, needsNone: 1, inWhole: 1, bigram: 1, halfLife: 1 }
  for (const name of Object.keys(defaultWeights) as (keyof Weights)[]) {
    const score = ablated(opened, scale, { weights: { [name]: neutral[name] ?? 0 } })
    console.log(`${`weight ${name}`.padEnd(24)} ${summary(score)}`)
  }
  for (const name of Object.keys(allChecks) as (keyof Checks)[]) {
    const score = ablated(opened, scale, { checks: { [name]: false } })
    console.log(`${`gate ${name}`.padEnd(24)} ${summary(score)}`)
  }
  await close(opened)
}

async function moments(bank: BankName): Promise<void> {
  console.log(`\n${`${bank}, moments`.padEnd(24)}     n   told     n  false  median chars, above the room`)
  for (const { name, planted, told, negatives, spoke, sizes, room: most } of await measureMoments(
    seed,
    values.quick ? 12 : 60,
    banks[bank],
  ))
    console.log(
      `${name.padEnd(24)} ${String(planted).padStart(5)} ${percent(told, planted)} ${String(negatives).padStart(5)} ${percent(spoke, negatives)}  ${quantile(sizes, 0.5)}, ${sizes.filter(size => size > most).length}`,
    )
}

const asked: readonly BankName[] = values.bank === 'dev' || values.bank === 'held' ? [values.bank] : ['dev', 'held']
if (values.ablate) {
  const scale = scales.find(({ sessions }) => String(sessions) === (values.sessions ?? '50')) ?? quickScale
  for (const bank of asked) await ablate(scale, bank)
} else {
  const chosen = values.quick
    ? [quickScale]
    : scales.filter(({ sessions }) => values.sessions === undefined || values.sessions === String(sessions))
  for (const bank of asked) {
    for (const scale of chosen) {
      const opened = await open(scale, seed, banks[bank])
      const score = measured(opened, scale)
      report(scale, bank, score)
      if (values.misses && bank === 'dev') for (const miss of score.misses) console.log(miss)
      await close(opened)
    }
    await moments(bank)
  }
}
