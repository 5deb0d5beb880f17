import type { Outcome } from '../../shared/model.ts'
import { withoutRepairNotes } from './text.ts'

/** What a command's result says of it. */
export interface CommandResult {
  exitCode: number | null
  outcome: Outcome
  /** What it printed; '' where the result holds only the client's words. */
  output: string
}

const refused = /^(?:Permission denied by the user\.|Skipped [—–-] |No tool named ")/
/** Stands behind the reason that a hook gave. */
const blocked = '(Blocked by hook policy. Do not retry this tool'

/** The call was not run: refused by the person, by a hook, with its batch, or unknown to the client. */
function wasRefused(body: string): boolean {
  return refused.test(body) || body.slice(-300).includes(blocked)
}

const started = /^(?:Started shell command in the background\.|Monitor started\.)/
const exitLine = /^Exit code: (-?\d{1,10})(?: \((.+)\))?[ \t]*(?:\r?\n|$)/
/** PowerShell's meaning stands on the line behind the code. */
const meaningLine = /^\((?:[A-Z][^()\n]{2,80})\)[ \t]*(?:\r?\n|$)/
const signal = /^Signal: SIG[A-Z0-9]+$/
const timedOut = /^Command timed out after \d+ ?ms$/
const aborted = /^Command aborted$/

/**
 * Reads a shell tool's result (0.41–1.64). A code with a meaning behind it ("No matches found") is kept, but the client
 * itself says that it is no failure. A time-out, a signal and a task in the background have no code, and none succeeded.
 */
export function commandResult(tool: string, text: string, markedFailed: boolean): CommandResult {
  const body = withoutRepairNotes(text)
  if (wasRefused(body) || started.test(body)) return { exitCode: null, outcome: 'unknown', output: '' }
  const exit = exitLine.exec(body)
  if (exit !== null) {
    const exitCode = Number(exit[1])
    const rest = body.slice(exit[0].length)
    const meaning = tool.toLowerCase() === 'powershell' ? meaningLine.exec(rest) : null
    const harmless = exitCode === 0 || exit[2] !== undefined || meaning !== null
    return { exitCode, outcome: harmless ? 'ok' : 'failed', output: rest.slice(meaning?.[0].length ?? 0) }
  }
  const trimmed = body.trim()
  const last = trimmed.slice(trimmed.lastIndexOf('\n') + 1).trim()
  const first = trimmed.split('\n', 1)[0]?.trim() ?? ''
  if (aborted.test(last)) return { exitCode: null, outcome: 'unknown', output: body }
  if (timedOut.test(last) || signal.test(first) || signal.test(last) || markedFailed)
    return { exitCode: null, outcome: 'failed', output: body }
  return { exitCode: null, outcome: 'ok', output: body }
}

const fileFailure =
  /^(?:Error\b|Failed\b|Cannot\b|Could not\b|Unable\b|Invalid\b|Missing\b|No occurrences|Found \d+ (?:matches|occurrences)|File not found|No such file|Path (?:is|does)\b|ENOENT|EACCES|EISDIR)/i

/** What came of a call on files: a call that failed changed nothing. */
export function fileOutcome(text: string, markedFailed: boolean): 'ok' | 'failed' | 'not-run' {
  const body = withoutRepairNotes(text)
  if (wasRefused(body)) return 'not-run'
  return markedFailed || fileFailure.test(body.trimStart()) ? 'failed' : 'ok'
}

/** The paths under `Errors:` of a read of many files, as the client names them (often relative). */
export function unreadPaths(text: string): string[] {
  const list = /^Read \d+\/\d+ files?.*\nErrors:\n((?: {2}- .*(?:\n|$))+)/.exec(withoutRepairNotes(text))?.[1] ?? ''
  return [...list.matchAll(/^ {2}- (.+?): /gm)].map(match => match[1] ?? '')
}

/** Whether a call that is not a command ran at all. */
export function wasRun(text: string): boolean {
  return !wasRefused(withoutRepairNotes(text))
}
