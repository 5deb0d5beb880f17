import { jsonOption, type Declaring } from './declaring.ts'

/** Commands that delete, give back and forget. */
export function declareLifecycle({ program, context, run }: Declaring): void {
  program
    .command('deleted')
    .description('sessions that are gone from their agents but kept here, and those that soon will be')
    .addOption(jsonOption())
    .action((options: { json?: boolean }) =>
      run(async () => (await import('../deleted.ts')).deletedCommand(options, context)),
    )
  program
    .command('restore <id>')
    .description('write a deleted session back, so that its agent finds it again')
    .addOption(jsonOption())
    .action((id: string, options: { json?: boolean }) =>
      run(async () => (await import('../deleted.ts')).restoreCommand(id, options, context)),
    )
  program
    .command('delete')
    .argument('[id]', 'a session')
    .description("delete from the agent's own store, each session's whole set of files; prints the list first")
    .option('--project <dir>', "every session of this directory's project")
    .option('--harness <id>', 'with --project: of this agent only')
    .option('--yes', 'do it')
    .option('--forget', 'and drop what deja keeps of it')
    .addOption(jsonOption())
    .action(
      (
        id: string | undefined,
        options: { project?: string; harness?: string; yes?: boolean; forget?: boolean; json?: boolean },
      ) => run(async () => (await import('../delete.ts')).deleteCommand(id, options, context)),
    )
  program
    .command('forget')
    .argument('[id]', 'a session')
    .description('drop what deja keeps, on purpose and for good; the agent keeps its files')
    .option('--project <dir>', "every session of this directory's project")
    .option('--before <date>', 'sessions that ended before this day')
    .option('--dry-run', 'only list them')
    .option('--list', 'what was forgotten')
    .addOption(jsonOption())
    .action(
      (
        id: string | undefined,
        options: { project?: string; before?: string; dryRun?: boolean; list?: boolean; json?: boolean },
      ) => run(async () => (await import('../forget.ts')).forgetCommand(id, options, context)),
    )
  program
    .command('unforget <id>')
    .description('let something forgotten be read again: an id, a project or a day that `forget --list` shows')
    .addOption(jsonOption())
    .action((value: string, options: { json?: boolean }) =>
      run(async () => (await import('../forget.ts')).unforgetCommand(value, options, context)),
    )
}
