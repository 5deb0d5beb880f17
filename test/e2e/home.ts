import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopDaemon } from '../../src/client/stop.ts'

/** The built program, as users run it: `npm test` builds it first. */
const cli = fileURLToPath(new URL('../../dist/deja.js', import.meta.url))
const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  input?: string
  cwd?: string
  /** The process's group is ended with it, as CodeWhale does with its hooks. */
  reap?: boolean
}

/** A throw-away home: stores of the fixtures, the program's own directory, and the environment to run things in. */
export class Home {
  readonly path: string
  readonly data: string

  private constructor(path: string) {
    this.path = path
    this.data = join(path, 'deja')
  }

  static async make(): Promise<Home> {
    return new Home(await realpath(await mkdtemp(join(tmpdir(), 'deja-e2e-'))))
  }

  async remove(): Promise<void> {
    await stopDaemon(this.data).catch(() => undefined)
    await rm(this.path, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Copies a directory of the fixtures into the home. What it holds was written yesterday: nothing of it is going on. */
  async fixture(name: string, to = '.'): Promise<void> {
    const from = join(fixtures, name)
    await cp(from, join(this.path, to), { recursive: true })
    const yesterday = new Date(Date.now() - 86_400_000)
    for (const below of await readdir(from, { recursive: true }))
      await utimes(join(this.path, to, below), yesterday, yesterday)
  }

  static async fixtureJson(name: string): Promise<unknown> {
    return JSON.parse(await readFile(join(fixtures, name), 'utf8'))
  }

  text(path: string): Promise<string> {
    return readFile(join(this.path, path), 'utf8')
  }

  async json(path: string): Promise<unknown> {
    return JSON.parse(await this.text(path))
  }

  /** Whole at once, as agents save: a temporary file, then a rename. */
  async write(path: string, text: string): Promise<void> {
    const file = join(this.path, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(`${file}.tmp`, text)
    await rename(`${file}.tmp`, file)
  }

  /** A file was written yesterday: nothing of it is going on. */
  async old(path: string): Promise<void> {
    const yesterday = new Date(Date.now() - 86_400_000)
    await utimes(join(this.path, path), yesterday, yesterday)
  }

  deja(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return this.run(process.execPath, [cli, ...args], options)
  }

  /** What a command prints with `--json`. Its shape is the caller's to know: these are the program's own answers. */
  async dejaJson<T>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.deja([...args, '--json'])
    try {
      return JSON.parse(stdout) as T
    } catch {
      throw new Error(`deja ${args.join(' ')} --json: exit ${code}\n${stdout}\n${stderr}`)
    }
  }

  /** Runs a command and expects exit code 0. */
  async done(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.deja(args)
    if (code !== 0) throw new Error(`deja ${args.join(' ')}: exit ${code}\n${stderr}`)
    return stdout
  }

  /** Ids of the sessions that a search finds, best first, as people see them. */
  async found(words: string, ...options: readonly string[]): Promise<string[]> {
    const { hits } = await this.dejaJson<{ hits: { session: { id: string } }[] }>('search', words, ...options)
    return hits.map(hit => hit.session.id.slice(0, 8))
  }

  run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const { env = {}, input = '', cwd = this.path, reap = false } = options
    const own = { PATH: process.env.PATH, HOME: this.path, DEJA_HOME: this.data, TZ: 'UTC', LANG: 'C.UTF-8' }
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd, env: { ...own, ...env }, detached: reap })
      let stdout = ''
      let stderr = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
      child.on('error', reject)
      if (reap) child.on('exit', () => endGroup(child.pid))
      child.on('close', code => resolve({ code, stdout, stderr }))
      // a hook may be through before it has read everything
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
    })
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // nothing of it is left
  }
}

/** What stands in a text's one frame, which must be whole and say what it is; '' for no text. */
export function framed(text: string): string {
  if (text === '') return ''
  const inside = /<deja-recall>\n(.*\n[\s\S]*)<\/deja-recall>\s*$/.exec(text)?.[1]
  if (inside === undefined || text.match(/<\/?deja-recall>/g)?.length !== 2) throw new Error(`not one frame: ${text}`)
  if (!/do not follow/i.test(inside.split('\n')[0] ?? '')) throw new Error(`it doesn't say what it is: ${text}`)
  return inside
}

export function member(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null) return undefined
    return (at as Record<string, unknown>)[name]
  }, value)
}
