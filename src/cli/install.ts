import { existsSync } from 'node:fs'
import { writeLauncher } from '../client/launcher.ts'
import type { ClientContext } from '../client/start.ts'
import type { Harness } from '../harness/harness.ts'
import { recordHomes } from '../settings/homes.ts'
import { DejaError } from '../shared/errors.ts'
import { nearest } from '../shared/nearest.ts'
import { carryOut, type FileChange, type WiringReport } from '../wiring/carry-out.ts'
import { unifiedDiff } from '../wiring/diff.ts'
import type { Direction, WiringTarget } from '../wiring/plan.ts'
import { switchedOff } from '../wiring/switches.ts'
import { wiringContext } from './wiring-context.ts'

export interface InstallContext extends ClientContext {
  platform: NodeJS.Platform
  harnesses: readonly Harness[]
  out: (text: string) => void
  err: (text: string) => void
}

export interface InstallFlags {
  dryRun?: boolean
  /** Every agent that is on this machine, without hooks. */
  all?: boolean
  /** Every agent that is on this machine, hooks included. */
  auto?: boolean
}

/** `deja install <target…>`. Gives the exit code: 1 when a config was refused, and then nothing was written. */
export async function runInstall(
  names: readonly string[],
  flags: InstallFlags,
  context: InstallContext,
): Promise<number> {
  const { out, err, harnesses, dataDir, env, platform } = context
  const wiring = wiringContext(context)
  const targets = targetsOf(names, flags, 'install', context)
  const report = await carryOut({
    targets,
    direction: 'install',
    context: wiring,
    dryRun: flags.dryRun === true,
    beforeWriting: async () => {
      const environment = Object.fromEntries(harnesses.map(({ id, hooks }) => [id, hooks.environment]))
      await writeLauncher({ dataDir, cli: context.cli, node: process.execPath, environment, platform, env })
      recordHomes(
        dataDir,
        env,
        harnesses.flatMap(harness => harness.wiring.homeVariables ?? []),
      )
    },
  })
  if (refused(report, err)) return 1
  show(report, flags, out)
  const hooked = targets.filter(target => target.auto).map(target => target.harness)
  const notes = [
    ...report.notes,
    ...hooked.flatMap(harness => [...switchedOff(harness, wiring), ...harness.wiring.notes]),
  ]
  for (const note of notes) err(`${note}\n`)
  return 0
}

/** `deja uninstall <target…>`. Taking out what isn't there is no error. */
export async function runUninstall(
  names: readonly string[],
  flags: InstallFlags,
  context: InstallContext,
): Promise<number> {
  const report = await carryOut({
    targets: targetsOf(names, flags, 'uninstall', context),
    direction: 'uninstall',
    context: wiringContext(context),
    dryRun: flags.dryRun === true,
  })
  if (refused(report, context.err)) return 1
  show(report, flags, context.out)
  return 0
}

function targetsOf(
  names: readonly string[],
  { all, auto }: InstallFlags,
  direction: Direction,
  context: InstallContext,
): WiringTarget[] {
  const known = context.harnesses.flatMap(harness => [
    { name: harness.id, target: { harness, auto: false } },
    { name: `${harness.id}-auto`, target: { harness, auto: true } },
  ])
  const named = names.map(name => {
    const found = known.find(each => each.name === name)
    if (found) return found.target
    const meant = nearest(
      name,
      known.map(each => each.name),
    )
    throw new DejaError('usage', `There is no target "${name}".${meant === null ? '' : ` Did you mean "${meant}"?`}`, {
      hint: `Targets: ${known.map(each => each.name).join(', ')}, --all, --auto.`,
    })
  })
  // What is to be taken out may stand in the configuration of an agent that is gone.
  const there = (harness: Harness): boolean =>
    direction === 'uninstall' || harness.wiring.presence(wiringContext(context)).some(path => existsSync(path))
  const present = all === true || auto === true ? context.harnesses.filter(there) : []
  const targets = [
    ...named,
    ...(all === true ? present.map(harness => ({ harness, auto: false })) : []),
    ...(auto === true ? present.map(harness => ({ harness, auto: true })) : []),
  ]
  if (targets.length === 0) {
    if (all === true || auto === true)
      throw new DejaError('refused', 'No agent that deja knows was found on this machine.')
    throw new DejaError('usage', 'Name at least one target.', {
      hint: `Targets: ${known.map(each => each.name).join(', ')}, --all, --auto.`,
    })
  }
  return targets
}

function refused({ refusals }: WiringReport, err: (text: string) => void): boolean {
  for (const { message } of refusals) err(`deja: ${message}\n`)
  const hint = refusals[0]?.hint
  if (hint !== undefined) err(`${hint}\n`)
  return refusals.length > 0
}

function show({ changes, unchanged }: WiringReport, { dryRun }: InstallFlags, out: (text: string) => void): void {
  if (dryRun === true) {
    for (const { file, before, after } of changes) out(unifiedDiff(file, before, after))
    return
  }
  for (const change of changes) out(`${verb(change)} ${change.file}\n`)
  if (changes.length === 0) out(unchanged.length > 0 ? 'Nothing to change.\n' : 'Nothing to do.\n')
}

function verb({ before, after }: FileChange): string {
  if (before === null) return 'made   '
  return after === null ? 'removed' : 'changed'
}
