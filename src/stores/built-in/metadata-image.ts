import type { Filter } from '../../contract/filter.ts'
import { countVisible } from '../../db/sqlite/chunks.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import { lastPublished, type PublishedRun, removedChunks } from '../../db/sqlite/index-changes.ts'
import { broughtValues, type ChunkValues, valuesBetween } from '../../db/sqlite/metadata-values.ts'
import { chunkRange } from '../../db/sqlite/chunk-range.ts'
import { breather } from '../../kit/breather.ts'
import type { Ids } from '../../kit/id-set.ts'
import { MetadataColumns } from '../../vector/metadata-columns.ts'
import { Follower, inSpans, inSteps } from './follower.ts'
import { storedValues } from './stored-values.ts'

/** What the objects of an image take. */
const OBJECT_BYTES = 1000

/** Some paths of the metadata of an index in memory, for filters. */
export class MetadataImage extends Follower {
  #columns: MetadataColumns
  #readByChunk = 0
  #isDamaged = false

  constructor(reader: Connection, indexId: number, paths: Iterable<readonly string[]>) {
    super(reader, indexId)
    this.#columns = new MetadataColumns(paths)
  }

  get paths(): (readonly string[])[] {
    return this.#columns.paths
  }

  /** How many chunks were read one by one when it was loaded: no block has their values. */
  get readByChunk(): number {
    return this.#readByChunk
  }

  /** Whether a block was damaged or lost when it was loaded. */
  get isDamaged(): boolean {
    return this.#isDamaged
  }

  /** The bytes that it takes in memory. */
  get heldBytes(): number {
    return OBJECT_BYTES + this.#columns.heldBytes
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

  protected async load(run: number): Promise<void> {
    const { reader, indexId, paths } = this
    this.#columns = new MetadataColumns(paths)
    this.#readByChunk = 0
    this.#isDamaged = false
    const breathe = breather()
    for await (const values of storedValues(reader, { indexId, run, paths })) {
      if ('rows' in values) this.#columns.addRows(values.rows, values.columns)
      else {
        this.#isDamaged ||= values.isDamaged
        await this.#readChunks(run, values)
      }
      await breathe()
    }
    if (this.#isWhole(run)) return
    this.#isDamaged = true
    this.#columns = new MetadataColumns(paths)
    await this.#readChunks(run, chunkRange(reader, indexId))
  }

  /** A block that is lost shows in the number of chunks alone. */
  #isWhole(run: number): boolean {
    const { reader, indexId } = this
    return reader.snapshot(
      () => lastPublished(reader, indexId) !== run || countVisible(reader, indexId) === this.#columns.size,
    )
  }

  #readChunks(run: number, range: { first: number; last: number }): Promise<void> {
    const { reader, indexId, paths } = this
    return inSpans(range, (span) => {
      for (const chunk of valuesBetween(reader, { indexId, run, paths }, span)) {
        this.#add(chunk)
        this.#readByChunk++
      }
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
