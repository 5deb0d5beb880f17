import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientContext } from '../client/start.ts'
import type { WiringContext } from '../harness/wiring.ts'
import { homeOf } from '../shared/paths.ts'

/** What the wiring's declarations are told about this machine and this program. */
export function wiringContext({
  env,
  dataDir,
  cli,
  platform,
}: ClientContext & { platform: NodeJS.Platform }): WiringContext {
  const quote = platform === 'win32' ? quoteForCmd : quoteForSh
  const launcher = join(dataDir, 'bin', platform === 'win32' ? 'deja-hook.cmd' : 'deja-hook')
  return {
    env,
    platform,
    home: homeOf(env),
    dataDir,
    hookCommand: (harness, event) => `${quote(launcher)} ${harness} ${event}`,
    statuslineCommand: `${quote(process.execPath)} ${quote(cli)} statusline`,
    // Node by its path: an agent that was started from a desktop may find none on its own. Clients pass little of the
    // environment on to a server, so what deja needs stands in the entry.
    mcp: { command: process.execPath, args: [cli, 'mcp'], env: { DEJA_HOME: dataDir } },
    exists: existsSync,
  }
}

function quoteForSh(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

function quoteForCmd(word: string): string {
  return `"${word}"`
}
