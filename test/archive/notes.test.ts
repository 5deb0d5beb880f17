import Database from 'better-sqlite3'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openArchiveReader } from '../../src/archive/read/archive-reader.ts'
import { ArchiveWriter } from '../../src/archive/write/archive-writer.ts'

const redactor = { version: 1, redact: (text: string) => text }
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'deja-notes-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const path = () => join(directory, 'archive.db')
const file = () => join(directory, 'notes.jsonl')
const opened = <T>(work: (writer: ArchiveWriter) => T, rules = redactor): T => {
  const writer = new ArchiveWriter(path(), {
    redactor: rules,
    termsOf: text => text,
    errorSignatures: () => [],
    now: () => 0,
  })
  try {
    return work(writer)
  } finally {
    writer.close()
  }
}
const kept = (): string[] => {
  const reader = openArchiveReader(path(), redactor)
  try {
    return reader.notes.newest(10).map(({ project, text }) => `${project}: ${text}`)
  } finally {
    reader.close()
  }
}
const loseArchive = () => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path()}${end}`, { force: true })
}

it('a lost archive has its notes again, those of forgotten projects not', () => {
  opened(writer => {
    writer.notes.add('/w', '2026-09-24T10:00:00.000Z', 'Gauges are read in UTC.')
    writer.notes.add('/secret', '2026-09-24T11:00:00.000Z', 'The vault is behind the clock.')
  })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  loseArchive()
  opened(() => undefined)
  expect(kept()).toEqual(['/secret: The vault is behind the clock.', '/w: Gauges are read in UTC.'])
  opened(writer => {
    writer.forget.decide({ project: '/secret' }, '2026-09-25T10:00:00.000Z')
    writer.forget.carryOut()
  })
  expect(readFileSync(file(), 'utf8')).not.toContain('vault')
  loseArchive()
  opened(() => undefined)
  expect(kept()).toEqual(['/w: Gauges are read in UTC.'])
})

it('a forgetting that was interrupted before the file was written is carried through at the next start', () => {
  opened(writer => writer.notes.add('/secret', '2026-09-24T11:00:00.000Z', 'The vault is behind the clock.'))
  const before = readFileSync(file(), 'utf8')
  opened(writer => {
    writer.forget.decide({ project: '/secret' }, '2026-09-25T10:00:00.000Z')
    writer.forget.carryOut()
  })
  writeFileSync(file(), before)
  opened(() => undefined)
  expect(kept()).toEqual([])
  expect(readFileSync(file(), 'utf8')).toBe('')
})

it('an archive of before the file gets one; what is no note in it is passed over; none is made for nothing', () => {
  opened(() => undefined)
  expect(existsSync(file())).toBe(false)
  opened(writer => writer.notes.add('/w', '2026-09-24T10:00:00.000Z', 'Gauges are read in UTC.'))
  const text = readFileSync(file(), 'utf8')
  rmSync(file())
  opened(() => undefined)
  expect(readFileSync(file(), 'utf8')).toBe(text)
  writeFileSync(file(), `{"project":3}\nnull\n${text}{"project":"/torn`)
  loseArchive()
  opened(() => undefined)
  expect(kept()).toEqual(['/w: Gauges are read in UTC.'])
})

it('notes of older rules are redacted again where they stand: in the archive, its log and the file', () => {
  opened(writer => {
    writer.notes.add('/w', '2026-09-24T10:00:00.000Z', 'The key is hunter2.')
    writer.notes.add('/w', '2026-09-24T11:00:00.000Z', 'Gauges are read in UTC.')
  })
  const stricter = { version: 2, redact: (text: string) => text.replaceAll('hunter2', '[redacted:key]') }
  opened(writer => {
    expect(writer.forget.purgeIsDue()).toBe(true)
    writer.forget.purged()
    for (const name of readdirSync(directory))
      expect(readFileSync(join(directory, name), 'latin1')).not.toContain('hunter2')
  }, stricter)
  expect(kept()).toEqual(['/w: Gauges are read in UTC.', '/w: The key is [redacted:key].'])
  loseArchive()
  opened(writer => expect(writer.forget.purgeIsDue()).toBe(false), stricter)
  expect(readFileSync(file(), 'utf8')).toContain('[redacted:key]')
})

it('notes of older rules that stand in the file alone are redacted before they are taken in', () => {
  opened(writer => writer.notes.add('/w', '2026-09-24T10:00:00.000Z', 'The key is hunter2.'))
  loseArchive()
  opened(() => undefined, { version: 2, redact: text => text.replaceAll('hunter2', '[redacted:key]') })
  for (const name of readdirSync(directory))
    expect(readFileSync(join(directory, name), 'latin1')).not.toContain('hunter2')
  expect(kept()).toEqual(['/w: The key is [redacted:key].'])
})

it.each(['notes', 'forgotten'])(
  'an archive whose table of %s is broken is put aside, and the notes come from the file',
  table => {
    opened(writer => writer.notes.add('/w', '2026-09-24T10:00:00.000Z', 'Gauges are read in UTC.'))
    const db = new Database(path())
    db.pragma('wal_checkpoint(TRUNCATE)')
    const page = db
      .prepare<[string], { rootpage: number }>('SELECT rootpage FROM sqlite_master WHERE name = ?')
      .get(table)
    const size = Number(db.pragma('page_size', { simple: true }))
    db.close()
    const archive = openSync(path(), 'r+')
    writeSync(archive, Buffer.alloc(size, 'deja'), 0, size, ((page?.rootpage ?? 0) - 1) * size)
    closeSync(archive)
    opened(writer => expect(writer.setAside).not.toBeNull())
    expect(kept()).toEqual(['/w: Gauges are read in UTC.'])
  },
)
