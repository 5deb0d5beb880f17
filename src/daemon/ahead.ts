import type { ArchiveReader } from '../archive/read/archive-reader.ts'
import { passagesOf } from '../index/passage-of.ts'
import { termsMatch } from '../index/full-text.ts'
import type { PassageIndex } from '../index/passage-index.ts'
import type { IndexQuery, RankedSession } from '../index/query.ts'
import { everydayShare } from '../index/rarity.ts'
import { analyse } from '../index/tokens.ts'
import type { RecordKind } from '../shared/model.ts'

/** Of a prompt's words the rarest are looked up; of those that are known, some are searched for. */
const mostLooked = 8
const mostSearched = 3
/** Records that have a word, beyond which it tells too little. */
const mostRecords = 300
/** Records of each word, and passages in all, that are taken. */
const mostPlaces = 20
const mostPassages = 6
/** A passage behind the first is begun no later than this into a search; a hook is answered in 150. */
const mostMs = 8
/** What a passage's terms come from; of outputs it has only the beginnings. */
const kinds: readonly RecordKind[] = ['prompt', 'answer', 'summary', 'command', 'edit', 'write', 'read']

type Asked = Pick<ArchiveReader, 'fullText' | 'recall' | 'records'>

/**
 * The index at a start, while the archive's passages still come in: what a query's rarest words are found in, by the
 * archive's own full text, goes ahead of the others. When their turn comes they are replaced, so none is there twice.
 */
export class AheadIndex {
  readonly #index: PassageIndex
  readonly #archive: Asked
  readonly #onError: (error: unknown) => void
  #replayed = false

  constructor(index: PassageIndex, archive: Asked, onError: (error: unknown) => void) {
    this.#index = index
    this.#archive = archive
    this.#onError = onError
  }

  /** Everything that the archive holds is in the index. */
  replayed(): void {
    this.#replayed = true
  }

  search(query: IndexQuery): RankedSession[] {
    if (!this.#replayed) {
      try {
        this.#takeAhead(query)
      } catch (error) {
        // the index answers without
        this.#onError(error)
      }
    }
    return this.#index.search(query)
  }

  #takeAhead({ text, scope }: IndexQuery): void {
    const end = performance.now() + mostMs
    const { recall, records } = this.#archive
    let taken = 0
    for (const [id, session] of this.#found(text, scope.projects ?? [])) {
      if (taken >= mostPassages || (taken > 0 && performance.now() > end)) break
      const head = recall.session(session)
      if (head === null || scope.accepts?.(head) === false) continue
      const [first] = recall.passageWith(id)
      if (first === undefined || this.#index.has(first.id)) continue
      taken++
      this.#index.add(passagesOf(records.ofPassage(first.id, false), head, records.passagesBefore(first.id)))
    }
  }

  /** Records and their sessions: those with most of the words first, then with the rarest. */
  #found(text: string, projects: readonly string[]): [number, number][] {
    const { fullText } = this.#archive
    // the digits of an identifier are in no table, and would be taken for the rarest words of all
    const told = analyse(text).filter(({ kind, term }) => kind !== 'part' && !/^\d+$/.test(term))
    const words = new Map(told.map(({ term, written }) => [term, written]))
    const rarest = [...words].sort(([a], [b]) => everydayShare(a) - everydayShare(b)).slice(0, mostLooked)
    const known = rarest.flatMap(([, written]) => {
      const match = termsMatch([written])
      const n = match === null ? 0 : fullText.frequency(match, mostRecords)
      return match !== null && n > 0 && n < mostRecords ? [{ match, n }] : []
    })
    const found = new Map<number, { session: number; words: number; worth: number }>()
    for (const { match, n } of known.sort((a, b) => a.n - b.n).slice(0, mostSearched))
      for (const project of projects.length > 0 ? projects : [undefined])
        for (const { id, session } of fullText.places({
          match,
          kinds,
          order: 'newest',
          limit: mostPlaces,
          ...(project !== undefined && { project }),
        })) {
          const { words = 0, worth = 0 } = found.get(id) ?? {}
          found.set(id, { session, words: words + 1, worth: worth + 1 / n })
        }
    return [...found]
      .sort(([, a], [, b]) => b.words - a.words || b.worth - a.worth)
      .map(([id, { session }]) => [id, session])
  }
}
