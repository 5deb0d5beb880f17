import type { KeptNote, NoteReader } from '../archive/read/note-reader.ts'
import { analyse } from '../index/tokens.ts'
import type { Asker } from './asker.ts'
import { clipped } from './evidence.ts'
import type { Asking } from './asking.ts'
import { allChecks, gateOf, weighed, type Bearing } from './gates.ts'
import { localDay } from '../shared/shown.ts'
import { neutralLine } from './neutral.ts'
import type { Note } from './note.ts'
import { aboutOf, type Subject } from './subject.ts'

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

/** The project's notes that share telling words with a question, best first. */
export function notedFor(question: string, project: string, notes: NoteReader): Noted[] {
  const kept = notes.ofProject(project, looked)
  if (kept.length === 0) return []
  const subject = aboutOf(question)()
  const found = kept.flatMap(note => {
    const terms = new Set(analyse(note.text).map(token => token.term))
    const met = subject.ideas.flatMap(idea => {
      const share = Math.max(0, ...[...idea.terms].map(([term, worth]) => (terms.has(term) ? worth : 0)))
      return share > 0 ? [{ idea, share }] : []
    })
    const bearing = weighed(met, subject)
    return bearing.told > 0 ? [{ note, bearing, words: met.map(({ idea }) => idea.written) }] : []
  })
  return found.sort((a, b) => b.bearing.told - a.bearing.told || b.note.id - a.note.id)
}

/** The notes that may be put before a prompt's recall: what was kept on purpose goes first. */
export function notesDue(
  question: string,
  subject: Subject,
  asking: Asking,
  { project, aggressive }: Asker,
  given: { has(item: string): boolean },
  notes: NoteReader,
): Note[] {
  return notedFor(question, project, notes)
    .filter(
      ({ note, bearing }) =>
        gateOf(bearing, subject, {
          asking,
          settled: true,
          mended: false,
          pasted: false,
          aggressive,
          checks: allChecks,
        }) === null && !given.has(`note:${note.id}`),
    )
    .slice(0, shown)
    .map(({ note, bearing, words }) => ({
      name: `note:${note.id}`,
      text: `- noted on purpose, ${localDay(note.at)}: ${clipped(neutralLine(note.text), limit)}`,
      sessionKey: NOTES_KEY,
      source: `note:${note.id}`,
      because: { score: bearing.told, parts: { note: bearing.told, share: bearing.share }, terms: words },
    }))
}
