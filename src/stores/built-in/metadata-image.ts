import type { Filter } from '../../contract/filter.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import { type PublishedRun, removedChunks } from '../../db/sqlite/index-changes.ts'
import { broughtValues, type ChunkValues, valuesBetween } from '../../db/sqlite/metadata-values.ts'
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
    const { reader, indexId, paths } = this
    return inSpans(chunkRange(reader, indexId), (span) => {
      for (const chunk of valuesBetween(reader, { indexId, run, paths }, span)) this.#add(chunk)
    })
  }

  protected async take({ seq, before }: PublishedRun): Promise<void> {
    const { reader, paths } = this
    await inSteps(
      before,
      (after, limit) => broughtValues(reader, { run: seq, paths }, after, limit),
      ({ chunk }) => chunk,
      (chunk) => this.#add(chunk),
    )
    await inSteps(
      0,
      (after, limit) => removedChunks(reader, seq, after, limit),
      ({ chunk }) => chunk,
      ({ chunk }) => this.#columns.remove(chunk),
    )
  }

  #add({ chunk, passageId, texts }: ChunkValues): void {
    this.#columns.add(chunk, passageId, texts)
  }
}
