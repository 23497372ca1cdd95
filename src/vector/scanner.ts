import type { Best } from './best.ts'
import { BLOCK_SLOTS } from './blocks.ts'
import type { Metric } from './metric.ts'
import { largestQueryCode, quantise } from './quantise.ts'
import { HIT_BYTES } from './scan-kernel.ts'
import type { Slots } from './slots.ts'

/** Shows slots to a visitor: those of one block at a time, as their places in the block, in the kernels' memory. */
export type Tour = (visit: (block: number, places: Int32Array) => void) => void

/** Scores slots against one query at a time. Lies in the same memory as the slots, so that the kernels reach both. */
export class Scanner {
  readonly #slots: Slots
  readonly #query: Int16Array
  readonly #querySigns: Uint8Array
  readonly #everyPlace: Int32Array
  readonly #places: Int32Array
  readonly #hitPlaces: Int32Array
  readonly #hitScores: Float32Array
  #scale = 0
  #norm = 0

  constructor(slots: Slots) {
    const { memory, stride } = slots
    this.#slots = slots
    this.#query = memory.allocate(Int16Array, stride)
    this.#querySigns = memory.allocate(Uint8Array, stride / 8)
    this.#everyPlace = memory.allocate(Int32Array, BLOCK_SLOTS)
    for (let place = 0; place < BLOCK_SLOTS; place++) this.#everyPlace[place] = place
    this.#places = memory.allocate(Int32Array, BLOCK_SLOTS)
    this.#hitPlaces = memory.allocate(Int32Array, (BLOCK_SLOTS * HIT_BYTES) / 4)
    const { buffer, byteOffset, length } = this.#hitPlaces
    this.#hitScores = new Float32Array(buffer, byteOffset, length)
  }

  /** All slots; empty ones score nothing. */
  everySlot: Tour = (visit) => {
    for (let block = 0; block < this.#slots.blocks.length; block++) visit(block, this.#everyPlace)
  }

  /** The slots whose ids a function accepts. */
  accepted(accepts: (id: number) => boolean): Tour {
    return (visit) => {
      for (const [block, { ids }] of this.#slots.blocks.entries()) {
        let count = 0
        for (let place = 0; place < BLOCK_SLOTS; place++) {
          const id = ids[place]!
          if (!Number.isNaN(id) && accepts(id)) this.#places[count++] = place
        }
        if (count > 0) visit(block, this.#places.subarray(0, count))
      }
    }
  }

  /** These slots, in ascending order and each once. */
  listed(slots: Int32Array): Tour {
    return (visit) => {
      for (let from = 0; from < slots.length; ) {
        const block = Math.floor(slots[from]! / BLOCK_SLOTS)
        let count = 0
        while (from < slots.length && slots[from]! < (block + 1) * BLOCK_SLOTS)
          this.#places[count++] = slots[from++]! % BLOCK_SLOTS
        visit(block, this.#places.subarray(0, count))
      }
    }
  }

  /** The query of what follows. Answers its length. */
  aim(query: Float32Array): number {
    const { scale, norm } = quantise(query, this.#query, largestQueryCode(this.#slots.stride))
    this.#scale = scale
    this.#norm = norm
    this.#querySigns.fill(0)
    for (let at = 0; at < query.length; at++)
      if (this.#query[at]! < 0) this.#querySigns[at >> 3]! |= 1 << (at & 7)
    return norm
  }

  /** Offers the slots of a tour by the score of their codes; by minus the squared distance for `euclid`. */
  scan(metric: Metric, tour: Tour, best: Best): void {
    const { kernel, blocks } = this.#slots
    const cosine = metric === 'cosine' ? 1 : 0
    const euclid = metric === 'euclid' ? 1 : 0
    const weight = this.#scale * (cosine ? 1 / this.#norm : euclid ? 2 : 1)
    tour((block, places) => {
      const { codes, scales, norms } = blocks[block]!
      const end = kernel.scan(
        places.byteOffset,
        places.byteOffset + places.byteLength,
        this.#hitPlaces.byteOffset,
        codes.byteOffset,
        scales.byteOffset,
        norms.byteOffset,
        this.#query.byteOffset,
        weight,
        best.threshold,
        cosine,
        euclid,
      )
      this.#offerHits(block, end, best)
    })
  }

  /** Offers the slots of a tour by how few signs differ from the query's; signs have to be kept. */
  compareSigns(tour: Tour, best: Best): void {
    const { kernel, blocks } = this.#slots
    tour((block, places) => {
      const end = kernel.compareSigns(
        places.byteOffset,
        places.byteOffset + places.byteLength,
        this.#hitPlaces.byteOffset,
        blocks[block]!.signs!.byteOffset,
        this.#querySigns.byteOffset,
        best.threshold,
      )
      this.#offerHits(block, end, best)
    })
  }

  #offerHits(block: number, end: number, best: Best): void {
    const length = (end - this.#hitPlaces.byteOffset) / 4
    for (let at = 0; at < length; at += 2)
      best.offer(block * BLOCK_SLOTS + this.#hitPlaces[at]!, this.#hitScores[at + 1]!)
  }
}
