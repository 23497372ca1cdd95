import type { Metric } from '../contract/retrieval.ts'
import type { Ids } from '../kit/id-set.ts'
import { SluiceError } from '../kit/errors.ts'
import { BLOCK_SLOTS, blockBytes, strideOf } from './blocks.ts'
import { ImageMemory } from './image-memory.ts'
import { SCAN_THREADS, type ScanThreads, type ThreadedImage } from './scan-threads.ts'
import { type Hit, type ScanRequest, Scanner, scratchBytes } from './scanner.ts'
import { Slots } from './slots.ts'
import { SmallRows } from './small-rows.ts'
import { exactScore } from './metric.ts'

export type { Hit } from './scanner.ts'

export type SearchOptions = {
  k: number
  /** `cosine` unless given. Scores of all are larger for closer vectors; for `euclidean` it is minus the distance. */
  metric?: Metric
  /** The ids that may be found; all unless given. */
  allow?: Ids
}

export type ImageOptions = {
  dimensions: number
  /** From how many vectors on a cosine search compares signs first; where that becomes faster, unless given. */
  signsFrom?: number
  /** Threads for large searches. */
  threads?: ScanThreads
  /** From how many scanned bytes on threads are used; where that becomes faster, unless given. */
  threadedFrom?: number
}

const SIGNS_FROM = 100_000
/**
 * How many slots the signs leave for the codes: so many at least, and from a million vectors on this many times the square
 * root of their number. Of 128,000 sentences' embeddings all top-10 hits were among the closest 400, and fewer in a half
 * or a quarter of them: the number grows for vectors that are evenly spread around centres.
 */
const SIGN_CANDIDATES = 2000
const SIGN_CANDIDATES_PER_ROOT = 2
const SIGN_CANDIDATES_PER_HIT = 10
/** Signs of all slots are compared, also where few are allowed: that takes so much less time than comparing codes. */
const SIGNS_ARE_FASTER = 4
/** From how many scanned bytes on threads are used: some 2 ms of work. Starting them takes 0.1 ms. */
const THREADED_FROM = 16e6
/** Where fewer than one in so many slots are allowed, they are visited one by one. */
const FEW = 16

/**
 * Vectors in memory, one byte a number. Every search compares all of them: there is no index to build or to update, and
 * any filter is exact. Scores are off by up to a hundredth; `searchExactly` ranks by the vectors themselves.
 *
 * A vector takes nine eighths of its dimensions, rounded up to a multiple of 32, and some 20 bytes. Up to a block of them grow with their
 * number (`SmallRows`); more are in blocks, in a memory of their own (`Slots`). Both give the same scores to the bit. Ids are whole numbers.
 * A vector of zeros is found by no cosine.
 */
export class VectorImage {
  readonly dimensions: number
  readonly #signsFrom: number
  #threads: ScanThreads | undefined
  readonly #threadedFrom: number
  #held: { small: SmallRows } | Large

  constructor({ dimensions, signsFrom, threads, threadedFrom }: ImageOptions) {
    this.dimensions = dimensions
    this.#signsFrom = signsFrom ?? SIGNS_FROM
    this.#threads = threads
    this.#threadedFrom = threadedFrom ?? THREADED_FROM
    this.#held = { small: new SmallRows(dimensions) }
  }

  get size(): number {
    return this.#rows.size
  }

