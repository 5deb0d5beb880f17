/** A figure beside its budget. */
export interface Row {
  what: string
  value: number
  unit: string
  /** The most that it may be, or the least; null: told for information. */
  budget: { most: number } | { least: number } | null
  /** What the figure is made of: a ratio's two sides, counts, conditions. */
  note?: string
}

export function isMet({ value, budget }: Row): boolean | null {
  if (budget === null) return null
  return 'most' in budget ? value <= budget.most : value >= budget.least
}

/** Rows as an aligned table: what, figure, budget, whether it is met, and what the figure is made of. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(row => {
    const met = isMet(row)
    return [
      row.what,
      `${shown(row.value)} ${row.unit}`.trim(),
      budgetOf(row),
      met === null ? '' : met ? 'met' : 'NOT met',
      row.note ?? '',
    ]
  })
  const all = [['what', 'figure', 'budget', '', ''], ...cells]
  const widths = [0, 1, 2, 3].map(column => Math.max(...all.map(line => line[column]?.length ?? 0)))
  return all
    .map(line =>
      line
        .map((cell, column) => (column < 4 ? cell.padEnd(widths[column] ?? 0) : cell))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function jsonOf(rows: readonly Row[], about: object): string {
  return `${JSON.stringify({ ...about, rows: rows.map(row => ({ ...row, met: isMet(row) })) }, null, 2)}\n`
}

function budgetOf({ budget, unit }: Row): string {
  if (budget === null) return ''
  return `${'most' in budget ? `≤ ${budget.most}` : `≥ ${budget.least}`} ${unit}`.trim()
}

function shown(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)
}
