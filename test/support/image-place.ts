import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { DATA_FILES } from '../../src/contract/data-files.ts'
import { VISIBLE } from '../../src/db/ledger/visible.ts'
import { type Database, openDatabase } from '../../src/db/sqlite/database.ts'
import { abandonOpenRuns } from '../../src/db/ledger/indexes.ts'
import { findIndex } from './find-index.ts'
import { imageRecord } from '../../src/db/sqlite/vector-images.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { ImageFiles } from '../../src/stores/built-in/image-files.ts'
import type { SavingRules } from '../../src/stores/built-in/image-saver.ts'
import { SearchImage } from '../../src/stores/built-in/passage-copies.ts'
import { ScanThreads } from '../../src/vector/scan-threads.ts'
import { hashVector } from './hash-embedder.ts'
import { until } from './until.ts'

export const AT_ONCE: SavingRules = {
  leastBytes: 0,
  delayMs: 0,
  intervalMs: 0,
  denseIntervalMs: 0,
  denseChanges: Infinity,
  quietMs: 0,
  latestMs: 0,
}
export const NEVER: SavingRules = { ...AT_ONCE, leastBytes: Infinity }
const DIMENSIONS = hashVector('any').length
const NO_CHANGE = { removedChunkIds: [], files: [], updatedSources: [], invalidatedFiles: [] }
const { signal } = new AbortController()

/** A data directory with a namespace, whose process ends and begins again. */
export class ImagePlace {
  readonly directory: string
  database!: Database
  store!: ChunkStore

  constructor(directory: string) {
    this.directory = directory
  }

  get folder(): string {
    return path.join(this.directory, DATA_FILES.vectorImages)
  }

  get files(): string[] {
    return existsSync(this.folder) ? readdirSync(this.folder) : []
  }

  get indexId(): number {
    return findIndex(this.database.reader, 'n')!.id
  }

  /** @param preparedFrom from so many numbers in all vectors on, the image is made without a query */
  async start(saving = NEVER, preparedFrom = Infinity): Promise<this> {
    this.database = openDatabase(this.directory)
    await this.database.sql.write(abandonOpenRuns, undefined)
    const stores = builtInStores(this.database, Date.now, { saving, preparedFrom })
    this.store = stores.open('n')
    await stores.sweepRemoved()
    return this
  }

  /** The state of the file that the database names; undefined where it names none. */
  get token(): string | undefined {
    return imageRecord(this.database.reader, this.indexId)?.token
  }

  /** Resolves with the state of the file when it is another than `before`, complete, and the only file. */
  async saved(before?: string): Promise<string> {
    await until(() => this.token !== undefined && this.token !== before, 'a newer state of the file')
    // The file before is deleted after the switch to the new one.
    await until(() => this.files.length === 1 && this.files[0]!.endsWith('.vectors'), 'a single file')
    return this.token!
  }

  end = (): Promise<void> => this.database.close()

  async restart(saving = NEVER): Promise<void> {
    await this.end()
    await this.start(saving)
  }

  /** Upserts texts into a source, each a chunk. Without a sweep the process was killed before it. */
  async put(
    source: string,
    texts: readonly string[],
    swept = true,
    metadataOf: (at: number) => string = () => '{}',
  ): Promise<void> {
    const run = await this.store.open('test')
    const known = await run.known(
      source,
      texts.map((text) => fingerprint(text)),
    )
    const fresh = texts.filter((_, at) => !known[at]!.embedded)
    await run.stage(
      texts.map((text, at) => ({
        source,
        hash: fingerprint(text),
        ...(known[at]!.embedded ? {} : { text }),
        metadata: metadataOf(at),
        metadataHash: fingerprint(metadataOf(at)),
      })),
      Float32Array.from(fresh.flatMap((text) => [...hashVector(text)])),
      DIMENSIONS,
    )
    await run.publish({ ...NO_CHANGE, stagedCount: texts.length, updatedSources: [source] })
    if (swept) await run.sweep()
  }

  search(): Promise<unknown> {
    return this.store.search({ embedder: 'test', vector: hashVector('a question'), limit: 5 })
  }

  /** The image as a process has it that begins now. */
  async fresh(): Promise<SearchImage> {
    const image = new SearchImage(this.database.reader, this.indexId, {
      threads: new ScanThreads(),
      files: new ImageFiles(this.database),
    })
    await image.follow()
    return image
  }

  async save(): Promise<boolean> {
    return (await this.fresh()).save(signal)
  }

  /** Compares the image of a new process with the database. Returns how much of it did not come from the file. */
  async check(why: string): Promise<number> {
    const image = await this.fresh()
    const ids = this.database.reader
      .all<{ id: number; content: string }>(
        `SELECT DISTINCT passages.id, content FROM passages JOIN chunks ON passage_id = passages.id
         WHERE index_id = ? AND ${VISIBLE} ORDER BY passages.id`,
        this.indexId,
      )
      .map(({ id, content }) => ({ id, vector: hashVector(content) }))
    const found = (vector: Float32Array, k: number) =>
      image.nearest(vector, { k, metric: 'dot' }).map(({ id }) => id)
    assert.deepEqual(
      found(hashVector('any'), ids.length + 100).sort((a, b) => a - b),
      ids.map(({ id }) => id),
      why,
    )
    const best = (vector: Float32Array) => image.nearest(vector, { k: 1 }).map(({ id }) => id)
    for (const { id, vector } of ids.filter((_, at) => at % 20 === 0))
      assert.deepEqual(best(vector), [id], `${why}: the vector of ${id}`)
    return image.extent.changes
  }
}
