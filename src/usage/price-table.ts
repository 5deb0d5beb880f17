import type { Price, Rates } from './prices.ts'

/**
 * List prices of the makers' own APIs, USD per million tokens, with the day from which each held; last looked through on
 * 2026-11-30, as far as public pages told them. A model's first day may lie before its release. What isn't certain is left out: an unknown price is
 * shown as unknown, never as zero. Plans, resellers, batch and priority rates are other prices. A file named in the settings replaces the whole table.
 */
export const priceTable: readonly Price[] = [
  ...deepseek(),
  ...claude(),
  ...gpt(),
  ...gemini(),
  ...qwen(),
  ...kimi(),
  ...glm(),
  ...minimax(),
]

/** Cache prices left out are as input. */
function rates(input: number, output: number, cacheRead?: number, cacheWrite?: number): Rates {
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  }
}

function price(model: string, from: string, ...figures: Parameters<typeof rates>): Price {
  return { model, from, rates: rates(...figures) }
}

function deepseek(): Price[] {
  // since 2026-08-17 Peking time: twice as much on working days from 9 to 12 and from 14 to 18 there, holidays excepted
  const holidays = ['2026-09-25', '2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07']
  const peak = { hours: [[1, 4] as const, [6, 10] as const], except: holidays, times: 2 }
  const aliases = ['deepseek-chat', 'deepseek-reasoner'].flatMap(model => [
    price(model, '2025-09-05', 0.56, 1.68, 0.07),
    price(model, '2025-09-29', 0.28, 0.42, 0.028),
    price(model, '2026-04-24', 0.14, 0.28, 0.028),
    price(model, '2026-04-26', 0.14, 0.28, 0.0028),
    // the names were given up
    { model, from: '2026-07-25', rates: null },
  ])
  return [
    price('deepseek-chat', '2025-02-08', 0.27, 1.1, 0.07),
    price('deepseek-reasoner', '2025-01-20', 0.55, 2.19, 0.14),
    ...aliases,
    price('deepseek-v4-flash', '2026-04-24', 0.14, 0.28, 0.028),
    price('deepseek-v4-flash', '2026-04-26', 0.14, 0.28, 0.0028),
    { ...price('deepseek-v4-flash', '2026-08-17', 0.22, 0.66, 0.007), peak },
    { ...price('deepseek-v4-flash', '2026-09-10', 0.15, 0.6, 0.003), peak },
    { ...price('deepseek-flash', '2026-09-10', 0.15, 0.6, 0.003), peak },
    price('deepseek-v4-pro', '2026-04-24', 1.74, 3.48, 0.145),
    price('deepseek-v4-pro', '2026-04-26', 0.435, 0.87, 0.003625),
    { ...price('deepseek-v4-pro', '2026-08-17', 0.66, 1.98, 0.022), peak },
  ]
}

/** Cache writes are those of five minutes. */
function claude(): Price[] {
  return [
    price('claude-3-haiku', '2024-03-13', 0.25, 1.25, 0.03, 0.3),
    price('claude-3-5-haiku', '2024-12-03', 0.8, 4, 0.08, 1),
    price('claude-haiku-4.5', '2025-10-15', 1, 5, 0.1, 1.25),
    {
      ...price('claude-haiku-5.5', '2026-10-07', 0.1, 0.5, 0.01, 0.125),
      over: [{ prompt: 100_000, rates: rates(0.5, 2.5, 0.05, 0.625) }],
    },
    price('claude-3-5-sonnet', '2024-06-20', 3, 15, 0.3, 3.75),
    price('claude-3-7-sonnet', '2025-02-24', 3, 15, 0.3, 3.75),
    price('claude-sonnet-4', '2025-05-22', 3, 15, 0.3, 3.75),
    price('claude-sonnet-4.5', '2025-09-29', 3, 15, 0.3, 3.75),
    price('claude-sonnet-4.6', '2026-02-17', 3, 15, 0.3, 3.75),
    price('claude-sonnet-5', '2026-06-01', 2, 10, 0.2, 2.5),
    price('claude-sonnet-5.5', '2026-09-28', 2, 10, 0.2, 2.5),
    price('claude-sonnet-5.5', '2026-10-07', 2, 10, 0.1, 2.5),
    price('claude-3-opus', '2024-03-04', 15, 75, 1.5, 18.75),
    price('claude-opus-4', '2025-05-22', 15, 75, 1.5, 18.75),
    price('claude-opus-4.1', '2025-08-05', 15, 75, 1.5, 18.75),
    price('claude-opus-4.5', '2025-11-24', 5, 25, 0.5, 6.25),
    price('claude-opus-4.6', '2026-02-05', 5, 25, 0.5, 6.25),
    price('claude-opus-4.7', '2026-03-01', 5, 25, 0.5, 6.25),
    price('claude-opus-4.8', '2026-05-01', 5, 25, 0.5, 6.25),
    price('claude-opus-5', '2026-07-24', 5, 25, 0.5, 6.25),
    price('claude-opus-5.5', '2026-09-22', 4, 20, 0.2, 5),
    price('claude-fable-5', '2026-05-01', 10, 50, 1, 12.5),
    price('claude-fable-5.1', '2026-07-01', 10, 50, 0.25, 12.5),
  ]
}

