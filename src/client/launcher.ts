import { execFile } from 'node:child_process'
import { accessSync, constants, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import shimBash from '../../hooks/shim.bash' with { type: 'text' }
import shimNode from '../../hooks/shim.cjs' with { type: 'text' }
import shimSh from '../../hooks/shim.sh' with { type: 'text' }
import { PROTOCOL } from '../daemon/api.ts'
import { ownDirectory } from '../daemon/state.ts'
import type { Environment } from '../shared/environment.ts'

export interface LauncherOptions {
  dataDir: string
  /** The built command line and the Node that runs it (absolute). */
  cli: string
  node: string
  /** Per harness id: the names of the variables that its hooks pass on (`harness.hooks.environment`). */
  environment: Readonly<Record<string, readonly string[]>>
  platform: NodeJS.Platform
  env: Environment
  /** The form to write; by default the fastest that this machine has. */
  form?: ShimForm
}

/** What the launcher is written in, fastest first. */
export type ShimForm = 'bash' | 'curl' | 'node'

/**
 * Writes `$DEJA_HOME/bin/deja-hook`, the program that the agents' hooks run as `deja-hook <harness> <event>`, and gives
 * its path. Everything that it needs is baked in: a hook's PATH may be anything.
 */
export async function writeLauncher(options: LauncherOptions): Promise<string> {
  const bin = join(options.dataDir, 'bin')
  ownDirectory(options.dataDir)
  ownDirectory(bin)
  const found = findTools(options.env, options.platform)
  const form = options.form ?? (await bestForm(found))
  const launcher = join(bin, 'deja-hook')
  if (form === 'bash') await writeProgram(launcher, bashText(options, found))
  else if (form === 'curl') await writeProgram(launcher, shText(options, found))
  else {
    const script = join(bin, 'deja-hook.cjs')
    await writeProgram(script, nodeText(options))
    if (options.platform === 'win32') {
      await writeProgram(`${launcher}.cmd`, `@"${options.node}" "%~dp0deja-hook.cjs" %*\r\n`)
      return `${launcher}.cmd`
    }
    await writeProgram(launcher, `#!/bin/sh\nexec ${quote(options.node)} ${quote(script)} "$@"\n`)
  }
  if (form !== 'node') rmSync(join(bin, 'deja-hook.cjs'), { force: true })
  return launcher
}

interface Tools {
  /** Every bash, in the order to try: macOS has an old one of its own beside a newer one. */
  bash: string[]
  sh: string | null
  curl: string | null
  setsid: string | null
  mkdir: string | null
}

function findTools(env: Environment, platform: NodeJS.Platform): Tools {
  if (platform === 'win32') return { bash: [], sh: null, curl: null, setsid: null, mkdir: null }
  const usual = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
  const directories = [...usual, ...(env.PATH ?? '').split(delimiter).filter(path => path.startsWith('/'))]
  const all = (name: string) => [...new Set(directories.map(path => join(path, name)))].filter(isExecutable)
  const one = (name: string) => all(name)[0] ?? null
  return { bash: all('bash'), sh: one('sh'), curl: one('curl'), setsid: one('setsid'), mkdir: one('mkdir') }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Leaves in `tools.bash` the one that will do. */
async function bestForm(tools: Tools): Promise<ShimForm> {
  for (const bash of tools.bash) {
    if (!(await bashWillDo(bash))) continue
    tools.bash = [bash]
    return 'bash'
  }
  return tools.sh !== null && tools.curl !== null ? 'curl' : 'node'
}

/** Whether a bash has what the shim uses: `read -N`, fractions for `-t`, the clock of 4.2, and network redirections, which some builds leave out. */
async function bashWillDo(bash: string): Promise<boolean> {
  const server = createServer(socket => socket.end('hi'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const test = `exec 3<>/dev/tcp/127.0.0.1/${port} && read -r -N 2 -t 1.5 hi <&3 && printf '%s %(%s)T' "$hi" -1`
    return await new Promise<boolean>(resolve => {
      execFile(bash, ['-p', '-c', test], { timeout: 3000 }, (error, stdout) => {
        resolve(error === null && /^hi \d+$/.test(stdout))
      })
    })
  } finally {
    server.close()
  }
}

function bashText(options: LauncherOptions, tools: Tools): string {
  const cases = harnessNames(options).map(
    ([harness, names]) => `  ${harness}) environment_of_this_harness=(${names.join(' ')}) ;;`,
  )
  // -p: neither BASH_ENV nor functions of the agent's environment are taken in.
  return [
    `#!${tools.bash[0] ?? '/bin/bash'} -p`,
    ...baked(options, tools),
    'case $1 in',
    ...cases,
    '  *) exit 0 ;;',
    'esac',
    shimBash,
  ].join('\n')
}

function shText(options: LauncherOptions, tools: Tools): string {
  const cases = harnessNames(options).map(([harness, names]) => `  ${harness}) names=${quote(names.join(' '))} ;;`)
  return [
    `#!${tools.sh ?? '/bin/sh'}`,
    ...baked(options, tools),
    `curl=${quote(tools.curl ?? 'curl')}`,
    // sh can't write one without a process
    `cr=${quote('\r')}`,
    'case $1 in',
    ...cases,
    '  *) exit 0 ;;',
    'esac',
    shimSh,
  ].join('\n')
}

function nodeText({ dataDir, cli, environment }: LauncherOptions): string {
  return `const BAKED = ${JSON.stringify({ dataDir, cli, protocol: PROTOCOL, environment })}\n${shimNode}`
}

function baked({ dataDir, cli, node }: LauncherOptions, tools: Tools): string[] {
  return [
    `data_dir=${quote(dataDir)}`,
    `node=${quote(node)}`,
    `cli=${quote(cli)}`,
    `sh=${quote(tools.sh ?? '/bin/sh')}`,
    `setsid=${quote(tools.setsid ?? '')}`,
    `mkdir=${quote(tools.mkdir ?? '/bin/mkdir')}`,
    `protocol=${PROTOCOL}`,
  ]
}

function harnessNames({ environment }: LauncherOptions): [string, string[]][] {
  return Object.entries(environment).map(([harness, names]) => [harness, [...new Set([...names, 'DEJA_RECALL'])]])
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** By rename: a hook that runs meanwhile reads the old one to its end. */
async function writeProgram(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, text, { mode: 0o700 })
  await rename(draft, path)
}
