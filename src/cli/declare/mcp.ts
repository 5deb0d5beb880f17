import type { Declaring } from './declaring.ts'

/** The door for agents that ask. */
export function declareMcp({ program, context, run }: Declaring): void {
  program
    .command('mcp')
    .description('the MCP server on stdio: one tool, with which an agent asks this memory')
    .addHelpText(
      'after',
      '\nNot for people: an agent starts it (`deja install <agent>` tells it how) and speaks JSON-RPC on stdin and stdout.\nIt asks the daemon, about the directory that it was started in first.',
    )
    .action(() =>
      run(async () => {
        const { serveMcp } = await import('../../mcp/server.ts')
        await serveMcp(context)
        return 0
      }),
    )
}
