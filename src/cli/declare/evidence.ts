import { jsonOption, wholeNumber, type Declaring } from './declaring.ts'

/** Commands about what was injected, and about files, tools and errors. */
export function declareEvidence({ program, context, run }: Declaring): void {
  program
    .command('blame <path[:line]>')
    .description('which sessions touched a file, or wrote a line of it, and why')
    .option('--limit <n>', 'turns at most', wholeNumber(1, 1000), 10)
    .addOption(jsonOption())
    .action((target: string, options: { json?: boolean; limit: number }) =>
      run(async () => (await import('../evidence.ts')).blameCommand(target, options, context)),
    )
  program
    .command('how <tool...>')
    .description('the command lines in which a tool was run in this project, with their outcomes')
    .option('--all', 'in every project')
    .option('--limit <n>', 'lines at most', wholeNumber(1, 1000), 10)
    .addOption(jsonOption())
    .action((words: string[], options: { json?: boolean; all?: boolean; limit: number }) =>
      run(async () => (await import('../evidence.ts')).howCommand(words, options, context)),
    )
  program
    .command('fix <error...>')
    .description('what fixed an error in this project before; "-" reads the error from stdin')
    .option('--all', 'in every project')
    .addOption(jsonOption())
    .action((words: string[], options: { json?: boolean; all?: boolean }) =>
      run(async () => (await import('../evidence.ts')).fixCommand(words, options, context)),
    )
  program
    .command('log')
    .argument('[n]', 'how many', wholeNumber(1, 1000), 20)
    .description('what was injected, when and where, newest first')
    .addOption(jsonOption())
    .action((n: number, options: { json?: boolean }) =>
      run(async () => (await import('../log.ts')).logCommand(n, options, context)),
    )
  program
    .command('why')
    .argument('[n | prompt]', 'an injection’s number in `deja log`, or a prompt; without it the last injection')
    .description('why that was recalled, score by score, and what stopped the rest')
    .option('--workspace <dir>', 'where the prompt would be asked (default: here)')
    .addOption(jsonOption())
    .action((what: string | undefined, options: { json?: boolean; workspace?: string }) =>
      run(async () => (await import('../log.ts')).whyCommand(what, options, context)),
    )
  program
    .command('statusline')
    .description('one line for a status bar')
    .action(() => run(async () => (await import('../evidence.ts')).statuslineCommand(context)))
}
