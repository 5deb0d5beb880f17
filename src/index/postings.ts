import MiniSearch from 'minisearch'

/** One posting list: the short ids of documents, each with its packed counts (see `counted`). */
export type PostingList = ReadonlyMap<number, number>

/** The only field. What a term's parts are is packed into its posting. */
const field = 0

/**
 * MiniSearch as the store of terms: its radix tree (prefixes and near spellings), its document ids, its lazy removal and
 * vacuum. Scoring is done outside, over as many postings as there is a budget for: MiniSearch's own `search` scores all
 * of them (100 ms for a plain question, seconds for a long prompt) and is closed. Documents are the ids themselves.
 */
export class Postings<Document extends object> extends MiniSearch<Document> {
  /** Terms at the last count, and those that came since. */
  #counted = 0
  #fresh = 0
  #dirtSeen = 0

  constructor() {
    super({ fields: ['text'], autoVacuum: { minDirtFactor: 0.1, minDirtCount: 200, batchSize: 500, batchWait: 5 } })
  }

  /** Adds a document with its terms' packed counts and gives the short id that its postings carry. */
  put(document: Document, terms: ReadonlyMap<string, number>): number {
    const short = this._nextId++
    this._idToShortId.set(document, short)
    this._documentIds.set(short, document)
    this._documentCount += 1
    for (const [term, packed] of terms) {
      const fields = this._index.fetch(term, () => new Map<number, Map<number, number>>())
      const list = fields.get(field)
      if (fields.size === 0) this.#fresh += 1
      if (list === undefined) fields.set(field, new Map([[short, packed]]))
      else list.set(short, packed)
    }
    return short
  }

  /** Documents that were dropped may still be in it until the next vacuum: ask `documentAt`. */
  listOf(term: string): PostingList | undefined {
    return this._index.get(term)?.get(field)
  }

  /** Undefined for one that was dropped. */
  documentAt(short: number): Document | undefined {
    return this._documentIds.get(short) as Document | undefined
  }

  /** Terms that begin with `prefix`, in the tree's order, at most `limit`. */
  beginningWith(prefix: string, limit: number): string[] {
    const terms: string[] = []
    for (const [term] of this._index.atPrefix(prefix)) {
      if (terms.length >= limit) break
      terms.push(term)
    }
    return terms
  }

  /** Terms within `distance` edits that share the first `fixed` characters: typing errors seldom sit there. */
  spelledLike(term: string, distance: number, fixed: number): string[] {
    const head = term.slice(0, fixed)
    const near: string[] = []
    for (const tail of this._index.atPrefix(head).fuzzyGet(term.slice(fixed), distance).keys()) near.push(head + tail)
    return near
  }

  /** Like `termCount`, which walks the whole tree after each change; this one only after a vacuum. */
  get knownTerms(): number {
    if (this.dirtCount !== this.#dirtSeen) {
      // fewer than were dropped: a vacuum took terms away
      if (this.dirtCount < this.#dirtSeen) {
        this.#counted = this.termCount
        this.#fresh = 0
      }
      this.#dirtSeen = this.dirtCount
    }
    return this.#counted + this.#fresh
  }

  override search(): never {
    throw new Error('postings are scored within a budget: use PassageIndex')
  }
}
