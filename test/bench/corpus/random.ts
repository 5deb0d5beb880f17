/** Chance from a seed (mulberry32): the same corpus in every run, on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** 0 up to, not with, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  below(n: number): number {
    return Math.floor(this.next() * n)
  }

  /** Both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(list: readonly T[]): T {
    return at(list, this.below(list.length))
  }

  /** Like `pick`, by Zipf: the entry of rank r about in proportion to 1/r. */
  zipf<T>(list: readonly T[]): T {
    return at(list, Math.min(list.length - 1, Math.floor(list.length ** this.next()) - 1))
  }

  /** Sizes as tools print them: most are small, most bytes are in the large ones. */
  lognormal(median: number, spread: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return median * Math.exp(spread * normal)
  }

  hex(digits: number): string {
    let text = ''
    while (text.length < digits)
      text += Math.floor(this.next() * 4_294_967_296)
        .toString(16)
        .padStart(8, '0')
    return text.slice(0, digits)
  }

  uuid(): string {
    const hex = this.hex(30)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${hex.slice(18, 30)}`
  }
}

function at<T>(list: readonly T[], index: number): T {
  const entry = list[index]
  if (entry === undefined) throw new Error(`no entry ${index} in a list of ${list.length}`)
  return entry
}
