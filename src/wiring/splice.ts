/** Changes to a text by position: everything outside a splice keeps its bytes. */

export interface Splice {
  /** Where in the text, in UTF-16 units. */
  at: number
  /** How many units go. */
  remove: number
  insert: string
}

/** Applies splices that don't overlap, in any order; of two at one place the first given stands first. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = ''
  let done = 0
  for (const { at, remove, insert } of splices.toSorted((a, b) => a.at - b.at)) {
    result += text.slice(done, at) + insert
    done = at + remove
  }
  return result + text.slice(done)
}

/** Line and column of an offset, both from 1. */
export function position(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** The line ending that a text uses (its first one's). */
export function lineEnding(text: string): string {
  const at = text.indexOf('\n')
  return at > 0 && text.charAt(at - 1) === '\r' ? '\r\n' : '\n'
}

/** Where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** Where the line of an offset ends: before its line ending, or at the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset)
  if (at < 0) return text.length
  return at > offset && text.charAt(at - 1) === '\r' ? at - 1 : at
}

/** The start of the next line (behind the line ending), or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset)
  return at < 0 ? text.length : at + 1
}

/** Blanks at the start of an offset's line. */
export function indentation(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ''
}

/** Whether nothing but blanks stands before an offset on its line. */
export function beginsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === ''
}
