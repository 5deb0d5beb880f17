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
  if (isError || /^(?:Tool|This tool|The tool|User|Approval)\b/.test(text)) {
    if (isError || isDenial(text)) return notRun(text)
  }
  if (/^Background task started: /.test(text)) return { output: '', outcome: 'unknown', exitCode: null, ran: true }
  if (shell === 'detached') return { output: printed(text), outcome: 'unknown', exitCode: null, ran: true }
  return classicFailure(text) ?? succeeded(text)
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

/**
 * `exec_shell` and `Bash` (to 0.9.5) say a failure in their first line, with sections below. What a command printed
 * may look like the line alone (`cat fail.log`), so the sections count as well.
 */
function classicFailure(text: string): Result | null {
  const header =
    /^Command (?:failed \((?:exit code:? ?(-?\d+)[^)\n]*|[^)\n]*)\)|timed out after [\d.]+ ?m?s; process killed\.)/.exec(
      text,
    )
  if (header === null) return null
  const rest = text.slice(header[0].length)
  if (rest.trim() !== '' && !/^\s*\n(?:STDOUT|STDERR):(?:\n|$)/.test(rest)) return null
  const output = rest.replace(/^\s*STDOUT:\n?/, '').replace(/\n*STDERR:\s*$/, '')
  return failed(output, header[1] === undefined ? null : Number(header[1]))
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
