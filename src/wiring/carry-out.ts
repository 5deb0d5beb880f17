import { mkdirSync, rmdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { WiringContext } from '../harness/wiring.ts'
import { DejaError } from '../shared/errors.ts'
import { bytesOf, removeLeftovers, replace, sameBytes } from './files.ts'
import { alone } from './lock.ts'
import {
  entryOf,
  isUnchanged,
  planFile,
  planFiles,
  stepsOf,
  type Direction,
  type FilePlan,
  type WiringTarget,
} from './plan.ts'
import { readRecord, sameEntry, writeRecord, type WiringRecord } from './record.ts'

export interface WiringRun {
  targets: readonly WiringTarget[]
  direction: Direction
  context: WiringContext
  /** Plans, and writes nothing at all. */
  dryRun: boolean
  /** Called once it is sure that something will be written, before it is (the launcher, the homes). */
  beforeWriting?: () => Promise<void>
}

export interface FileChange {
  file: string
  before: string | null
  after: string | null
}

export interface WiringReport {
  /** What was changed, or in a dry run would be. Empty when something was refused. */
  changes: FileChange[]
  /** Files that already are as they should be. */
  unchanged: string[]
  notes: string[]
  /** Not empty: nothing was written. */
  refusals: DejaError[]
}

/** How often a file that changes under our hands is planned anew. */
const MOST_TRIES = 5

/** Makes or takes back the wiring of some targets: all of it, or (refused, failed) nothing of it. */
export async function carryOut(run: WiringRun): Promise<WiringReport> {
  const { targets, direction, context, dryRun } = run
  const { dataDir } = context
  const plan = (): { record: WiringRecord; plans: FilePlan[]; refusals: DejaError[] } => {
    const record = readRecord(dataDir)
    return { record, ...planFiles(stepsOf(targets, direction, context, record), direction, record) }
  }
  // Planned before the lock is taken, so that a refusal leaves not even a lock file.
  const first = plan()
  if (first.refusals.length > 0 || dryRun) return report(first.plans, first.refusals)
  const recorded = first.record.entries.length + first.record.directories.length > 0
  if (direction === 'uninstall' && !recorded && !first.plans.some(isChange)) return report(first.plans, [])
  return alone(dataDir, async () => {
    const { record, plans, refusals } = plan()
    if (refusals.length > 0) return report(plans, refusals)
    await run.beforeWriting?.()
    return report(write(plans, direction, record, dataDir), [])
  })
}

function isChange(plan: FilePlan): boolean {
  return !sameBytes(plan.found.bytes, plan.after)
}

function report(plans: readonly FilePlan[], refusals: DejaError[]): WiringReport {
  const changed = refusals.length > 0 ? [] : plans.filter(isChange)
  return {
    changes: changed.map(({ file, found, after }) => ({
      file,
      before: found.bytes?.toString('utf8') ?? null,
      after: after?.toString('utf8') ?? null,
    })),
    unchanged: plans.filter(plan => !isChange(plan) && plan.found.bytes !== null).map(plan => plan.file),
    notes: [...new Set(plans.flatMap(plan => plan.notes))],
    refusals,
  }
}

/** Writes every plan, or takes back what it wrote and throws. Gives the plans as they were carried out. */
function write(plans: readonly FilePlan[], direction: Direction, record: WiringRecord, dataDir: string): FilePlan[] {
  const done: FilePlan[] = []
  const made: string[] = []
  for (const plan of plans) removeLeftovers(plan.found)
  try {
    for (const planned of plans) {
      // The record goes first: after a kill, what it promises and isn't there is simply not found.
      writeRecord(dataDir, during(record, [...done, planned], direction))
      for (const directory of planned.after === null ? [] : planned.found.missing) {
        if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) made.push(directory)
      }
      done.push(
        writeOne(planned, direction, record, plan => writeRecord(dataDir, during(record, [...done, plan], direction))),
      )
    }
    const after = direction === 'install' ? during(record, done, direction) : without(record, done)
    writeRecord(dataDir, after)
    return done
  } catch (error) {
    const stuck = done.toReversed().filter(plan => !takenBack(plan))
    for (const directory of made.toReversed()) removeEmpty(directory)
    writeRecord(dataDir, stuck.length > 0 ? during(record, stuck, direction) : record)
    throw failure(error, stuck)
  }
}

function writeOne(
  planned: FilePlan,
  direction: Direction,
  record: WiringRecord,
  keep: (plan: FilePlan) => void,
): FilePlan {
  let plan = planned
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (tries > 0) {
      // The agent saved its own changes meanwhile: ours go into what it wrote.
      plan = planFile(planned.file, planned.steps, direction, record)
      keep(plan)
    }
    const now = plan
    if (!isChange(now) || replace(now.found, now.after, () => isUnchanged(now))) return now
  }
  throw new DejaError('refused', `${planned.file} keeps changing: another program is writing it.`, {
    path: planned.file,
  })
}

/** Gives a file back as it was, unless somebody wrote it since. */
function takenBack(plan: FilePlan): boolean {
  if (!isChange(plan)) return true
  try {
    return replace(plan.found, plan.found.bytes, () => sameBytes(bytesOf(plan.found.real), plan.after))
  } catch {
    return false
  }
}

function failure(error: unknown, stuck: readonly FilePlan[]): unknown {
  if (!(error instanceof Error)) return error
  const left = stuck.map(plan => plan.file).join(', ')
  const rest = left === '' ? 'Everything is as it was.' : `This stays changed, as it was written again since: ${left}.`
  if (error instanceof DejaError && left === '') return error
  return new DejaError('refused', `${error.message} ${rest}`, { cause: error })
}

/** The record with everything that these plans put, or may have put, into files. */
function during(record: WiringRecord, plans: readonly FilePlan[], direction: Direction): WiringRecord {
  if (direction === 'uninstall') return record
  const entries = [...record.entries]
  for (const { steps, traces } of plans) {
    for (const [n, step] of steps.entries()) {
      const entry = { ...entryOf(step), traces: traces[n] ?? {} }
      const at = entries.findIndex(each => sameEntry(each, entry))
      if (at < 0) entries.push(entry)
      else entries[at] = entry
    }
  }
  const created = plans.filter(plan => plan.found.bytes === null && plan.after !== null)
  return {
    ...record,
    entries,
    files: [...new Set([...record.files, ...created.map(plan => plan.file)])],
    directories: [...new Set([...record.directories, ...created.flatMap(plan => plan.found.missing)])],
  }
}

/** The record after an uninstall: without what went, and without directories that could be removed. */
function without(record: WiringRecord, plans: readonly FilePlan[]): WiringRecord {
  const steps = plans.flatMap(plan => plan.steps.map(entryOf))
  const entries = record.entries.filter(entry => !steps.some(step => sameEntry(step, entry)))
  const files = record.files.filter(file => entries.some(entry => entry.file === file))
  for (const { file, after } of plans) {
    // Named after us, so it is ours even where the record of it was lost.
    if (after === null && /^deja\b/.test(basename(dirname(file)))) removeEmpty(dirname(file))
  }
  const longestFirst = record.directories.toSorted((a, b) => b.length - a.length)
  const directories = longestFirst.filter(directory => !removeEmpty(directory)).toSorted((a, b) => a.length - b.length)
  return { ...record, entries, files, directories: entries.length > 0 ? directories : [] }
}

/** Whether the directory is gone: it was empty, or isn't there any more. */
function removeEmpty(directory: string): boolean {
  try {
    rmdirSync(directory)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
