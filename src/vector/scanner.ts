import type { Metric } from '../contract/retrieval.ts'
import { Best } from './best.ts'
import { BLOCK_SLOTS, type Block, blockAt, type Layout } from './blocks.ts'
import { Closest } from './closest.ts'
import { HIT_BYTES } from './kernel-parts.ts'
import { type Kernels, kernels } from './kernels.ts'
import { quantise } from './quantise.ts'
import { SIGN_GROUP } from './sign-kernel.ts'
import { tableBytes, writeSignTables } from './sign-tables.ts'

/** A search of an image. */
export type ScanRequest = {
  query: Float32Array
  metric: Metric
  k: number
  /** Compares signs first, then the codes of so many slots with the closest signs. */
  signCandidates?: number
  /** Whether there are empty slots, of which signs are left over. */
  hasEmpty?: boolean
  /** A byte a slot, 0 for those that are not searched. All are searched unless given. */
  allowed?: Uint8Array
}

export type Hit = { id: number; score: number }

/** The most a code of a query may be. */
const LARGEST_QUERY_CODE = 127

/** Bytes of the memory that a scanner works in. */
export const scratchBytes = (stride: number): number =>
  stride + tableBytes(stride) + BLOCK_SLOTS * (4 + HIT_BYTES) + 2 * SIGN_GROUP

/** Calls a visitor with places, those of one block at a time. */
type Tour = (visit: (block: number, places: Int32Array) => void) => void

/** Scores slots of an image against one query at a time. `scratch` is the address of memory that no other scanner uses. */
export class Scanner {
  readonly #layout: Layout
  readonly #kernels: Kernels
  readonly #blocks: Block[] = []
  readonly #query: Int8Array
  readonly #tables: Uint8Array
  readonly #places: Int32Array
  readonly #hitPlaces: Int32Array
  readonly #hitScores: Float32Array
  readonly #sums: number

  constructor(layout: Layout, scratch: number) {
    const { memory, stride } = layout
    const { buffer } = memory
    this.#layout = layout
    this.#kernels = kernels(stride, memory)
    this.#query = new Int8Array(buffer, scratch, stride)
    this.#tables = new Uint8Array(buffer, scratch + stride, tableBytes(stride))
    this.#places = new Int32Array(buffer, this.#tables.byteOffset + this.#tables.length, BLOCK_SLOTS)
    const hits = this.#places.byteOffset + this.#places.byteLength
    this.#hitPlaces = new Int32Array(buffer, hits, (BLOCK_SLOTS * HIT_BYTES) / 4)
    this.#hitScores = new Float32Array(buffer, hits, this.#hitPlaces.length)
    this.#sums = hits + this.#hitPlaces.byteLength
  }

  /** The best among the slots of some blocks. */
  search(request: ScanRequest, blocks: Iterable<number>): Hit[] {
    const { allowed, signCandidates } = request
    if (signCandidates === undefined) return this.#scan(request, this.#asked(blocks, allowed))
    const closest = new Closest(signCandidates)
    this.#compareSigns(request, blocks, closest)
    return this.searchSlots(request, closest.owners().sort())
  }

  /** The best among these slots, which are in ascending order, each once. */
  searchSlots(request: ScanRequest, slots: Int32Array): Hit[] {
    return this.#scan(request, this.#listed(slots))
  }

  #scan({ query, metric, k }: ScanRequest, tour: Tour): Hit[] {
    const { scale, norm } = quantise(query, this.#query, LARGEST_QUERY_CODE)
    if (metric === 'cosine' && norm === 0) return []
    const cosine = metric === 'cosine' ? 1 : 0
    const euclidean = metric === 'euclidean' ? 1 : 0
    const weight = scale * (cosine ? 1 / norm : euclidean ? 2 : 1)
    const offset = 64 * this.#query.reduce((sum, code) => sum + code, 0)
    const best = new Best(k)
    tour((number, places) => {
      const { codes, scales, norms, ids } = this.#block(number)
      const end = this.#kernels.scan(
        places.byteOffset,
        places.byteOffset + places.byteLength,
        this.#hitPlaces.byteOffset,
        codes.byteOffset,
        scales.byteOffset,
        norms.byteOffset,
        this.#query.byteOffset,
        offset,
        weight,
        best.threshold,
        cosine,
        euclidean,
      )
      this.#eachHit(end, (place, score) => best.offer(ids[place]!, score))
    })
    return best.ranked().map(({ owner, score }) => ({
      id: owner,
      score: euclidean ? -Math.sqrt(Math.max(0, norm ** 2 - score)) : score,
    }))
  }

  #compareSigns(
    { query, allowed, hasEmpty = true }: ScanRequest,
    blocks: Iterable<number>,
    closest: Closest,
  ): void {
    writeSignTables(query, this.#layout.stride, this.#tables)
    for (const number of blocks) {
      const { signs, ids } = this.#block(number)
      const first = number * BLOCK_SLOTS
      const end = this.#kernels.compareSigns(
        signs.byteOffset,
        signs.byteOffset + signs.byteLength,
        0,
        this.#hitPlaces.byteOffset,
        this.#tables.byteOffset,
        closest.threshold,
        this.#sums,
      )
      this.#eachHit(end, (place, score) => {
        // To read an id takes as long as all else of a hit: it is far away in memory.
        if (hasEmpty && Number.isNaN(ids[place]!)) return
        if (allowed?.[first + place] !== 0) closest.offer(first + place, score)
      })
    }
  }

  #eachHit(end: number, take: (place: number, score: number) => void): void {
    const length = (end - this.#hitPlaces.byteOffset) / 4
    for (let at = 0; at < length; at += 2) take(this.#hitPlaces[at]!, this.#hitScores[at + 1]!)
  }

  #asked(blocks: Iterable<number>, allowed: Uint8Array | undefined): Tour {
    if (!allowed) for (let place = 0; place < BLOCK_SLOTS; place++) this.#places[place] = place
    return (visit) => {
      for (const number of blocks) {
        let count = BLOCK_SLOTS
        if (allowed) {
          count = 0
          for (let place = 0; place < BLOCK_SLOTS; place++)
            if (allowed[number * BLOCK_SLOTS + place] !== 0) this.#places[count++] = place
        }
        if (count > 0) visit(number, this.#places.subarray(0, count))
      }
    }
  }

  #listed(slots: Int32Array): Tour {
    return (visit) => {
      for (let from = 0; from < slots.length; ) {
        const number = Math.floor(slots[from]! / BLOCK_SLOTS)
        let count = 0
        while (from < slots.length && slots[from]! < (number + 1) * BLOCK_SLOTS)
          this.#places[count++] = slots[from++]! % BLOCK_SLOTS
        visit(number, this.#places.subarray(0, count))
      }
    }
  }

  #block(number: number): Block {
    this.#blocks[number] ??= blockAt(this.#layout, number)
    return this.#blocks[number]
  }
}
