import type { Declaring } from '../program.ts'

/** Commands that write deja into the agents' configurations, and take it out again. */
export function declareWiring({ program, context, run }: Declaring): void {
  interface Flags {
    dryRun?: boolean
    all?: boolean
    auto?: boolean
  }
  const targets =
    '\nTargets: codewhale, commandcode, codebuddy, workbuddy: the MCP server, the skill, the /deja command and, where there is one,' +
    '\nthe status line; with -auto (codewhale-auto, …) the hooks as well, so that deja speaks by itself.'
  program
    .command('install')
    .argument('[target...]', "what to wire: an agent's name, or the name with -auto")
    .description("write deja into agents' configurations")
    .option('--all', 'every agent on this machine, without hooks')
    .option('--auto', 'every agent on this machine, hooks included')
    .option('--dry-run', 'print what would be changed, and change nothing')
    .addHelpText('after', targets)
    .action((names: string[], flags: Flags) =>
      run(async () => (await import('../install.ts')).installCommand(names, flags, context)),
    )
  program
    .command('uninstall')
    .argument('[target...]', "an agent's name: all of it; the name with -auto: the hooks alone")
    .description("take deja out of agents' configurations, to the byte")
    .option('--all', 'every agent, hooks included')
    .option('--auto', "every agent's hooks")
    .option('--dry-run', 'print what would be changed, and change nothing')
    .action((names: string[], flags: Flags) =>
      run(async () => (await import('../install.ts')).uninstallCommand(names, flags, context)),
    )
}
