/** A unified diff of two texts, as `diff -u` prints it. */

const CONTEXT = 3

type Line = { sign: ' ' | '-' | '+'; text: string }

/** '' where nothing differs. Null stands for a file that isn't there. */
export function unifiedDiff(file: string, before: string | null, after: string | null): string {
  if (before === after) return ''
  const all = compared(split(before ?? ''), split(after ?? ''))
  const head = `--- ${before === null ? '/dev/null' : file}\n+++ ${after === null ? '/dev/null' : file}\n`
  return head + hunks(all).join('')
}

/** Lines with their endings; the last may have none. */
function split(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Lines in common at both ends, and a longest common subsequence of the middle. Ours is a handful of lines: a middle that is too large is shown whole. */
function compared(before: string[], after: string[]): Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const line =
    (sign: Line['sign']) =>
    (text: string): Line => ({ sign, text })
  const old = before.slice(start, before.length - end)
  const now = after.slice(start, after.length - end)
  const middle = old.length * now.length > 4_000_000 ? [...old.map(line('-')), ...now.map(line('+'))] : common(old, now)
  return [...before.slice(0, start).map(line(' ')), ...middle, ...before.slice(before.length - end).map(line(' '))]
}

function common(old: string[], now: string[]): Line[] {
  const length = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  const at = (i: number, j: number): number => length[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const row = length[i]
      if (row) row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [a, b] = [old[i], now[j]]
    if (a !== undefined && a === b) {
      lines.push({ sign: ' ', text: a })
      i++
      j++
    } else if (a !== undefined && (b === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: a })
      i++
    } else {
      lines.push({ sign: '+', text: b ?? '' })
      j++
    }
  }
  return lines
}

function hunks(all: readonly Line[]): string[] {
  const near = all.map((_, n) => all.slice(Math.max(0, n - CONTEXT), n + CONTEXT + 1).some(line => line.sign !== ' '))
  const texts: string[] = []
  let [old, now] = [1, 1]
  for (let n = 0; n < all.length;) {
    let end = n
    while (end < all.length && near[end] === near[n]) end++
    const lines = all.slice(n, end)
    const olds = lines.filter(line => line.sign !== '+').length
    const nows = lines.filter(line => line.sign !== '-').length
    if (near[n]) {
      const range = (from: number, count: number): string => `${count === 0 ? from - 1 : from},${count}`
      texts.push(`@@ -${range(old, olds)} +${range(now, nows)} @@\n${lines.map(shown).join('')}`)
    }
    ;[old, now, n] = [old + olds, now + nows, end]
  }
  return texts
}

function shown({ sign, text }: Line): string {
  return text.endsWith('\n') ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`
}
