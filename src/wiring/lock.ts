import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { DejaError } from '../shared/errors.ts'

/** How long one installer waits for another. */
const WAIT_MS = 10_000

/** Runs as the only installer on this data directory. The lock is an open transaction, so the kernel frees it whatever happens. */
export async function alone<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const directory = join(dataDir, 'run')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'wiring.lock')
  // SQLite would make it with the caller's umask
  closeSync(openSync(path, 'a', 0o600))
  const database = new Database(path, { timeout: WAIT_MS })
  try {
    try {
      database.exec('begin exclusive')
    } catch (cause) {
      throw new DejaError('refused', 'Another deja install or uninstall is running.', {
        cause,
        hint: 'Try again when it is done.',
      })
    }
    return await work()
  } finally {
    database.close()
  }
}
