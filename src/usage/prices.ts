import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import * as z from 'zod'
import { DejaError } from '../shared/errors.ts'
import type { Tokens } from '../shared/model.ts'
import { priceTable } from './price-table.ts'

/** USD per million tokens. */
export interface Rates {
  input: number
  /** Reasoning included. */
  output: number
  /** Default: as input. */
  cacheRead?: number
  /** Default: as input. */
  cacheWrite?: number
}

/** What a model cost from a day on. */
export interface Price {
  /** A model's id without provider, date and `-preview`: `claude-opus-4.5`. */
  model: string
  /** The first day, UTC: `2025-11-24`. Nothing is known of the days before a model's first. */
  from: string
  /** Null: from this day on the price isn't known. */
  rates: Rates | null
  /** Dearer rates for prompts (input and cache) above so many tokens, smallest first. */
  over?: readonly { prompt: number; rates: Rates }[]
  /** Hours of the day (UTC, from–to) on Mondays to Fridays, some days excepted (UTC), at which everything costs `times` as much. */
  peak?: { hours: readonly (readonly [number, number])[]; except?: readonly string[]; times: number }
}

/** An estimate. `whole`: every figure that the store gave was priced. */
interface Estimate {
  usd: number
  whole: boolean
}

/** Prices by normalised model, newest first. */
export class PriceList {
  readonly #byModel = new Map<string, Price[]>()
  /** By the name as the store has it. */
  readonly #found = new Map<string, readonly Price[]>()

  constructor(prices: readonly Price[]) {
    for (const price of prices) {
      const model = dashed(price.model.toLowerCase())
      const known = this.#byModel.get(model) ?? []
      known.push(price)
      this.#byModel.set(model, known)
    }
    for (const known of this.#byModel.values()) known.sort((a, b) => (a.from < b.from ? 1 : -1))
  }

  /**
   * What tokens cost at a time (epoch milliseconds); null where the model or that day's price isn't known, or no figure
   * is. A figure without a split is priced as input.
   */
  estimate(model: string | null, tokens: Tokens, at: number): Estimate | null {
    const price = model === null ? undefined : this.#priceOf(model, at)
    if (!price?.rates) return null
    const { input, output, cacheRead, cacheWrite, unsplit } = tokens
    if ([input, output, cacheRead, cacheWrite, unsplit].every(figure => figure === null)) return null
    const prompt = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
    const rates = price.over?.findLast(tier => prompt > tier.prompt)?.rates ?? price.rates
    const perMillion =
      ((input ?? 0) + (unsplit ?? 0)) * rates.input +
      (output ?? 0) * rates.output +
      (cacheRead ?? 0) * (rates.cacheRead ?? rates.input) +
      (cacheWrite ?? 0) * (rates.cacheWrite ?? rates.input)
    return {
      usd: (perMillion / 1_000_000) * (isPeak(price, at) ? (price.peak?.times ?? 1) : 1),
      whole: unsplit !== null || (input !== null && output !== null),
    }
  }

  #priceOf(model: string, at: number): Price | undefined {
    let known = this.#found.get(model)
    if (known === undefined) {
      known = modelNames(model).flatMap(name => this.#byModel.get(name) ?? [])
      this.#found.set(model, known)
    }
    if (known.length === 0) return undefined
    const day = new Date(at).toISOString().slice(0, 10)
    return known.find(price => price.from <= day)
  }
}

function isPeak({ peak }: Price, at: number): boolean {
  const time = new Date(at)
  const [weekday, hour] = [time.getUTCDay(), time.getUTCHours()]
  if (peak?.except?.includes(time.toISOString().slice(0, 10)) === true) return false
  return weekday > 0 && weekday < 6 && (peak?.hours.some(([from, to]) => hour >= from && hour < to) ?? false)
}

/** Endings that name no other model: a date, a snapshot's number, a stage of release, a context size. */
const endings =
  /(?:[-@](?:20\d\d-?[01]\d-?[0-3]\d|[01]\d-?[0-3]\d)|-v\d+(?::\d+)?|-(?:latest|preview|exp|experimental)|\[\w+\])$/

/** The names under which a model's price may stand, the most exact first. */
export function modelNames(model: string): string[] {
  const last = model.toLowerCase().trim().split('/').at(-1) ?? ''
  // clouds name the maker before a dot; agents name where a model is configured before a colon
  const bare = last.replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|deepseek|moonshot|minimax|qwen|zai|openai)\./, '')
  const names: string[] = []
  for (const start of new Set([bare, bare.replace(/^[a-z][\w-]*:/, '')])) {
    for (let name = start, next; name !== ''; name = next) {
      names.push(dashed(name))
      next = name.replace(endings, '')
      if (next === name) break
    }
  }
  return [...new Set(names)]
}

/** `claude-opus-4.5` and `claude-opus-4-5` are one. */
function dashed(name: string): string {
  return name.replace(/(\d)\.(?=\d)/g, '$1-')
}

const rate = z.number().min(0).max(10_000)
const rates = { input: rate, output: rate, cache_read: rate.optional(), cache_write: rate.optional() }
const file = z.strictObject({
  prices: z.array(
    z.strictObject({
      model: z.string().min(1),
      from: z
        .string()
        .regex(/^\d{4}-\d\d-\d\d$/, 'expected a day such as "2026-09-27"')
        .default('0000-00-00'),
      ...rates,
      over: z.array(z.strictObject({ prompt: z.int().min(1), ...rates })).optional(),
    }),
  ),
})

/**
 * The shipped table, or a file (TOML) in its stead: `[[prices]]` tables with `model`, `input`, `output`, and if wanted
 * `from` (a day in quotes), `cache_read`, `cache_write` and `over`. Throws `config` where the file can't be used.
 */
export function loadPrices(path: string | null): PriceList {
  if (path === null) return new PriceList(priceTable)
  let value: unknown
  try {
    value = parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new DejaError('config', `The prices can't be read: ${why}`, { path, cause: error, hint })
  }
  const checked = file.safeParse(value)
  if (checked.success) {
    return new PriceList(
      checked.data.prices.map(({ model, from, over, ...own }) => ({
        model,
        from,
        rates: ratesOf(own),
        over: (over ?? [])
          .map(({ prompt, ...dearer }) => ({ prompt, rates: ratesOf(dearer) }))
          .sort((a, b) => a.prompt - b.prompt),
      })),
    )
  }
  const [issue] = checked.error.issues
  const where = (issue?.path ?? []).map(String).join('.')
  throw new DejaError('config', `The prices can't be used: ${where}: ${issue?.message ?? 'invalid'}`, {
    path,
    cause: checked.error,
    hint,
  })
}

const hint = 'Mend the file, or take `prices` out of [usage] in config.toml: then the shipped table holds.'

function ratesOf(own: {
  input: number
  output: number
  cache_read?: number | undefined
  cache_write?: number | undefined
}): Rates {
  const { input, output, cache_read: cacheRead, cache_write: cacheWrite } = own
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  }
}
