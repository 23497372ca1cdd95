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

/** Bytes for each vector besides the vector itself: its id, and the place of it. */
const ID_BYTES = 20
/** Bytes of the objects of an image. */
const OBJECT_BYTES = 2000

/** `changedBytes`: of the parts of the image that are to be written again. */
export type ImageExtent = { size: number; bytes: number; changes: number; changedBytes: number }

/** The vectors of an index in memory, for searches by vector. */
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
    return OBJECT_BYTES + (image ? image.bytes + image.size * ID_BYTES : 0)
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
      await this.#removeDead(seq)
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
    await this.#removeDead(seq)
  }

  #addVisible(range: { first: number; last: number }): Promise<void> {
    return inSpans(range, (span) => {
      for (const { id, vector } of vectorsBetween(this.reader, this.indexId, span)) this.#add(id, vector)
    })
  }

  /** Removes the passages of which the last visible chunk died in a run. */
  #removeDead(run: number): Promise<void> {
    return inSteps(
      0,
      (after, limit) => removedChunks(this.reader, run, after, limit),
      ({ chunk }) => chunk,
      ({ passageId, gone }) => {
        if (gone) this.#remove(passageId)
      },
    )
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
