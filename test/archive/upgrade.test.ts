import Database from 'better-sqlite3'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openArchiveReader } from '../../src/archive/read/archive-reader.ts'
import { migrations } from '../../src/archive/schema.ts'
import { ArchiveWriter } from '../../src/archive/write/archive-writer.ts'
import { searchText } from '../../src/index/full-text.ts'
import { TermScanner } from '../../src/index/term-scanner.ts'
import { matchOf } from '../../src/search/question.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'deja-upgrade-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const redactor = { version: 1, redact: (text: string) => text }
const texts = ['it dropped a final row', 'a row, final, dropped', 'open src/limiter.ts', 'x'.repeat(5000)]

/** An archive of version 2: full text with places, the third record still to be taken in. */
function older(path: string): void {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  for (const statements of migrations.slice(0, 2)) db.exec(statements)
  db.pragma('user_version = 2')
  db.exec(`
    INSERT INTO sessions (id, harness, sid, kind, redaction) VALUES (1, 'one', 'abc', 'main', 1);
    INSERT INTO transcripts (id, session_id, harness, root, path, rank, size, mtime_ms, reader)
      VALUES (1, 1, 'one', '/r', '/r/abc', 0, 1, 1, 1);
  `)
  texts.forEach((text, n) => {
    db.prepare(
      `INSERT INTO records (id, session_id, transcript_id, seq, pos, kind, text, hash, redaction)
       VALUES (?, 1, 1, ?, ?, 'output', ?, ?, 1)`,
    ).run(n + 1, n, n * 1024, text, n)
    if (n === 2) db.prepare('INSERT INTO fts_pending (record_id, long) VALUES (?, 0)').run(n + 1)
    else db.prepare('INSERT INTO records_fts (rowid, text) VALUES (?, ?)').run(n + 1, searchText(text))
  })
  // one that is gone again: its words stand in the old table's segments still
  db.prepare("INSERT INTO records_fts (rowid, text) VALUES (9, 'unspeakable')").run()
  db.prepare('DELETE FROM records_fts WHERE rowid = 9').run()
  db.close()
}

test('an archive whose full text has places gets it anew, without them', () => {
  const path = join(directory, 'archive.db')
  older(path)
  const terms = new TermScanner()
  const writer = new ArchiveWriter(path, {
    redactor,
    termsOf: text => terms.scan(text),
    errorSignatures: () => [],
    now: () => 0,
  })
  expect(writer.setAside).toBeNull()
  expect(writer.fullText.waiting()).toBe(texts.length)
  while (writer.fullText.drain(1e6) > 0);
  writer.checkpoint()
  expect(readFileSync(path).includes('unspeakable')).toBe(false)

  const reader = openArchiveReader(path, redactor)
  const ids = (text: string) => {
    const match = matchOf([text])
    if (match === null) return null
    const check =
      match.accepts === null ? {} : { check: { accepts: match.accepts, budget: { characters: 1e6, cutShort: false } } }
    return reader.fullText.places({ match: match.match, ...check, order: 'newest', limit: 9 }).map(({ id }) => id)
  }
  expect(ids('row')).toEqual([2, 1])
  expect(ids('dropped a final row')).toEqual([1])
  expect(ids('src/limiter.ts')).toEqual([3])
  expect(ids('final row')).toEqual([1])
  expect(ids('x'.repeat(5000))).toEqual([4])
  reader.close()
  writer.close()
})

test('one whose full text cannot even be opened is put aside', () => {
  const path = join(directory, 'archive.db')
  older(path)
  const tools = { redactor, termsOf: (text: string) => text, errorSignatures: () => [], now: () => 7 }
  new ArchiveWriter(path, tools).close()
  const db = new Database(path)
  const page = db.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'records_fts_config'").pluck().get()
  db.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(4096, 'deja'), 0, 4096, (Number(page) - 1) * 4096)
  closeSync(file)
  const writer = new ArchiveWriter(path, tools)
  expect(writer.setAside?.path).toBe(`${path}.corrupt-7`)
  expect(writer.fullText.waiting()).toBe(0)
  writer.close()
})
