import { counted, weightOf } from './parts.ts'
import type { Passage } from './passage.ts'
import type { Part } from './query.ts'
import { tokensOf } from './tokens.ts'

export interface IndexedTerms {
  /** Each term with its packed counts. */
  terms: Map<string, number>
  length: number
}

function count(text: string, part: Part, into: IndexedTerms): void {
  if (text === '') return
  const tokens = tokensOf(text)
  for (const term of tokens) into.terms.set(term, counted(into.terms.get(term) ?? 0, part))
  into.length += tokens.length * weightOf(part)
}

/** The home and the workspace that every path of a session begins with tell nothing apart. */
function pathsWithin(paths: string, workspace: string | null): string {
  return paths
    .split('\n')
    .map(path =>
      workspace !== null && path.startsWith(workspace)
        ? path.slice(workspace.length)
        : path.split(/[/\\]/).slice(-4).join('/'),
    )
    .join('\n')
}

export function passageTerms(passage: Passage): IndexedTerms {
  const indexed: IndexedTerms = { terms: new Map(), length: 0 }
  count(passage.prompt, 'prompt', indexed)
  count(passage.answer, 'answer', indexed)
  count(passage.summary, 'summary', indexed)
  count(passage.errors, 'errors', indexed)
  count(pathsWithin(passage.paths, passage.session.workspace), 'paths', indexed)
  count(passage.commands, 'commands', indexed)
  count(passage.outputs, 'outputs', indexed)
  return indexed
}

export function titleTerms(title: string | null): Map<string, number> {
  const indexed: IndexedTerms = { terms: new Map(), length: 0 }
  count(title ?? '', 'title', indexed)
  return indexed.terms
}
