import { concepts } from './glossary-concepts.ts'
import { analyse } from './tokens.ts'

interface Member {
  tokens: { term: string; written: string }[]
  concept: Member[]
}

let members: ReadonlyMap<string, Member[]> | null = null

/** Members by their first term. Made when first asked for: most of what loads this module never does. */
function membersByTerm(): ReadonlyMap<string, Member[]> {
  if (members !== null) return members
  const made = new Map<string, Member[]>()
  for (const line of concepts) {
    const concept: Member[] = []
    for (const word of line.split(/[,|]/)) {
      const tokens = analyse(word).filter(
        ({ kind }, _i, all) => kind !== 'part' || !all.some(token => token.kind === 'whole'),
      )
      const [first] = tokens
      if (first === undefined) continue
      const member: Member = { tokens: tokens.map(({ term, written }) => ({ term, written })), concept }
      concept.push(member)
      made.set(first.term, [...(made.get(first.term) ?? []), member])
    }
  }
  members = made
  return made
}

/** What else may stand for what these terms say: abbreviations, and the same thing in English, Chinese and Russian. */
export function wider(terms: readonly string[]): { term: string; written: string }[] {
  const said = new Set(terms)
  const met = new Set<Member[]>()
  const known = membersByTerm()
  for (const term of said)
    for (const { tokens, concept } of known.get(term) ?? [])
      if (tokens.every(token => said.has(token.term))) met.add(concept)
  const more = new Map<string, { term: string; written: string }>()
  for (const concept of met)
    for (const { tokens } of concept)
      for (const token of tokens) if (!said.has(token.term) && !more.has(token.term)) more.set(token.term, token)
  return [...more.values()]
}
