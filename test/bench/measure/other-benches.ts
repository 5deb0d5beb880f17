import { spawnSync } from 'node:child_process'
import type { Row } from './table.ts'

/** The other measurements are programs of their own: what they print is taken over. */
function printedBy(name: string, args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['.config/bench.mjs', name, ...args], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`bench ${name} failed: ${stderr.trim()}`)
  return stdout
}

/** A hook's whole process against an empty one, by the form of the shim. */
export function hookRows(runs: number): Row[] {
  const printed = printedBy('hook', ['--runs', String(runs), '--records', '2000', '--shim'])
  const budgets: Readonly<Record<string, number>> = { bash: 4, curl: 10 }
  return [...printed.matchAll(/^(\w+) at (\d+) KB: (.*), ratio ([\d.]+).*$/gm)].map(
    ([, form = '', size = '', times = '', ratio = '']) => {
      const most = budgets[form]
      return {
        what: `a hook's process by ${form}, ${size} KB`,
        value: Number(ratio),
        unit: '×',
        budget: most === undefined ? null : { most },
        note: times,
      }
    },
  )
}

export function locomoRows(file: string): Row[] {
  const printed = printedBy('locomo', [file])
  const [, first = 'NaN', five = 'NaN', n = ''] = /^all: hit@1 ([\d.]+) hit@5 ([\d.]+) n=(\d+)/m.exec(printed) ?? []
  return [
    { what: 'LoCoMo hit@1', value: Number(first), unit: '%', budget: { least: 78 }, note: `n=${n}` },
    { what: 'LoCoMo hit@5', value: Number(five), unit: '%', budget: { least: 94 }, note: `n=${n}` },
  ]
}
