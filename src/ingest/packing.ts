import { PACKED_VERSION, packedBytes, packedFrom, packPassages, type PackedPassages } from '../index/packed-passages.ts'
import type { ArchiveWriter } from '../archive/write/archive-writer.ts'
import { buildPassages } from './passage-building.ts'

/** A session that was written to since then may soon be again: what was packed of it would be for nothing. */
const quietMs = 60_000
/** Sessions that are looked up at once. */
const batch = 100

/** A session's passages as they were packed, or null: they are to be built. */
export function packedOf(writer: ArchiveWriter, session: number): PackedPassages | null {
  const bytes = writer.packed.get(session, PACKED_VERSION)
  return bytes && packedFrom(bytes)
}

/** Packs sessions' passages for the next start, when there is nothing else to do. */
export class Packing {
  readonly #writer: ArchiveWriter
  readonly #now: () => number
  #due: number[] = []
  #next = 0
  #worked = false

  constructor(writer: ArchiveWriter, now: () => number) {
    this.#writer = writer
    this.#now = now
  }

  /** When it is worth a look again (epoch milliseconds). */
  get next(): number {
    return this.#due.length > 0 ? 0 : this.#next
  }

  /** Something was written to the archive. */
  changed(): void {
    if (this.#next === Infinity) this.#next = this.#now() + quietMs
  }

  /** Packs one session. False: there is none to be packed now. */
  one(): boolean {
    if (this.next > this.#now()) return false
    if (this.#due.length === 0) this.#due = this.#writer.packed.lacking(PACKED_VERSION, this.#now() - quietMs, batch)
    const session = this.#due.shift()
    if (session === undefined) {
      this.#next = Infinity
      // what was written stands in the log: it takes no room of its own from here on
      if (this.#worked) this.#writer.checkpoint()
      this.#worked = false
      return false
    }
    this.#worked = true
    try {
      this.#writer.transaction(() => {
        const { upserts } = buildPassages(this.#writer, session, 0)
        this.#writer.packed.put(session, PACKED_VERSION, packedBytes(packPassages(upserts)))
      })
    } catch (error) {
      // a full disk, perhaps: not again at once
      this.#due = []
      this.#next = this.#now() + quietMs
      throw error
    }
    return true
  }
}
