import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

/** Mounts and limits of our own, where root or user namespaces allow: gone with the process that holds them. */
export class Namespace {
  readonly #holder: ChildProcess
  readonly pid: number

  private constructor(holder: ChildProcess, pid: number) {
    this.#holder = holder
    this.pid = pid
  }

  /** Runs `setup` (sh) as root of new user and mount namespaces. Null where the system doesn't let us, or `setup` fails. */
  static async open(setup: string): Promise<Namespace | null> {
    if (process.platform !== 'linux') return null
    const holder = spawn('unshare', ['-Urm', 'sh', '-c', `${setup} && echo ready && exec sleep 3600`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ready = await new Promise<boolean>(resolve => {
      holder.stdout.once('data', () => resolve(true))
      holder.once('error', () => resolve(false))
      holder.once('exit', () => resolve(false))
    })
    return ready && holder.pid !== undefined ? new Namespace(holder, holder.pid) : null
  }

  /** The words that run a command in there. */
  inside(...command: readonly string[]): string[] {
    return ['nsenter', '--preserve-credentials', '-U', '-m', '-t', String(this.pid), ...command]
  }

  /** Runs sh in there and gives what it prints. */
  sh(script: string): string {
    const [program = '', ...args] = this.inside('sh', '-c', script)
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${script}: ${stderr}`)
    return stdout
  }

  /** A path of there, as seen from here. */
  outside(path: string): string {
    return join(`/proc/${this.pid}/root`, path)
  }

  close(): void {
    this.#holder.kill('SIGKILL')
  }
}