/** Above 272,000 tokens the whole request costs twice as much for what goes in, half as much again for what comes out. */
function long(model: string, from: string, ...figures: Parameters<typeof rates>): Price {
  const own = rates(...figures)
  const dearer = rates(
    own.input * 2,
    own.output * 1.5,
    own.cacheRead === undefined ? undefined : own.cacheRead * 2,
    own.cacheWrite === undefined ? undefined : own.cacheWrite * 2,
  )
  return { model, from, rates: own, over: [{ prompt: 272_000, rates: dearer }] }
}

/** Before GPT-5.6 a cache write cost what any input did. */
function gpt(): Price[] {
  return [
    price('gpt-4o', '2024-10-02', 2.5, 10, 1.25),
    price('gpt-4o-mini', '2024-10-02', 0.15, 0.6, 0.075),
    price('gpt-4.1', '2025-04-14', 2, 8, 0.5),
    price('gpt-4.1-mini', '2025-04-14', 0.4, 1.6, 0.1),
    price('gpt-4.1-nano', '2025-04-14', 0.1, 0.4, 0.025),
    price('o3', '2025-04-16', 10, 40, 2.5),
    price('o3', '2025-06-10', 2, 8, 0.5),
    price('o3-mini', '2025-01-31', 1.1, 4.4, 0.55),
    price('o4-mini', '2025-04-16', 1.1, 4.4, 0.275),
    ...['gpt-5', 'gpt-5-codex', 'gpt-5.1', 'gpt-5.1-codex', 'gpt-5.1-codex-max'].map(model =>
      price(model, '2025-08-07', 1.25, 10, 0.125),
    ),
    ...['gpt-5-mini', 'gpt-5.1-codex-mini'].map(model => price(model, '2025-08-07', 0.25, 2, 0.025)),
    price('gpt-5-nano', '2025-08-07', 0.05, 0.4, 0.005),
    ...['gpt-5.2', 'gpt-5.2-codex', 'gpt-5.3-codex'].map(model => price(model, '2025-12-11', 1.75, 14, 0.175)),
    long('gpt-5.4', '2026-03-05', 2.5, 15, 0.25),
    price('gpt-5.4-mini', '2026-03-17', 0.75, 4.5, 0.075),
    price('gpt-5.4-nano', '2026-03-17', 0.2, 1.25, 0.02),
    long('gpt-5.5', '2026-04-23', 5, 30, 0.5),
    ...['gpt-5.6', 'gpt-5.6-sol'].flatMap((model): Price[] => [
      long(model, '2026-06-26', 5, 30, 0.5, 6.25),
      // the days between two looks at a list whose figures differ are left open
      { model, from: '2026-08-21', rates: null },
      long(model, '2026-09-13', 4, 20, 0.4, 5),
    ]),
    long('gpt-5.6-terra', '2026-06-26', 2.5, 15, 0.25, 3.125),
    long('gpt-5.6-terra', '2026-07-30', 2, 12, 0.2, 2.5),
    long('gpt-5.6-luna', '2026-06-26', 1, 6, 0.1, 1.25),
    long('gpt-5.6-luna', '2026-07-30', 0.2, 1.2, 0.02, 0.25),
    long('gpt-6-astra', '2026-09-03', 10, 50, 1, 12.5),
    long('gpt-6-sol', '2026-09-22', 2, 10, 0.2, 2.5),
    long('gpt-6-luna', '2026-09-22', 0.1, 0.5, 0.01, 0.125),
    long('gpt-6.1-sol', '2026-09-29', 2, 10, 0.1, 2.5),
    long('gpt-6.1-terra', '2026-10-26', 1, 5, 0.05, 1.25),
    long('gpt-6.2-astra', '2026-11-17', 8, 40, 0.4),
    long('gpt-6.2-sol', '2026-11-17', 2, 10, 0.1),
  ]
}