  /** How many bytes its vectors take in memory, and those of a large image in a file. */
  get bytes(): number {
    if ('small' in this.#held) return this.#held.small.bytes
    const { blocks, layout } = this.#held.slots
    return blocks.length * blockBytes(layout.stride)
  }

  has(id: number): boolean {
    return this.#rows.slotOf(id) !== undefined
  }

  /**
   * Adds a vector, or replaces the one with the same id.
   *
   * @throws SluiceError `dimension_mismatch`; `provider_failed` for a number that is not finite
   */
  add(id: number, vector: Float32Array): void {
    this.#check(vector)
    const isFull = 'small' in this.#held && this.#held.small.isFull && !this.has(id)
    const rows = isFull ? this.slots : this.#rows
    rows.put(id, vector)
  }

  /** The vectors in blocks as they are in a file, to write them to it or read them from it. A small image becomes a large one. */
  get slots(): Slots {
    return this.#large.slots
  }

  /** Whether it was there. */
  remove(id: number): boolean {
    return this.#rows.remove(id)
  }

  /** The `k` best by the codes, the best first. */
  search(query: Float32Array, options: SearchOptions): Hit[] {
    return this.#search(this.#plan(query, options))
  }

  /** The scores of some ids by the codes, in no useful order. An id without a vector is left out, and so is one without a cosine. */
  scores(query: Float32Array, ids: readonly number[], metric: Metric = 'cosine'): Hit[] {
    this.#check(query)
    const slots = this.#slotsOf(new Set(ids))
    return this.#search({ request: { query, metric, k: slots.length }, slots })
  }

  /**
   * `search` on threads, so that the event loop is free; undefined where a search on this thread is as quick. If the image
   * changes meanwhile, the result is wrong and must be discarded.
   */
  searchAside(query: Float32Array, options: SearchOptions): Promise<Hit[]> | undefined {
    if (!this.#threads || this.#allowsFew(options)) return undefined
    if (this.#bytesOf(options.allow?.size ?? this.size, options.metric) < this.#threadedFrom) return undefined
    const { threaded, slots } = this.#large
    const { request } = this.#plan(query, options)
    return this.#threads.search(threaded, request, slots.blocks.length).then((hits) => best(hits, request.k))
  }

  /** Makes the threads free the memory. */
  close(): void {
    if ('threaded' in this.#held) this.#threads?.drop(this.#held.threaded)
    this.#threads = undefined
  }

  get #rows(): SmallRows | Slots {
    return 'small' in this.#held ? this.#held.small : this.#held.slots
  }

  get #large(): Large {
    if ('slots' in this.#held) return this.#held
    const large = largeFor(this.dimensions, this.#threads ? SCAN_THREADS : 0)
    large.slots.takeOver(this.#held.small)
    this.#held = large
    return large
  }

  #search({ request, slots }: Plan): Hit[] {
    if ('small' in this.#held) {
      const { small } = this.#held
      return small.search(request, slots ?? small.slotsOf())
    }
    const { scanner, slots: all } = this.#held
    return slots ? scanner.searchSlots(request, slots) : scanner.search(request, all.blocks.keys())
  }

  #plan(query: Float32Array, options: SearchOptions): Plan {
    this.#check(query)
    const { allow, metric = 'cosine' } = options
    if (this.#signsHelp(allow?.size ?? this.size, metric)) return this.#planLarge(this.#large, query, options)
    if ('slots' in this.#held) return this.#planLarge(this.#held, query, options)
    const slots = this.#held.small.slotsOf(allow)
    return { request: this.#requestOf(query, options, slots.length), slots }
  }

  #planLarge(large: Large, query: Float32Array, options: SearchOptions): Plan {
    const { allow } = options
    if (!allow) return { request: this.#requestOf(query, options, this.size) }
    if (this.#allowsFew(options)) {
      const slots = this.#slotsOf(allow)
      return { request: this.#requestOf(query, options, slots.length), slots }
    }
    const { marks, count } = markedSlots(large.slots, allow)
    return { request: { ...this.#requestOf(query, options, count), allowed: marks } }
  }

  #allowsFew({ allow }: SearchOptions): boolean {
    return allow !== undefined && allow.size * FEW < this.size
  }

  #requestOf(query: Float32Array, { k, metric = 'cosine' }: SearchOptions, count: number): ScanRequest {
    const request = { query, metric, k: Math.min(k, count) }
    if (!this.#signsHelp(count, metric)) return request
    const signCandidates = Math.max(
      SIGN_CANDIDATES,
      request.k * SIGN_CANDIDATES_PER_HIT,
      Math.ceil(SIGN_CANDIDATES_PER_ROOT * Math.sqrt(count)),
    )
    return { ...request, signCandidates, hasEmpty: this.#rows.used > this.#rows.size }
  }

  #signsHelp(count: number, metric: Metric): boolean {
    return metric === 'cosine' && count >= this.#signsFrom && count * SIGNS_ARE_FASTER >= this.size
  }

  /** The cost of a search of so many vectors, in bytes of codes that are read. */
  #bytesOf(count: number, metric: Metric = 'cosine'): number {
    const rows = this.#signsHelp(count, metric) ? this.size / SIGNS_ARE_FASTER : count
    return rows * strideOf(this.dimensions)
  }

  /** In ascending order. */
  #slotsOf(ids: Ids): Int32Array {
    if ('small' in this.#held) return this.#held.small.slotsOf(ids)
    const slots = new Int32Array(ids.size)
    let count = 0
    for (const id of ids) {
      const slot = this.#held.slots.slotOf(id)
      if (slot !== undefined) slots[count++] = slot
    }
    return slots.subarray(0, count).sort()
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

/** Blocks in a memory of their own, and what scans them here and on threads. */
type Large = { slots: Slots; scanner: Scanner; threaded: ThreadedImage }

function largeFor(dimensions: number, threads: number): Large {
  const memory = new ImageMemory()
  const room = () => memory.allocate(scratchBytes(strideOf(dimensions)))
  const scratch = room()
  const scratches = Array.from({ length: threads }, room)
  const slots = new Slots(dimensions, memory)
  const { layout } = slots
  return { slots, scanner: new Scanner(layout, scratch), threaded: { layout, scratches } }
}

/** A byte a slot, 1 for those of some ids, and how many these are. Threads can read it. */
function markedSlots(slots: Slots, ids: Ids): { marks: Uint8Array; count: number } {
  const marks = new Uint8Array(new SharedArrayBuffer(slots.blocks.length * BLOCK_SLOTS))
  let count = 0
  if (ids.size * 2 < slots.size) {
    for (const id of ids) {
      const slot = slots.slotOf(id)
      if (slot === undefined) continue
      marks[slot] = 1
      count++
    }
    return { marks, count }
  }
  // In the order of the slots: ids that were added together are looked up together.
  for (const [number, block] of slots.blocks.entries())
    for (let place = 0; place < BLOCK_SLOTS; place++) {
      const id = block.ids[place]!
      if (Number.isNaN(id) || !ids.has(id)) continue
      marks[number * BLOCK_SLOTS + place] = 1
      count++
    }
  return { marks, count }
}

/** Which slots a search scores: some slots, or all blocks. */
type Plan = { request: ScanRequest; slots?: Int32Array }

const best = (hits: Hit[], k: number): Hit[] =>
  hits.sort((left, right) => right.score - left.score || left.id - right.id).slice(0, k)

/** How many hits of an image to take where `k` are wanted in exact order. */
export const candidatesFor = (k: number): number => k + 50

/** Ranks ids by their exact vectors. Ids without a vector, or with a NaN score, are left out. */
export function rescore(
  query: Float32Array,
  ids: readonly number[],
  vectors: ReadonlyMap<number, Float32Array>,
  { k, metric = 'cosine' }: { k: number; metric?: Metric },
): Hit[] {
  return ids
    .flatMap((id) => {
      const vector = vectors.get(id)
      const score = vector ? exactScore(metric, query, vector) : Number.NaN
      return Number.isNaN(score) ? [] : { id, score }
    })
    .sort((left, right) => right.score - left.score || left.id - right.id)
    .slice(0, k)
}

/** Searches an image and ranks what it finds by the vectors that `exact` reads. */
export function searchExactly(
  image: VectorImage,
  query: Float32Array,
  { exact, ...options }: SearchOptions & { exact: (ids: number[]) => ReadonlyMap<number, Float32Array> },
): Hit[] {
  const ids = image.search(query, { ...options, k: candidatesFor(options.k) }).map(({ id }) => id)
  return rescore(query, ids, exact(ids), options)
}
