import type { Metadata } from '../../contract/document.ts'
import type { Filter } from '../../contract/filter.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import {
  broughtMetadata,
  type ChunkMetadata,
  metadataBetween,
  type PublishedRun,
  removedChunks,
} from '../../db/sqlite/index-changes.ts'
import { chunkRange } from '../../db/sqlite/rebuild.ts'
import type { Ids } from '../../kit/id-set.ts'
import { MetadataColumns } from '../../vector/metadata-columns.ts'
import { Follower, inSpans, inSteps } from './follower.ts'

/** Some paths of the metadata of an index in memory, for filters. */
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
  allowed(filter: Filter): Ids {
    return this.#columns.owners(filter)
  }

  /** The dotted paths of a filter at which no chunk has a value. */
  absent(filter: Filter): string[] {
    return this.#columns.absent(filter)
  }

  protected load(run: number): Promise<void> {
    return inSpans(chunkRange(this.reader, this.indexId), (span) => {
      for (const chunk of metadataBetween(this.reader, this.indexId, run, span)) this.#add(chunk)
    })
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
