import type { NoteReader } from '../archive/read/note-reader.ts'
import { alike, needlesOf, occurrencesIn } from './needles.ts'
import type { Question } from './question.ts'

/** A durable note that has what was asked for. */
export interface NoteHit {
  project: string
  at: string
  text: string
}

const looked = 2_000
const shown = 5
/** Of the words, in one form or another: a note is a sentence or two, and what has less is about something else. */
const leastShare = 0.6

/** Notes that have what was asked for, those that have most of it first, then the newest. */
export function notesWith(
  notes: NoteReader,
  { words, phrases }: Pick<Question, 'words' | 'phrases'>,
  { project, since, until }: { project?: string; since?: string; until?: string },
): NoteHit[] {
  const asked = [...words, ...phrases]
  if (asked.length === 0) return []
  const needles = needlesOf(asked)
  const kept = project === undefined ? notes.newest(looked) : notes.ofProject(project, looked)
  const found = kept.flatMap(note => {
    if ((since !== undefined && note.at < since) || (until !== undefined && note.at >= until)) return []
    const has = new Map<number, number>()
    for (const { word, value } of occurrencesIn(alike(note.text), needles))
      has.set(word, Math.max(value, has.get(word) ?? 0))
    // what was quoted stands there word for word
    if (phrases.some((_, at) => (has.get(words.length + at) ?? 0) < 1)) return []
    const share = [...has.values()].reduce((sum, value) => sum + value, 0) / asked.length
    return share < leastShare ? [] : [{ note, share }]
  })
  return found
    .sort((a, b) => b.share - a.share || b.note.id - a.note.id)
    .slice(0, shown)
    .map(({ note: { project, at, text } }) => ({ project, at, text }))
}
