import { arrayOf, isObject, numberOf, objectOf, parseJson, textOf } from '../shared/json.ts'
import { cleaned } from './items.ts'
import type { Outcome } from '../../shared/model.ts'
import type { JsonObject } from '../shared/json.ts'

/** What came of a tool call. `status` is `completed` for failures and refusals too (2.117.0): it says nothing. */

/** The text that the model got, without what hooks appended. */
export function resultText(item: JsonObject): string {
  return cleaned(contentText(item.output)).trimEnd()
}

function contentText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) {
    return value
      .map(contentText)
      .filter(text => text !== '')
      .join('\n')
  }
  return isObject(value) ? (textOf(value.text) ?? '') : ''
}

/** The client's own account of what happened, where it kept one. */
export function rawResponse(item: JsonObject): JsonObject {
  return objectOf(toolResult(item).rawResponse)
}

function toolResult(item: JsonObject): JsonObject {
  return objectOf(objectOf(item.providerData).toolResult)
}

/** Whether a tool other than a shell failed, so that nothing was read or changed. */
export function failed(item: JsonObject, text: string): boolean {
  return (
    rawResponse(item).is_error === true ||
    textOf(toolResult(item).error) !== null ||
    text.startsWith('<tool_use_error>') ||
    text.startsWith('Error: ')
  )
}

/** A text as it was printed: without the client's wrapping of errors and of lists. */
export function printedText(tool: string, text: string): string {
  const error = /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/.exec(text)?.[1]
  if (error !== undefined) return error.trim()
  if ((tool === 'Grep' || tool === 'Glob') && text.startsWith('[')) {
    const lines = arrayOf(parseJson(text))
    if (lines.length > 0 && lines.every(line => typeof line === 'string')) return lines.join('\n')
  }
  return text === EMPTY ? '' : text
}

/** The client's word for no output. */
export const EMPTY = '(empty)'

export interface CommandResult {
  /** As it ran: a hook may have changed the call after it was written down. Null where the result doesn't say. */
  command: string | null
  exitCode: number | null
  outcome: Outcome
  printed: string
}

/** `8002`: a code other than 0, `8013`: ended by a signal or its time limit. Refusals have others. */
const RAN_AND_FAILED = ['8002', '8013']

/** `length` is the call's command's: where the command ends in the result, unless a hook changed it. */
export function commandResult(text: string, raw: JsonObject, length: number | null): CommandResult {
  const fields = shellFields(text, length)
  const recorded = numberOf(raw.exitCode)
  const exitCode = recorded ?? fields?.exitCode ?? null
  const signalled = textOf(raw.signal) !== null || (fields?.signal ?? null) !== null
  const broke = signalled || RAN_AND_FAILED.includes(textOf(raw.tool_error_code) ?? '')
  return {
    command: fields?.command ?? null,
    exitCode,
    outcome: exitCode === null ? (broke ? 'failed' : 'unknown') : exitCode === 0 ? 'ok' : 'failed',
    printed: fields === null ? text : fields.printed,
  }
}

interface ShellFields {
  command: string
  printed: string
  exitCode: number | null
  signal: string | null
}

const HEAD = 'Command: '
const STDOUT = '\nStdout: '
const STDERR = '\nStderr: '
const TRAILER = /\nExit Code: (-?\d+|\(none\))\nSignal: (\S+)\s*$/

/** The five-line result of a shell: `Command:`, `Stdout:`, `Stderr:`, `Exit Code:`, `Signal:`. Each of the first three may hold lines. */
function shellFields(text: string, length: number | null): ShellFields | null {
  if (!text.startsWith(HEAD)) return null
  const trailer = TRAILER.exec(text)
  if (trailer === null) return null
  const body = text.slice(0, trailer.index)
  const known = length !== null && body.startsWith(STDOUT, HEAD.length + length)
  const stdoutAt = known ? HEAD.length + length : body.indexOf(STDOUT)
  const stderrAt = body.lastIndexOf(STDERR)
  if (stdoutAt === -1 || stderrAt < stdoutAt) return null
  const [, code = '', signal = ''] = trailer
  const streams = [body.slice(stdoutAt + STDOUT.length, stderrAt), body.slice(stderrAt + STDERR.length)]
  return {
    command: body.slice(HEAD.length, stdoutAt),
    printed: streams
      .map(stream => stream.trimEnd())
      .filter(stream => stream !== '' && stream !== EMPTY)
      .join('\n'),
    exitCode: code === '(none)' ? null : Number(code),
    signal: signal === '(none)' ? null : signal,
  }
}

/** A result that was too large for the transcript: where its whole text is, and its first 2 KB. */
export interface Persisted {
  path: string
  preview: string
}

export function persisted(text: string): Persisted | null {
  if (!text.startsWith('<persisted-output>')) return null
  const head = text.slice(0, 4_096)
  const path = /Full output saved to: ([^\n]+)/.exec(head)?.[1]?.trim()
  if (path === undefined) return null
  const preview = /\nPreview \([^)\n]*\):\n/.exec(head)
  const start = preview === null ? text.length : preview.index + preview[0].length
  const shown = text.slice(start).replace(/(?:\n\.\.\.)?\s*<\/persisted-output>\s*$/, '')
  return { path, preview: shown.replace(/^Command: [^\n]*\nStdout: /, '') }
}

const PLAIN = /^[^/\\]*[^/\\.][^/\\]*$/

/**
 * Where an output that is kept apart stands, relative to the transcript's directory: `<id>/tool-results/<name>`. The
 * path in the transcript is absolute and of the machine that wrote it, so only its last parts count. `parent` is a
 * sub-agent's, in whose own directory the output may lie.
 */
export function placeOfOutput(path: string, parent: string | null): string | null {
  const [owner = '', directory, name = ''] = path.split(/[\\/]/).slice(-3)
  if (directory !== 'tool-results' || !PLAIN.test(owner) || !PLAIN.test(name)) return null
  return owner === parent ? `../tool-results/${name}` : `${owner}/tool-results/${name}`
}
