import { setImmediate } from 'node:timers/promises'
import type { Metadata } from '../contract/document.ts'
import type { Filter } from '../contract/filter.ts'
import type { Connection } from '../db/connection.ts'
import {
  broughtMetadata,
  type ChunkMetadata,
  metadataBetween,
  type PublishedRun,
  removedChunks,
} from '../db/index-changes.ts'
import { chunkRange } from '../db/rebuild.ts'
import { MetadataColumns } from '../vector/metadata-columns.ts'
import { Follower, inSteps } from './follower.ts'

/** Over how many ids of chunks one step goes, whoever has them. */
const IDS_PER_STEP = 2000

/** What filters ask: some paths of the metadata of an index in memory. */
export class MetadataImage extends Follower {
  readonly #columns: MetadataColumns

  constructor(reader: Connection, indexId: number, paths: Iterable<readonly string[]>) {
    super(reader, indexId)
    this.#columns = new MetadataColumns(paths)
  }

  get paths(): (readonly string[])[] {
    return this.#columns.paths
  }

  covers(filter: Filter): boolean {
    return this.#columns.covers(filter)
  }

  /** Ids of the passages with a chunk that meets a filter. */
  allowed(filter: Filter): Set<number> {
    return this.#columns.owners(filter)
  }

  protected async load(run: number): Promise<void> {
    const { first, last } = chunkRange(this.reader, this.indexId)
    for (let after = first; after < last; after += IDS_PER_STEP) {
      const span = { after, upTo: after + IDS_PER_STEP }
      for (const chunk of metadataBetween(this.reader, this.indexId, run, span)) this.#add(chunk)
      await setImmediate()
    }
  }

  protected async take({ seq, before }: PublishedRun): Promise<void> {
    await inSteps(
      before,
      (after, limit) => broughtMetadata(this.reader, seq, after, limit),
      ({ chunk }) => chunk,
      (chunk) => this.#add(chunk),
    )
    await inSteps(
      0,
      (after, limit) => removedChunks(this.reader, seq, after, limit),
      ({ chunk }) => chunk,
      ({ chunk }) => this.#columns.remove(chunk),
    )
  }

  #add({ chunk, passageId, metadata }: ChunkMetadata): void {
    this.#columns.add(chunk, passageId, JSON.parse(metadata) as Metadata)
  }
}
