import { Entry, SessionEntry } from './entries.ts'
import { passageTerms, titleTerms } from './indexed-terms.ts'
import type { Passage, SessionHead } from './passage.ts'
import { Postings } from './postings.ts'
import type { IndexQuery, RankedSession } from './query.ts'
import { Ranking, type Weights } from './ranking.ts'
import { settledIn } from './settled.ts'

export interface IndexStats {
  passages: number
  terms: number
}

/**
 * The in-memory index over passages: derived from the archive, thrown away at will. It keeps terms, places and the
 * sessions' heads, no texts. A query spends a bounded number of postings, whatever its length (see `Ranking`).
 */
export class PassageIndex {
  readonly #postings = new Postings<Entry>()
  readonly #byId = new Map<number, Entry>()
  readonly #sessions = new Map<number, SessionEntry>()
  readonly #ranking: Ranking

  /** `weights` replaces single weights of the ranking, for ablations. */
  constructor(weights: Partial<Weights> = {}) {
    this.#ranking = new Ranking(this.#postings, this.#sessions, weights)
  }

  /** Adds passages; one whose id is there already replaces it. 0.3–0.9 ms each: hand over in slices. */
  add(passages: readonly Passage[]): void {
    for (const passage of passages) {
      this.#drop(passage.id)
      const session = this.#sessionOf(passage.session)
      const { terms, length } = passageTerms(passage)
      const { id, n, at } = passage
      const entry = new Entry({ id, n, at, length, settled: settledIn(passage) }, session)
      entry.short = this.#postings.put(entry, terms)
      this.#byId.set(entry.id, entry)
      session.insert(entry)
    }
  }

  /** Removes passages by id; unknown ids are nothing to it. */
  remove(ids: readonly number[]): void {
    for (const id of ids) this.#drop(id)
  }

  /** Takes over what changed of a session: title, projects, times, deletion. A session without passages is taken too. */
  updateSession(head: SessionHead): void {
    this.#sessionOf(head)
  }

  /** Drops a session, its title and all its passages at once. `key` is its row id. */
  forgetSession(key: number): void {
    const session = this.#sessions.get(key)
    if (session === undefined) return
    for (const entry of [...session.entries]) this.#drop(entry.id)
    this.#dropTitle(session)
    this.#sessions.delete(key)
    // the words themselves leave the tree with the vacuum
    void this.#postings.vacuum({ batchSize: 500, batchWait: 5 })
  }

  has(id: number): boolean {
    return this.#byId.has(id)
  }

  /** Drops the `n` oldest passages, for a ceiling on memory: they stay in the archive. Gives how many went. */
  shed(n: number): number {
    const oldest = [...this.#byId.values()].sort((a, b) => a.time - b.time || a.id - b.id).slice(0, Math.max(0, n))
    for (const entry of oldest) {
      this.#drop(entry.id)
      if (entry.session.entries.length === 0) {
        this.#dropTitle(entry.session)
        this.#sessions.delete(entry.session.head.key)
      }
    }
    void this.#postings.vacuum({ batchSize: 500, batchWait: 5 })
    return oldest.length
  }

  /** The best sessions for a query, best first. Silence is the caller's business: see `MatchedTerm.rarity`. */
  search(query: IndexQuery): RankedSession[] {
    return this.#ranking.rank(query)
  }

  get stats(): IndexStats {
    return { passages: this.#byId.size, terms: this.#postings.knownTerms }
  }

  #sessionOf(head: SessionHead): SessionEntry {
    let session = this.#sessions.get(head.key)
    if (session === undefined) {
      session = new SessionEntry(head)
      this.#sessions.set(head.key, session)
      this.#putTitle(session)
    } else if (session.head !== head) {
      const renamed = session.head.title !== head.title
      session.head = head
      if (renamed) {
        this.#dropTitle(session)
        this.#putTitle(session)
      }
    }
    return session
  }

  #putTitle(session: SessionEntry): void {
    const terms = titleTerms(session.head.title)
    if (terms.size === 0) return
    session.title = new Entry({ id: -1, n: -1, at: null, length: 0, settled: 0 }, session)
    session.title.short = this.#postings.put(session.title, terms)
  }

  #dropTitle(session: SessionEntry): void {
    if (session.title !== undefined) this.#postings.discard(session.title)
    session.title = undefined
  }

  #drop(id: number): void {
    const entry = this.#byId.get(id)
    if (entry === undefined) return
    this.#byId.delete(id)
    this.#postings.discard(entry)
    entry.session.delete(entry)
  }
}
