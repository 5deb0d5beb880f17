import { askDaemon } from '../client/client.ts'
import { usageEndpoint, type UsageOutput } from '../daemon/usage-api.ts'
import type { UsageSum } from '../usage/tally.ts'
import { tokensOf, type Grouping, type UsageGroup } from '../usage/usage.ts'
import { shortId } from '../shared/shown.ts'
import type { CliContext, Terminal } from './context.ts'
import { count, cut, padded, plain, styled, widthOf, wrap } from './render.ts'

export interface UsageOptions {
  by: Grouping
  since?: string
  until?: string
  limit?: number
  json?: boolean
  cost: boolean
}

type Group = UsageOutput['groups'][number]

/** Rows that a table shows unless `--limit` says otherwise. */
const shown = 50

export async function usageCommand(
  { by, since, until, limit, json, cost }: UsageOptions,
  context: CliContext,
): Promise<number> {
  const answer = await askDaemon(context, usageEndpoint, { by, since, until })
  const { out, err, terminal } = context
  if (json === true) {
    const whole = { ...answer, groups: few(answer.groups, by, limit ?? answer.groups.length) }
    out(`${JSON.stringify(cost ? whole : { ...whole, groups: whole.groups.map(free), total: free(whole.total) })}\n`)
    return 0
  }
  if (answer.groups.length === 0) {
    const when = since === undefined && until === undefined ? '' : ' in that time'
    const what = by === 'tool' ? 'no tool call is kept' : 'no session that is kept recorded any usage'
    err(`deja: ${what}${when}.\n`)
    return 0
  }
  out(renderUsage(answer, { by, cost, limit: limit ?? shown }, terminal))
  return 0
}

/** The latest days; the first of everything else, which is sorted by size. */
function few(groups: readonly Group[], by: Grouping, limit: number): Group[] {
  return by === 'day' ? groups.slice(-limit) : groups.slice(0, limit)
}

/** Without what is about money. */
function free(sum: UsageSum): object {
  return Object.fromEntries(Object.entries(sum).filter(([name]) => name !== 'costUsd' && name !== 'costKind'))
}

/** A table with bars, within the terminal's width. */
export function renderUsage(
  { groups, total }: UsageOutput,
  { by, cost, limit }: { by: Grouping; cost: boolean; limit: number },
  terminal: Terminal,
): string {
  const rows = few(groups, by, limit)
  const { columns, name, bar } = layoutOf(rows, total, { by, cost }, terminal.width)
  const size = sizeBy(rows, by, cost)
  const largest = Math.max(...rows.map(size))
  const line = (label: string, cellOf: (column: Column) => string): string =>
    padded(label, name) + columns.map(column => `  ${cellOf(column).padStart(column.width)}`).join('')

  const body = rows.map(row => {
    const text = line(fitted(nameOf(row, by), name, by), ({ cell }) => cell(row))
    const drawn = bar < leastBar || largest <= 0 ? '' : barOf(size(row) / largest, bar)
    return drawn === '' ? text : `${text}  ${styled(terminal, 'cyan', drawn)}`
  })
  const word = by === 'harness' ? 'agent' : by
  const more = groups.length - rows.length
  const left = count(more, by === 'day' ? 'earlier day' : `more ${word}`)
  const notes = [
    ...(more > 0 ? [`${left}: --limit ${groups.length} shows all`] : []),
    ...(cost && by !== 'tool' ? legend([...rows, total]) : []),
  ]
  return [
    styled(
      terminal,
      'dim',
      line(word, ({ head }) => head),
    ),
    ...body,
    styled(
      terminal,
      'bold',
      line('total', ({ cell }) => cell(total)),
    ),
    ...notes.flatMap(note => wrap(note, terminal.width)).map(note => styled(terminal, 'dim', note)),
    '',
  ].join('\n')
}

/** Columns that a bar needs to tell anything, and those that are enough. */
const leastBar = 4
const longestBar = 24

/** Every figure in a column of its own where that leaves room for the names, else the tokens in two. */
function layoutOf(
  rows: readonly Group[],
  total: UsageSum,
  { by, cost }: { by: Grouping; cost: boolean },
  width: number,
): { columns: Column[]; name: number; bar: number } {
  const names = Math.max(5, ...rows.map(row => widthOf(nameOf(row, by))))
  const laidOut = (figures: readonly Figure[]): { columns: Column[]; name: number; bar: number } => {
    const columns = figures.map(({ head, cell }) => {
      const cells = [...rows, total].map(sum => cell(sum).length)
      return { head, cell, width: Math.max(head.length, ...cells) }
    })
    const taken = columns.reduce((sum, column) => sum + column.width + 2, 0)
    const name = Math.max(12, Math.min(names, width - taken - leastBar - 2))
    return { columns, name, bar: Math.min(longestBar, width - name - taken - 2) }
  }
  const whole = laidOut(columnsOf(total, by, cost))
  return whole.name >= names ? whole : laidOut(columnsOf(total, by, cost, true))
}

