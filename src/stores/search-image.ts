import { broughtChunks, passagesAfter, type PublishedRun, removedChunks } from '../db/index-changes.ts'
import { VectorImage } from '../vector/image.ts'
import { Follower, inSteps } from './follower.ts'

/** What a query by meaning scans: the vectors of an index in memory. */
export class SearchImage extends Follower {
  #image: VectorImage | undefined

  /** Length of the vectors; undefined while there are none. */
  get dimensions(): number | undefined {
    return this.#image?.dimensions
  }

  /** Ids of the passages closest to a vector. */
  nearest(vector: Float32Array, limit: number, allowed?: ReadonlySet<number>): number[] {
    if (!this.#image) return []
    return this.#image
      .search(vector, { k: limit, ...(allowed ? { allow: allowed } : {}) })
      .map((hit) => hit.id)
  }

  protected load(): Promise<void> {
    return inSteps(
      0,
      (after, limit) => passagesAfter(this.reader, this.indexId, after, limit),
      ({ id }) => id,
      ({ id, vector }) => this.#add(id, vector),
    )
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
    this.#image ??= new VectorImage({ dimensions: vector.length })
    this.#image.add(id, vector)
  }
}
