import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { builtInEmbedder } from '../../src/embed/builtin.ts'
import type { Collection } from '../../src/evaluate/collection.ts'
import { loadCollection } from '../../src/evaluate/run.ts'
import { quietLog } from '../../src/kit/log.ts'
import { createKeyedQueue } from '../../src/kit/keyed-queue.ts'
import { createUpsertEngine } from '../../src/upsert/engine.ts'
import { benchSplitter } from './bench-splitter.ts'

/** Loads a collection into an empty store with the parts of the quickstart flow. */
export async function loadBenchCollection(collection: Collection, store: ChunkStore) {
  const embedder = builtInEmbedder()
  const part = { store, embedder, loaders: [], retrieval: { topK: 10, searchType: 'similarity' as const } }
  await loadCollection(part, {
    collection,
    splitter: benchSplitter(),
    engine: createUpsertEngine({ namespaceQueue: createKeyedQueue(), log: quietLog }),
    signal: new AbortController().signal,
  })
  return part
}
