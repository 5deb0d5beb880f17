import type { RecordDraft, SessionRecord, SessionRef } from '../../shared/model.ts'
import type { Db } from '../database.ts'
import { contentHash } from '../hash.ts'
import { flag } from '../rows.ts'
import { align, merged } from './align.ts'
import { placeByTime } from './order.ts'
import { posStep, type RecordWriter, type RowOutline } from './record-writer.ts'
import type { Tombstones } from './tombstones.ts'

export interface SessionKey {
  /** The archive's row id. */
  key: number
  ref: SessionRef
}

/** A record that was put in or changed. */
export interface Touched {
  id: number
  record: SessionRecord
}

/** What a write changed in a session. */
export interface Change {
  /** From this `pos` on passages are to be built anew; null: nothing that could be seen changed. */
  from: number | null
  /** Prompts put in or changed, in order; those off the thread left out. */
  prompts: string[]
  /** Passages (their first records' ids) that went with their records. */
  removedStarts: number[]
  /** Everything put in or changed, in order: error signatures of it are due. */
  touched: Touched[]
}

const noChange = (): Change => ({ from: null, prompts: [], removedStarts: [], touched: [] })

/** Puts drafts into a session's order. */
export class Conversation {
  readonly #records
  readonly #maxSeq
  readonly #maxPos
  readonly #before
  readonly #after
  readonly #shared
  readonly #tombstones

