/** Where a key stands in a TOML text, for messages: the parser gives positions of its own errors only. */

const HEADER = /^\s*\[+\s*([^\]]+?)\s*\]+/
const ENTRY = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/

function parts(key: string): string[] {
  return key.split('.').map(part => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
}

/** The key that a line (from 1) sets, dotted and with its table, or null. */
export function keyOfLine(text: string, line: number): string | null {
  const lines = text.split('\n')
  const entry = ENTRY.exec(lines[line - 1] ?? '')?.[1] ?? HEADER.exec(lines[line - 1] ?? '')?.[1]
  return entry === undefined ? null : parts(entry).join('.')
}

/** The line (from 1) on which a key, or the nearest table above it, stands; 1 where none does. */
export function lineOfKey(text: string, path: readonly string[]): number {
  let table: string[] = []
  let best = { line: 1, length: 0 }
  for (const [i, line] of text.split('\n').entries()) {
    const header = HEADER.exec(line)?.[1]
    const entry = ENTRY.exec(line)?.[1]
    if (header !== undefined) table = parts(header)
    else if (entry === undefined) continue
    const full = entry === undefined ? table : [...table, ...parts(entry)]
    if (full.length > best.length && full.every((part, n) => part === path[n]))
      best = { line: i + 1, length: full.length }
  }
  return best.line
}
