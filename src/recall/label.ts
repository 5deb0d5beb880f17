import type { SessionHead } from '../index/passage.ts'
import type { Time } from '../shared/model.ts'
import { localDay, shortId } from '../shared/shown.ts'
import { neutralLine } from './neutral.ts'

/** Enough of a recorded id to ask for it again, fit for a frame. */
export const toldId = (id: string): string => neutralLine(shortId(id))

/** `2026-09-24, CodeWhale 7c41e9d2`. */
export function labelOf(session: SessionHead, at: Time, agentName: (harness: string) => string): string {
  const day = localDay(at ?? session.updatedAt ?? session.startedAt)
  return `${day === '' ? '' : `${day}, `}${agentName(session.harness)} ${toldId(session.id)}`
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