  constructor(db: Db, records: RecordWriter, tombstones: Tombstones) {
    this.#records = records
    this.#tombstones = tombstones
    this.#maxSeq = db.prepare<[number], { seq: number | null }>(
      'SELECT max(seq) AS seq FROM records WHERE transcript_id = ?',
    )
    this.#maxPos = db.prepare<[number], { pos: number | null }>(
      'SELECT max(pos) AS pos FROM records WHERE session_id = ?',
    )
    this.#before = db.prepare<[number, number], { pos: number }>(
      'SELECT pos FROM records WHERE transcript_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1',
    )
    this.#after = db.prepare<[number, number], { pos: number | null }>(
      'SELECT min(pos) AS pos FROM records WHERE session_id = ? AND pos > ?',
    )
    this.#shared = db.prepare<[number], { n: number }>(
      'SELECT count(DISTINCT transcript_id) AS n FROM records WHERE session_id = ? AND seq IS NOT NULL',
    )
  }

  /** A read that went on where the last one ended: the same `seq` again replaces. */
  proceed(
    { key: session, ref }: SessionKey,
    transcript: number,
    drafts: readonly RecordDraft[],
    aside: readonly { seqs: number[]; aside: boolean }[],
  ): Change {
    const change = noChange()
    let maxSeq = this.#maxSeq.get(transcript)?.seq ?? -Infinity
    let maxPos = this.#maxPos.get(session)?.pos ?? 0
    for (const draft of [...drafts].sort((a, b) => a.seq - b.seq)) {
      const known = draft.seq <= maxSeq ? this.#records.bySeq(transcript, draft.seq) : undefined
      if (known) {
        if (this.#records.replace(session, transcript, known, draft, known.pos))
          note(change, known.pos, known.id, draft)
        continue
      }
      const hash = contentHash(draft)
      if (this.#tombstones.turnForgotten(ref, hash)) continue
      let pos = maxPos + posStep
      if (draft.seq < maxSeq) {
        pos = this.#between(session, transcript, draft.seq)
        maxPos = Math.max(maxPos, this.#maxPos.get(session)?.pos ?? 0)
      }
      maxSeq = Math.max(maxSeq, draft.seq)
      maxPos = Math.max(maxPos, pos)
      note(change, pos, this.#records.insert(session, transcript, draft, pos, hash), draft)
    }
    for (const { seqs, aside: off } of aside) {
      for (const seq of seqs) {
        const known = this.#records.bySeq(transcript, seq)
        if (!known || (known.flags & flag.aside) === (off ? flag.aside : 0)) continue
        this.#records.setFlags(known, off ? known.flags | flag.aside : known.flags & ~flag.aside)
        change.from = Math.min(change.from ?? Infinity, known.pos)
      }
    }
    this.#orderByTime(session, change)
    return change
  }

  /**
   * A read that began anew: `drafts` are all that the file holds. They are laid over the rows of this file and of those
   * that are no longer there (`mayHold`), so that rows keep their ids and what the file lost is kept. `same`: the file's
   * content is what was read before (a newer reader, a rebuild), so a row that differs is replaced, and with `complete`
   * one that is not found again was never meant.
   */
  renew(
    { key: session, ref }: SessionKey,
    transcript: number,
    drafts: readonly RecordDraft[],
    mayHold: ReadonlySet<number>,
    content: { same: boolean; complete: boolean },
  ): Change {
    const change = noChange()
    const all = this.#records.outlines(session)
    const old = all.filter(row => mayHold.has(row.transcript_id))
    const hashes = new Map<RecordDraft, number>()
    const fresh = drafts
      .filter(draft => {
        const hash = contentHash(draft)
        hashes.set(draft, hash)
        return !this.#tombstones.turnForgotten(ref, hash)
      })
      .sort((a, b) => a.seq - b.seq)
    const match = align(
      old.map(row => row.hash),
      fresh.map(draft => hashes.get(draft) ?? 0),
    )
    if (content.same) pairReplaced(old, fresh, match, transcript)

    // a file's numbers may pass from row to row: first let go of all, then give them out
    for (const row of old) if (row.transcript_id === transcript) this.#records.orphan(row, row.pos)
    let last = old[0] ? old[0].pos - posStep : (this.#maxPos.get(session)?.pos ?? 0)
    for (const entry of merged(old.length, match)) {
      const row = entry.old === null ? undefined : old[entry.old]
      const draft = entry.fresh === null ? undefined : fresh[entry.fresh]
      // a row keeps its place unless what was put in before it has taken that
      const pos = row ? Math.max(row.pos, last + 1) : last + posStep
      if (row && draft) {
        const free = { ...row, seq: row.transcript_id === transcript ? null : row.seq }
        if (this.#records.replace(session, transcript, free, draft, pos))
          note(change, Math.min(pos, row.pos), row.id, draft)
      } else if (row) {
        if (content.same && content.complete && row.seq !== null && row.transcript_id === transcript) {
          this.#records.remove(row.id)
          if (row.flags & flag.start) change.removedStarts.push(row.id)
          change.from = Math.min(change.from ?? Infinity, row.pos)
          continue
        }
        const free = { ...row, seq: row.transcript_id === transcript ? null : row.seq }
        if (this.#records.orphan(free, pos)) change.from = Math.min(change.from ?? Infinity, pos, row.pos)
      } else if (draft) {
        note(change, pos, this.#records.insert(session, transcript, draft, pos, hashes.get(draft) ?? 0), draft)
      }
      last = pos
    }
    this.#orderByTime(session, change)
    return change
  }

  /**
   * What a file that is read from its start holds of its own: the same session may stand in a whole copy of its file as
   * well, and is kept once. Parts of a session may say the same ("ls"), but at other times. `mayHold`: files that it
   * takes over from.
   */
  withoutCopies(
    session: number,
    transcript: number,
    drafts: readonly RecordDraft[],
    mayHold: ReadonlySet<number>,
  ): readonly RecordDraft[] {
    if ((this.#shared.get(session)?.n ?? 0) < 1) return drafts
    const others = this.#records
      .outlines(session)
      .filter(row => row.seq !== null && row.transcript_id !== transcript && !mayHold.has(row.transcript_id))
    if (others.length === 0) return drafts
    const sorted = [...drafts].sort((a, b) => a.seq - b.seq)
    const numbers = new Map<string, number>()
    const numberOf = (hash: number, at: string | null) => {
      const said = `${hash} ${at ?? ''}`
      const number = numbers.get(said) ?? numbers.size
      numbers.set(said, number)
      return number
    }
    const match = align(
      others.map(row => numberOf(row.hash, row.at)),
      sorted.map(draft => numberOf(contentHash(draft), draft.at)),
    )
    const copies = match.filter(at => at >= 0).length
    return copies >= 2 && copies * 2 >= drafts.length ? sorted.filter((_, i) => (match[i] ?? -1) < 0) : drafts
  }

  /** A place after the row that comes before `seq` in the same file. */
  #between(session: number, transcript: number, seq: number): number {
    for (let round = 0; round < 2; round++) {
      const before = this.#before.get(transcript, seq)?.pos ?? 0
      const after = this.#after.get(session, before)?.pos ?? before + 2 * posStep
      if (after - before >= 2) return (before + after) >> 1
      this.#records.outlines(session).forEach((row, i) => this.#records.place(row.id, (i + 1) * posStep))
    }
    throw new Error('no place between two records after renumbering')
  }

  /** Several files that make one session are told in the order of their times. */
  #orderByTime(session: number, change: Change): void {
    if (change.from === null || (this.#shared.get(session)?.n ?? 0) < 2) return
    for (const { id, from, to } of placeByTime(this.#records.outlines(session), posStep)) {
      this.#records.place(id, to)
      change.from = Math.min(change.from, from, to)
    }
  }
}

function note(change: Change, pos: number, id: number, draft: RecordDraft): void {
  change.from = Math.min(change.from ?? Infinity, pos)
  if (draft.kind === 'prompt' && !draft.aside && !draft.copied && draft.text !== undefined)
    change.prompts.push(draft.text)
  change.touched.push({ id, record: draft })
}

/**
 * Where as many rows as drafts of one kind are left over between two that match, they are the same records told
 * differently by another reader.
 */
function pairReplaced(
  old: readonly RowOutline[],
  fresh: readonly RecordDraft[],
  match: number[],
  transcript: number,
): void {
  let gapOld: number[] = []
  let gapFresh: number[] = []
  const settle = () => {
    for (const kind of new Set(gapFresh.map(i => fresh[i]?.kind))) {
      const rows = gapOld.filter(at => old[at]?.kind === kind)
      const drafts = gapFresh.filter(i => fresh[i]?.kind === kind)
      if (rows.length !== drafts.length) continue
      // only pairs that cross no other keep the order one
      if (new Set(gapFresh.map(i => fresh[i]?.kind)).size > 1 && gapOld.length !== gapFresh.length) continue
      drafts.forEach((i, n) => (match[i] = rows[n] ?? -1))
    }
    if (!increasing(gapFresh.map(i => match[i] ?? -1))) for (const i of gapFresh) match[i] = -1
    gapOld = []
    gapFresh = []
  }
  let reached = 0
  const passOver = (until: number) => {
    for (; reached < until; reached++) {
      const row = old[reached]
      if (row && row.seq !== null && row.transcript_id === transcript) gapOld.push(reached)
    }
  }
  for (let i = 0; i < fresh.length; i++) {
    const at = match[i] ?? -1
    if (at < 0) {
      gapFresh.push(i)
      continue
    }
    passOver(at)
    settle()
    reached = at + 1
  }
  passOver(old.length)
  settle()
}

function increasing(places: readonly number[]): boolean {
  let last = -1
  for (const at of places) {
    if (at < 0) continue
    if (at <= last) return false
    last = at
  }
  return true
}
