import type { Connection } from '../../db/sqlite/connection.ts'
import {
  broughtChunks,
  type PublishedRun,
  removedChunks,
  vectorsBetween,
} from '../../db/sqlite/index-changes.ts'
import { chunkRange } from '../../db/sqlite/rebuild.ts'
import { type Hit, type SearchOptions, VectorImage } from '../../vector/image.ts'
import type { ScanThreads } from '../../vector/scan-threads.ts'
import { Follower, inSpans, inSteps } from './follower.ts'

/** The vectors of an index in memory, for searches by vector. */
export class SearchImage extends Follower {
  readonly #threads: ScanThreads
  #image: VectorImage | undefined

  constructor(reader: Connection, indexId: number, threads: ScanThreads) {
    super(reader, indexId)
    this.#threads = threads
  }

  /** Length of the vectors; undefined while there are none. */
  get dimensions(): number | undefined {
    return this.#image?.dimensions
  }

  /** Ids of the passages closest to a vector. */
  nearest(vector: Float32Array, options: SearchOptions): number[] {
    return idsOf(this.#image?.search(vector, options) ?? [])
  }

  /** The same on threads, with the event loop free; undefined where a search here is as quick. */
  nearestAside(vector: Float32Array, options: SearchOptions): Promise<number[]> | undefined {
    return this.#image?.searchAside(vector, options)?.then(idsOf)
  }

  close(): void {
    this.#image?.close()
  }

  protected load(): Promise<void> {
    return inSpans(chunkRange(this.reader, this.indexId), (span) => {
      for (const { id, vector } of vectorsBetween(this.reader, this.indexId, span)) this.#add(id, vector)
    })
  }

  protected async take({ seq, before }: PublishedRun): Promise<void> {
    await inSteps(
      before,
      (after, limit) => broughtChunks(this.reader, seq, after, limit),
      ({ chunk }) => chunk,
      ({ passage }) => this.#add(passage.id, passage.vector),
    )
    await inSteps(
      0,
      (after, limit) => removedChunks(this.reader, seq, after, limit),
      ({ chunk }) => chunk,
      ({ passageId, gone }) => {
        if (gone) this.#image?.remove(passageId)
      },
    )
  }

  #add(id: number, vector: Float32Array): void {
    this.#image ??= new VectorImage({ dimensions: vector.length, threads: this.#threads })
    this.#image.add(id, vector)
  }
}

const idsOf = (hits: Hit[]): number[] => hits.map(({ id }) => id)
