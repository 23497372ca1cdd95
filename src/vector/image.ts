import { SluiceError } from '../kit/errors.ts'
import { Best } from './best.ts'
import type { Metric } from './metric.ts'
import { Scanner, type Tour } from './scanner.ts'
import { Slots } from './slots.ts'

export type Hit = { id: number; score: number }

/** Which ids may be found: these, and only they are visited; or all that a function accepts. */
export type Allow = Iterable<number> | ((id: number) => boolean)

export type SearchOptions = {
  k: number
  /** `cosine` unless given. Scores of all are larger for closer vectors; for `euclid` it is minus the distance. */
  metric?: Metric
  allow?: Allow
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

/**
 * Vectors in memory, a byte a number, all of them looked at in every search: no index to build, none to get stale, and
 * any filter is exact. Scores are off by up to a hundredth; `searchExactly` ranks by the vectors themselves.
 *
 * A vector takes its dimensions, rounded up to a multiple of 32, and some 27 bytes; an eighth more where signs are kept.
 * Ids are whole numbers. A vector of zeros is found by no cosine.
 */
export class VectorImage {
  readonly dimensions: number
  readonly #signsFrom: number
  readonly #slots: Slots
  readonly #scanner: Scanner

  constructor({ dimensions, signsFrom = SIGNS_FROM }: ImageOptions) {
    this.dimensions = dimensions
    this.#signsFrom = signsFrom
    this.#slots = new Slots(dimensions)
    this.#scanner = new Scanner(this.#slots)
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

  /** The `k` best by the codes, the best first; of equal scores the one that has been here longer, as a rule. */
  search(query: Float32Array, { k, metric = 'cosine', allow }: SearchOptions): Hit[] {
    this.#check(query)
    const norm = this.#scanner.aim(query)
    if (this.size === 0 || k < 1 || (metric === 'cosine' && norm === 0)) return []
    const { tour, count } = this.#tourOf(allow)
    const best = new Best(Math.min(k, count))
    if (metric === 'cosine' && count >= this.#signsFrom)
      this.#scanner.scan(metric, this.#bySigns(query, tour, Math.min(k, count)), best)
    else this.#scanner.scan(metric, tour, best)
    return best.ranked().map(({ owner, score }) => ({
      id: this.#slots.idOf(owner),
      score: metric === 'euclid' ? -Math.sqrt(Math.max(0, norm ** 2 - score)) : score,
    }))
  }

  #tourOf(allow: Allow | undefined): { tour: Tour; count: number } {
    if (allow === undefined) return { tour: this.#scanner.everySlot, count: this.size }
    if (typeof allow === 'function') return { tour: this.#scanner.accepted(allow), count: this.size }
    const slots = new Set<number>()
    for (const id of allow) {
      const slot = this.#slots.slotOf(id)
      if (slot !== undefined) slots.add(slot)
    }
    return { tour: this.#scanner.listed(Int32Array.from(slots).sort()), count: slots.size }
  }

  /** The slots of a tour whose signs are closest to the query's. */
  #bySigns(query: Float32Array, tour: Tour, k: number): Tour {
    this.#slots.keepSigns()
    const closest = new Best(Math.max(SIGN_CANDIDATES, k * SIGN_CANDIDATES_PER_HIT))
    this.#scanner.compareSigns(query, tour, closest)
    return this.#scanner.listed(Int32Array.from(closest.ranked(), ({ owner }) => owner).sort())
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
