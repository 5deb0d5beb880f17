import type { Environment } from '../shared/environment.ts'

/** What an installer needs to know to write its lines. */
export interface WiringContext {
  env: Environment
  platform: NodeJS.Platform
  /** The user's home directory. */
  home: string
  /** deja's own directory (absolute). */
  dataDir: string
  /** The command line that an agent's hook runs for an event, quoted for its shell: `'/…/bin/deja-hook' codewhale message_submit`. */
  hookCommand(harness: string, event: string): string
  /** The command line that prints deja's line for a status bar, quoted for a shell. */
  statuslineCommand: string
  /** The MCP server's command, its arguments, and the environment that it needs. */
  mcp: { command: string; args: string[]; env: Record<string, string> }
  /** Whether a path exists. Declarations that depend on what is there ask this, and nothing else of the disk. */
  exists(path: string): boolean
}

/** `json`: comments and trailing commas are errors, as they are for the agent itself. */
export type JsonDialect = 'json' | 'jsonc'

export interface HookGroup {
  event: string
  /** Absent: every tool (and on an event without a tool, the only form that fires everywhere). */
  matcher?: string
  command: string
  /** Seconds. One that the person set is kept while it lies between `TIMEOUT_SECONDS`. */
  timeout: number
}

export interface TomlHook {
  event: string
  /** Every key of the entry besides `event`, in the order in which they are written. */
  keys: Readonly<Record<string, string | number | boolean>> & { command: string }
  /** The key that holds the timeout in seconds; kept as the person set it while it lies between `TIMEOUT_SECONDS`. */
  timeoutKey: string
}

/** What a person may have set a hook's timeout to without breaking it. */
export const TIMEOUT_SECONDS = { least: 2, most: 60 }

/** One change to one file (absolute). All of them are idempotent, recognised later, and can be taken back. */
export type WiringEdit =
  /** The member `deja` among an agent's MCP servers. `containers`: the names that the agent takes for their object; the first is written. */
  | {
      kind: 'mcp-server'
      file: string
      dialect: JsonDialect
      containers: readonly string[]
      server: Record<string, unknown>
    }
  /** Hooks in the form `hooks.<Event>[] = {matcher?, hooks: [{type, command, timeout}]}`. */
  | { kind: 'hook-groups'; file: string; dialect: JsonDialect; groups: readonly HookGroup[] }
  /** `statusLine {type: "command", command}`, where the person has none. */
  | { kind: 'status-line'; file: string; dialect: JsonDialect; command: string }
  /** A string in a TOML array of strings. */
  | { kind: 'toml-string'; file: string; table: string; key: string; value: string }
  /** `[[table.name]]` entries in a TOML file, one an event. */
  | { kind: 'toml-hooks'; file: string; table: string; name: string; hooks: readonly TomlHook[] }
  /** A whole file of ours; a seal at its end (`comment` says how that is written) tells it from a person's. */
  | { kind: 'text-file'; file: string; comment: 'html' | 'slashes'; text: string }

/** A target of `deja install`: `codewhale` (surfaces), `codewhale-auto` (hooks; includes the former). */
export interface WiringDeclaration {
  /** What `install X` writes. */
  surfaces(context: WiringContext): WiringEdit[]
  /** What `install X-auto` writes besides. */
  hooks(context: WiringContext): WiringEdit[]
  /** Directories of which one must exist for `--all` and `--auto` to count the agent as there. Absolute. */
  presence(context: WiringContext): string[]
  /** Files besides those that are written, in which an earlier install may have left its part (`uninstall` looks there too). Absent: none. */
  formerly?(context: WiringContext): WiringEdit[]
  /** The environment variables that move the agent's home: their values at an install are recorded for the daemon. Absent: none. */
  readonly homeVariables?: readonly string[]
  /** Switches by which a person turns hooks off as a whole, to be told after an install: a key's path in a file, and the value that means off. Absent: none. */
  switches?(
    context: WiringContext,
  ): { file: string; path: readonly string[]; off: 'true' | 'false' | { lists: string }; says: string }[]
  /** Sentences for the person after an install of the hooks: which front ends run them, what else to know. */
  readonly notes: readonly string[]
}
