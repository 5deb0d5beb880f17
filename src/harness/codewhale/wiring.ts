import { isAbsolute, join } from 'node:path'
import type { Environment } from '../../shared/environment.ts'
import { DejaError } from '../../shared/errors.ts'
import { commandText, skillText } from '../shared/texts.ts'
import type { TomlHook, WiringContext, WiringDeclaration } from '../wiring.ts'

const TOOL = '`mcp_deja_deja`'

function first(env: Environment, ...names: string[]): string | undefined {
  return names.map(name => env[name]?.trim()).find(value => value !== undefined && value !== '')
}

/** `CODEWHALE_HOME` with its `~` expanded, else `~/.codewhale`. Another relative value is an error to CodeWhale itself (0.9.10). */
function homeOf({ env, home }: WiringContext): string {
  const named = first(env, 'CODEWHALE_HOME')
  if (named === undefined) return join(home, '.codewhale')
  const path = /^~(?=[/\\]|$)/.test(named) ? join(home, named.slice(1)) : named
  if (isAbsolute(path)) return path
  throw new DejaError('refused', `CODEWHALE_HOME is relative (${named}), which CodeWhale refuses.`, {
    hint: 'Set it to an absolute path.',
  })
}

/** A file that a variable names, relative to where the agent would be started: only an absolute one can be wired. */
function fileOf(context: WiringContext, variables: string[], usual: string): string {
  const named = first(context.env, ...variables)
  if (named === undefined) return usualFile(context, usual)
  const path = /^~(?=[/\\]|$)/.test(named) ? join(context.home, named.slice(1)) : named
  if (isAbsolute(path)) return path
  throw new DejaError(
    'refused',
    `${variables.join(' or ')} is relative (${named}): which file it means depends on where CodeWhale is started.`,
    { hint: 'Set it to an absolute path.' },
  )
}

/**
 * In the home; the one of 0.8's home where that alone is there. CodeWhale still reads or copies it then, until the new one
 * exists: one that we made would hide what the person set.
 */
function usualFile(context: WiringContext, name: string): string {
  const file = join(homeOf(context), name)
  const former = join(context.home, '.deepseek', name)
  const moved = first(context.env, 'CODEWHALE_HOME') !== undefined
  return !moved && !context.exists(file) && context.exists(former) ? former : file
}

const configOf = (context: WiringContext): string =>
  fileOf(context, ['CODEWHALE_CONFIG_PATH', 'DEEPSEEK_CONFIG_PATH'], 'config.toml')

const mcpOf = (context: WiringContext): string =>
  fileOf(context, ['CODEWHALE_MCP_CONFIG', 'DEEPSEEK_MCP_CONFIG'], 'mcp.json')

/** Event and the entry's name. Only events that every version since 0.8 knows: an unknown one fails the whole config. */
const EVENTS = [
  ['message_submit', 'deja-submit'],
  ['tool_call_before', 'deja-before'],
  ['tool_call_after', 'deja-after'],
  ['session_end', 'deja-end'],
] as const

export const wiring: WiringDeclaration = {
  surfaces(context) {
    const { home, mcp } = context
    return [
      // Both names parse (`mcpServers` is an alias); CodeWhale's own writers emit `servers`.
      {
        kind: 'mcp-server',
        file: mcpOf(context),
        dialect: 'json',
        containers: ['servers', 'mcpServers'],
        server: { ...mcp },
      },
      // MCP tools are left out of the request until they are searched for, unless they are named here.
      { kind: 'toml-string', file: configOf(context), table: 'tools', key: 'always_load', value: 'mcp_deja_deja' },
      {
        kind: 'text-file',
        file: join(home, '.agents/skills/deja-history/SKILL.md'),
        comment: 'html',
        text: skillText(TOOL),
      },
      // Below $HOME whatever CODEWHALE_HOME says (0.9.10), and without a description, which would become the session's goal.
      { kind: 'text-file', file: join(home, '.codewhale/commands/deja.md'), comment: 'html', text: commandText(TOOL) },
    ]
  },

  hooks(context) {
    const hooks = EVENTS.map(([event, name]): TomlHook => ({
      event,
      keys: { name, command: context.hookCommand('codewhale', event), timeout_secs: 2, continue_on_error: true },
      timeoutKey: 'timeout_secs',
    }))
    return [{ kind: 'toml-hooks', file: configOf(context), table: 'hooks', name: 'hooks', hooks }]
  },

  presence: context => [homeOf(context), join(context.home, '.deepseek')],
  homeVariables: ['HOME', 'USERPROFILE', 'CODEWHALE_HOME'],
  switches: context => [
    {
      file: configOf(context),
      path: ['hooks', 'enabled'],
      off: 'false',
      says: '[hooks] enabled = false: CodeWhale runs no hooks until you change that',
    },
  ],
  notes: [
    "CodeWhale's terminal interface runs all four hooks. Its ACP server runs tool_call_before alone, `codewhale exec` none (from 0.10 with --hooks tool_call_before), its CLI, MCP server and workflows none.",
    'A CodeWhale that is running reads its hooks when it is started again.',
  ],
}
