import Database from 'better-sqlite3'
import { spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { askDaemon } from '../../src/client/client.ts'
import type { ClientContext } from '../../src/client/start.ts'
import { statusEndpoint, type Endpoint, type Status } from '../../src/daemon/api.ts'
import { indexEndpoint } from '../../src/daemon/memory-api.ts'
import { readState, type DaemonState } from '../../src/daemon/state.ts'
import { Home } from '../e2e/home.ts'

export const cli = fileURLToPath(new URL('../../dist/deja.js', import.meta.url))

export const workspace = '/home/dev/acme-api'
/** Where CodeBuddy keeps that directory's sessions. */
export const project = '.codebuddy/projects/home-dev-acme-api'

/** An id that says which session it is. */
export const idOf = (n: number): string => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`

/** A line of CodeBuddy's transcript: even ones were typed, odd ones answered. */
export function line(session: string, n: number, text: string): string {
  const role = n % 2 === 0 ? 'user' : 'assistant'
  const content = [{ type: role === 'user' ? 'input_text' : 'output_text', text }]
  const id = `${session.slice(0, 8)}-${n}`
  const parentId = n === 0 ? undefined : `${session.slice(0, 8)}-${n - 1}`
  const time = Date.UTC(2026, 9, 1) + n * 1000
  const about = { id, parentId, timestamp: time, type: 'message', role, content, sessionId: session, cwd: workspace }
  return `${JSON.stringify(role === 'user' ? about : { ...about, status: 'completed' })}\n`
}

/** A home with sessions of ours, and the built daemon in it, which may be killed. */
export class House {
  readonly home: Home
  readonly context: ClientContext
  /** What each session was written to hold, in order. */
  readonly said = new Map<string, string[]>()
  readonly #children = new Set<ChildProcess>()

  private constructor(home: Home) {
    this.home = home
    this.context = { dataDir: home.data, env: { PATH: process.env.PATH, HOME: home.path, DEJA_HOME: home.data }, cli }
  }

  static async make(): Promise<House> {
    return new House(await Home.make())
  }

  async remove(): Promise<void> {
    this.kill()
    for (const child of this.#children) child.kill('SIGKILL')
    await this.home.remove()
  }

  get archive(): string {
    return join(this.home.data, 'archive.db')
  }

  path(session: string): string {
    return join(this.home.path, project, `${session}.jsonl`)
  }

  /** Writes a session whole. */
  session(session: string, texts: readonly string[]): void {
    const path = this.path(session)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, texts.map((text, n) => line(session, n, text)).join(''))
    this.said.set(session, [...texts])
  }

  /** Adds lines to a session, as its agent does. */
  append(session: string, ...texts: readonly string[]): void {
    const known = this.said.get(session) ?? []
    mkdirSync(dirname(this.path(session)), { recursive: true })
    appendFileSync(this.path(session), texts.map((text, n) => line(session, known.length + n, text)).join(''))
    this.said.set(session, [...known, ...texts])
  }

  /** Starts a daemon and doesn't wait for it. */
  launch(command: readonly string[] = [process.execPath, cli, 'daemon', 'run']): ChildProcess {
    const [program = '', ...args] = command
    const child = spawn(program, args, { env: this.context.env, stdio: 'ignore', detached: true, cwd: this.home.path })
    this.#children.add(child)
    child.on('exit', () => this.#children.delete(child))
    return child
  }

  /** Starts a daemon in a way of the test's own (limits, namespaces) and waits until it answers. */
  async launched(command: readonly string[]): Promise<ChildProcess> {
    const child = this.launch(command)
    await this.until(async () => (await this.peekStatus()) !== null)
    return child
  }

  state(): DaemonState {
    const state = readState(this.home.data)
    if (state === null) throw new Error('no daemon has published itself')
    return state
  }

  /** Asks the daemon, and starts it where it is away. */
  ask<I, O>(endpoint: Endpoint<I, O>, input: I): Promise<O> {
    return askDaemon(this.context, endpoint, input)
  }

  /** Asks the daemon that is there: null where none answers. A daemon that is killed isn't asked again. */
  async askOnce<I, O>(endpoint: Endpoint<I, O>, input: I): Promise<O | null> {
    const context = { ...this.context, env: { ...this.context.env, DEJA_NO_AUTOSTART: '1' } }
    return askDaemon(context, endpoint, input, { deadlineMs: 30_000 }).catch(() => null)
  }

  status(): Promise<Status> {
    return this.ask(statusEndpoint, undefined)
  }

  /** The status of a daemon that is there, or null: none is started. */
  peekStatus(): Promise<Status | null> {
    return this.askOnce(statusEndpoint, undefined)
  }

  /** Reads all that is there and waits for it, then expects `ready`. */
  async settled(): Promise<Status> {
    await this.ask(indexEndpoint, { rebuild: false })
    await this.until(async () => (await this.status()).state === 'ready')
    return this.status()
  }

  async until(what: () => boolean | Promise<boolean>, ms = 15_000): Promise<void> {
    const end = performance.now() + ms
    while (!(await what())) {
      if (performance.now() > end) {
        const status = await this.peekStatus()
        throw new Error(`it did not come about in ${ms} ms: ${what.toString()}\n${JSON.stringify(status)}`)
      }
      await wait(30)
    }
  }

  /** Every process that works on this home. */
  processes(): number[] {
    const mark = `DEJA_HOME=${this.home.data}\0`
    return readdirSync('/proc')
      .map(Number)
      .filter(pid => {
        if (!Number.isInteger(pid) || pid === process.pid) return false
        try {
          return `${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`.includes(mark)
        } catch {
          return false
        }
      })
  }

  /** kill -9 on all of it. */
  kill(): void {
    for (const pid of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // ended meanwhile
      }
    }
  }

  async killed(): Promise<void> {
    this.kill()
    await this.until(() => this.processes().length === 0)
  }

  /** What the archive's file holds, by session. For a daemon that has settled, or none at all. */
  kept(): Map<string, string[]> {
    const db = new Database(this.archive, { readonly: true })
    try {
      expect(db.pragma('quick_check', { simple: true })).toBe('ok')
      const rows = db
        .prepare<[], { sid: string; text: string }>(
          `SELECT sid, coalesce(text, command, path, '') AS text FROM records JOIN sessions ON sessions.id = session_id
           ORDER BY session_id, pos`,
        )
        .all()
      const kept = new Map<string, string[]>()
      for (const { sid, text } of rows) kept.set(sid, [...(kept.get(sid) ?? []), text])
      return kept
    } finally {
      db.close()
    }
  }

  /** Nothing lost, nothing twice. */
  expectAll(): void {
    expect(sorted(this.kept())).toEqual(sorted(this.said))
  }

  /** Whether all of it is there now. */
  hasAll(): boolean {
    try {
      this.expectAll()
      return true
    } catch {
      return false
    }
  }
}

/** Enough to tell a text by: what is long stands elsewhere in the archive. */
export const beginning = (text: string): string => text.trim().slice(0, 80)

function sorted(sessions: ReadonlyMap<string, string[]>): [string, string[]][] {
  return [...sessions]
    .filter(([, texts]) => texts.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([session, texts]) => [session, texts.map(beginning)])
}

export function wait(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
