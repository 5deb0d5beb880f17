import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openArchiveReader, type ArchiveReader } from '../../src/archive/read/archive-reader.ts'
import { ArchiveWriter } from '../../src/archive/write/archive-writer.ts'
import type { RecordDraft, SessionFacts } from '../../src/shared/model.ts'

let directory: string
let reader: ArchiveReader
const old = { version: 1, redact: (text: string) => text }
const newer = { version: 2, redact: (text: string) => text.replaceAll('hunter2', '[redacted:password]') }

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'deja-archive-'))
  const path = join(directory, 'archive.db')
  const writer = new ArchiveWriter(path, {
    redactor: old,
    termsOf: text => text.toLowerCase(),
    errorSignatures: () => [],
    now: () => 0,
  })
  const put = (harness: string, id: string, more: Partial<SessionFacts>, drafts: Omit<RecordDraft, 'seq' | 'at'>[]) => {
    const facts: SessionFacts = {
      id,
      title: null,
      workspace: '/w',
      startedAt: null,
      updatedAt: null,
      parentId: null,
      kind: 'main',
      model: null,
      archived: false,
      ...more,
    }
    writer.transaction(() => {
      const { id: transcript } = writer.transcripts.ensure({
        harness,
        root: '/r',
        path: `/r/${harness}/${id}`,
        rank: 0,
      })
      const { key } = writer.sessions.upsert(harness, facts, { project: '/w', writtenMs: 5, redaction: 1, transcript })
      const row = writer.transcripts.find(`/r/${harness}/${id}`)
      if (row) writer.transcripts.save({ ...row, session_id: key })
      writer.conversation.proceed(
        { key, ref: { harness, id } },
        transcript,
        drafts.map((draft, seq) => ({ ...draft, seq, at: null })),
        [],
      )
      writer.sessions.recount(key)
    })
  }
  put('one', 'abc-1', { updatedAt: '2026-09-01T00:00:00.000Z', title: 'the hunter2 session' }, [
    { kind: 'prompt', text: 'first question about tides' },
    { kind: 'read', path: '/w/src/tide.ts' },
    { kind: 'output', text: `start ${'long output line\n'.repeat(2000)} the very end`, copied: true },
    { kind: 'answer', text: 'the password is hunter2' },
  ])
  put('one', 'abc-2', { updatedAt: '2026-09-02T00:00:00.000Z' }, [
    { kind: 'prompt', text: 'second question about tides' },
  ])
  put('two', 'abc', { updatedAt: '2026-09-03', parentId: 'abc-1', kind: 'fork' }, [{ kind: 'prompt', text: 'a third' }])
  put('two', 'lone', {}, [{ kind: 'prompt', text: 'no time at all' }])
  while (writer.fullText.drain(1e6) > 0);
  writer.close()
  reader = openArchiveReader(path, newer)
})
afterAll(() => {
  reader.close()
  rmSync(directory, { recursive: true, force: true })
})

const key = (harness: string, id: string) => reader.sessions.keyOf({ harness, id }) ?? 0

describe('sessions', () => {
  it('are found by id, prefix, and both after their harness; a whole id wins', () => {
    expect(reader.sessions.find('abc')).toEqual({ type: 'one', key: key('two', 'abc') })
    expect(reader.sessions.find('abc-2')).toMatchObject({ type: 'one' })
    expect(reader.sessions.find('lo')).toMatchObject({ type: 'one' })
    expect(reader.sessions.find('one:abc-1')).toMatchObject({ type: 'one' })
    expect(reader.sessions.find('two:ab')).toEqual({ type: 'one', key: key('two', 'abc') })
    expect(reader.sessions.find('ab')).toMatchObject({
      type: 'many',
      candidates: [{ id: 'abc' }, { id: 'abc-2' }, { id: 'abc-1' }],
    })
    expect(reader.sessions.find('zzz')).toEqual({ type: 'none', forgotten: null })
    expect(reader.sessions.find('%')).toEqual({ type: 'none', forgotten: null })
  })

  it('come newest first, those without a time last, and are told as the contract has them', () => {
    const newest = reader.sessions.newest({ project: '/w', limit: 9 })
    expect(newest.map(({ id }) => id)).toEqual(['abc', 'abc-2', 'abc-1', 'lone'])
    expect(newest[0]).toEqual({
      harness: 'two',
      id: 'abc',
      title: 'a third', // what was asked first, where the agent gave none
      workspace: '/w',
      project: '/w',
      path: '/r/two/abc',
      startedAt: null,
      updatedAt: '2026-09-03',
      parentId: 'abc-1',
      kind: 'fork',
      deleted: false,
      archived: false,
      model: null,
    })
    expect(reader.sessions.kept(key('one', 'abc-1'))).toMatchObject({
      root: '/r',
      paths: ['/r/one/abc-1'],
      deleted: false,
    })
  })
})

describe('records', () => {
  it('come whole, a page at a time, with their places', () => {
    const { total, records } = reader.records.ofSession(key('one', 'abc-1'), { offset: 2, limit: 1 })
    expect(total).toBe(4)
    expect(records[0]).toMatchObject({ n: 2, kind: 'output', copied: true })
    expect(records[0]?.text).toMatch(/the very end$/)
    expect(records[0]?.text?.length).toBeGreaterThan(30_000)
    expect(reader.records.rankOf(records[0]?.id ?? 0)).toBe(2)
    expect(reader.records.ofPath('src/tide.ts', 5)).toMatchObject([{ path: '/w/src/tide.ts' }])
    expect(reader.records.ofPath('/w/src/tide.ts', 5)).toHaveLength(1)
    expect(reader.records.ofPath('ide.ts', 5)).toEqual([])
  })

  it("of an older redaction go through today's rules before they are shown", () => {
    const { records } = reader.records.ofSession(key('one', 'abc-1'), { offset: 3, limit: 1 })
    expect(records[0]?.text).toBe('the password is [redacted:password]')
    expect(reader.sessions.json(key('one', 'abc-1'))?.title).toBe('the [redacted:password] session')
  })

  it("a fork's copies are not counted", () => {
    expect(reader.counts()).toMatchObject({ sessions: 4, records: 6 })
  })
})

it('full text is filtered by harness, kind, session and time', () => {
  const search = (more: object) =>
    reader.fullText.search({ match: '"question" AND "tides"', limit: 9, ...more }).map(({ record }) => record.text)
  expect(search({})).toHaveLength(2)
  expect(search({ harness: 'two' })).toEqual([])
  expect(search({ kinds: ['answer'] })).toEqual([])
  expect(search({ since: '2026-09-02' })).toEqual(['second question about tides'])
  expect(search({ until: '2026-09-02' })).toEqual(['first question about tides'])
  expect(search({ session: key('one', 'abc-2') })).toHaveLength(1)
  expect(search({ limit: 1 })).toEqual(['second question about tides'])
  expect(reader.fullText.frequency('tides', 10)).toBe(2)
})
