import { concepts } from './glossary-concepts.ts'
import { fields } from './glossary-fields.ts'
import { analyse } from './tokens.ts'

interface Member {
  tokens: { term: string; written: string }[]
  concept: Member[]
  /** What stands beside the term of a field rather than for it. */
  beside: boolean
}

/** What stands for a term; `related`: what stands beside it, and less surely means the same. */
export interface Wider {
  term: string
  written: string
  related: boolean
}

let members: ReadonlyMap<string, Member[]> | null = null

/** Members by their first term. Made when first asked for: most of what loads this module never does. */
function membersByTerm(): ReadonlyMap<string, Member[]> {
  if (members !== null) return members
  const made = new Map<string, Member[]>()
  const lines = [...concepts.map(line => ({ line, loose: false })), ...fields.map(line => ({ line, loose: true }))]
  for (const { line, loose } of lines) {
    const concept: Member[] = []
    const words = line.split('|').flatMap(language => language.split(',').map((word, n) => ({ word, n })))
    for (const { word, n } of words) {
      const tokens = analyse(word).filter(
        ({ kind }, _i, all) => kind !== 'part' || !all.some(token => token.kind === 'whole'),
      )
      const [first] = tokens
      if (first === undefined) continue
      const member: Member = {
        tokens: tokens.map(({ term, written }) => ({ term, written })),
        concept,
        beside: loose && n > 0,
      }
      concept.push(member)
      made.set(first.term, [...(made.get(first.term) ?? []), member])
    }
  }
  members = made
  return made
}

/**
 * What else may stand for what these terms say: abbreviations, and the same thing in English, Chinese and Russian. In a
 * field the first word of each language is the term itself.
 */
export function wider(terms: readonly string[]): Wider[] {
  const said = new Set(terms)
  const met = new Map<Member[], boolean>()
  const known = membersByTerm()
  for (const term of said)
    for (const { tokens, concept, beside } of known.get(term) ?? [])
      if (tokens.every(token => said.has(token.term))) met.set(concept, beside && (met.get(concept) ?? true))
  const more = new Map<string, Wider>()
  for (const [concept, fromBeside] of met)
    for (const { tokens, beside } of concept)
      for (const { term, written } of tokens) {
        if (said.has(term)) continue
        const related = fromBeside || beside
        if (more.get(term)?.related !== false) more.set(term, { term, written, related })
      }
  return [...more.values()]
}