interface Figure {
  head: string
  cell: (sum: UsageSum & { calls?: number }) => string
}

interface Column extends Figure {
  width: number
}

function columnsOf(total: UsageSum, by: Grouping, cost: boolean, brief = false): Figure[] {
  const sessions: Figure = { head: 'sessions', cell: sum => sum.sessions.toLocaleString('en') }
  if (by === 'tool') return [{ head: 'calls', cell: sum => (sum.calls ?? 0).toLocaleString('en') }, sessions]
  const each = (
    [
      ['input', 'input'],
      ['cached', 'cacheRead'],
      ['written', 'cacheWrite'],
      ['output', 'output'],
      ['unsplit', 'unsplit'],
    ] as const
  ).flatMap(([head, figure]) =>
    // a figure that no agent tells, or that is nowhere above zero, takes no room
    (total.tokens[figure] ?? 0) === 0 ? [] : [{ head, cell: (sum: UsageSum) => short(sum.tokens[figure]) }],
  )
  const two = [
    { head: 'tokens', cell: (sum: UsageSum) => short(tokensOf(sum)) },
    { head: 'cached', cell: (sum: UsageSum) => short(sum.tokens.cacheRead) },
  ]
  return [
    ...(by === 'session' ? [] : [sessions]),
    ...(brief ? two : each),
    ...(cost ? [{ head: 'cost', cell: (sum: UsageSum) => costText(sum) }] : []),
  ]
}

function nameOf(group: Group, by: Grouping): string {
  if (by !== 'session') return plain(group.key)
  const at = group.key.indexOf(':')
  const id = `${group.key.slice(0, at)}:${shortId(group.key.slice(at + 1))}`
  return plain(group.title === undefined ? id : `${id} ${group.title}`)
}

/** A path is told by its end, everything else by its beginning. */
function fitted(name: string, width: number, by: Grouping): string {
  if (widthOf(name) <= width || by !== 'project') return cut(name, width)
  let end = name
  while (widthOf(end) > width - 1) end = end.slice(1)
  return `…${end}`
}

/** What the bars show: money where any is known and wanted, else tokens, or calls. */
function sizeBy(rows: readonly UsageGroup[], by: Grouping, cost: boolean): (row: UsageGroup) => number {
  if (by === 'tool') return row => row.calls ?? 0
  const money = cost && rows.some(row => (row.costUsd ?? 0) > 0)
  return money ? row => row.costUsd ?? 0 : tokensOf
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

function barOf(share: number, width: number): string {
  const parts = Math.round(share * width * 8)
  return parts === 0 && share > 0 ? '▏' : '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '')
}

/** `1,234`, `71.8k`, `3.4M`; a dash where it isn't known. */
function short(figure: number | null): string {
  if (figure === null) return '–'
  if (figure < 10_000) return figure.toLocaleString('en')
  for (const [size, unit] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (figure >= size * 0.9995) return `${(figure / size).toFixed(figure < size * 99.95 ? 1 : 0)}${unit}`
  }
  return String(figure)
}

function costText({ costUsd, costKind }: UsageSum): string {
  if (costUsd === null) return '?'
  const mark = costKind === 'estimated' ? '~' : costKind === 'partial' ? '≥' : ''
  const digits = costUsd === 0 || costUsd >= 1 ? 2 : 4
  const least = 10 ** -digits / 2
  return costUsd > 0 && costUsd < least
    ? `${mark}<$0.0001`
    : `${mark}$${costUsd.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}

/** What the marks mean, as far as they are there. */
function legend(sums: readonly UsageSum[]): string[] {
  const kinds = new Set(sums.map(({ costKind }) => costKind))
  const meanings = [
    ...(kinds.has('estimated') ? ['~ estimated from list prices'] : []),
    ...(kinds.has('partial') ? ['≥ not all of it is known'] : []),
    ...(kinds.has('unknown') ? ['? not known'] : []),
  ]
  return meanings.length === 0 ? [] : [meanings.join('   ')]
}
