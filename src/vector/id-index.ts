/** Ids per page, unless given. */
const PAGE = 128
const FIRST_PAGES = 4

/** No slot here; slots are stored plus one. */
const EMPTY = 0

/**
 * Finds the slot of an id. Ids that are close together share a page of slots: 4 bytes a slot and a little more, at most
 * some 550 where each id is alone in its page of 128. Ids in order are looked up in order of memory, and it grows without
 * sorting anything again. (A Map takes 30 to 60 bytes a slot.)
 */
export class IdIndex {
  /** Where the slots of a page begin in `#slots`. */
  readonly #pages = new Map<number, number>()
  readonly #page: number
  #slots: Int32Array<ArrayBuffer>
  /** How many ids a page has, by its number in `#slots`. */
  #counts = new Uint8Array(FIRST_PAGES)
  /** How many pages `#slots` has had, and the starts of those that are free again. */
  #used = 0
  readonly #free: number[] = []
  #size = 0
  #lastPage = Number.NaN
  #lastStart = 0

  constructor(idsPerPage = PAGE) {
    this.#page = idsPerPage
    this.#slots = new Int32Array(FIRST_PAGES * idsPerPage)
  }

  get size(): number {
    return this.#size
  }

  /** Makes room for so many ids that are close together: adding them does not copy what is there. */
  reserve(count: number): void {
    this.#grow(Math.max(this.#counts.length, Math.ceil(count / this.#page) + 1))
  }

  slotOf(id: number): number | undefined {
    const page = Math.floor(id / this.#page)
    const start = this.#startOf(page)
    if (start === undefined) return undefined
    const slot = this.#slots[start + id - page * this.#page]!
    return slot === EMPTY ? undefined : slot - 1
  }

  /** Adds a slot with an id that is not there yet. */
  add(id: number, slot: number): void {
    const page = Math.floor(id / this.#page)
    const start = this.#startOf(page) ?? this.#takePage(page)
    this.#slots[start + id - page * this.#page] = slot + 1
    this.#counts[start / this.#page]!++
    this.#size++
  }

  /** Removes an id; an unknown one is no error. */
  remove(id: number): void {
    const page = Math.floor(id / this.#page)
    const start = this.#startOf(page)
    if (start === undefined || this.#slots[start + id - page * this.#page] === EMPTY) return
    this.#slots[start + id - page * this.#page] = EMPTY
    this.#size--
    if (--this.#counts[start / this.#page]! > 0) return
    this.#pages.delete(page)
    this.#free.push(start)
    this.#lastPage = Number.NaN
  }

  #startOf(page: number): number | undefined {
    if (this.#lastPage === page) return this.#lastStart
    const start = this.#pages.get(page)
    if (start === undefined) return undefined
    this.#lastPage = page
    this.#lastStart = start
    return start
  }

  #takePage(page: number): number {
    const start = this.#free.pop() ?? this.#used++ * this.#page
    if (start === this.#slots.length) this.#grow(this.#counts.length * 2)
    this.#pages.set(page, start)
    this.#lastPage = page
    this.#lastStart = start
    return start
  }

  #grow(pages: number): void {
    const slots = new Int32Array(pages * this.#page)
    slots.set(this.#slots)
    this.#slots = slots
    const counts = new Uint8Array(pages)
    counts.set(this.#counts)
    this.#counts = counts
  }
}
