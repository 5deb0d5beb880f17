import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openArchiveReader } from '../../src/archive/read/archive-reader.ts'
import { ArchiveWriter } from '../../src/archive/write/archive-writer.ts'
import { PassageIndex } from '../../src/index/passage-index.ts'
import { TermScanner } from '../../src/index/term-scanner.ts'
import { search } from '../../src/search/search.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'deja-many-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const redactor = { version: 1, redact: (text: string) => text }

/** What a search answers when a session printed these, in that order. */
function asked(query: string, texts: readonly string[]) {
  const path = join(directory, 'archive.db')
  const terms = new TermScanner()
  const tools = { redactor, termsOf: (text: string) => terms.scan(text), errorSignatures: () => [], now: () => 0 }
  new ArchiveWriter(path, tools).close()
  const db = new Database(path)
  db.exec(`
    INSERT INTO sessions (id, harness, sid, kind, redaction) VALUES (1, 'one', 'abc', 'main', 1);
    INSERT INTO transcripts (id, session_id, harness, root, path, rank, size, mtime_ms, reader)
      VALUES (1, 1, 'one', '/r', '/r/abc', 0, 1, 1, 1);
  `)
  const put = db.prepare(
    `INSERT INTO records (id, session_id, transcript_id, seq, pos, kind, text, hash, redaction)
     VALUES (?, 1, 1, ?, ?, 'output', ?, ?, 1)`,
  )
  const wait = db.prepare('INSERT INTO fts_pending (record_id, long) VALUES (?, 0)')
  db.transaction(() =>
    texts.forEach((text, n) => {
      put.run(n + 1, n, n * 1024, text, n)
      wait.run(n + 1)
    }),
  )()
  db.close()
  const writer = new ArchiveWriter(path, tools)
  while (writer.fullText.drain(1e6) > 0);
  writer.close()
  const reader = openArchiveReader(path, redactor)
  try {
    return search({ archive: reader, index: new PassageIndex(), now: new Date() }, { query, limit: 5 })
  } finally {
    reader.close()
  }
}

const scattered = (length: number) => Array.from({ length }, () => 'a row, final, dropped')

test('a phrase that stands behind more records than are looked into is not said to be nowhere', () => {
  const answer = asked('"dropped a final row"', ['it dropped a final row', ...scattered(2_500)])
  expect(answer.hits).toEqual([])
  expect(answer.note).toMatch(/^Too many records/)
})

test('where all were looked into it is', () => {
  expect(asked('"dropped a final row"', scattered(100)).note).toBe('Nothing that is kept has these words.')
  rmSync(join(directory, 'archive.db'))
  const answer = asked('"dropped a final row"', ['it dropped a final row', ...scattered(100)])
  expect([answer.hits.length, answer.note]).toEqual([1, null])
})
