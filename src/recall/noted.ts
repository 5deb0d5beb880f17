import type { KeptNote } from '../archive/read/note-reader.ts'
import { analyse } from '../index/tokens.ts'
import { subjectOf } from './gates.ts'

/** A durable note that shares something with a question. */
export interface Noted {
  note: KeptNote
  /** What the shared words tell, and its share of what the question's tell. */
  told: number
  share: number
  /** Shared words, as the question writes them. */
  words: string[]
}

/** The notes that bear on a question, best first: they were kept on purpose, so one telling word or most of the question is enough. */
export function notedFor(question: string, notes: readonly KeptNote[]): Noted[] {
  if (notes.length === 0) return []
  const asked = new Map<string, string>()
  for (const token of analyse(question)) if (token.kind !== 'part') asked.set(token.term, token.written)
  const all = subjectOf(question).total
  const found = notes.flatMap(note => {
    const terms = new Set(analyse(note.text).map(token => token.term))
    const words = [...asked].flatMap(([term, written]) => (terms.has(term) ? [written] : []))
    const told = subjectOf(words.join(' ')).total
    const share = all === 0 ? 0 : Math.min(1, told / all)
    return told > 0 ? [{ note, told, share, words }] : []
  })
  return found.sort((a, b) => b.told - a.told || b.note.id - a.note.id)
}
