import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askDaemon } from '../../../src/client/client.ts'
import { callHook } from '../../../src/client/hook.ts'
import { startDaemon, type ClientContext } from '../../../src/client/start.ts'
import { stopDaemon } from '../../../src/client/stop.ts'
import { statusEndpoint, type Status } from '../../../src/daemon/api.ts'

const pollMs = 50
/** A fill that takes longer than this is broken. */
const longestMs = 30 * 60_000

export interface Filled {
  /** From the daemon's start, in ms: everything is kept and recallable. */
  recallableMs: number
  /** Full text has everything too. */
  completeMs: number
  status: Status
}

/** A throw-away home, and the built daemon in it. */
export class Bed {
  readonly home: string
  readonly context: ClientContext
  #asked = 0

  private constructor(home: string, cli: string, dataDir: string) {
    this.home = home
    const env = { PATH: process.env.PATH, HOME: home, DEJA_HOME: dataDir, LANG: process.env.LANG }
    this.context = { dataDir, env, cli }
  }

  /** @param cli the built command line, absolute */
  static make(cli: string): Bed {
    const home = mkdtempSync(join(tmpdir(), 'deja-bench-'))
    return new Bed(home, cli, join(home, 'deja'))
  }

  /** The same stores, another data directory. */
  beside(name: string): Bed {
    return new Bed(this.home, this.context.cli, join(this.home, name))
  }

  /** @returns the daemon's process */
  async start(): Promise<number> {
    mkdirSync(this.context.dataDir, { recursive: true, mode: 0o700 })
    return (await startDaemon(this.context)).pid
  }

  async stop(): Promise<void> {
    await stopDaemon(this.context.dataDir)
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.home, { recursive: true, force: true })
  }

  status(): Promise<Status> {
    return askDaemon(this.context, statusEndpoint, undefined, { autostart: false })
  }

  /** Starts the daemon and waits until it has taken everything in. `meanwhile` runs over and over until it is recallable. */
  async fill(meanwhile: () => Promise<unknown> = () => sleep(pollMs)): Promise<Filled> {
    const started = performance.now()
    await this.start()
    let recallableMs: number | null = null
    let nextLook = 0
    for (;;) {
      const sinceMs = performance.now() - started
      if (sinceMs > longestMs) throw new Error('the fill does not end')
      if (performance.now() >= nextLook) {
        const status = await this.status()
        nextLook = performance.now() + pollMs
        if (status.state === 'degraded') throw new Error(`degraded: ${status.reasons.join(' ')}`)
        if (status.state === 'ready') recallableMs ??= sinceMs
        if (recallableMs !== null && status.state === 'ready' && status.pending === 0)
          return { recallableMs, completeMs: sinceMs, status }
      }
      await (recallableMs === null ? meanwhile() : sleep(pollMs))
    }
  }

  /** A person's message in CodeWhale. @returns what the agent gets; '' for nothing */
  async ask(workspace: string, text: string, session?: string): Promise<string> {
    const session_id = session ?? `sess_${(++this.#asked).toString(16).padStart(8, '0')}`
    const payload = {
      event: 'message_submit',
      text,
      text_bytes: Buffer.byteLength(text),
      text_original_bytes: Buffer.byteLength(text),
      text_truncated: false,
      session_id,
      workspace,
      mode: 'ACT',
      model: 'm',
      total_tokens: 1,
    }
    const stdin = Buffer.from(`${JSON.stringify(payload)}\n`)
    const request = { harness: 'codewhale', event: 'message_submit', stdin, environment: [], deadlineMs: 20_000 }
    const reply = await callHook(this.context, request)
    if (reply === null) throw new Error('the daemon did not answer')
    return reply.status === 200 ? reply.body.toString('utf8') : ''
  }

  /** Asks until the answer holds the mark. @returns ms since `since`, or null after ten seconds */
  async recalled(workspace: string, question: string, mark: string, since: number): Promise<number | null> {
    for (;;) {
      const answer = await this.ask(workspace, question)
      const tookMs = performance.now() - since
      if (answer.includes(mark)) return tookMs
      if (tookMs > 10_000) return null
      await sleep(5)
    }
  }

  /** Bytes of the archive's files, once its log has been brought in: the last thing that is done when all else is. */
  async archiveBytesAtRest(): Promise<number> {
    const log = join(this.context.dataDir, 'archive.db-wal')
    for (let waitedMs = 0; waitedMs < 10_000 && sizeOf(log) > 1e6; waitedMs += pollMs) await sleep(pollMs)
    return ['archive.db', 'archive.db-wal'].reduce((sum, name) => sum + sizeOf(join(this.context.dataDir, name)), 0)
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Of a process, in bytes: resident now, and at most so far. Linux only. */
export function memoryOf(pid: number): { resident: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
  return { resident: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 }
}

/** Processor time of a process so far, in ms. Linux only. */
export function processorMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  const ticksASecond = 100
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksASecond
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
