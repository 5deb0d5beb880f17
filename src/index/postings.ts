import SearchableMap from 'minisearch/SearchableMap'
import { eachPosting, type PackedPassage } from './packed-passages.ts'
import { PostingLists } from './posting-lists.ts'

/** Terms that one slice of sweeping looks at. */
const sweepSlice = 2_000

/** A string cut out of a longer one keeps that one alive: a term must not hold the text that it was met in. */
const alone = (term: string): string => (term.length < 13 ? term : Buffer.from(term).toString())

/** Words and identifiers of a length that people mistype; no numbers, no bigrams. */
const isSpelled = (term: string): boolean =>
  term.length >= 4 && term.length <= 24 && /^[a-zа-я][a-zа-я0-9]*$/.test(term)

/**
 * Which documents have a term: MiniSearch's radix tree over packed posting lists. MiniSearch as a whole keeps a Map for
 * every term and field (300 MB where this takes a quarter) and its `search` scores every posting of every term (100 ms for
 * a plain question, seconds for a long prompt); its tree is what finds beginnings and near spellings.
 * Documents are small numbers. Dropped ones stay in the lists until they are swept, and their numbers are given again only
 * after that.
 */
export class Postings {
  readonly #byTerm = new Map<string, number>()
  /** The words among the terms, for beginnings and near spellings alone: it looks through a node's children one by one. */
  readonly #tree = new SearchableMap<true>()
  readonly #lists = new PostingLists()
  /** By list; undefined where the list is free. */
  readonly #terms: (string | undefined)[] = []

  /** By document: 1 in use, 0 dropped or never used. */
  #alive = new Uint8Array(1024)
  #documents = 0
  readonly #free: number[] = []
  #dropped: number[] = []
  /** The documents that the running sweep takes out of the lists, and the list that it has come to. */
  #sweeping: number[] | undefined
  #sweepAt = 0
  /** Lists that were freed so far, and those of the terms that were last added packed: good until one is freed. */
  #freed = 0
  #looked: { terms: readonly string[]; freed: number; lists: Int32Array } | undefined

  add(terms: Iterable<[string, number]>): number {
    const document = this.#begin()
    for (const [term, packed] of terms) this.#lists.append(this.#listFor(term), document, packed)
    return document
  }

  /** The same for packed terms. Those that share `terms` are best added one after another: each term is then looked up once. */
  addPacked(terms: readonly string[], passage: PackedPassage): number {
    if (this.#looked?.terms !== terms || this.#looked.freed !== this.#freed)
      this.#looked = { terms, freed: this.#freed, lists: new Int32Array(terms.length).fill(-1) }
    const { lists } = this.#looked
    const document = this.#begin()
    eachPosting(passage, (place, packed) => {
      let list = lists[place] ?? -1
      if (list < 0) {
        const term = terms[place]
        if (term === undefined) throw new Error('packed passages: a term is missing')
        lists[place] = list = this.#listFor(term)
      }
      this.#lists.append(list, document, packed)
    })
    return document
  }

  drop(document: number): void {
    this.#alive[document] = 0
    this.#dropped.push(document)
  }

  #begin(): number {
    const document = this.#free.pop() ?? this.#documents++
    if (document >= this.#alive.length) {
      const larger = new Uint8Array(this.#alive.length * 2)
      larger.set(this.#alive)
      this.#alive = larger
    }
    this.#alive[document] = 1
    return document
  }

  #listFor(term: string): number {
    let list = this.#byTerm.get(term)
    if (list === undefined) {
      list = this.#lists.create()
      const own = alone(term)
      this.#byTerm.set(own, list)
      if (isSpelled(own)) this.#tree.set(own, true)
      this.#terms[list] = own
    }
    return list
  }

  /** Documents so far, dropped ones included: their numbers are below this. */
  get size(): number {
    return this.#documents
  }

  get termCount(): number {
    return this.#byTerm.size
  }

  /** The list of a term, for `count` and `copy`; undefined for an unknown term. */
  listOf(term: string): number | undefined {
    return this.#byTerm.get(term)
  }

  /** Postings in a list; dropped documents may be among them. */
  count(list: number): number {
    return this.#lists.count(list)
  }

  /** Copies pairs of document and packed counts into `into` from `at` on; gives the index behind them. */
  copy(list: number, into: Int32Array, at: number): number {
    return this.#lists.copy(list, into, at)
  }

  /** Terms that begin with `prefix`, in the tree's order, at most `limit`. */
  beginningWith(prefix: string, limit: number): string[] {
    const terms: string[] = []
    for (const term of this.#tree.atPrefix(prefix).keys()) {
      if (terms.length >= limit) break
      terms.push(term)
    }
    return terms
  }

  /** Terms within `distance` edits that share the first `fixed` characters: typing errors seldom sit there. */
  spelledLike(term: string, distance: number, fixed: number): string[] {
    const head = term.slice(0, fixed)
    const near: string[] = []
    for (const tail of this.#tree.atPrefix(head).fuzzyGet(term.slice(fixed), distance).keys()) near.push(head + tail)
    return near
  }

  /** Documents that wait for being swept. */
  get unswept(): number {
    return this.#dropped.length + (this.#sweeping?.length ?? 0)
  }

  /** One slice (a millisecond or two) of taking dropped documents out of the lists; false when there is nothing left to do. */
  sweep(): boolean {
    if (this.#sweeping === undefined) {
      if (this.#dropped.length === 0) return false
      this.#sweeping = this.#dropped
      this.#dropped = []
      this.#sweepAt = 0
    }
    const end = Math.min(this.#terms.length, this.#sweepAt + sweepSlice)
    const isAlive = (document: number) => this.#alive[document] === 1
    for (let list = this.#sweepAt; list < end; list++) {
      const term = this.#terms[list]
      if (term === undefined || this.#lists.keep(list, isAlive) > 0) continue
      this.#byTerm.delete(term)
      if (isSpelled(term)) this.#tree.delete(term)
      this.#terms[list] = undefined
      this.#freed += 1
    }
    this.#sweepAt = end
    if (end < this.#terms.length) return true
    for (const document of this.#sweeping) this.#free.push(document)
    this.#sweeping = undefined
    return this.#dropped.length > 0
  }
}
