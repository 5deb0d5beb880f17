import { basename } from 'node:path'
import type { WiringContext, WiringDeclaration, WiringEdit } from '../harness/wiring.ts'
import { DejaError } from '../shared/errors.ts'
import { editorFor } from './editors.ts'
import { bytesOf, decoded, find, mustBeReplaceable, type Found } from './files.ts'
import { sameEntry, type RecordEntry, type Scope, type WiringRecord } from './record.ts'
import { position } from './splice.ts'
import type { Trace } from './trace.ts'
import { Unsafe } from './unsafe.ts'

/** What this room needs to know of a harness. */
export interface Wirable {
  readonly id: string
  readonly name: string
  readonly wiring: WiringDeclaration
}

/** `auto`: the hooks. An install then writes the surfaces too; an uninstall leaves them. */
export interface WiringTarget {
  harness: Wirable
  auto: boolean
}

export type Direction = 'install' | 'uninstall'

/** One edit that is to be made or taken back. */
export interface Step {
  harness: string
  scope: Scope
  edit: WiringEdit
}

/** What becomes of one file. */
export interface FilePlan {
  file: string
  steps: Step[]
  found: Found
  /** Null: the file goes, or never was. */
  after: Buffer | null
  /** What each step left in the file, in the order of `steps`. */
  traces: Record<string, Trace>[]
  notes: string[]
}

/** The steps of all targets, in the order in which they are made. */
export function stepsOf(
  targets: readonly WiringTarget[],
  direction: Direction,
  context: WiringContext,
  record: WiringRecord,
): Step[] {
  const steps: Step[] = []
  for (const { harness, auto } of targets) {
    const scopes: Scope[] =
      direction === 'install' ? (auto ? ['surfaces', 'hooks'] : ['surfaces']) : auto ? ['hooks'] : ['surfaces', 'hooks']
    const declared = scopes.flatMap(scope =>
      harness.wiring[scope](context).map(edit => ({ harness: harness.id, scope, edit })),
    )
    if (direction === 'install') steps.push(...declared)
    else steps.push(...toTakeBack(harness, declared, scopes, context, record))
  }
  return steps.filter((step, n) => steps.findIndex(each => sameEntry(entryOf(each), entryOf(step))) === n)
}

/** What the record knows, newest first, then what may stand where an install of now would write. */
function toTakeBack(
  harness: Wirable,
  declared: Step[],
  scopes: Scope[],
  context: WiringContext,
  record: WiringRecord,
): Step[] {
  const recorded = record.entries
    .filter(entry => entry.harness === harness.id && scopes.includes(entry.scope))
    .toReversed()
    .flatMap((entry): Step[] => {
      const alike = declared.filter(({ scope, edit }) => scope === entry.scope && edit.kind === entry.kind)
      const step = alike.find(({ edit }) => basename(edit.file) === basename(entry.file)) ?? alike[0]
      return step ? [{ ...step, edit: { ...step.edit, file: entry.file } }] : []
    })
  const formerly = scopes.includes('surfaces')
    ? (harness.wiring.formerly?.(context) ?? []).map((edit): Step => ({ harness: harness.id, scope: 'surfaces', edit }))
    : []
  return [...recorded, ...declared.toReversed(), ...formerly]
}

export function entryOf({ harness, scope, edit }: Step): Omit<RecordEntry, 'traces'> {
  return { harness, scope, kind: edit.kind, file: edit.file }
}

/** Plans every file of the steps. A file that can't be edited safely is a refusal, and the others are still looked at. */
export function planFiles(
  steps: readonly Step[],
  direction: Direction,
  record: WiringRecord,
): { plans: FilePlan[]; refusals: DejaError[] } {
  const plans: FilePlan[] = []
  const refusals: DejaError[] = []
  for (const file of new Set(steps.map(step => step.edit.file))) {
    try {
      plans.push(
        planFile(
          file,
          steps.filter(step => step.edit.file === file),
          direction,
          record,
        ),
      )
    } catch (error) {
      if (!(error instanceof DejaError)) throw error
      refusals.push(error)
    }
  }
  return { plans, refusals }
}

/** Reads the file and works out what becomes of it. Throws `DejaError` (`config`) that names file, line and column. */
export function planFile(file: string, steps: Step[], direction: Direction, record: WiringRecord): FilePlan {
  let found: Found | null = null
  let text = ''
  try {
    found = find(file)
    const { text: before, encode } = decoded(found.bytes ?? Buffer.alloc(0))
    text = before
    const traces: Record<string, Trace>[] = []
    const notes: string[] = []
    for (const step of steps) {
      const editor = editorFor(step.edit, step.harness)
      const known = record.entries.find(entry => sameEntry(entry, entryOf(step)))?.traces ?? {}
      if (direction === 'install') {
        const done = editor.install(text, known)
        text = done.text
        traces.push(done.traces)
        notes.push(...done.notes.map(note => `${file}: ${note}`))
      } else if (found.bytes !== null) text = editor.uninstall(text, known)
    }
    if (text === before) return { file, steps, found, after: found.bytes, traces, notes }
    mustBeReplaceable(found)
    const after = isOver(text, file, steps, direction, record) ? null : encode(text)
    return { file, steps, found, after, traces, notes }
  } catch (error) {
    throw refusal(error, file, text)
  }
}

/** Whether a file that came with us has nothing of anybody's left in it. */
function isOver(
  text: string,
  file: string,
  steps: readonly Step[],
  direction: Direction,
  record: WiringRecord,
): boolean {
  if (direction === 'install') return false
  if (text === '' && steps.some(step => step.edit.kind === 'text-file')) return true
  return record.files.includes(file) && /^\s*(?:\{\s*\}\s*)?$/.test(text)
}

/** Whether the file is still as it was planned upon. */
export function isUnchanged(plan: FilePlan): boolean {
  const now = bytesOf(plan.found.real)
  return now === null || plan.found.bytes === null ? now === plan.found.bytes : now.equals(plan.found.bytes)
}

function refusal(error: unknown, file: string, text: string): unknown {
  const hint = 'Nothing was written. Mend the file, or move it away, and run the command again.'
  if (error instanceof Unsafe) {
    const at = error.offset === null ? null : position(text, error.offset)
    const place = at ? `:${at.line}:${at.column}` : ''
    return new DejaError('config', `${file}${place}: ${error.message}`, { path: file, hint, cause: error })
  }
  if (error instanceof Error && 'syscall' in error)
    return new DejaError('config', `${file}: ${error.message}`, { path: file, hint, cause: error })
  return error
}
