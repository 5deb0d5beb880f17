import { stripRecall } from '../shared/own.ts'

/** Titles that the client passes over. */
const NO_TITLE = /^(?:\(No content\)|\/compact\b.*|<image_local_path>[^\n]*)$/s

export function titleOf(text: string | null): string | null {
  const title = stripRecall(text ?? '').trim()
  return title === '' || NO_TITLE.test(title) ? null : title
}

const TITLE_LENGTH = 120

/** A prompt as a title: its first line, at most 120 characters. */
export function titleFromPrompt(text: string | null): string | null {
  const line = titleOf(text)?.split('\n', 1)[0]?.trim() ?? null
  if (line === null) return null
  const characters = Array.from(line.slice(0, 4 * TITLE_LENGTH))
  return characters.length <= TITLE_LENGTH ? line : characters.slice(0, TITLE_LENGTH - 1).join('') + '…'
}
