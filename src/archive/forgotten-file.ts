import { closeSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'

/** What must not come back. */
export type Tombstone =
  | { kind: 'session'; harness: string; value: string; at: string; turns?: number[] }
  /** Sessions worked in that project that began before `at`. */
  | { kind: 'project'; harness: ''; value: string; at: string }
  /** Sessions last changed before `value`, a time or a date. */
  | { kind: 'before'; harness: ''; value: string; at: string }
  /** A session brought back, though a project or a date above would cover it. */
  | { kind: 'except'; harness: string; value: string; at: string }

/** A line of forgotten.jsonl: a tombstone, or the taking back of one. */
export type ForgottenLine = Tombstone | { kind: 'unforget'; of: string; harness: string; value: string; at: string }

/**
 * The tombstones beside the archive: a lost, broken or rebuilt archive brings nothing back. Lines are only ever added,
 * each whole and with an fsync; a torn last line is a `forget` that was never confirmed.
 */
export class ForgottenFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  append(lines: readonly ForgottenLine[]): void {
    if (lines.length === 0) return
    const file = openSync(this.#path, 'a+', 0o600)
    try {
      // a torn line before this one must not swallow it
      const text = lines.map(line => JSON.stringify(line)).join('\n')
      writeFileSync(file, `${endsOnLine(this.#path) ? '' : '\n'}${text}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }

  /** In the order in which they were written. */
  read(): ForgottenLine[] {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch {
      return []
    }
    return text.split('\n').flatMap(line => {
      const parsed = parseLine(line)
      return parsed ? [parsed] : []
    })
  }
}

function endsOnLine(path: string): boolean {
  const text = readFileSync(path)
  return text.length === 0 || text.at(-1) === 10
}

function parseLine(line: string): ForgottenLine | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  if (!('kind' in value && 'value' in value && typeof value.value === 'string')) return null
  const at = 'at' in value && typeof value.at === 'string' ? value.at : ''
  const harness = 'harness' in value && typeof value.harness === 'string' ? value.harness : ''
  const base = { value: value.value, at }
  switch (value.kind) {
    case 'session': {
      const turns = 'turns' in value && Array.isArray(value.turns) ? value.turns : []
      return { kind: 'session', harness, ...base, turns: turns.filter(turn => typeof turn === 'number') }
    }
    case 'except':
      return { kind: 'except', harness, ...base }
    case 'project':
    case 'before':
      return { kind: value.kind, harness: '', ...base }
    case 'unforget':
      return 'of' in value && typeof value.of === 'string' ? { kind: 'unforget', of: value.of, harness, ...base } : null
    default:
      return null
  }
}
