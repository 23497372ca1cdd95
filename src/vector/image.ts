import { SluiceError } from '../kit/errors.ts'
import { BLOCK_SLOTS, strideOf } from './blocks.ts'
import { ImageMemory } from './image-memory.ts'
import type { Metric } from './metric.ts'
import { type Hit, type ScanRequest, Scanner, scratchBytes } from './scanner.ts'
import { Slots } from './slots.ts'

export type { Hit } from './scanner.ts'

export type SearchOptions = {
  k: number
  /** `cosine` unless given. Scores of all are larger for closer vectors; for `euclidean` it is minus the distance. */
  metric?: Metric
  /** The ids that may be found; all unless given. */
  allow?: Iterable<number>
}

export type ImageOptions = {
  dimensions: number
  /** From how many vectors on a cosine search compares signs first; where that becomes faster, unless given. */
  signsFrom?: number
}

const SIGNS_FROM = 100_000
/** How many slots the signs leave for the codes, at least. Of 73,000 texts' embeddings no top-10 hit was lost. */
const SIGN_CANDIDATES = 2000
const SIGN_CANDIDATES_PER_HIT = 10
/** Signs look at all slots, however few are allowed: comparing them takes so much less than comparing codes. */
const SIGNS_ARE_FASTER = 4
/** Where fewer than one in so many slots are allowed, they are visited one by one. */
const FEW = 16

/**
 * Vectors in memory, a byte a number, all of them looked at in every search: no index to build, none to get stale, and
 * any filter is exact. Scores are off by up to a hundredth; `searchExactly` ranks by the vectors themselves.
 *
 * A vector takes nine eighths of its dimensions, rounded up to a multiple of 32, and some 27 bytes. Ids are whole
 * numbers. A vector of zeros is found by no cosine.
 */
export class VectorImage {
  readonly dimensions: number
  readonly #signsFrom: number
  readonly #slots: Slots
  readonly #scanner: Scanner

  constructor({ dimensions, signsFrom = SIGNS_FROM }: ImageOptions) {
    this.dimensions = dimensions
    this.#signsFrom = signsFrom
    const memory = new ImageMemory()
    const scratch = memory.allocate(scratchBytes(strideOf(dimensions)))
    this.#slots = new Slots(dimensions, memory)
    this.#scanner = new Scanner(this.#slots.layout, scratch)
  }

  get size(): number {
    return this.#slots.size
  }

  has(id: number): boolean {
    return this.#slots.slotOf(id) !== undefined
  }

  /**
   * Takes a vector in, in place of the one with the same id.
   *
   * @throws SluiceError `dimension_mismatch`; `provider_failed` for a number that is not finite
   */
  add(id: number, vector: Float32Array): void {
    this.#check(vector)
    this.#slots.put(id, vector)
  }

  /** Whether it was there. */
  remove(id: number): boolean {
    return this.#slots.remove(id)
  }

  /** The `k` best by the codes, the best first. */
  search(query: Float32Array, options: SearchOptions): Hit[] {
    this.#check(query)
    const listed = options.allow && this.#slotsOf(options.allow)
    const count = listed ? listed.length : this.size
    const request = this.#requestOf(query, options, count)
    if (request.k < 1) return []
    if (listed && listed.length * FEW < this.size) return this.#scanner.searchSlots(request, listed)
    if (listed) request.allowed = this.#marked(listed)
    return this.#scanner.search(request, this.#slots.blocks.keys())
  }

  #requestOf(query: Float32Array, options: SearchOptions, count: number): ScanRequest {
    const k = Math.min(options.k, count)
    const metric = options.metric ?? 'cosine'
    const signs = metric === 'cosine' && count >= this.#signsFrom && count * SIGNS_ARE_FASTER >= this.size
    return {
      query,
      metric,
      k,
      ...(signs ? { signCandidates: Math.max(SIGN_CANDIDATES, k * SIGN_CANDIDATES_PER_HIT) } : {}),
    }
  }

  /** In ascending order. */
  #slotsOf(ids: Iterable<number>): Int32Array {
    const slots = new Set<number>()
    for (const id of ids) {
      const slot = this.#slots.slotOf(id)
      if (slot !== undefined) slots.add(slot)
    }
    return Int32Array.from(slots).sort()
  }

  #marked(slots: Int32Array): Uint8Array {
    const allowed = new Uint8Array(this.#slots.blocks.length * BLOCK_SLOTS)
    for (const slot of slots) allowed[slot] = 1
    return allowed
  }

  #check(vector: Float32Array): void {
    if (vector.length !== this.dimensions)
      throw new SluiceError('dimension_mismatch', {
        got: vector.length,
        want: this.dimensions,
        namespace: 'in memory',
      })
    for (let at = 0; at < vector.length; at++)
      if (!Number.isFinite(vector[at]!))
        throw new SluiceError('provider_failed', {
          provider: 'The embedder',
          reason: 'a vector holds a number that is not finite',
        })
  }
}
