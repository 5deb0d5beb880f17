import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

/** `run/daemon.json`: where the daemon is and how it and its clients know each other. Information only; the lock is what counts. */
const schema = z.object({
  pid: z.int().positive(),
  startedAt: z.string(),
  version: z.string(),
  protocol: z.int(),
  instanceId: z.string(),
  host: z.string(),
  port: z.int().min(1).max(65_535),
  token: z.string(),
  /** Never sent by a client: a reply that carries it comes from the daemon. Absent in a file that an unknown version wrote. */
  replySecret: z.string().optional(),
  /** Absent where there are no Unix sockets, or where the path would be too long for one. Last: it may hold commas. */
  socket: z.string().optional(),
})
export type DaemonState = z.output<typeof schema>

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
    return schema.parse(JSON.parse(readFileSync(stateFile(dataDir), 'utf8')))
  } catch {
    return null
  }
}

/** Publishes by rename, as one line in the schema's order: the shims split it at its commas. */
export function writeState(dataDir: string, state: DaemonState): void {
  const draft = join(runDir(dataDir), `daemon.json.${randomBytes(6).toString('hex')}`)
  writeFileSync(draft, JSON.stringify(schema.parse(state)) + '\n', { mode: 0o600 })
  renameSync(draft, stateFile(dataDir))
}

/** Takes back what this instance published; another's stays. */
export function removeState(dataDir: string, instanceId: string): void {
  if (readState(dataDir)?.instanceId === instanceId) rmSync(stateFile(dataDir), { force: true })
}
