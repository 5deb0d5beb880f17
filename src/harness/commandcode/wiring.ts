import { join } from 'node:path'
import mod from '../../../hooks/commandcode-mod/deja.ts?raw'
import { commandText, skillText } from '../shared/texts.ts'
import type { HookGroup, WiringContext, WiringDeclaration } from '../wiring.ts'

const TOOL = '`mcp__deja__deja`'

/** No variable moves it (1.64.0). */
const homeOf = ({ home }: WiringContext): string => join(home, '.commandcode')

/**
 * Matched against display names, unanchored and without regard to case: SHELL alone would also hit KILL_SHELL and
 * SHELL_OUTPUT. READ isn't among them: a hint for a file comes before it is changed.
 */
const TOOLS = '^(SHELL|POWERSHELL|MONITOR|EDIT|WRITE)$'

/** Seconds; above 600 or not positive the client skips the hook (1.64.0). */
const TIMEOUT = 5

/** What stands for deja's directory in the mod's source. */
const PLACEHOLDER = "'__DEJA_HOME__'"

export const wiring: WiringDeclaration = {
  surfaces(context) {
    const home = homeOf(context)
    return [
      {
        kind: 'mcp-server',
        file: join(home, 'mcp.json'),
        dialect: 'json',
        containers: ['mcpServers'],
        server: { transport: 'stdio', enabled: true, ...context.mcp },
      },
      { kind: 'text-file', file: join(home, 'skills/deja-history/SKILL.md'), comment: 'html', text: skillText(TOOL) },
      // The whole file is the prompt: front matter would be sent to the model.
      { kind: 'text-file', file: join(home, 'commands/deja.md'), comment: 'html', text: commandText(TOOL) },
    ]
  },

  hooks(context) {
    const group = (event: string, matcher?: string): HookGroup => ({
      event,
      ...(matcher === undefined ? {} : { matcher }),
      command: context.hookCommand('commandcode', event),
      timeout: TIMEOUT,
    })
    // With a matcher SessionStart would never fire.
    const groups = [group('SessionStart'), group('PreToolUse', TOOLS), group('PostToolUse', TOOLS)]
    return [
      { kind: 'hook-groups', file: join(homeOf(context), 'settings.json'), dialect: 'json', groups },
      {
        kind: 'text-file',
        file: join(homeOf(context), 'mods/deja.ts'),
        comment: 'slashes',
        text: mod.replace(PLACEHOLDER, () => JSON.stringify(context.dataDir)),
      },
    ]
  },

  presence: context => [homeOf(context)],
  homeVariables: ['HOME', 'USERPROFILE'],
  switches: context => [
    {
      file: join(homeOf(context), 'settings.json'),
      path: ['mods', 'disabled'],
      off: { lists: 'deja' },
      says: 'mods.disabled names "deja": the mod stays switched off',
    },
  ],
  notes: [
    "Command Code runs hooks in its terminal interface; in `-p` no SessionStart, and in plan mode none at all. The mod (recall for each question, the footer's line) runs in both.",
    'A Command Code that is running reads its hooks and mods when it is started again.',
  ],
}
