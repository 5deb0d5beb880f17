import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `run/daemon.json`: where the daemon is and how it and its clients know each other. Information only; the lock is what
 * counts. Every command reads it, so it is checked by hand: loading zod would double a command's start.
 */
export interface DaemonState {
  pid: number
  /** ISO 8601. */
  startedAt: string
  version: string
  protocol: number
  instanceId: string
  host: string
  port: number
  token: string
  /** Never sent by a client: a reply that carries it comes from the daemon. Absent in a file that an unknown version wrote. */
  replySecret?: string | undefined
  /** Absent where there are no Unix sockets, or where the path would be too long for one. Last: it may hold commas. */
  socket?: string | undefined
}

/** What it holds, as its keys stand in the file; null where something in it isn't what it has to be. */
function stateOf(value: unknown): DaemonState | null {
  if (typeof value !== 'object' || value === null) return null
  const of = new Map<string, unknown>(Object.entries(value))
  const [pid, protocol, port] = ['pid', 'protocol', 'port'].map(key => of.get(key))
  if (!isWhole(pid, 1) || !isWhole(protocol, 0) || !isWhole(port, 1) || port > 65_535) return null
  const texts = ['startedAt', 'version', 'instanceId', 'host', 'token'].map(key => of.get(key))
  if (!texts.every(text => typeof text === 'string')) return null
  const [startedAt = '', version = '', instanceId = '', host = '', token = ''] = texts
  const [replySecret, socket] = ['replySecret', 'socket'].map(key => of.get(key))
  if (![replySecret, socket].every(text => text === undefined || typeof text === 'string')) return null
  return {
    ...{ pid, startedAt, version, protocol, instanceId, host, port, token },
    ...(typeof replySecret === 'string' && { replySecret }),
    ...(typeof socket === 'string' && { socket }),
  }
}

const isWhole = (value: unknown, least: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= least

export const runDir = (dataDir: string): string => join(dataDir, 'run')
const stateFile = (dataDir: string): string => join(runDir(dataDir), 'daemon.json')

/** Makes a directory of deja's own (0700), mending the mode of one that is there. */
export function ownDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
}

/** What a daemon published, or null where nothing readable is. It may be dead. */
export function readState(dataDir: string): DaemonState | null {
  try {
    return stateOf(JSON.parse(readFileSync(stateFile(dataDir), 'utf8')))
  } catch {
    return null
  }
}

/** Publishes by rename, as one line in the order of `DaemonState`: the shims split it at its commas. */
export function writeState(dataDir: string, state: DaemonState): void {
  const draft = join(runDir(dataDir), `daemon.json.${randomBytes(6).toString('hex')}`)
  writeFileSync(draft, JSON.stringify(stateOf(state)) + '\n', { mode: 0o600 })
  renameSync(draft, stateFile(dataDir))
}

/** Takes back what this instance published; another's stays. */
export function removeState(dataDir: string, instanceId: string): void {
  if (readState(dataDir)?.instanceId === instanceId) rmSync(stateFile(dataDir), { force: true })
}
