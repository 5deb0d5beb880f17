#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import type { CliContext } from './cli/context.ts'
import type { Environment } from './shared/environment.ts'
import { dataDir, homeOf } from './shared/paths.ts'

/** The command line's door. What a hook runs is taken first: it can't afford the others' imports. */
async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args
  if (command === 'hook' && !rest.some(word => word === '--help' || word === '-h')) {
    const { hookDoor } = await import('./cli/hook.ts')
    await hookDoor(rest, processContext())
    return 0
  }
  const { runProgram } = await import('./cli/program.ts')
  return runProgram(args, processContext())
}

function processContext(): CliContext {
  const { env, stdout, stderr, stdin, platform } = process
  // a reader that has seen enough (`| head`) is no fault of ours
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
    })
  }
  const noColour = env.NO_COLOR !== undefined && env.NO_COLOR !== ''
  return {
    env,
    platform,
    stdin,
    cwd: directoryOr(env),
    dataDir: dataDir(env, platform),
    cli: fileURLToPath(import.meta.url),
    now: () => new Date(),
    out: text => stdout.write(text),
    err: text => stderr.write(text),
    terminal: {
      interactive: stdout.isTTY && stderr.isTTY,
      colour: stdout.isTTY && !noColour && env.TERM !== 'dumb',
      // a terminal that tells no size has none of these
      width: Math.min(stdout.isTTY && stdout.columns > 0 ? stdout.columns : 80, 120),
    },
  }
}

/** Where we run. An agent may work in a directory that is gone by now: then the home stands in for it. */
function directoryOr(env: Environment): string {
  try {
    return process.cwd()
  } catch {
    return homeOf(env)
  }
}

process.exitCode = await main(process.argv.slice(2))
