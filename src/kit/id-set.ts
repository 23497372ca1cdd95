/** A readable set of ids. A `Set` is one, too. */
export type Ids = Iterable<number> & { readonly size: number; has(id: number): boolean }

/** Ids per page. */
const PAGE = 1024
const PAGE_WORDS = PAGE / 32
const FIRST_PAGES = 4

/** A set of whole numbers from 0, with one bit each in pages: small for ids that are close together. */
export class IdSet implements Ids {
  /** Where the words of a page begin in `#words`. All pages are one array: small arrays burden the garbage collector. */
  readonly #pages = new Map<number, number>()
  #words = new Uint32Array(FIRST_PAGES * PAGE_WORDS)
  /** The page of the last access: accesses in order use it again. */
  #lastPage = Number.NaN
  #lastStart = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  has(id: number): boolean {
    const start = this.#startOf(id)
    return start !== undefined && (this.#words[start + wordOf(id)]! & (1 << (id & 31))) !== 0
  }

  add(id: number): this {
    const word = (this.#startOf(id) ?? this.#addPage(id)) + wordOf(id)
    const bit = 1 << (id & 31)
    if ((this.#words[word]! & bit) === 0) this.#size++
    this.#words[word]! |= bit
    return this
  }

  delete(id: number): boolean {
    if (!this.has(id)) return false
    this.#words[this.#startOf(id)! + wordOf(id)]! &= ~(1 << (id & 31))
    this.#size--
    return true
  }

  /** By page; in order within a page. */
  *[Symbol.iterator](): Generator<number> {
    for (const [page, start] of this.#pages)
      for (let word = 0; word < PAGE_WORDS; word++)
        for (let bits = this.#words[start + word]!; bits !== 0; bits &= bits - 1)
          yield page * PAGE + word * 32 + 31 - Math.clz32(bits & -bits)
  }

  #startOf(id: number): number | undefined {
    const page = Math.floor(id / PAGE)
    if (this.#lastPage === page) return this.#lastStart
    const start = this.#pages.get(page)
    if (start !== undefined) this.#note(page, start)
    return start
  }

  #addPage(id: number): number {
    const start = this.#pages.size * PAGE_WORDS
    if (start === this.#words.length) {
      const words = new Uint32Array(start * 2)
      words.set(this.#words)
      this.#words = words
    }
    const page = Math.floor(id / PAGE)
    this.#pages.set(page, start)
    this.#note(page, start)
    return start
  }

  #note(page: number, start: number): void {
    this.#lastPage = page
    this.#lastStart = start
  }
}

const wordOf = (id: number): number => (id % PAGE) >>> 5
