import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
const opened = <T>(work: (writer: ArchiveWriter) => T): T => {
  const writer = new ArchiveWriter(path(), {
    redactor,
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
