import { isObject, parseJson } from '../shared/json.ts'
import { readLines } from '../shared/lines.ts'
import { isOwnJson } from '../shared/own.ts'
import { cleaned } from './items.ts'
import { Reading } from './reading.ts'
import { commandResult, printedText } from './results.ts'
import { basisOf, isState, newState } from './state.ts'
import { isCommandTool } from './tools.ts'
import type { RecordDraft } from '../../shared/model.ts'
import type { ByteSource, Reader, ReaderOptions, ReaderState, ReadStep, TranscriptFile } from '../harness.ts'
import type { State } from './state.ts'

/** A last line without its newline is tried if it isn't longer than this (bytes). */
const LONGEST_TAIL = 8 << 20

/** Null: the path is no transcript's. */
function stateFor(file: TranscriptFile, state: ReaderState, options: ReaderOptions): State | null {
  const basis = basisOf(file, options)
  if (basis === null) return null
  if (!isState(state)) return newState(basis)
  // The sidecar of a branch may come after its first lines: what was read before is then read once more, as copies.
  return JSON.stringify(state.basis) === JSON.stringify(basis) ? structuredClone(state) : newState(basis)
}

/** CodeBuddy Code's transcripts as 2.117.0 writes them: one JSON item a line, only ever appended to. */
export const reader: Reader = {
  version: 1,
  mode: 'append',

  read(file: TranscriptFile, given: ReaderState, source: ByteSource, options: ReaderOptions): ReadStep {
    const state = stateFor(file, given, options)
    if (state === null) {
      const reason = `${file.relative} is not where a transcript stands.`
      return { state: given, session: null, records: [], usage: [], problems: [{ code: 'unreadable', reason }] }
    }
    const reading = new Reading(state, source)
    // What is read once more is read to where the reading stood, however long it is.
    const until = reader.offsetOf(given)
    let more = false
    do {
      const part = readLines(source, state.offset)
      for (const { text, offset, end: next } of part.lines) {
        if (text === undefined) state.oversized++
        else reading.line(text, [offset, next - offset])
      }
      state.offset = part.end
      more = part.more
    } while (more && state.offset < until)
    const end = state.offset
    const tail = more ? 0 : source.size - end
    // A whole object can't be half of another: its newline may come later, or never (a file written by hand).
    const text = tail > 0 && tail <= LONGEST_TAIL ? new TextDecoder().decode(source.read(end, tail)) : ''
    if (!text.trimEnd().endsWith('}') || !isObject(parseJson(text))) return reading.step(more, tail)
    reading.line(text, [end, tail])
    state.offset = source.size
    return reading.step(more, 0)
  },

  offsetOf(state: ReaderState): number {
    return isState(state) ? state.offset : 0
  },

  attach(_file: TranscriptFile, given: ReaderState, wanted: string, text: string): ReadStep {
    const step: ReadStep = { state: given, session: null, records: [], usage: [], problems: [] }
    const awaited = isState(given) && Object.hasOwn(given.awaited, wanted) ? given.awaited[wanted] : undefined
    // A running shell's file may be empty still.
    if (!isState(given) || awaited === undefined || text.trim() === '') return step
    const { seq, tool, detail, at, command } = awaited
    const state: State = { ...given, awaited: without(given.awaited, wanted) }
    const whole = cleaned(text).trimEnd()
    if (isOwnJson(whole)) return { ...step, state }
    const result = commandResult(whole, {}, command?.length ?? null)
    const printed = isCommandTool(tool) ? result.printed : printedText(tool, whole)
    const records: RecordDraft[] = [
      { kind: 'output', at, tool, ...(detail !== undefined && { detail }), text: printed, seq },
    ]
    if (command !== null && result.command !== null) {
      const { exitCode, outcome } = result
      records.push({
        kind: 'command',
        at: command.at,
        tool,
        command: result.command,
        exitCode,
        outcome,
        seq: command.seq,
      })
    }
    return { ...step, state, records }
  },
}

function without<T>(entries: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([name]) => name !== key))
}
