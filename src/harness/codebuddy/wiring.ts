import { join } from 'node:path'
import { commandText, skillText } from '../shared/texts.ts'
import type { HookGroup, WiringContext, WiringDeclaration, WiringEdit } from '../wiring.ts'
import { codebuddyHomes, workbuddyHomes } from './store.ts'

/** MCP tools are deferred there: the model calls them through `DeferExecuteTool` (2.117.0). */
const TOOL = "`mcp__deja__deja` (if it isn't offered, through DeferExecuteTool with that toolName)"

/** Seconds. A hook that times out vetoes the prompt or the tool (2.117.0), so this is far above the shim's own 300 ms. */
const TIMEOUT = 10

/** Tools of which something may be said. Only PostToolUse looks at it. */
const TOOLS = '^(Bash|PowerShell|Read|Edit|MultiEdit|Write|NotebookEdit)$'

interface Variant {
  id: string
  /** The homes to wire, under this context. */
  homes(context: WiringContext): string[]
  /** Files for MCP servers in the order in which the client looks; the first that exists is the only one it reads. */
  mcpFiles(home: string, context: WiringContext): string[]
  /** The one to make where there is none. */
  newMcpFile: string
  presence: (context: WiringContext) => string[]
  homeVariables: readonly string[]
  notes: readonly string[]
}

function wiringOf(variant: Variant): WiringDeclaration {
  const server = (file: string, { mcp }: WiringContext): WiringEdit => ({
    kind: 'mcp-server',
    file,
    dialect: 'jsonc',
    containers: ['mcpServers'],
    server: { type: 'stdio', ...mcp },
  })
  const mcpFile = (home: string, context: WiringContext): string =>
    variant.mcpFiles(home, context).find(file => context.exists(file)) ?? join(home, variant.newMcpFile)

  return {
    surfaces: context =>
      variant.homes(context).flatMap((home): WiringEdit[] => [
        server(mcpFile(home, context), context),
        {
          kind: 'status-line',
          file: join(home, 'settings.json'),
          dialect: 'jsonc',
          command: context.statuslineCommand,
        },
        { kind: 'text-file', file: join(home, 'skills/deja-history/SKILL.md'), comment: 'html', text: skillText(TOOL) },
        {
          kind: 'text-file',
          file: join(home, 'commands/deja.md'),
          comment: 'html',
          text: commandText(TOOL, [
            'description: What earlier sessions settled about something',
            'argument-hint: words, an error, or a path',
          ]),
        },
      ]),

    hooks(context) {
      const group = (event: string, matcher?: string): HookGroup => ({
        event,
        ...(matcher === undefined ? {} : { matcher }),
        command: context.hookCommand(variant.id, event),
        timeout: TIMEOUT,
      })
      // PostToolUseFailure ignores a matcher (2.117.0).
      const groups = [
        group('SessionStart'),
        group('UserPromptSubmit'),
        group('PostToolUse', TOOLS),
        group('PostToolUseFailure'),
        group('SessionEnd'),
      ]
      return variant.homes(context).map(home => ({
        kind: 'hook-groups',
        file: join(home, 'settings.json'),
        dialect: 'jsonc',
        groups,
      }))
    },

    presence: variant.presence,
    // Which file is the first may have changed since the install.
    formerly: context =>
      variant.homes(context).flatMap(home => variant.mcpFiles(home, context).map(file => server(file, context))),
    homeVariables: variant.homeVariables,
    switches: context =>
      variant.homes(context).map(home => ({
        file: join(home, 'settings.json'),
        path: ['disableAllHooks'],
        off: 'true',
        says: 'disableAllHooks is set: no hooks run until you change that',
      })),
    notes: variant.notes,
  }
}

export const wiring: WiringDeclaration = wiringOf({
  id: 'codebuddy',
  homes: ({ env }) => codebuddyHomes(env),
  mcpFiles: (home, context) => [join(home, '.mcp.json'), join(home, 'mcp.json'), join(context.home, '.codebuddy.json')],
  newMcpFile: '.mcp.json',
  presence: ({ env }) => codebuddyHomes(env),
  homeVariables: ['HOME', 'USERPROFILE', 'CODEBUDDY_CONFIG_DIR'],
  notes: [
    'CodeBuddy runs these hooks in every mode; SessionEnd not in `-p`. What a resumed session would have got at its start comes with its first prompt.',
    'A CodeBuddy that is running reads its settings when it is started again.',
  ],
})

/** The homes that the app made; where there is none yet, the one of workbuddy.cn. */
function presentHomes(context: WiringContext): string[] {
  const all = workbuddyHomes(context.env)
  const present = all.filter(home => context.exists(home))
  return present.length > 0 ? present : all.slice(0, 1)
}

export const workbuddyWiring: WiringDeclaration = wiringOf({
  id: 'workbuddy',
  homes: presentHomes,
  // The app's own file is mcp.json; the client in it still looks for .mcp.json first.
  mcpFiles: home => [join(home, '.mcp.json'), join(home, 'mcp.json')],
  newMcpFile: 'mcp.json',
  presence: ({ env }) => workbuddyHomes(env),
  homeVariables: ['HOME', 'USERPROFILE', 'WORKBUDDY_CONFIG_DIR'],
  notes: [
    'WorkBuddy AI keeps an MCP server off until you trust it in its settings.',
    'A WorkBuddy that is running reads its settings when it is started again.',
  ],
})
