import type { Connection } from '../../db/sqlite/connection.ts'
import {
  broughtChunks,
  type PublishedRun,
  removedChunks,
  vectorsBetween,
} from '../../db/sqlite/index-changes.ts'
import { chunkRange } from '../../db/sqlite/chunk-range.ts'
import {
  chunkBeforeRunsAfter,
  gonePassages,
  isVisiblePassage,
  publishedBetween,
} from '../../db/sqlite/vector-images.ts'
import { type Hit, type SearchOptions, VectorImage } from '../../vector/image.ts'
import type { ScanThreads } from '../../vector/scan-threads.ts'
import { Follower, inParts, inSpans, inSteps } from './follower.ts'
import type { ImageFiles } from './image-files.ts'
import {
  abandonedSpans,
  type HiddenIds,
  isStoredPassage,
  passagesBetween,
  passagesOfRun,
  runsOfDeath,
} from '../../db/sqlite/hidden-passages.ts'

/** Bytes for each vector besides the vector itself: its id, and the place of it. */
const PLACE_BYTES = 20
/** Bytes of the objects of an image. */
const IMAGE_BYTES = 2000

/** `changedBytes`: of the parts of the image that are to be written again. */
export type ImageExtent = { size: number; bytes: number; changes: number; changedBytes: number }

/** The passages that readers see, with their vectors, in memory for searches by vector. */
export class SearchImage extends Follower {
  readonly #threads: ScanThreads
  readonly #files: ImageFiles
  #image: VectorImage | undefined
  #changes = 0

  constructor(
    reader: Connection,
    indexId: number,
    { threads, files }: { threads: ScanThreads; files: ImageFiles },
  ) {
    super(reader, indexId)
    this.#threads = threads
    this.#files = files
  }

  /** Length of the vectors; undefined while there are none. */
  get dimensions(): number | undefined {
    return this.#image?.dimensions
  }

  /** How many vectors there are, how many were added or removed since the file was written, and the bytes of all and of those. */
  get extent(): ImageExtent {
    const image = this.#image
    if (!image) return { size: 0, bytes: 0, changes: this.#changes, changedBytes: 0 }
    return {
      size: image.size,
      bytes: image.bytes,
      changes: this.#changes,
      changedBytes: this.#files.unsavedBytes(image),
    }
  }

  /** The bytes that it takes in memory. */
  get heldBytes(): number {
    const image = this.#image
    return IMAGE_BYTES + (image ? image.bytes + image.size * PLACE_BYTES : 0)
  }

  /** Whether a passage has a vector here: whether readers see it, at the run that the image shows. */
  has(passageId: number): boolean {
    return this.#image?.has(passageId) ?? false
  }

  /** The passages closest to a vector, by the codes of the vectors. */
  nearest(vector: Float32Array, options: SearchOptions): Hit[] {
    return this.#image?.search(vector, options) ?? []
  }

  /** The cosine of a vector with those of some passages, by their codes; a passage without one is left out. */
  cosines(vector: Float32Array, passageIds: readonly number[]): Hit[] {
    return this.#image?.scores(vector, passageIds) ?? []
  }

  /** The same on threads, with the event loop free; undefined where a search here is as quick. */
  nearestAside(vector: Float32Array, options: SearchOptions): Promise<Hit[]> | undefined {
    return this.#image?.searchAside(vector, options)
  }

  /** Writes the file of the image. Returns whether it did. */
  async save(signal: AbortSignal): Promise<boolean> {
    const image = this.#image
    if (!image) return false
    const before = this.#changes
    const atRest = async <Result>(take: (run: number) => Result): Promise<Result | undefined> => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        signal.throwIfAborted()
        await this.follow()
        if (!this.isAtRest) continue
        this.#changes = 0
        return take(this.run!)
      }
      return undefined
    }
    const isSaved = await this.#files.save(this.indexId, image, atRest, signal).catch((error: unknown) => {
      this.#changes += before
      throw error
    })
    if (!isSaved) this.#changes += before
    return isSaved
  }

  close(): void {
    this.#image?.close()
  }

  protected async load(run: number): Promise<void> {
    this.#image?.close()
    this.#image = undefined
    this.#changes = 0
    if (await this.#loadFile(run)) return
    this.#image = undefined
    await this.#addVisible(chunkRange(this.reader, this.indexId))
  }

  /** Loads the file of the index, and what changed from its run up to `run`. Returns whether there is such a file. */
  async #loadFile(run: number): Promise<boolean> {
    const { reader, indexId } = this
    const found = await this.#files.load(indexId, this.#threads)
    if (!found) return false
    this.#image = found.image
    const { first, last } = chunkRange(reader, indexId)
    await this.#addVisible({ first: Math.max(first, chunkBeforeRunsAfter(reader, indexId, found.run)), last })
    for (const seq of publishedBetween(reader, indexId, { after: found.run, upTo: run }))
      await eachGone(this.reader, seq, (id) => this.#remove(id))
    // Read last: the rows that a sweep has deleted meanwhile are in it.
    const gone = gonePassages(reader, indexId, found.run)
    if (!gone) return false
    await inParts(gone, (id) => {
      if (!isVisiblePassage(reader, id)) this.#remove(id)
    })
    return true
  }

  protected async take({ seq, before }: PublishedRun): Promise<void> {
    await inSteps(
      before,
      (after, limit) => broughtChunks(this.reader, seq, after, limit),
      ({ chunk }) => chunk,
      ({ passage }) => this.#add(passage.id, passage.vector),
    )
    await eachGone(this.reader, seq, (id) => this.#remove(id))
  }

  #addVisible(range: { first: number; last: number }): Promise<void> {
    return inSpans(range, (span) => {
      for (const { id, vector } of vectorsBetween(this.reader, this.indexId, span)) this.#add(id, vector)
    })
  }

  #add(id: number, vector: Float32Array): void {
    this.#image ??= new VectorImage({ dimensions: vector.length, threads: this.#threads })
    this.#image.add(id, vector)
    this.#changes++
  }

  #remove(id: number): void {
    if (this.#image?.remove(id)) this.#changes++
  }
}

