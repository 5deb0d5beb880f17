/** Postings of one term, in the order of adding: pairs of a document's number and its packed counts (see `counted`). */

const pageBits = 16
const pageSize = 1 << pageBits
/** Postings that a block of each class holds; a list's blocks grow with it. A block is its successor's address and pairs. */
const roomOf = [1, 2, 4, 8, 16, 32, 64, 128] as const
const largest = roomOf.length - 1
const intsOf = (size: number): number => 1 + 2 * (roomOf[size] ?? 0)

function grown<T extends Int32Array | Uint8Array>(array: T, make: (length: number) => T): T {
  const larger = make(array.length * 2)
  larger.set(array)
  return larger
}

/**
 * Posting lists in pages of integers: about ten bytes a posting, where a Map takes fifty. A list is a number. What is removed
 * goes back to its class of blocks.
 */
export class PostingLists {
  readonly #pages: Int32Array[] = []
  /** The next free address; 0 is no address. */
  #top = 1
  readonly #freed: number[][] = roomOf.map(() => [])

  // by list
  #head = new Int32Array(1024)
  #tail = new Int32Array(1024)
  #count = new Int32Array(1024)
  /** The tail's class, and how many postings it still takes. */
  #size = new Uint8Array(1024)
  #room = new Uint8Array(1024)
  #lists = 0
  readonly #freedLists: number[] = []

  create(): number {
    const reused = this.#freedLists.pop()
    if (reused !== undefined) return reused
    if (this.#lists === this.#head.length) {
      const ints = (length: number) => new Int32Array(length)
      const bytes = (length: number) => new Uint8Array(length)
      this.#head = grown(this.#head, ints)
      this.#tail = grown(this.#tail, ints)
      this.#count = grown(this.#count, ints)
      this.#size = grown(this.#size, bytes)
      this.#room = grown(this.#room, bytes)
    }
    return this.#lists++
  }

  /** The number of postings, those of documents that are gone included until `keep`. */
  count(list: number): number {
    return this.#count[list] ?? 0
  }

  append(list: number, document: number, packed: number): void {
    if (this.#room[list] === 0) this.#extend(list)
    const size = this.#size[list] ?? 0
    const room = this.#room[list] ?? 0
    const tail = this.#tail[list] ?? 0
    const page = this.#pages[tail >>> pageBits]
    if (page === undefined) throw new Error(`posting list ${String(list)}: no page for address ${String(tail)}`)
    const at = (tail & (pageSize - 1)) + 1 + 2 * ((roomOf[size] ?? 0) - room)
    page[at] = document
    page[at + 1] = packed
    this.#room[list] = room - 1
    this.#count[list] = this.count(list) + 1
  }

  /** Copies a list's pairs into `into` from index `at` on and gives the index behind them. `into` must have the room. */
  copy(list: number, into: Int32Array, at: number): number {
    let address = this.#head[list] ?? 0
    let left = this.count(list)
    let size = 0
    while (left > 0) {
      const page = this.#pages[address >>> pageBits]
      if (page === undefined) throw new Error(`posting list ${String(list)}: no page for address ${String(address)}`)
      const start = address & (pageSize - 1)
      const here = Math.min(left, roomOf[size] ?? 0)
      for (let i = start + 1, end = start + 1 + 2 * here; i < end; i++) into[at++] = page[i] ?? 0
      left -= here
      address = page[start] ?? 0
      if (size < largest) size += 1
    }
    return at
  }

  /** Drops the postings whose document `isKept` denies; gives how many stay. A list that is empty then is gone. */
  keep(list: number, isKept: (document: number) => boolean): number {
    const count = this.count(list)
    const pairs = new Int32Array(2 * count)
    this.copy(list, pairs, 0)
    let kept = 0
    for (let i = 0; i < count; i++) {
      const document = pairs[2 * i] ?? 0
      if (!isKept(document)) continue
      pairs[2 * kept] = document
      pairs[2 * kept + 1] = pairs[2 * i + 1] ?? 0
      kept += 1
    }
    if (kept === count) return kept
    this.#clear(list)
    for (let i = 0; i < kept; i++) this.append(list, pairs[2 * i] ?? 0, pairs[2 * i + 1] ?? 0)
    if (kept === 0) this.#freedLists.push(list)
    return kept
  }

  #extend(list: number): void {
    const first = this.#head[list] === 0
    const size = first ? 0 : Math.min(largest, (this.#size[list] ?? 0) + 1)
    const block = this.#block(size)
    if (first) this.#head[list] = block
    else {
      const tail = this.#tail[list] ?? 0
      const page = this.#pages[tail >>> pageBits]
      if (page !== undefined) page[tail & (pageSize - 1)] = block
    }
    this.#tail[list] = block
    this.#size[list] = size
    this.#room[list] = roomOf[size] ?? 0
  }

  #block(size: number): number {
    const freed = this.#freed[size]?.pop()
    if (freed !== undefined) return freed
    const ints = intsOf(size)
    if ((this.#top & (pageSize - 1)) + ints > pageSize) this.#top = ((this.#top >>> pageBits) + 1) << pageBits
    while (this.#pages.length <= this.#top >>> pageBits) this.#pages.push(new Int32Array(pageSize))
    const address = this.#top
    this.#top += ints
    return address
  }

  #clear(list: number): void {
    let address = this.#head[list] ?? 0
    for (let size = 0; address !== 0; size = Math.min(largest, size + 1)) {
      const page = this.#pages[address >>> pageBits]
      const start = address & (pageSize - 1)
      const next = page?.[start] ?? 0
      // wiped, so that nothing of what was removed can be met again
      page?.fill(0, start, start + intsOf(size))
      this.#freed[size]?.push(address)
      address = next
    }
    this.#head[list] = 0
    this.#tail[list] = 0
    this.#count[list] = 0
    this.#size[list] = 0
    this.#room[list] = 0
  }
}
