import { Command, CommanderError } from 'commander'
import { DejaError } from '../shared/errors.ts'
import { nearest } from '../shared/nearest.ts'
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
    .configureOutput({
      writeOut: context.out,
      writeErr: context.err,
      outputError: (text, write) => write(asOurs(text)),
    })
    .configureHelp({ helpWidth: context.terminal.width })
  let meant: string | null = null
  const declaring: Declaring = { program, context, run, agents: await agentsFor(args), meant: () => meant }
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
    const line = namedOrSearch(program, args)
    meant = line.meant
    await program.parseAsync(line.args, { from: 'user' })
    return code
  } catch (error) {
    return report(error, context)
  }
}

/** The registry is loaded only for those who name agents: a search is to be quick. */
async function agentsFor(args: readonly string[]): Promise<string[]> {
  if (!args.some(arg => naming.has(arg))) return []
  return (await import('../harness/registry.ts')).harnesses.map(({ id }) => id)
}

const naming = new Set(['install', 'uninstall'])

/** Every error begins alike, whoever found it. */
function asOurs(text: string): string {
  const said = text.replace(/^error: /, 'deja: ')
  return /[.?!)]\s*$/.test(said) ? said : said.replace(/\s*$/, '.\n')
}

/** Every command ends and writes as the program does. */
function inherit(program: Command): void {
  for (const command of program.commands) {
    command.copyInheritedSettings(program)
    inherit(command)
  }
}

/** Words that name no command are a search (`deja gauge downloader`); `meant`: the command that they nearly name. */
function namedOrSearch(program: Command, args: readonly string[]): { args: string[]; meant: string | null } {
  const first = args.find(arg => !arg.startsWith('-'))
  const asksForHelp = args.some(arg => ['-h', '--help', '-V', '--version'].includes(arg))
  const names = program.commands.flatMap(command => [command.name(), ...command.aliases()])
  if (first === undefined || first === 'help' || names.includes(first)) return { args: [...args], meant: null }
  if (asksForHelp && args[0]?.startsWith('-') === true) return { args: [...args], meant: null }
  return { args: ['search', ...args], meant: nearest(first, names) }
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
