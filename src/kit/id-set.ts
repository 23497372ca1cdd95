/** A readable set of ids. A `Set` is one, too. */
export type Ids = Iterable<number> & { readonly size: number; has(id: number): boolean }

/** Ids per page. */
const PAGE = 1024

/** A set of whole numbers from 0, with one bit each in pages: small for ids that are close together. */
export class IdSet implements Ids {
  readonly #pages = new Map<number, Uint32Array>()
  /** The page of the last access: accesses in order use it again. */
  #last: { number: number; page: Uint32Array } | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  has(id: number): boolean {
    const page = this.#pageOf(id)
    return page !== undefined && (page[(id % PAGE) >>> 5]! & (1 << (id & 31))) !== 0
  }

  add(id: number): this {
    const page = this.#pageOf(id) ?? this.#addPage(id)
    const word = (id % PAGE) >>> 5
    const bit = 1 << (id & 31)
    if ((page[word]! & bit) === 0) this.#size++
    page[word]! |= bit
    return this
  }

  delete(id: number): boolean {
    if (!this.has(id)) return false
    this.#pageOf(id)![(id % PAGE) >>> 5]! &= ~(1 << (id & 31))
    this.#size--
    return true
  }

  /** By page; in order within a page. */
  *[Symbol.iterator](): Generator<number> {
    for (const [number, page] of this.#pages)
      for (let place = 0; place < PAGE; place++)
        if ((page[place >>> 5]! & (1 << (place & 31))) !== 0) yield number * PAGE + place
  }

  #pageOf(id: number): Uint32Array | undefined {
    const number = Math.floor(id / PAGE)
    if (this.#last?.number === number) return this.#last.page
    const page = this.#pages.get(number)
    if (page) this.#last = { number, page }
    return page
  }

  #addPage(id: number): Uint32Array {
    const page = new Uint32Array(PAGE / 32)
    this.#pages.set(Math.floor(id / PAGE), page)
    return page
  }
}
