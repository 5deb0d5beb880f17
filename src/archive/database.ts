import Database from 'better-sqlite3'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DejaError } from '../shared/errors.ts'
import { migrations } from './schema.ts'

export type Db = Database.Database

export interface OpenedArchive {
  db: Db
  /** Where a broken archive was put and why; null when there was none. */
  setAside: { path: string; reason: string } | null
}

/** The archive for its one writer: made, migrated, and when it is broken put aside and begun anew. */
export function openForWriting(path: string, now: () => number): OpenedArchive {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    return { db: open(path), setAside: null }
  } catch (error) {
    if (!isCorrupt(error)) throw unopened(error, path)
    const reason = error instanceof Error ? error.message : String(error)
    const aside = setAside(path, now)
    return { db: open(path), setAside: { path: aside, reason } }
  }
}

/** The archive for reading beside the writer. It must exist. */
export function openForReading(path: string): Db {
  let db: Db
  try {
    db = new Database(path, { readonly: true, fileMustExist: true })
  } catch (error) {
    throw unopened(error, path)
  }
  try {
    refuseNewer(db, path)
    if (versionOf(db) < migrations.length)
      throw new DejaError('archive', 'The archive is being brought up to this version; try again in a moment.', {
        path,
      })
    db.pragma('cache_size = -16000')
    db.pragma('mmap_size = 268435456')
    return db
  } catch (error) {
    db.close()
    throw unopened(error, path)
  }
}

/** Tells an archive from another in its place, which may get the same inode. Null: there is none. */
export function identityOf(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : null
}

/** Whether the file's bytes are wrong, as against a full disk or a lock. */
export function isCorrupt(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code)
}

/** Whether the archive itself failed: a full disk, a lock, a broken file. */
export function isArchiveError(error: unknown): boolean {
  return error instanceof Database.SqliteError
}

/** Moves the archive's files out of the way and says where the first went. */
export function setAside(path: string, now: () => number): string {
  const aside = `${path}.corrupt-${now()}`
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
  }
  return aside
}

/** Takes away what `setAside` put aside: what is to be forgotten may stand in it. */
export function removeSetAside(path: string): void {
  const prefix = `${basename(path)}.corrupt-`
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(prefix)) rmSync(join(dirname(path), name), { force: true })
  }
}

function open(path: string): Db {
  // The log of an archive that was deleted under a connection which still has it open: shared with a new one it would be
  // cut to length under that connection's map, which ends the process (SIGBUS).
  if (!existsSync(path)) for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
  // 0600 from the first byte on; SQLite gives its -wal and -shm the same mode
  closeSync(openSync(path, 'a', 0o600))
  const db = new Database(path, { timeout: 10_000 })
  try {
    refuseNewer(db, path)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    db.pragma('foreign_keys = ON')
    db.pragma('secure_delete = ON')
    db.pragma('temp_store = MEMORY')
    db.pragma('cache_size = -32000')
    db.pragma('wal_autocheckpoint = 8000')
    migrate(db)
    // a broken file often opens: a look at each table and at the free list finds most of it for little
    db.prepare('SELECT count(*) FROM sqlite_master').get()
    db.prepare('SELECT id FROM sessions ORDER BY id DESC LIMIT 1').get()
    db.prepare('SELECT id FROM records ORDER BY id DESC LIMIT 1').get()
    db.prepare('SELECT rowid FROM records_fts WHERE rowid = 0').get()
    // the small ones that the writer reads whole at each start
    for (const table of ['forgotten', 'notes']) db.prepare(`SELECT * FROM ${table}`).all()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function migrate(db: Db): void {
  const step = db.transaction((version: number) => {
    db.exec(migrations[version] ?? '')
    db.pragma(`user_version = ${version + 1}`)
  })
  for (let version = versionOf(db); version < migrations.length; version++) step.immediate(version)
}

function versionOf(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }))
}

function refuseNewer(db: Db, path: string): void {
  const version = versionOf(db)
  if (version <= migrations.length) return
  throw new DejaError(
    'archive',
    `The archive has version ${version}, and this deja knows versions up to ${migrations.length}.`,
    { path, hint: 'Update deja, or point DEJA_HOME at another directory.' },
  )
}

function unopened(error: unknown, path: string): unknown {
  if (error instanceof DejaError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new DejaError('archive', `The archive can't be opened: ${reason}.`, { path, cause: error })
}
