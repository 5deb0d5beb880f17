import { searchText } from '../index/tokens.ts'

/** A search as it was typed, taken apart. */
export interface Question {
  /** What stood in quotes: word for word, in this order. */
  phrases: string[]
  /** The other words, each as typed; an identifier or a path is one. */
  words: string[]
  /** All of it without the quotes, for ranking. */
  text: string
}

const quoted = /"([^"]+)"|“([^”]+)”|«([^»]+)»|「([^」]+)」/g

export function questionOf(query: string): Question {
  const phrases: string[] = []
  const rest = query.replace(quoted, (...match: unknown[]) => {
    const phrase = match.slice(1, 5).find((group): group is string => typeof group === 'string')
    if (phrase !== undefined && searchText(phrase) !== '') phrases.push(phrase)
    return ' '
  })
  const words = rest.split(/[\s"“”«»「」]+/).filter(word => searchText(word) !== '')
  return { phrases, words, text: [...phrases, ...words].join(' ') }
}

/** FTS5's expression for words that stand side by side: what `searchText` makes of them, as a phrase. */
export function phraseMatch(text: string): string {
  return `"${searchText(text)}"`
}

/** FTS5's expression for records that have all of it. Null when nothing is asked for. */
export function allMatch({ phrases, words }: Question): string | null {
  const parts = [...phrases, ...words].map(phraseMatch)
  return parts.length === 0 ? null : parts.join(' AND ')
}
