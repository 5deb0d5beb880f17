import { askDaemon } from '../client/client.ts'
import { usageEndpoint, type UsageOutput } from '../daemon/usage-api.ts'
import { tokensOf, type Grouping, type UsageGroup, type UsageSum } from '../usage/usage.ts'
import type { CliContext, Terminal } from './context.ts'
import { count, cut, padded, plain, shortId, styled, widthOf } from './render.ts'

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

interface Column {
  head: string
  cell: (sum: UsageSum & { calls?: number }) => string
}

/** A table with bars, within the terminal's width. */
export function renderUsage(
  { groups, total }: UsageOutput,
  { by, cost, limit }: { by: Grouping; cost: boolean; limit: number },
  terminal: Terminal,
): string {
  const rows = few(groups, by, limit)
  const columns = columnsOf(total, by, cost)
  const widths = columns.map(({ head, cell }) =>
    Math.max(head.length, ...[...rows, total].map(sum => cell(sum).length)),
  )
  const figures = widths.reduce((sum, width) => sum + width + 2, 0)
  const names = Math.max(5, ...rows.map(row => widthOf(nameOf(row, by))))
  // a bar needs some room to tell anything; names that are longer than what is left are cut
  const name = Math.max(12, Math.min(names, terminal.width - figures - 12))
  const bar = Math.min(24, terminal.width - name - figures - 2)
  const size = sizeBy(rows, by, cost)
  const largest = Math.max(...rows.map(size))
  const line = (label: string, cells: readonly string[]): string =>
    padded(label, name) + cells.map((cell, n) => `  ${cell.padStart(widths[n] ?? 0)}`).join('')

  const head = line(
    by === 'harness' ? 'agent' : by,
    columns.map(column => column.head),
  )
  const body = rows.map(row => {
    const text = line(
      fitted(nameOf(row, by), name, by),
      columns.map(({ cell }) => cell(row)),
    )
    const drawn = bar < 4 || largest <= 0 ? '' : barOf(size(row) / largest, bar)
    return drawn === '' ? text : `${text}  ${styled(terminal, 'cyan', drawn)}`
  })
  const foot = line(
    'total',
    columns.map(({ cell }) => cell(total)),
  )
  const more = groups.length - rows.length
  const notes = [
    ...(more > 0
      ? [
          `${count(more, by === 'day' ? 'earlier day' : `more ${by === 'harness' ? 'agent' : by}`)}: --limit ${groups.length} shows all`,
        ]
      : []),
    ...(cost && by !== 'tool' ? legend([...rows, total]) : []),
  ]
  return [
    styled(terminal, 'dim', head),
    ...body,
    styled(terminal, 'bold', foot),
    ...notes.map(note => styled(terminal, 'dim', note)),
    '',
  ].join('\n')
}

function columnsOf(total: UsageSum, by: Grouping, cost: boolean): Column[] {
  const sessions: Column = { head: 'sessions', cell: sum => sum.sessions.toLocaleString('en') }
  if (by === 'tool') return [{ head: 'calls', cell: sum => (sum.calls ?? 0).toLocaleString('en') }, sessions]
  const tokens = (
    [
      ['input', 'input'],
      ['cached', 'cacheRead'],
      ['written', 'cacheWrite'],
      ['output', 'output'],
      ['unsplit', 'unsplit'],
    ] as const
  ).flatMap(([head, figure]) =>
    // a figure that no agent tells takes no room
    total.tokens[figure] === null ? [] : [{ head, cell: (sum: UsageSum) => short(sum.tokens[figure]) }],
  )
  return [
    ...(by === 'session' ? [] : [sessions]),
    ...tokens,
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
  const digits = costUsd === 0 || costUsd >= 100 ? 2 : costUsd >= 1 ? 3 : 4
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
