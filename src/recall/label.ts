import type { SessionHead } from '../index/passage.ts'
import type { Time } from '../shared/model.ts'
import { neutralLine } from './neutral.ts'

/** The day as people here see it: `2026-09-24`; '' where none is known. */
export function localDay(time: Time): string {
  if (time === null) return ''
  if (/^\d{4}-\d\d-\d\d$/.test(time)) return time
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Enough of an id to ask for it again. */
export function shortId(id: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(id)) return id.slice(0, 8)
  return neutralLine(id).slice(0, 16)
}

/** `2026-09-24, CodeWhale 7c41e9d2`. */
export function labelOf(session: SessionHead, at: Time, agentName: (harness: string) => string): string {
  const day = localDay(at ?? session.updatedAt ?? session.startedAt)
  return `${day === '' ? '' : `${day}, `}${agentName(session.harness)} ${shortId(session.id)}`
}

/** A path as it is told in its project: relative where it lies below one of these directories. */
export function shownPath(path: string, directories: readonly (string | null)[]): string {
  for (const directory of directories) {
    if (directory !== null && directory !== '' && path.startsWith(`${directory.replace(/\/+$/, '')}/`))
      return neutralLine(path.slice(directory.replace(/\/+$/, '').length + 1))
  }
  return neutralLine(path)
}

/** Code in running text: on one line, in backticks that its own can't end. */
export const codeOf = (text: string, limit: number): string => {
  const line = neutralLine(text).replaceAll('`', "'")
  const characters = Array.from(line)
  return `\`${characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line}\``
}

/** Two lines that say the same, give or take a word. */
export function isAlike(a: string, b: string): boolean {
  const [x, y] = [wordsOf(a), wordsOf(b)]
  if (x.size === 0 || y.size === 0) return false
  let shared = 0
  for (const word of x) if (y.has(word)) shared++
  return shared / Math.min(x.size, y.size) >= 0.8 && shared / Math.max(x.size, y.size) >= 0.5
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}_]{2,}/gu) ?? []
  return new Set(words)
}