/** What a cache's keeping costs by the hour isn't counted. */
function gemini(): Price[] {
  return [
    price('gemini-2.0-flash', '2025-02-05', 0.1, 0.4, 0.025),
    {
      ...price('gemini-2.5-pro', '2025-04-04', 1.25, 10, 0.31),
      over: [{ prompt: 200_000, rates: rates(2.5, 15, 0.625) }],
    },
    {
      ...price('gemini-2.5-pro', '2025-09-25', 1.25, 10, 0.125),
      over: [{ prompt: 200_000, rates: rates(2.5, 15, 0.25) }],
    },
    price('gemini-2.5-flash', '2025-06-17', 0.3, 2.5, 0.075),
    price('gemini-2.5-flash', '2025-09-25', 0.3, 2.5, 0.03),
    price('gemini-2.5-flash-lite', '2025-09-25', 0.1, 0.4, 0.01),
    ...['gemini-3-pro', 'gemini-3.1-pro'].map(model => ({
      ...price(model, '2025-11-18', 2, 12, 0.2),
      over: [{ prompt: 200_000, rates: rates(4, 18, 0.4) }],
    })),
    price('gemini-3-flash', '2025-12-17', 0.5, 3, 0.05),
    price('gemini-3.1-flash-lite', '2026-03-03', 0.25, 1.5, 0.025),
    // half of it until the end of 2026
    price('gemini-3.8-flash', '2026-08-15', 0.75, 3.75, 0.075),
    price('gemini-3.8-flash', '2027-01-01', 1.5, 7.5, 0.15),
  ]
}

/** International prices (Singapore); a prefix found in the cache without being asked for costs a fifth of the input. */
function qwen(): Price[] {
  return [
    {
      ...price('qwen3-max', '2025-09-23', 1.2, 6, 0.24),
      over: [
        { prompt: 32_768, rates: rates(2.4, 12, 0.48) },
        { prompt: 131_072, rates: rates(3, 15, 0.6) },
      ],
    },
    {
      ...price('qwen3-coder-plus', '2025-07-22', 1, 5, 0.2),
      over: [
        { prompt: 32_768, rates: rates(1.8, 9, 0.36) },
        { prompt: 131_072, rates: rates(3, 15, 0.6) },
        { prompt: 262_144, rates: rates(6, 60, 1.2) },
      ],
    },
    price('qwen-max', '2025-01-25', 1.6, 6.4, 0.32),
    price('qwen3.8-max', '2026-09-11', 2, 6),
    price('qwen3.8-flash', '2026-09-11', 0.15, 0.47),
  ]
}

function kimi(): Price[] {
  return [
    price('kimi-k2', '2025-07-11', 0.6, 2.5, 0.15),
    price('kimi-k2-thinking', '2025-11-06', 0.6, 2.5, 0.15),
    price('kimi-k2-turbo', '2025-11-06', 1.15, 8, 0.15),
    price('kimi-k2-thinking-turbo', '2025-11-06', 1.15, 8, 0.15),
    price('kimi-k2.5', '2026-01-27', 0.6, 3, 0.1),
    price('kimi-k2.6', '2026-04-20', 0.95, 4, 0.16),
    price('kimi-k2.7-code', '2026-06-01', 0.95, 4, 0.19),
    price('kimi-k2.7-code-highspeed', '2026-08-28', 1.9, 8, 0.38),
    price('kimi-k3', '2026-07-16', 3, 15, 0.3),
  ]
}

function glm(): Price[] {
  return [
    price('glm-4.5', '2025-07-28', 0.6, 2.2, 0.11),
    price('glm-4.5-air', '2025-07-28', 0.2, 1.1, 0.03),
    price('glm-4.6', '2025-09-30', 0.6, 2.2, 0.11),
    price('glm-4.7', '2025-12-22', 0.6, 2.2, 0.11),
    price('glm-5', '2026-02-11', 1, 3.2, 0.2),
    price('glm-5-turbo', '2026-03-16', 1.2, 4, 0.24),
    price('glm-5.1', '2026-04-07', 1.4, 4.4, 0.26),
    price('glm-5.3', '2026-08-19', 1.4, 4.4, 0.26),
  ]
}

function minimax(): Price[] {
  return [
    price('minimax-m2', '2025-10-27', 0.3, 1.2, 0.03, 0.375),
    price('minimax-m2.1', '2025-12-23', 0.3, 1.2, 0.03, 0.375),
    price('minimax-m2.5', '2026-02-12', 0.3, 1.2, 0.03, 0.375),
    price('minimax-m2.7', '2026-03-18', 0.3, 1.2, 0.06, 0.375),
    price('minimax-m2.7-highspeed', '2026-03-18', 0.6, 2.4, 0.06, 0.375),
  ]
}