/** How often a moment at which the image is at rest is waited for. */
const MOST_ATTEMPTS = 20

let versions = 0

/** With so many ids, or twice those that were left the last time, the ids of passages that a sweep has deleted are dropped. */
const LEAST_CHECKED = 256

/** What an id takes, in the set and sorted, and the objects of all. */
const ID_BYTES = 50
const OBJECT_BYTES = 600

/**
 * The passages of an index that readers see no chunk of, although they are stored: of removed sources that can be restored, of
 * removed chunks before the sweep, and of abandoned runs. They must not count in the scores of the others.
 */
export class HiddenPassages extends Follower implements HiddenIds {
  readonly #ids = new Set<number>()
  /** Abandoned runs whose passages were looked at. */
  readonly #abandoned = new Set<number>()
  #sorted: Float64Array | undefined
  #version = 0
  #checkedFrom = LEAST_CHECKED

  /** How many ids there are: some may be of passages that a sweep has deleted meanwhile. */
  get size(): number {
    return this.#ids.size
  }

  /** The bytes that it takes in memory. */
  get heldBytes(): number {
    return OBJECT_BYTES + this.#ids.size * ID_BYTES
  }

  get version(): number {
    return this.#version
  }

  between(first: number, last: number): Float64Array {
    this.#sorted ??= Float64Array.from(this.#ids).sort()
    const from = placeOf(this.#sorted, first)
    return this.#sorted.subarray(from, placeOf(this.#sorted, last + 1))
  }

  protected async load(run: number): Promise<void> {
    this.#ids.clear()
    this.#abandoned.clear()
    this.#changed()
    for (const death of runsOfDeath(this.reader, this.indexId))
      await eachGone(this.reader, death, (id) => this.#add(id))
    await this.#addAbandoned(run)
    this.#checkedFrom = Math.max(LEAST_CHECKED, 2 * this.#ids.size)
  }

  protected async take({ seq, before }: PublishedRun): Promise<void> {
    if (this.#ids.size > 0)
      await inSteps(
        before,
        (after, limit) => passagesOfRun(this.reader, seq, after, limit),
        ({ chunk }) => chunk,
        ({ passageId }) => {
          if (this.#ids.delete(passageId)) this.#changed()
        },
      )
    await eachGone(this.reader, seq, (id) => this.#add(id))
    await this.#addAbandoned(seq)
    if (this.#ids.size >= this.#checkedFrom) await this.#dropDeleted()
  }

  /** The sweep has deleted them, and counts them in their segments: for a search it makes no difference whether they are here. */
  async #dropDeleted(): Promise<void> {
    await inParts([...this.#ids], (id) => {
      if (!isStoredPassage(this.reader, id)) this.#ids.delete(id)
    })
    this.#sorted = undefined
    this.#checkedFrom = Math.max(LEAST_CHECKED, 2 * this.#ids.size)
  }

  /**
   * Adds what abandoned runs before a run have left, once: later runs that show some of it, or remove it, are followed. What such runs
   * after it have staged is left out by its ids.
   */
  async #addAbandoned(run: number): Promise<void> {
    const spans = abandonedSpans(this.reader, this.indexId, run)
    const stored = new Set(spans.map(({ seq }) => seq))
    for (const seq of this.#abandoned) if (!stored.has(seq)) this.#abandoned.delete(seq)
    for (const { seq, first, end } of spans) {
      if (this.#abandoned.has(seq)) continue
      await inSteps(
        first - 1,
        (after, limit) => passagesBetween(this.reader, this.indexId, { after, end, limit }),
        ({ id }) => id,
        ({ id, visible }) => {
          if (!visible) this.#add(id)
        },
      )
      this.#abandoned.add(seq)
    }
  }

  #add(id: number): void {
    if (this.#ids.has(id)) return
    this.#ids.add(id)
    this.#changed()
  }

  #changed(): void {
    this.#sorted = undefined
    this.#version = this.#ids.size > 0 ? ++versions : 0
  }
}

/** Goes over the passages of which the last visible chunk died in a run. */
const eachGone = (reader: Connection, run: number, take: (passageId: number) => void): Promise<void> =>
  inSteps(
    0,
    (after, limit) => removedChunks(reader, run, after, limit),
    ({ chunk }) => chunk,
    ({ passageId, gone }) => {
      if (gone) take(passageId)
    },
  )

/** The place of the first number that is at least `wanted`. */
function placeOf(numbers: Float64Array, wanted: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}
