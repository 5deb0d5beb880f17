import { passageTerms, titleTerms } from './indexed-terms.ts'
import type { PackedPassage } from './packed-passages.ts'
import type { Passage, SessionHead } from './passage.ts'
import { Places, timeOf, timeOfPlace, type Place, type Session } from './places.ts'
import { Postings } from './postings.ts'
import type { IndexQuery, RankedSession } from './query.ts'
import { Ranking } from './ranking.ts'
import { Sessions } from './sessions.ts'
import { settledIn } from './settled.ts'
import type { Weights } from './weights.ts'

export interface IndexStats {
  passages: number
  terms: number
}

/** Dropped passages are swept out of the posting lists when they are this share of all, or when they must be forgotten. */
const untidy = 0.1

interface Placed extends Omit<PackedPassage, 'postings'> {
  session: SessionHead
}

/**
 * The in-memory index over passages: derived from the archive, thrown away at will. It keeps terms, places and the
 * sessions' heads, no texts. A query spends a bounded number of postings, whatever its length (see `Ranking`).
 */
export class PassageIndex {
  readonly #postings = new Postings()
  readonly #places = new Places()
  readonly #byId = new Map<number, Place>()
  readonly #sessions = new Sessions()
  readonly #ranking: Ranking
  #sweeping = false
  /** Epoch milliseconds: passages of then and before were shed. */
  #shedUntil = -Infinity

  /** `weights` replaces single weights of the ranking, for ablations; `budget` the postings that a query may spend. */
  constructor(options: { weights?: Partial<Weights>; budget?: number } = {}) {
    this.#ranking = new Ranking(this.#postings, this.#places, this.#sessions, options)
  }

  /** Adds passages; one whose id is there already replaces it. Less than a millisecond each: hand them over in slices. */
  add(passages: readonly Passage[]): void {
    for (const passage of passages) {
      const { terms, length } = passageTerms(passage)
      this.#put({ ...passage, settled: settledIn(passage), length }, () => this.#postings.add(terms))
    }
    this.#tidy(untidy)
  }

  /** The same for one that was packed: `terms` are those that its session's passages share. A tenth of the time. */
  addPacked(session: SessionHead, terms: readonly string[], passage: PackedPassage): void {
    this.#put({ ...passage, session }, () => this.#postings.addPacked(terms, passage))
    this.#tidy(untidy)
  }

  /** Removes passages by id; unknown ids are nothing to it. */
  remove(ids: readonly number[]): void {
    for (const id of ids) this.#drop(id)
    this.#tidy(untidy)
  }

  /** Takes over what changed of a session: title, projects, times, deletion. A session without passages is taken too. */
  updateSession(head: SessionHead): void {
    this.#sessionOf(head)
  }

  /** Drops a session, its title and all its passages; nothing finds them from here on. `key` is its row id. */
  forgetSession(key: number): void {
    const session = this.#sessions.get(key)
    if (session === undefined) return
    for (const { id } of [...session.passages]) this.#drop(id)
    this.#dropSession(session)
    this.#tidy(0)
  }

  has(id: number): boolean {
    return this.#byId.has(id)
  }

  /** Drops the `n` oldest passages, for a ceiling on memory: they stay in the archive. Gives how many went. */
  shed(n: number): number {
    const oldest = [...this.#byId.values()].sort((a, b) => timeOfPlace(a) - timeOfPlace(b) || a.id - b.id)
    const going = oldest.slice(0, Math.max(0, n))
    const newest = going.at(-1)
    if (newest !== undefined) this.#shedUntil = timeOfPlace(newest)
    for (const { id, session } of going) {
      this.#drop(id)
      if (session.passages.length === 0) this.#dropSession(session)
    }
    this.#tidy(0)
    return going.length
  }

  /** The best sessions for a query, best first. Whether to speak at all is the caller's business: see `MatchedTerm`. */
  search(query: IndexQuery): RankedSession[] {
    return this.#ranking.rank(query)
  }

  get stats(): IndexStats {
    return { passages: this.#byId.size, terms: this.#postings.termCount }
  }

  #put(passage: Placed, postings: () => number): void {
    const { id, n, at, settled, length } = passage
    this.#drop(id)
    const ms = timeOf(at)
    if (this.#isShed(ms, passage.session)) return
    const session = this.#sessionOf(passage.session)
    const place: Place = { id, n, at, ms, settled, session, document: postings() }
    this.#byId.set(id, place)
    this.#places.add(place, length)
  }

  /** What is as old as what was shed stays away: else the archive's passages would come in again, to be shed again. */
  #isShed(ms: number, { updatedAt, startedAt }: SessionHead): boolean {
    return (ms > 0 ? ms : timeOf(updatedAt ?? startedAt)) <= this.#shedUntil
  }

  #sessionOf(head: SessionHead): Session {
    let session = this.#sessions.get(head.key)
    if (session === undefined) {
      session = this.#places.openSession(head)
      this.#sessions.add(session)
      this.#addTitle(session)
    } else if (session.head !== head) {
      const renamed = session.head.title !== head.title
      this.#sessions.update(session, head)
      if (renamed) {
        this.#dropTitle(session)
        this.#addTitle(session)
      }
    }
    return session
  }

  #addTitle(session: Session): void {
    const terms = titleTerms(session.head.title)
    if (terms.size > 0) this.#places.addTitle(this.#postings.add(terms), session)
  }

  #dropTitle(session: Session): void {
    if (session.title === undefined) return
    this.#postings.drop(session.title)
    this.#places.removeTitle(session)
  }

  #dropSession(session: Session): void {
    this.#dropTitle(session)
    this.#sessions.delete(session)
    this.#places.closeSession(session)
  }

  #drop(id: number): void {
    const place = this.#byId.get(id)
    if (place === undefined) return
    this.#byId.delete(id)
    this.#postings.drop(place.document)
    this.#places.remove(place)
  }

  /** Sweeps in slices between other work. */
  #tidy(share: number): void {
    if (this.#sweeping || this.#postings.unswept <= share * this.#byId.size) return
    this.#sweeping = true
    const slice = () => {
      if (this.#postings.sweep()) setImmediate(slice)
      else this.#sweeping = false
    }
    setImmediate(slice)
  }
}
