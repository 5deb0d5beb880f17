import { Command, CommanderError } from 'commander'
import { DejaError } from '../shared/errors.ts'
import { VERSION } from '../shared/version.ts'
import type { CliContext } from './context.ts'
import { declareDaemon } from './declare/daemon.ts'
import type { Declaring } from './declare/declaring.ts'
import { declareEvidence } from './declare/evidence.ts'
import { declareLifecycle } from './declare/lifecycle.ts'
import { declareMcp } from './declare/mcp.ts'
import { declareMemory } from './declare/memory.ts'
import { declareUsage } from './declare/usage.ts'
import { plain } from './render.ts'

/** Parses the command line and runs the one command that it names. Gives the exit code; never throws. */
export async function runProgram(args: readonly string[], context: CliContext): Promise<number> {
  let code = 0
  const program = new Command('deja')
  const run = async (action: () => Promise<number>): Promise<void> => {
    code = await action()
  }
  program
    .description('A memory for coding agents, made of the sessions that they already wrote down.')
    .usage('<words…> | <command> [options]')
    .version(VERSION, '-V, --version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err })
    .configureHelp({ helpWidth: context.terminal.width })
  const declaring: Declaring = { program, context, run }
  declareMemory(declaring)
  declareEvidence(declaring)
  declareUsage(declaring)
  declareLifecycle(declaring)
  declareMcp(declaring)
  declareDaemon(declaring)
  inherit(program)
  try {
    if (args.length === 0) {
      const { startCommand } = await import('./start.ts')
      return await startCommand(() => program.outputHelp(), context)
    }
    await program.parseAsync(namedOrSearch(program, args), { from: 'user' })
    return code
  } catch (error) {
    return report(error, context)
  }
}

/** Every command ends and writes as the program does. */
function inherit(program: Command): void {
  for (const command of program.commands) {
    command.copyInheritedSettings(program)
    inherit(command)
  }
}

/** Words that name no command are a search: `deja gauge downloader`. */
function namedOrSearch(program: Command, args: readonly string[]): string[] {
  const first = args.find(arg => !arg.startsWith('-'))
  const asksForHelp = args.some(arg => ['-h', '--help', '-V', '--version'].includes(arg))
  const names = program.commands.flatMap(command => [command.name(), ...command.aliases()])
  if (first === undefined || first === 'help' || names.includes(first)) return [...args]
  return asksForHelp && args[0]?.startsWith('-') === true ? [...args] : ['search', ...args]
}

function report(error: unknown, context: CliContext): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (!(error instanceof DejaError)) {
    context.err(`deja: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    return 1
  }
  const where = error.path !== undefined && !error.message.includes(error.path) ? `${error.path}: ` : ''
  // it may name what stands in a transcript: titles, ids, paths
  context.err(`deja: ${plain(`${where}${error.message}`)}\n`)
  if (error.hint !== undefined) context.err(`${plain(error.hint)}\n`)
  return error.code === 'usage' || error.code === 'ambiguous' ? 2 : 1
}
