import type { Best } from './best.ts'
import { BLOCK_SLOTS } from './blocks.ts'
import type { Metric } from './metric.ts'
import { largestQueryCode, quantise } from './quantise.ts'
import { HIT_BYTES, LARGEST_PLANE_CODE, PLANE_WEIGHTS } from './scan-kernel.ts'
import type { Slots } from './slots.ts'

/** Shows slots to a visitor: those of one block at a time, as their places in the block, in the kernels' memory. */
export type Tour = (visit: (block: number, places: Int32Array) => void) => void

/** Scores slots against one query at a time. Lies in the same memory as the slots, so that the kernels reach both. */
export class Scanner {
  readonly #slots: Slots
  readonly #query: Int16Array
  readonly #queryPlanes: Uint8Array
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
    this.#queryPlanes = memory.allocate(Uint8Array, (PLANE_WEIGHTS.length * stride) / 8)
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

  /** Sets the query of what follows; answers its length. */
  aim(query: Float32Array): number {
    const { scale, norm } = quantise(query, this.#query, largestQueryCode(this.#slots.stride))
    this.#scale = scale
    this.#norm = norm
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

  /** Offers the slots of a tour by the product of their signs and 4-bit codes of a query; signs have to be kept. */
  compareSigns(query: Float32Array, tour: Tour, best: Best): void {
    const { kernel, blocks } = this.#slots
    this.#setPlanes(query)
    tour((block, places) => {
      const end = kernel.compareSigns(
        places.byteOffset,
        places.byteOffset + places.byteLength,
        this.#hitPlaces.byteOffset,
        blocks[block]!.signs!.byteOffset,
        this.#queryPlanes.byteOffset,
        best.threshold,
      )
      this.#offerHits(block, end, best)
    })
  }

  #setPlanes(query: Float32Array): void {
    const planeBytes = this.#queryPlanes.length / PLANE_WEIGHTS.length
    const codes = new Int8Array(this.#query.length)
    quantise(query, codes, LARGEST_PLANE_CODE)
    this.#queryPlanes.fill(0)
    for (const [at, code] of codes.entries())
      for (let plane = 0; plane < PLANE_WEIGHTS.length; plane++)
        this.#queryPlanes[plane * planeBytes + (at >> 3)]! |= ((code >> plane) & 1) << (at & 7)
  }

  #offerHits(block: number, end: number, best: Best): void {
    const { ids } = this.#slots.blocks[block]!
    const length = (end - this.#hitPlaces.byteOffset) / 4
    for (let at = 0; at < length; at += 2) {
      const place = this.#hitPlaces[at]!
      // The signs of an empty slot are still there.
      if (!Number.isNaN(ids[place]!)) best.offer(block * BLOCK_SLOTS + place, this.#hitScores[at + 1]!)
    }
  }
}
