#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import type { CliContext } from './cli/context.ts'
import { dataDir } from './shared/paths.ts'

/** The command line's door. What a hook runs is taken first: it can't afford the others' imports. */
async function main(args: readonly string[]): Promise<number> {
  const context = processContext()
  if (args[0] === 'hook') {
    const { hookDoor } = await import('./cli/hook.ts')
    await hookDoor(args.slice(1), context)
    return 0
  }
  const { runProgram } = await import('./cli/program.ts')
  return runProgram(args, context)
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
    cwd: process.cwd(),
    dataDir: dataDir(env, platform),
    cli: fileURLToPath(import.meta.url),
    now: () => new Date(),
    out: text => stdout.write(text),
    err: text => stderr.write(text),
    terminal: {
      interactive: stdout.isTTY && stderr.isTTY,
      colour: stdout.isTTY && !noColour && env.TERM !== 'dumb',
      width: Math.min(stdout.isTTY ? stdout.columns : 80, 120),
    },
  }
}

process.exitCode = await main(process.argv.slice(2))
