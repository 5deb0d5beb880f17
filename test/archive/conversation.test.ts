import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openArchiveReader } from '../../src/archive/read/archive-reader.ts'
import { ArchiveWriter } from '../../src/archive/write/archive-writer.ts'
import type { RecordDraft } from '../../src/shared/model.ts'

const redactor = { version: 1, redact: (text: string) => text }
let directory: string
let writer: ArchiveWriter
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'deja-archive-'))
  writer = new ArchiveWriter(join(directory, 'archive.db'), {
    redactor,
    termsOf: text => text,
    errorSignatures: output => output.split('\n').filter(line => line.startsWith('Error')),
    now: () => 0,
  })
})
afterEach(() => {
  writer.close()
  rmSync(directory, { recursive: true, force: true })
})

let made = 0
function newSession() {
  const id = `s${made++}`
  const facts = {
    id,
    title: null,
    workspace: null,
    startedAt: null,
    updatedAt: null,
    parentId: null,
    kind: 'main' as const,
    model: null,
    archived: false,
  }
  const { id: transcript } = writer.transcripts.ensure({ harness: 'h', root: '/r', path: `/r/${id}`, rank: 0 })
  const { key } = writer.sessions.upsert('h', facts, { project: null, writtenMs: 0, redaction: 1, transcript })
  return { session: { key, ref: { harness: 'h', id } }, transcript }
}
const drafts = (texts: readonly string[], first = 0): RecordDraft[] =>
  texts.map((text, i) => ({ seq: first + i, kind: 'prompt', at: null, text }))
function texts(key: number): string[] {
  const reader = openArchiveReader(join(directory, 'archive.db'), redactor)
  try {
    return reader.records.ofSession(key, { offset: 0, limit: 10_000 }).records.map(record => record.text ?? '')
  } finally {
    reader.close()
  }
}
const isWithin = (small: readonly string[], large: readonly string[]) => {
  let at = 0
  for (const text of large) if (text === small[at]) at++
  return at === small.length
}
const count = (list: readonly string[], text: string) => list.filter(other => other === text).length
const file = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 12 })

describe('a file read anew', () => {
  it('loses nothing that any version held, and doubles nothing', () => {
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 5 }), versions => {
        const { session, transcript } = newSession()
        let before: string[] = []
        for (const version of versions) {
          writer.transaction(() =>
            writer.conversation.renew(session, transcript, drafts(version), new Set([transcript]), {
              same: false,
              complete: false,
            }),
          )
          const now = texts(session.key)
          expect(isWithin(version, now)).toBe(true)
          expect(isWithin(before, now)).toBe(true)
          // no longer than it must be to hold both in order
          expect(now.length).toBeLessThanOrEqual(before.length + version.length)
          for (const text of new Set(now)) {
            expect(count(now, text)).toBeLessThanOrEqual(count(before, text) + count(version, text))
          }
          writer.transaction(() =>
            writer.conversation.renew(session, transcript, drafts(version), new Set([transcript]), {
              same: false,
              complete: false,
            }),
          )
          expect(texts(session.key)).toEqual(now)
          before = now
        }
      }),
      { numRuns: 40 },
    )
  })

  it('by another reader replaces what it tells differently, and drops what was never meant', () => {
    const { session, transcript } = newSession()
    const renew = (list: string[], complete: boolean) =>
      writer.transaction(() =>
        writer.conversation.renew(session, transcript, drafts(list), new Set([transcript]), { same: true, complete }),
      )
    renew(['one', 'raw <x>two</x>', 'three', 'noise', 'four'], true)
    renew(['one', 'two', 'three', 'four'], true)
    expect(texts(session.key)).toEqual(['one', 'two', 'three', 'four'])
  })
})

describe('a file read on', () => {
  it('in any pieces gives what one read gives, also where a record comes late between others', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 10 }),
        (seqs, cuts) => {
          const { session, transcript } = newSession()
          const all: RecordDraft[] = seqs.map(seq => ({ seq, kind: 'answer', at: null, text: `record ${seq}` }))
          let at = 0
          for (let i = 0; at < all.length; i++) {
            const piece = all.slice(at, at + (cuts[i % cuts.length] ?? 1))
            at += piece.length
            writer.transaction(() => writer.conversation.proceed(session, transcript, piece, []))
          }
          const inOrder = [...seqs].sort((a, b) => a - b).map(seq => `record ${seq}`)
          expect(texts(session.key)).toEqual(inOrder)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('replaces a record of the same number, and moves others off the thread', () => {
    const { session, transcript } = newSession()
    writer.transaction(() => writer.conversation.proceed(session, transcript, drafts(['one', 'two', 'three']), []))
    const change = writer.transaction(() =>
      writer.conversation.proceed(session, transcript, drafts(['TWO'], 1), [{ seqs: [2], aside: true }]),
    )
    expect(texts(session.key)).toEqual(['one', 'TWO', 'three'])
    expect(change.prompts).toEqual(['TWO'])
  })
})

it('pairs errors with the commands that failed, also where calls were made at once', () => {
  const { session, transcript } = newSession()
  const records: RecordDraft[] = [
    { seq: 0, kind: 'command', at: null, tool: 'Bash', command: 'make a', outcome: 'failed' },
    { seq: 1, kind: 'command', at: null, tool: 'Bash', command: 'make b', outcome: 'failed' },
    { seq: 2, kind: 'output', at: null, tool: 'Bash', text: 'Error of a' },
    { seq: 3, kind: 'output', at: null, tool: 'Bash', text: 'Error of b' },
    { seq: 4, kind: 'output', at: null, tool: 'Edit', text: 'Error of an edit that changed nothing' },
    { seq: 5, kind: 'command', at: null, tool: 'Bash', command: 'make c', outcome: 'failed' },
  ]
  const put = (drafts: RecordDraft[]) =>
    writer.transaction(() => {
      const change = writer.conversation.proceed(session, transcript, drafts, [])
      writer.errors.update(session.key, change.touched)
    })
  put(records)
  put([{ seq: 6, kind: 'output', at: null, tool: 'Bash', text: 'Error of c' }])
  const reader = openArchiveReader(join(directory, 'archive.db'), redactor)
  const commands = (signature: string) => reader.errors.commands(signature, { limit: 9 }).map(({ command }) => command)
  expect(commands('Error of a')).toEqual(['make a'])
  expect(commands('Error of b')).toEqual(['make b'])
  expect(commands('Error of c')).toEqual(['make c'])
  expect(commands('Error of an edit that changed nothing')).toEqual([])
  reader.close()
})
