import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import type { RecordManager } from '../../src/contract/record-manager.ts'
import type { UploadedFile } from '../../src/contract/loader.ts'
import type { RequestOptions } from '../../src/flow/overrides.ts'
import { removeIndex } from '../../src/db/ledger/indexes.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { quietLog } from '../../src/kit/log.ts'
import { createKeyedQueue, type KeyLease } from '../../src/kit/keyed-queue.ts'
import { createUpsertEngine } from '../../src/upsert/engine.ts'
import type { UpsertResult } from '../../src/upsert/outcome.ts'
import { type HashEmbedderOptions, hashEmbedder, hashVector } from './hash-embedder.ts'
import { type Content, memoryLoader, type Page } from './memory-loader.ts'
import { sharedStores } from './store.ts'

type Asked = Partial<RequestOptions> &
  Partial<RecordManager> & { records?: boolean; signal?: AbortSignal; lease?: KeyLease }

/** One engine over one database for all tests of a file, each of which takes a house of its own. */
export function upsertHouses() {
  const { database, stores, newNamespace } = sharedStores()
  const namespaceQueue = createKeyedQueue()
  const engine = createUpsertEngine({ namespaceQueue, log: quietLog })
  afterEach(() => engine.idle())

  /** The engine over the real store, a loader and an embedder of the test, and short words for what tests do with them. */
  function house(options: HashEmbedderOptions = {}) {
    const store = stores.open(newNamespace())
    const loader = memoryLoader()
    let embedder = hashEmbedder(options)

    /** Upserts with a record manager unless `records` is false; resolves when the clearing up is done too. */
    async function upsert(uploads: UploadedFile[], asked: Asked = {}): Promise<UpsertResult> {
      const {
        records = true,
        signal = new AbortController().signal,
        lease,
        cleanup,
        sourceIdKey,
        ...given
      } = asked
      const recordManager = { cleanup: cleanup ?? 'incremental', sourceIdKey: sourceIdKey ?? 'source' }
      const retrieval = { topK: 4, searchType: 'similarity' as const }
      const part = { store, embedder, loaders: [loader], retrieval, ...(records ? { recordManager } : {}) }
      const none = { strict: false, dryRun: false, confirmFullCleanup: false, returnSourceDocuments: false }
      const work = { part, uploads, options: { ...none, addMetadata: {}, ...given }, warnings: [] }
      const result = await engine.upsert(work, signal, undefined, lease)
      const { numAdded, numUpdated, numSkipped, files } = result
      const chunks = files.reduce((sum, file) => sum + file.chunks, 0)
      assert.equal(
        numAdded + numUpdated + numSkipped,
        chunks,
        'the counters add up with the chunks of the run',
      )
      return result
    }

    return {
      store,
      loader,
      upsert,
      get embedder() {
        return embedder
      },
      /** From now on the flow embeds with this one. */
      embedWith(next: HashEmbedderOptions) {
        embedder = hashEmbedder(next)
        return embedder
      },
      file: (name: string, ...pages: Page[]) => loader.upload(name, pages),
      broken: (name: string, failure: Error, ...pages: Page[]): UploadedFile =>
        loader.upload(name, { pages, failure } satisfies Content),
      /** Every chunk that a reader sees, as `source: text`. */
      async seen(): Promise<string[]> {
        await engine.idle()
        const found = await store.search({ vector: hashVector('', embedder.dimensions), limit: 10_000 })
        return found.map(({ metadata, pageContent }) => `${metadata.source}: ${pageContent}`).sort()
      },
    }
  }

  /** Removes a namespace as a process does that is killed before it deletes the rows. */
  const removeNamespace = (namespace: string) => database.sql.write(removeIndex, namespace)

  return { database, engine, stores, namespaceQueue, house, removeNamespace }
}

export const counters = ({ numAdded, numUpdated, numSkipped, numDeleted }: UpsertResult) =>
  [numAdded, numUpdated, numSkipped, numDeleted].join(' ')

export const codeIs = (code: string) => (error: unknown) =>
  error instanceof SluiceError && error.code === code
