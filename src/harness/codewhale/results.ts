import type { Outcome } from '../../shared/model.ts'
import type { Shell } from './tools.ts'

/** What a tool call's result says. */
export interface Result {
  /** What the tool printed, without CodeWhale's own words; '' where it printed nothing. */
  output: string
  outcome: Outcome
  exitCode: number | null
  /** False where the call never ran: denied, rejected, lost in a crash. */
  ran: boolean
}

/** The text of a result, without what CodeWhale put around it. */
function resultText(content: string, isError: boolean): string {
  const said = (text: string): string => (isError ? text.replace(/^Error: /, '') : text)
  // Which of these is inside which differs by version.
  return said(withoutApproval(withoutCompaction(said(withoutApproval(withoutHookContext(content))))))
}

/** Reads the result of a command: the recorded code before any other text. */
export function commandResult(shell: Shell, content: string, isError: boolean): Result {
  const text = resultText(content, isError)
  if (shell === 'primitive') return isError ? primitiveError(text) : succeeded(text)
  if (isError || wasRefused(text)) return notRun(text)
  if (STILL_RUNNING.test(text)) return { output: '', outcome: 'unknown', exitCode: null, ran: true }
  if (shell === 'detached') return { output: printed(text), outcome: 'unknown', exitCode: null, ran: true }
  return classicEnd(text) ?? succeeded(text)
}

/** Any other tool's result. */
export function otherResult(content: string, isError: boolean): Result {
  const text = resultText(content, isError)
  if (isError) return notRun(text)
  return { output: printed(text), outcome: 'ok', exitCode: null, ran: true }
}

/** A failing `bash` (0.9.6+) ends with exactly one of three lines; -1 is a code that wasn't known. */
function primitiveError(text: string): Result {
  const code = /(?:^|\n)Command exited with code (-?\d+)\s*$/.exec(text)
  if (code !== null) {
    const exitCode = Number(code[1])
    return failed(text.slice(0, code.index), exitCode === -1 ? null : exitCode)
  }
  const timeout = /(?:^|\n)Command timed out after [\d.]+ seconds?\s*$/.exec(text)
  if (timeout !== null) return failed(text.slice(0, timeout.index), null)
  const aborted = /(?:^|\n)Command aborted\s*$/.exec(text)
  if (aborted !== null) {
    return { output: printed(text.slice(0, aborted.index)), outcome: 'unknown', exitCode: null, ran: true }
  }
  return notRun(text)
}

/** A call that went to the background, at once or while it was waited for. */
const STILL_RUNNING =
  /^(?:Background task started|Command moved to background|Foreground shell wait moved to \/jobs): \S/

/** What the shell itself says where it runs nothing: a result like any other, without `is_error` (0.8–0.10). */
const REFUSED =
  /^(?:BLOCKED: |Shell execution failed: |Shell command blocked by |Shell tools are disabled by |Interactive (?:commands|mode) cannot )/

function wasRefused(text: string): boolean {
  return REFUSED.test(text) || (/^(?:Tool|This tool|The tool|User|Approval)\b/.test(text) && isDenial(text))
}

/** Advice that is put before a failure (0.8–0.10). */
const ADVICE =
  /^(?:(?:Python build dependency missing|Docker buildx failed to update its activity file|Shell command blocked: Plan mode)[^\n]*\n\n)+/

/** How a command ended, in a line of its own; a time-out has a line of advice behind it. */
const END =
  /^(?:Command failed \((.*)\)|Command timed out after [\d.]+ ?m?s; process killed\.(?:\n\nForeground exec_shell is for [^\n]*)?|Command (canceled); process killed\.|Interactive command completed \((.*)\))(?=\s*$|\s*\n(?:STDOUT|STDERR):(?:\n|$))/

/** `exit code 2`; `exit code: Some(2)` and `exit code: None` before 0.9; a signal has none. */
const CODE = /^exit code:? (?:Some\()?(-?\d+)/

/**
 * `exec_shell` and `Bash` (to 0.9.5) say how a command ended in their first line, with sections below. What a command
 * printed may look like the line alone (`cat fail.log`), so the sections count as well.
 */
function classicEnd(text: string): Result | null {
  const told = text.replace(ADVICE, '')
  const end = END.exec(told)
  if (end === null) return null
  const [line, how, canceled, asked] = end
  const output = told
    .slice(line.length)
    .replace(/^\s*STDOUT:\n?/, '')
    .replace(/\n*STDERR:\s*$/, '')
  if (canceled !== undefined) return { output: printed(output), outcome: 'unknown', exitCode: null, ran: true }
  const code = CODE.exec(how ?? asked ?? '')?.[1]
  if (asked === undefined) return failed(output, code === undefined ? null : Number(code))
  // Only who answered saw what it printed.
  if (code === undefined) return { output: '', outcome: 'unknown', exitCode: null, ran: true }
  return Number(code) === 0 ? succeeded(output) : failed(output, Number(code))
}

function succeeded(text: string): Result {
  return { output: printed(text), outcome: 'ok', exitCode: 0, ran: true }
}

function failed(output: string, exitCode: number | null): Result {
  return { output: printed(output), outcome: 'failed', exitCode, ran: true }
}

function notRun(text: string): Result {
  const noise = isDenial(text) || /crashed_and_repaired/.test(text.slice(0, 400))
  return { output: noise ? '' : printed(text), outcome: 'unknown', exitCode: null, ran: false }
}

/** A person's or a hook's no. Only what begins like one: a command may well print that something "was denied". */
function isDenial(text: string): boolean {
  return (
    /^(?:Failed to execute tool: |Permission denied: )?[^\n]{0,160}(?:\bwas denied\b|\bdenied tool\b|\bdenied by (?:the )?user\b)[^\n]{0,200}(?:\n|$)/.test(
      text,
    ) && text.length < 2_000
  )
}

function printed(text: string): string {
  const trimmed = text.trimEnd()
  return trimmed.trim() === '(no output)' ? '' : trimmed
}

/** Approved calls begin with a line that says so. */
function withoutApproval(text: string): string {
  return text.replace(/^\[approval\] This tool call required approval[^\n]*\n?\n?/, '')
}

/** Hooks' contexts are appended, at most 2,000 characters (of one or two units) each. */
function withoutHookContext(text: string): string {
  let kept = text
  for (;;) {
    const at = kept.lastIndexOf('\n\n[hook context] ')
    if (at === -1 || kept.length - at > 4_100) return kept
    kept = kept.slice(0, at)
  }
}

/** A long result is kept as a snippet of its head and tail. */
function withoutCompaction(text: string): string {
  const match = /^\[[^\n\]]{1,80} output compacted to protect context\]\n(?:Summary: [^\n]*\n)?Snippet: /.exec(text)
  return match === null
    ? text
    : text.slice(match[0].length).replace(/\n\(Original: \d+ chars, omitted: \d+ chars\.\)\s*$/, '')
}
