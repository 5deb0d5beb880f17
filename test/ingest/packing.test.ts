import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import Database from 'better-sqlite3'
import { ArchiveWriter } from '../../src/archive/write/archive-writer.ts'
import { Packing } from '../../src/ingest/packing.ts'
import { Bed, redactor, until } from './bed.ts'

let bed: Bed
beforeEach(() => {
  bed = new Bed()
})
afterEach(() => bed.end())

const facts = (id: string) => ({
  facts: { id, workspace: '/home/dev/tide', updatedAt: '2026-09-01T10:00:00.000Z' },
})
const prompt = (text: string) => ({ kind: 'prompt', text })
const answer = (text: string) => ({ kind: 'answer', text })
/** A clock by which nothing was written to lately. */
const later = { now: () => Date.now() + 120_000 }

function packedSessions(): number[] {
  const db = new Database(bed.archive, { readonly: true })
  const rows = db.prepare<[], { session_id: number }>('SELECT session_id FROM packed_passages ORDER BY 1').all()
  db.close()
  return rows.map(row => row.session_id)
}

const packed = () => bed.events.flatMap(event => (event.type === 'packed' ? [event] : []))
const toldPrompts = () =>
  bed.events.flatMap(event => (event.type === 'passages' ? event.upserts.map(each => each.prompt) : []))

describe('passages', () => {
  it('are packed when nothing else is to be done, and told as that after a restart', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'), answer('first'), prompt('two'), answer('second'))
    await bed.start(undefined, later)
    const ids = [...bed.passages.keys()]
    await until(() => packedSessions().length === 1)
    await bed.stop()
    bed.events.length = 0
    await bed.start(undefined, later)
    expect(toldPrompts()).toEqual([])
    expect(packed().map(event => event.packed.passages.map(({ id, n }) => [id, n]))).toEqual([
      ids.map((id, n) => [id, n]),
    ])
    expect(packed()[0]?.packed.terms).toEqual(expect.arrayContaining(['first', 'second']))
  })

  it('that were written to since are made anew', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'), answer('first'))
    bed.write('b.jsonl', facts('b'), prompt('three'), answer('third'))
    await bed.start(undefined, later)
    await until(() => packedSessions().length === 2)
    await bed.stop()
    // by a clock of today everything was written to just now: nothing is packed
    bed.append('a.jsonl', prompt('two'), answer('second'))
    await bed.start()
    expect(packedSessions()).toHaveLength(1)
    await bed.stop()
    bed.events.length = 0
    await bed.start()
    expect(toldPrompts()).toEqual(['one', 'two'])
    expect(packed()).toHaveLength(1)
  })

  it('that are forgotten are packed no more, and those under older rules of redaction count for nothing', async () => {
    bed.write('a.jsonl', facts('a'), prompt('one'), answer('first'))
    bed.write('b.jsonl', facts('b'), prompt('three'), answer('third'))
    await bed.start(undefined, later)
    await until(() => packedSessions().length === 2)
    await bed.river.forget({ sessions: [{ harness: 'diary', id: 'a' }] }, false)
    expect(packedSessions()).toHaveLength(1)
    await bed.stop()
    bed.events.length = 0
    await bed.start(undefined, { redactor: { version: 1_000_000, redact: text => text.replaceAll('third', 'gone') } })
    expect(packed()).toEqual([])
    expect([...bed.passages.values()].map(passage => passage.answer)).toContain('gone')
    expect(packedSessions()).toEqual([])
  })

  it('of a session that is forgotten while it waits to be packed are left out', async () => {
    const ids = ['a', 'b', 'c']
    for (const id of ids) bed.write(`${id}.jsonl`, facts(id), prompt(`asked ${id}`), answer(`said ${id}`))
    await bed.start()
    await bed.stop()
    const writer = new ArchiveWriter(bed.archive, {
      redactor,
      termsOf: text => text,
      errorSignatures: () => [],
      now: later.now,
    })
    try {
      const packing = new Packing(writer, later.now)
      expect(packing.one()).toBe(true)
      writer.forget.decide({ sessions: ids.map(id => ({ harness: 'diary', id })) }, '2026-09-25T10:00:00.000Z')
      writer.forget.carryOut()
      let left = 10
      while (packing.one() && left > 0) left--
      expect(left).toBeGreaterThan(0)
    } finally {
      writer.close()
    }
    expect(packedSessions()).toEqual([])
  })
})
