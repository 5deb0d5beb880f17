import Database from 'better-sqlite3'
import { chmodSync, closeSync, openSync, readdirSync, readFileSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { runDir } from './state.ts'

const lockFile = (dataDir: string): string => join(runDir(dataDir), 'lock.db')

/** The one daemon of a data directory. An exclusive SQLite transaction, never committed: the kernel frees it, however the process ends. */
export class InstanceLock {
  readonly #database: Database.Database
  readonly #path: string
  readonly #inode: number

  private constructor(database: Database.Database, path: string) {
    this.#database = database
    this.#path = path
    this.#inode = statSync(path).ino
  }

  /** Null: another process holds it. The run directory must exist. */
  static take(dataDir: string): InstanceLock | null {
    const path = lockFile(dataDir)
    closeSync(openSync(path, 'a', 0o600))
    const database = new Database(path, { timeout: 0 })
    try {
      // A rollback journal: WAL would let readers in and keep more files.
      database.pragma('journal_mode = DELETE')
      database.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
      throw error
    }
    chmodSync(path, 0o600)
    return new InstanceLock(database, path)
  }

  /** Whether the file that is locked is still the one at its path: without it another daemon could start beside this one. */
  get holds(): boolean {
    try {
      return statSync(this.#path).ino === this.#inode
    } catch {
      return false
    }
  }

  release(): void {
    if (this.#database.open) this.#database.close()
  }
}

/** The process that holds the lock, as the kernel tells it (Linux); null where nobody does or it can't be told. */
export function lockHolder(dataDir: string): number | null {
  try {
    const lock = statSync(lockFile(dataDir))
    // `1: POSIX  ADVISORY  WRITE 4242 fe:01:131077 1073741824 1073742335`
    for (const line of readFileSync('/proc/locks', 'utf8').split('\n')) {
      const [, kind, , access, pid, file] = line.split(/\s+/)
      const isOurs = kind === 'POSIX' && access === 'WRITE' && file?.endsWith(`:${lock.ino}`) === true
      // 0: a process outside this container.
      if (isOurs && Number(pid) > 0 && hasOpen(Number(pid), lock)) return Number(pid)
    }
  } catch {
    // No /proc, or no lock file.
  }
  return null
}

/** An inode's number alone may be that of somebody's file on another disk: the process must have this very one open. */
function hasOpen(pid: number, { dev, ino }: Stats): boolean {
  return readdirSync(`/proc/${pid}/fd`).some(descriptor => {
    const open = statSync(`/proc/${pid}/fd/${descriptor}`, { throwIfNoEntry: false })
    return open?.dev === dev && open.ino === ino
  })
}
