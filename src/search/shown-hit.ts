import type { ArchiveReader } from '../archive/read/archive-reader.ts'
import type { ShownRecord } from '../archive/read/shown.ts'
import { analyse } from '../index/tokens.ts'
import type { RecordKind } from '../shared/model.ts'
import { needlesOf } from './needles.ts'
import type { Question } from './question.ts'
import type { Scored, SearchRequest } from './search.ts'
import { pieceOf, textOf, type Piece, type Snippet } from './snippet.ts'

const snippetsShown = 3
const snippetRoom = 240
/** Records that full text found, and passages, that are looked at for each session. */
const placesRead = 3
const passagesRead = 2
/** Records of a passage that are looked at. */
const recordsRead = 60
/** A snippet that has less than this share of what the best has says nothing more. */
const leastOfBest = 0.5
const spoken: ReadonlySet<RecordKind> = new Set(['prompt', 'answer', 'summary'])

export interface Shown {
  snippets: Snippet[]
  /** How the question's words (by their index) are written in what is shown; 1 is as they were asked for. */
  written: ReadonlyMap<number, { text: string; value: number }>
}

/** The pieces of a session that have most of what was asked for, each with its record's place. */
export function shownOf(archive: ArchiveReader, session: Scored, question: Question, request: SearchRequest): Shown {
  const asked = [...question.words, ...question.phrases]
  const needles = needlesOf(asked, session.standIns)
  const pieces = recordsOf(archive, session)
    .map(record => {
      const piece = pieceOf(textOf(record), needles, snippetRoom)
      return { record, piece, value: piece.value === 0 ? 0 : piece.value + (spoken.has(record.kind) ? 0.3 : 0) }
    })
    .sort((a, b) => b.value - a.value || b.record.id - a.record.id)
  const best = pieces[0]?.value ?? 0
  const said = new Set<string>()
  const chosen = pieces
    .filter(({ piece, value }) => {
      if (value < leastOfBest * best || said.has(piece.text)) return false
      said.add(piece.text)
      return asked.length === 0 || piece.value > 0
    })
    .slice(0, request.session === undefined ? snippetsShown : request.limit)
  return {
    snippets: chosen.map(({ record, piece }) => ({
      n: archive.records.rankOf(record.id),
      kind: record.kind,
      at: record.at,
      text: piece.text,
    })),
    written: bestWritten(chosen.map(({ piece }) => piece)),
  }
}

function recordsOf(archive: ArchiveReader, { places, ranked, sameError }: Scored): ShownRecord[] {
  const records = new Map<number, ShownRecord>()
  const add = (record: ShownRecord | null) => {
    if (record !== null && !records.has(record.id)) records.set(record.id, record)
  }
  const byScore = places.toSorted((a, b) => b.score - a.score || b.id - a.id)
  for (const { id } of byScore.slice(0, placesRead)) add(archive.records.get(id))
  if (sameError !== null) {
    add(archive.records.get(sameError))
    for (const record of archive.records.after(sameError, 1)) add(record)
  }
  const passages = ranked?.passages.slice(0, places.length > 0 ? 1 : passagesRead) ?? []
  for (const { id } of passages)
    for (const record of archive.records.ofPassage(id, false).slice(0, recordsRead)) add(record)
  return [...records.values()]
}

function bestWritten(pieces: readonly Piece[]): Map<number, { text: string; value: number }> {
  const written = new Map<number, { text: string; value: number }>()
  for (const piece of pieces)
    for (const [word, found] of piece.written)
      if (found.value > (written.get(word)?.value ?? 0)) written.set(word, found)
  return written
}

/** Sentences: what was found, what was taken for it, what is missing. */
export function reasonsOf(session: Scored, { words, dates }: Question, written: Shown['written']): string[] {
  const why: string[] = []
  const telling = words.flatMap((text, word) => (analyse(text).length === 0 ? [] : [{ text, word }]))
  const exact: string[] = []
  const instead: string[] = []
  const missing: string[] = []
  for (const { text, word } of telling) {
    const has = session.has.get(word) ?? 0
    const found = written.get(word)
    const standIn = session.standIns.find(each => each.word === word)?.written
    if (session.together || (found?.value ?? 0) >= 0.8) exact.push(text)
    else if (found !== undefined && has > 0 && found.text !== text.toLowerCase())
      instead.push(`${found.text} for ${text}`)
    else if (standIn !== undefined) instead.push(`${standIn} for ${text}`)
    else if (has >= 0.9) exact.push(text)
    else if (has === 0) missing.push(text)
    else instead.push(`parts of ${text}`)
  }
  if (session.sameError !== null) why.push('met the same error')
  if (session.together && telling.length > 1) why.push('all of it in one place')
  else if (exact.length > 0) why.push(`has ${exact.join(', ')}`)
  why.push(...instead)
  // the figures of an error are other ones each time
  if (session.sameError === null && exact.length + instead.length > 0 && missing.length > 0)
    why.push(`without ${missing.join(', ')}`)
  if (dates.length > 0)
    why.push(session.fit === 1 ? 'from that time' : session.fit > 0 ? 'from about that time' : 'from another time')
  return why
}
