import type { PlacedRecord } from '../archive/recall-queries.ts'
import { commandForm } from '../shared/command.ts'
import { isDestructive, isInspection, isVariant } from './commands.ts'

/** What made a failed command pass. */
export type Remedy =
  /** Another form of the command. */
  | { type: 'command'; command: string; record: PlacedRecord }
  /** Commands that ran, and files that were changed, before it passed. */
  | { type: 'steps'; commands: PlacedRecord[]; changes: PlacedRecord[]; record: PlacedRecord }

const mostSteps = 3

const mayBeTold = (record: PlacedRecord): boolean =>
  record.outcome === 'ok' && record.form !== null && record.command !== undefined && !isDestructive(record.command)

/** Where a command ran matters when nothing else was different: `cd web && npm test`. */
const leadsElsewhere = (failed: string, passed: string): boolean =>
  failed.trim() !== passed.trim() && /^\s*(?:cd|pushd)\s/.test(passed)

/**
 * Reads on behind a failure, to the same command's success or that of another form of it. Null: it never passed, or what
 * made it pass can't be told or must not be (something destructive was between).
 * @param failure a failed command
 * @param later what was said and done after it, in order
 * @param sameError whether a later failure is the same error again: what was done before it didn't help
 */
export function remedyOf(
  failure: PlacedRecord,
  later: readonly PlacedRecord[],
  sameError: (again: PlacedRecord) => boolean,
): Remedy | null {
  const failed = failure.command ?? ''
  let commands: PlacedRecord[] = []
  let changes: PlacedRecord[] = []
  let unsafe = false
  for (const record of later) {
    if (record.kind === 'edit' || record.kind === 'write') changes.push(record)
    if (record.kind !== 'command' || record.command === undefined) continue
    const same = record.form !== null && record.form === failure.form
    if (same && record.outcome === 'ok') {
      if (commands.length === 0 && changes.length === 0)
        return leadsElsewhere(failed, record.command) && mayBeTold(record)
          ? { type: 'command', command: record.command, record }
          : null
      return unsafe
        ? null
        : { type: 'steps', commands: commands.slice(-mostSteps), changes: lastOfEach(changes), record }
    }
    if (same && record.outcome === 'failed') {
      if (sameError(record)) [commands, changes, unsafe] = [[], [], false]
      continue
    }
    if (isInspection(record.command)) continue
    if (isVariant(failed, record.command)) {
      if (record.outcome !== 'ok') continue
      if (changes.length === 0 || differsByMore(failed, record.command))
        return mayBeTold(record) ? { type: 'command', command: record.command, record } : null
      return unsafe
        ? null
        : { type: 'steps', commands: commands.slice(-mostSteps), changes: lastOfEach(changes), record }
    }
    if (record.outcome === 'ok' && isDestructive(record.command)) unsafe = true
    else if (mayBeTold(record)) commands.push(record)
  }
  return null
}

/** An option more or less is no remedy when files were changed besides; another environment, runner or program is one. */
function differsByMore(failed: string, passed: string): boolean {
  const options = (command: string): string =>
    (commandForm(command) ?? command)
      .split(' ')
      .filter(word => !word.startsWith('-'))
      .join(' ')
  return options(failed) !== options(passed)
}

function lastOfEach(changes: readonly PlacedRecord[]): PlacedRecord[] {
  const byPath = new Map<string, PlacedRecord>()
  for (const change of changes) {
    byPath.delete(change.path ?? '')
    byPath.set(change.path ?? '', change)
  }
  return [...byPath.values()].slice(-mostSteps)
}

/** What a change did, in a line: the lines that went and those that came. */
export function changeLine(change: PlacedRecord, limit: number): string {
  const removed = linesOf(change.removed)
  const added = linesOf(change.added)
  const gone = removed.filter(line => !added.includes(line))
  const come = added.filter(line => !removed.includes(line))
  const shown = (lines: string[]): string => lines.join(' ').replaceAll(/\s+/g, ' ').trim()
  const cut = (text: string, most: number): string => {
    const characters = Array.from(text)
    return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
  }
  const [from, to] = [shown(gone), shown(come)]
  if (to === '' && from === '') return ''
  if (from === '') return `+ ${cut(to, limit - 2)}`
  if (to === '') return `- ${cut(from, limit - 2)}`
  const half = Math.floor((limit - 3) / 2)
  const left = cut(from, Math.max(half, limit - 3 - Array.from(to).length))
  return `${left} → ${cut(to, limit - 3 - Array.from(left).length)}`
}

const linesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
