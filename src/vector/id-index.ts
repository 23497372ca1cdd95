/** No slot here; slots are stored plus one. */
const EMPTY = 0

const FIRST_PLACES = 256

/**
 * Finds the slot of an id: a hash table of slots, 5 to 11 bytes a slot, which reads the ids where the slots have them. (A
 * Map takes 30 to 60.) Linear probing with backward-shift deletion.
 */
export class IdIndex {
  readonly #idOf: (slot: number) => number
  #places = new Int32Array(FIRST_PLACES)
  #size = 0

  constructor(idOf: (slot: number) => number) {
    this.#idOf = idOf
  }

  get size(): number {
    return this.#size
  }

  slotOf(id: number): number | undefined {
    const slot = this.#places[this.#placeOf(id)]!
    return slot === EMPTY ? undefined : slot - 1
  }

  /** Adds a slot with an id that is not there yet. */
  add(id: number, slot: number): void {
    if ((this.#size + 1) * 4 > this.#places.length * 3) this.#grow()
    this.#places[this.#placeOf(id)] = slot + 1
    this.#size++
  }

  /** Removes an id; its slot must still have it. */
  remove(id: number): void {
    const mask = this.#places.length - 1
    let hole = this.#placeOf(id)
    if (this.#places[hole] === EMPTY) return
    this.#size--
    for (let at = (hole + 1) & mask; this.#places[at] !== EMPTY; at = (at + 1) & mask) {
      const home = this.#homeOf(this.#idOf(this.#places[at]! - 1))
      // Backward-shift deletion (linear probing): an entry whose home is at or before the hole moves into it.
      if (((at - home) & mask) < ((at - hole) & mask)) continue
      this.#places[hole] = this.#places[at]!
      hole = at
    }
    this.#places[hole] = EMPTY
  }

  #grow(): void {
    const slots = this.#places.filter((slot) => slot !== EMPTY)
    this.#places = new Int32Array(this.#places.length * 2)
    for (const slot of slots) this.#places[this.#placeOf(this.#idOf(slot - 1))] = slot
  }

  /** The place of an id, or the empty place where it belongs. */
  #placeOf(id: number): number {
    const mask = this.#places.length - 1
    let place = this.#homeOf(id)
    for (;;) {
      const slot = this.#places[place]!
      if (slot === EMPTY || this.#idOf(slot - 1) === id) return place
      place = (place + 1) & mask
    }
  }

  #homeOf(id: number): number {
    const mixed = Math.imul(id | 0, 0x9e3779b1) ^ Math.imul(Math.floor(id / 2 ** 32), 0x85ebca6b)
    return (mixed ^ (mixed >>> 15)) & (this.#places.length - 1)
  }
}
