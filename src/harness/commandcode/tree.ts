/** A tree as it is kept between reads: `counts[n]` records came of entry n; entries follow each other but for `links`. */
export interface TreeState {
  ids: string
  counts: number[]
  /** [entry, its parent] where that isn't the entry before; -1: a new root. */
  links: [number, number][]
  /** Entries (from, to) off the active branch. */
  aside: [number, number][]
}

export const emptyTree: TreeState = { ids: '', counts: [], links: [], aside: [] }

/**
 * The entries of a transcript and their parents. `/rewind` and `/tree` only move the leaf: later lines hang off an
 * older entry, and the branch that was left stays in the file. The active branch leads up from the last line.
 */
export class Tree {
  readonly #ids: string[]
  readonly #counts: number[]
  readonly #links: Map<number, number>
  #aside: [number, number][]
  /** Made when a line first hangs off another than the one before it, which is rare. */
  #byId: Map<string, number> | undefined
  #turned = false

  constructor(state: TreeState) {
    this.#counts = [...state.counts]
    this.#ids = this.#counts.length === 0 ? [] : state.ids.split(' ')
    this.#links = new Map(state.links)
    this.#aside = state.aside
  }

  /** Adds the next entry, gives its number. A parent that was never read counts as the entry before. */
  add(id: string | null, parentId: string | null | undefined): number {
    const entry = this.#ids.length
    const name = id?.replaceAll(' ', '_') ?? ''
    const before = this.#ids[entry - 1]
    if (parentId === null && entry > 0) this.#link(entry, -1)
    else if (parentId !== undefined && parentId !== null && parentId !== before) {
      const parent = this.#find(parentId)
      if (parent !== undefined && parent !== entry - 1) this.#link(entry, parent)
    }
    this.#ids.push(name)
    this.#counts.push(0)
    if (name !== '') this.#byId?.set(name, entry)
    return entry
  }

  #link(entry: number, parent: number): void {
    this.#links.set(entry, parent)
    this.#turned = true
  }

  #find(id: string): number | undefined {
    this.#byId ??= new Map(this.#ids.map((known, entry) => [known, entry]))
    return this.#byId.get(id)
  }

  /** Says how many records came of the newest entry. */
  count(records: number): void {
    this.#counts[this.#counts.length - 1] = records
  }

  isAside(entry: number): boolean {
    return this.#aside.some(([from, to]) => from <= entry && entry <= to)
  }

  /** Follows the newest line up. Gives the `seq`s of entries whose side changed, of those before entry `before`. */
  settle(before: number): { seqs: number[]; aside: boolean }[] {
    if (!this.#turned) return []
    const active = new Set<number>()
    for (let entry = this.#ids.length - 1; entry >= 0 && !active.has(entry);) {
      active.add(entry)
      entry = this.#links.get(entry) ?? entry - 1
    }
    const left: number[] = []
    const joined: number[] = []
    const aside: [number, number][] = []
    let seq = 0
    for (let entry = 0; entry < this.#ids.length; entry++) {
      const count = this.#counts[entry] ?? 0
      const isAside = !active.has(entry)
      if (entry < before && isAside !== this.isAside(entry)) {
        for (let n = 0; n < count; n++) (isAside ? left : joined).push(seq + n)
      }
      if (isAside) {
        const last = aside.at(-1)
        if (last?.[1] === entry - 1) last[1] = entry
        else aside.push([entry, entry])
      }
      seq += count
    }
    this.#aside = aside
    this.#turned = false
    const moved = [
      { seqs: left, aside: true },
      { seqs: joined, aside: false },
    ]
    return moved.filter(({ seqs }) => seqs.length > 0)
  }

  get size(): number {
    return this.#ids.length
  }

  state(): TreeState {
    return { ids: this.#ids.join(' '), counts: this.#counts, links: [...this.#links], aside: this.#aside }
  }
}
