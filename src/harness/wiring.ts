import type { Environment } from '../shared/environment.ts'

/** What an installer needs to know to write its lines. */
export interface WiringContext {
  env: Environment
  platform: NodeJS.Platform
  /** The user's home directory. */
  home: string
  /** The command line that an agent's hook runs for an event, quoted for its shell: `'/…/bin/deja-hook' codewhale message_submit`. */
  hookCommand(harness: string, event: string): string
  /** The MCP server's command, and its arguments. */
  mcp: { command: string; args: string[]; env: Record<string, string> }
}

/** One change to one file. All of them are idempotent and can be taken back. */
export type WiringEdit =
  /** A member of an object in a JSON or JSONC file. `recognise`: whether a value found there is ours from an earlier version. */
  | {
      type: 'json-member'
      file: string
      path: string[]
      key: string
      value: unknown
      mode?: number
    }
  /** An element of an array in a JSON or JSONC file, ours by its hook command. */
  | { type: 'json-element'; file: string; path: string[]; value: unknown }
  /** A string in a TOML array of strings. */
  | { type: 'toml-string'; file: string; table: string[]; key: string; value: string }
  /** A `[[table]]` entry in a TOML file, ours by its `command`. */
  | { type: 'toml-entry'; file: string; table: string[]; entry: Record<string, string | number | boolean> }
  /** A whole file of ours. */
  | { type: 'file'; file: string; text: string; mode?: number }

/** A target of `deja install`: `codewhale` (surfaces), `codewhale-auto` (hooks; includes the former). */
export interface WiringDeclaration {
  /** What `install X` writes. */
  surfaces(context: WiringContext): WiringEdit[]
  /** What `install X-auto` writes besides. */
  hooks(context: WiringContext): WiringEdit[]
  /** Directories of which one must exist for `--all` and `--auto` to count the agent as there. Absolute. */
  presence(context: WiringContext): string[]
  /** Sentences for the person after an install: which front ends run hooks, what else to know. */
  notes: readonly string[]
}
