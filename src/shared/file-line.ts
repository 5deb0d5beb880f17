import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DejaError } from './errors.ts'

/** A place that a caller names: `src/a.ts`, or `src/a.ts:12` (a column behind it is let go). */
export interface FileLine {
  /** As it was written, without the line. */
  path: string
  absolute: string
  /** The text of that line; null where none was asked for. */
  line: string | null
}

/** Takes a place apart and reads its line. A colon that is part of the name stays. Throws `usage` where there is no such line. */
export function fileLine(target: string, directory: string): FileLine {
  const [, before, digits] = /^(.+):(\d{1,7})(?::\d+)?$/.exec(target) ?? []
  const path = before ?? target
  const absolute = resolve(directory, path)
  return { path, absolute, line: before === undefined ? null : lineOf(absolute, Number(digits)) }
}

function lineOf(path: string, number: number): string {
  let lines: string[]
  try {
    lines = readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    throw new DejaError('usage', `The file can't be read, so its line ${number} isn't known.`, { path, cause: error })
  }
  const line = lines[number - 1]
  if (line === undefined) throw new DejaError('usage', `The file has ${lines.length} lines, not ${number}.`, { path })
  if (line.trim() === '') throw new DejaError('usage', `Line ${number} is empty.`, { path })
  return line
}
