import { Option } from 'commander'
import { mostSessions, type SearchInput } from '../../daemon/memory-api.ts'
import { jsonOption, wholeNumber, type Declaring } from './declaring.ts'

/** Commands that ask, keep and clear. */
export function declareMemory({ program, context, run, meant }: Declaring): void {
  program
    .command('search <words...>')
    .description('search everything kept, deleted sessions and tool output included')
    .addHelpText(
      'after',
      '\n"Quoted words" must stand there exactly so (quote them for your shell too: deja \'"final row"\').\nWords that are found nowhere are widened: inflections, typing errors, word parts, other languages.',
    )
    .option('--harness <id>', "one agent's sessions only")
    .option('--project <dir>', 'sessions worked in this directory’s project, or that changed files in it')
    .option('--session <id>', 'one session only')
    .addOption(new Option('--role <who>', 'who said it').choices(['user', 'assistant', 'tool']))
    .option('--since <date>', 'from this day on: 2026-09-27, yesterday, "last week", 3d, 2w')
    .option('--until <date>', 'up to the end of this day')
    .option('--limit <n>', 'sessions at most', wholeNumber(1, mostSessions), 10)
    .addOption(jsonOption())
    .action((words: string[], options: Omit<SearchInput, 'query'> & { json?: boolean }) =>
      run(async () => (await import('../search.ts')).searchCommand(words, options, context, meant())),
    )
  program
    .command('show <id>')
    .description('show one session: its id, or the beginning of it')
    .option('--offset <n>', 'start at this record', wholeNumber(0), 0)
    .option('--limit <n>', 'records at most', wholeNumber(0, 100_000), 100)
    .addOption(jsonOption())
    .action((id: string, options: { json?: boolean; offset: number; limit: number }) =>
      run(async () => (await import('../show.ts')).showCommand(id, options, context)),
    )
  program
    .command('last')
    .argument('[n]', 'how many', wholeNumber(1, 10_000), 10)
    .description("list the newest sessions of this directory's project")
    .option('--all', "every project's")
    .addOption(jsonOption())
    .action((n: number, options: { json?: boolean; all?: boolean }) =>
      run(async () => (await import('../last.ts')).lastCommand(n, options, context)),
    )
  program
    .command('resume <id>')
    .description("print the agent's own command that reopens a session")
    .option('--exec', 'run it')
    .addOption(jsonOption())
    .action((id: string, options: { json?: boolean; exec?: boolean }) =>
      run(async () => (await import('../resume.ts')).resumeCommand(id, options, context)),
    )
}
