import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openArchiveReader, type ArchiveReader } from '../../src/archive/read/archive-reader.ts'
import { ArchiveWriter } from '../../src/archive/write/archive-writer.ts'
import { errorSignatures } from '../../src/index/errors.ts'
import { searchText } from '../../src/index/full-text.ts'
import { notedFor } from '../../src/recall/noted.ts'

const redactor = { version: 1, redact: (text: string) => text.replaceAll('hunter2', '[redacted]') }

let directory: string
let writer: ArchiveWriter
let reader: ArchiveReader

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'deja-noted-'))
  const path = join(directory, 'archive.db')
  writer = new ArchiveWriter(path, { redactor, termsOf: searchText, errorSignatures, now: () => 0 })
  reader = openArchiveReader(path, { ...redactor, version: 2 })
})
afterEach(() => {
  reader.close()
  writer.close()
  rmSync(directory, { recursive: true, force: true })
})

const day = (n: number) => `2026-09-${String(n).padStart(2, '0')}T00:00:00.000Z`

test('the note that shares what is telling comes first; one of another project never', () => {
  writer.notes.add('/a', day(1), 'Deploys go through `bin/ship.sh`, never by hand.')
  writer.notes.add('/a', day(2), 'Gauge FAR-02 is broken; skip it in the tide charts.')
  writer.notes.add('/b', day(3), 'The tide charts of gauge FAR-02 are made elsewhere.')
  const found = notedFor('why does the chart of gauge FAR-02 lack its tide?', '/a', reader.notes)
  expect(found.map(({ note }) => note.at)).toEqual([day(2)])
  expect(found[0]?.bearing.share).toBeGreaterThan(0.5)
  expect(notedFor('what should I do now', '/a', reader.notes)).toEqual([])
})

test('said again it is one note; older rules are made up for when it is read', () => {
  for (const n of [1, 2]) writer.notes.add('/a', day(n), 'The password was hunter2.')
  expect(reader.notes.ofProject('/a', 10)).toEqual([
    expect.objectContaining({ at: day(2), text: 'The password was [redacted].' }),
  ])
})

test('what is forgotten takes the notes that stood then, not those made later', () => {
  writer.notes.add('/a', day(1), 'old')
  writer.notes.add('/b', day(1), 'other')
  writer.forget.decide({ project: '/a' }, day(5))
  writer.notes.add('/a', day(6), 'new')
  writer.forget.carryOut()
  const texts = (project: string) => reader.notes.ofProject(project, 10).map(({ text }) => text)
  expect([texts('/a'), texts('/b')]).toEqual([['new'], ['other']])
  writer.forget.decide({ before: day(3) }, day(7))
  writer.forget.carryOut()
  expect([texts('/a'), texts('/b')]).toEqual([['new'], []])
  expect(writer.forget.purgeIsDue()).toBe(true)
})
