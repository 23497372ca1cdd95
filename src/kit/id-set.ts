/** A set of whole numbers from 0, one bit each: ids that lie close together cost next to nothing. */
export class IdSet {
  readonly #pages = new Map<number, Uint32Array>()
  #size = 0

  get size(): number {
    return this.#size
  }

  has(id: number): boolean {
    const page = this.#pages.get(Math.floor(id / PAGE))
    return page !== undefined && (page[(id % PAGE) >>> 5]! & (1 << (id & 31))) !== 0
  }

  add(id: number): this {
    if (this.has(id)) return this
    const number = Math.floor(id / PAGE)
    let page = this.#pages.get(number)
    if (!page) {
      page = new Uint32Array(PAGE / 32)
      this.#pages.set(number, page)
    }
    page[(id % PAGE) >>> 5]! |= 1 << (id & 31)
    this.#size++
    return this
  }

  delete(id: number): boolean {
    if (!this.has(id)) return false
    this.#pages.get(Math.floor(id / PAGE))![(id % PAGE) >>> 5]! &= ~(1 << (id & 31))
    this.#size--
    return true
  }
}

/** Ids per page. */
const PAGE = 1024
