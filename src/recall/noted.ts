import type { KeptNote, NoteReader } from '../archive/read/note-reader.ts'
import { analyse } from '../index/tokens.ts'
import type { Asker } from './asker.ts'
import { clipped } from './evidence.ts'
import { gateOf, subjectOf, type Bearing, type Subject } from './gates.ts'
import { localDay } from '../shared/shown.ts'
import { neutralLine } from './neutral.ts'
import type { Note } from './note.ts'

/** A durable note that shares something with a question. */
export interface Noted {
  note: KeptNote
  bearing: Bearing
  /** Shared words, as the question writes them. */
  words: string[]
}

/** Durable notes come from no session. */
export const NOTES_KEY = -1

const looked = 200
const shown = 2
const limit = 420
/** As for passages: a word that tells so much counts by itself. */
const telling = 0.5

/** What is weighed of a question. */
const questionWords = (question: string) => {
  const words = new Map<string, { written: string; worth: number; identifier: boolean }>()
  for (const { term, kind, written, identifier } of analyse(question))
    if (kind !== 'part' && !words.has(term)) words.set(term, { written, worth: subjectOf(written).total, identifier })
  return words
}

/** The project's notes that share telling words with a question, best first. */
export function notedFor(question: string, project: string, notes: NoteReader): Noted[] {
  const kept = notes.ofProject(project, looked)
  if (kept.length === 0) return []
  const words = questionWords(question)
  const total = subjectOf(question).total
  const found = kept.flatMap(note => {
    const terms = new Set(analyse(note.text).map(token => token.term))
    const shared = [...words].flatMap(([term, word]) => (terms.has(term) && word.worth > 0 ? [word] : []))
    const told = shared.reduce((sum, { worth }) => sum + worth, 0)
    if (told === 0) return []
    const bearing: Bearing = {
      told,
      share: Math.min(1, told / total),
      some: shared.filter(({ worth }) => worth >= telling / 2).length,
      rare: shared.filter(({ worth }) => worth >= telling).length,
      best: Math.min(1, Math.max(...shared.map(({ worth }) => worth))),
      identifiers: shared.filter(({ identifier, worth }) => identifier && worth >= telling).length,
    }
    return [{ note, bearing, words: shared.map(({ written }) => written) }]
  })
  return found.sort((a, b) => b.bearing.told - a.bearing.told || b.note.id - a.note.id)
}

/** The notes that may be put before a prompt's recall: what was kept on purpose goes first. */
export function notesDue(
  question: string,
  subject: Subject,
  { project, aggressive }: Asker,
  given: { has(item: string): boolean },
  notes: NoteReader,
): Note[] {
  return notedFor(question, project, notes)
    .filter(({ note, bearing }) => gateOf(bearing, subject, aggressive) === null && !given.has(`note:${note.id}`))
    .slice(0, shown)
    .map(({ note, bearing, words }) => ({
      name: `note:${note.id}`,
      text: `- noted on purpose, ${localDay(note.at)}: ${clipped(neutralLine(note.text), limit)}`,
      sessionKey: NOTES_KEY,
      source: `note:${note.id}`,
      because: { score: bearing.told, parts: { note: bearing.told, share: bearing.share }, terms: words },
    }))
}
