import Database from 'better-sqlite3'
import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isCorrupt } from '../archive/database.ts'

export type RecallDb = Database.Database

/** Raised with any change of a table: what a session was given matters for hours, so another version's file is begun anew. */
const version = 1

/**
 * What recall remembers by itself. Redacted text and hashes only. A `scope` is a conversation as the ledger sees it: the
 * transcript where it is known, the hook session where it isn't yet. `keys` are the archive's session rows that a text
 * was taken from (JSON array): what is forgotten there goes here too.
 */
const schema = `
  CREATE TABLE agents (
    harness TEXT NOT NULL, agent TEXT NOT NULL,
    workspace TEXT, project TEXT,
    first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL, ended_ms INTEGER,
    transcript TEXT, transcript_key INTEGER, bound_ms INTEGER,
    texts TEXT NOT NULL DEFAULT '[]',        -- marks of the last prompts (see text-mark.ts)
    PRIMARY KEY (harness, agent)
  ) WITHOUT ROWID;
  CREATE INDEX agents_by_time ON agents (last_ms);

  CREATE TABLE given (
    scope TEXT NOT NULL, item TEXT NOT NULL,
    session_key INTEGER, at_ms INTEGER NOT NULL,
    PRIMARY KEY (scope, item)
  ) WITHOUT ROWID;

  CREATE TABLE parked (
    id INTEGER PRIMARY KEY,
    scope TEXT NOT NULL, kind TEXT NOT NULL, form TEXT, note TEXT NOT NULL, keys TEXT NOT NULL, at_ms INTEGER NOT NULL
  );
  CREATE INDEX parked_by_scope ON parked (scope);

  CREATE TABLE calls (
    scope TEXT NOT NULL, call TEXT NOT NULL,
    command TEXT, notes TEXT NOT NULL, at_ms INTEGER NOT NULL,
    PRIMARY KEY (scope, call)
  ) WITHOUT ROWID;

  CREATE TABLE compactions (
    session_key INTEGER NOT NULL, compaction TEXT NOT NULL, at_ms INTEGER NOT NULL, given_ms INTEGER,
    PRIMARY KEY (session_key, compaction)
  ) WITHOUT ROWID;

  CREATE TABLE blocks (
    harness TEXT NOT NULL, agent TEXT NOT NULL, message TEXT NOT NULL,
    block TEXT, keys TEXT NOT NULL, at_ms INTEGER NOT NULL,
    PRIMARY KEY (harness, agent, message)
  ) WITHOUT ROWID;

  CREATE TABLE injections (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL, harness TEXT NOT NULL, agent TEXT NOT NULL, transcript TEXT, moment TEXT NOT NULL,
    kinds TEXT NOT NULL, chars INTEGER NOT NULL, sources TEXT NOT NULL, why TEXT NOT NULL, keys TEXT NOT NULL
  );
`

/** Opens (or begins) recall.db in the data directory. A broken one is begun anew: nothing in it can't be lost. */
export function openRecallDb(dataDir: string): RecallDb {
  const path = join(dataDir, 'recall.db')
  try {
    return open(path)
  } catch (error) {
    if (!isCorrupt(error)) throw error
    for (const suffix of ['', '-wal', '-shm']) if (existsSync(path + suffix)) rmSync(path + suffix, { force: true })
    return open(path)
  }
}

function open(path: string): RecallDb {
  closeSync(openSync(path, 'a', 0o600))
  const db = new Database(path, { timeout: 2_000 })
  try {
    // nobody else opens it: no lock is taken and given back at each statement
    db.pragma('locking_mode = EXCLUSIVE')
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    db.pragma('secure_delete = ON')
    db.pragma('temp_store = MEMORY')
    const found = Number(db.pragma('user_version', { simple: true }))
    if (found !== version) {
      const tables = db
        .prepare<[], { name: string }>(
          `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
        )
        .all()
      for (const { name } of tables) db.exec(`DROP TABLE "${name}"`)
      db.exec(schema)
      db.pragma(`user_version = ${version}`)
    }
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** The archive's sessions that anything in it was taken from. */
export function keysIn(db: RecallDb): number[] {
  const listed = ['parked', 'blocks', 'injections'].map(
    table =>
      `SELECT e.value AS key FROM ${table} t, json_each(CASE WHEN json_valid(t.keys) THEN t.keys ELSE '[]' END) e`,
  )
  const single = [
    'SELECT session_key AS key FROM given',
    'SELECT session_key AS key FROM compactions',
    'SELECT transcript_key AS key FROM agents',
  ]
  const rows = db.prepare<[], { key: unknown }>([...listed, ...single].join(' UNION ')).all()
  return rows.flatMap(({ key }) => (typeof key === 'number' ? [key] : []))
}

/** A JSON array of numbers, as `keys` columns hold them; anything else is none. */
export function numbersOf(json: string): number[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value.filter(each => typeof each === 'number') : []
  } catch {
    return []
  }
}
