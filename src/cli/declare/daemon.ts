import type { InstallFlags } from '../install.ts'
import { jsonOption, type Declaring } from './declaring.ts'
import type { DaemonAction } from '../daemon.ts'

/** Commands about the daemon and what it reads. */
export function declareDaemon({ program, context, run, agents }: Declaring): void {
  const daemon = program.command('daemon').description('the daemon that reads and remembers')
  const actions: [DaemonAction, string][] = [
    ['run', 'run it here, in the foreground'],
    ['start', 'start it; returns once it answers'],
    ['stop', 'end it; returns when it has ended'],
    ['restart', 'stop and start'],
    ['logs', 'print its log'],
  ]
  for (const [name, description] of actions) {
    daemon
      .command(name)
      .description(description)
      .action(() => run(async () => (await import('../daemon.ts')).daemonCommand(name, context)))
  }
  for (const parent of [daemon, program]) {
    parent
      .command('status')
      .description('what the daemon does and what it has read (exit 0 ready or indexing, 1 degraded, 3 stopped)')
      .addOption(jsonOption())
      .action((options: { json?: boolean }) =>
        run(async () => (await import('../status.ts')).statusCommand({ json: options.json === true }, context)),
      )
  }
  program
    .command('index')
    .description('take in everything that is new and wait for it')
    .option('--rebuild', 'read everything that is on disk once more')
    .addOption(jsonOption())
    .action((options: { json?: boolean; rebuild?: boolean }) =>
      run(async () => (await import('../index-command.ts')).indexCommand(options, context)),
    )
  const [first = 'X'] = agents
  const targets = `${agents.join(', ')}; with hooks: ${first}-auto and so on`
  for (const name of ['install', 'uninstall'] as const) {
    program
      .command(name)
      .argument('[target...]', targets)
      .description(
        name === 'install'
          ? 'wire agents: MCP server, skill and command; X-auto adds hooks'
          : 'take the wiring out again',
      )
      .option('--all', 'every agent on this machine')
      .option('--auto', 'every agent on this machine, hooks included')
      .option('--dry-run', 'show what would change, write nothing')
      .action((names: string[], flags: InstallFlags) =>
        run(async () => {
          const [{ runInstall, runUninstall }, { harnesses }] = await Promise.all([
            import('../install.ts'),
            import('../../harness/registry.ts'),
          ])
          const wire = name === 'install' ? runInstall : runUninstall
          return wire(names, flags, { ...context, harnesses })
        }),
      )
  }
  program
    .command('hook <harness> <event>')
    .description('what an agent’s hook runs: the payload on stdin, the answer on stdout')
    .action((harness: string, event: string) =>
      run(async () => {
        await (await import('../hook.ts')).hookDoor([harness, event], context)
        return 0
      }),
    )
  program
    .command('doctor')
    .description(
      'what is wired, what is read, what isn’t and why, and what to do about it (exit 1 when something is wrong)',
    )
    .addOption(jsonOption())
    .action((options: { json?: boolean }) =>
      run(async () => (await import('../doctor.ts')).doctorCommand(options, context)),
    )
  program
    .command('tour')
    .description(
      'start the daemon, read this machine’s sessions and show one recall; on the shipped examples where there are none',
    )
    .action(() => run(async () => (await import('../tour.ts')).tourCommand(context)))
}
