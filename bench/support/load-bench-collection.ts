import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { builtInEmbedder } from '../../src/embed/builtin.ts'
import type { Collection } from '../../src/evaluate/collection.ts'
import { loadCollection } from '../../src/evaluate/run.ts'
import { quietLog } from '../../src/kit/log.ts'
import { createTurns } from '../../src/kit/turns.ts'
import { recursiveSplitter } from '../../src/text/recursive.ts'
import { createUpsertEngine } from '../../src/upsert/engine.ts'

/** Loads a collection into an empty store with the parts of the quickstart flow. */
export async function loadBenchCollection(collection: Collection, store: ChunkStore) {
  const embedder = builtInEmbedder()
  const part = { store, embedder, loaders: [], retrieval: { topK: 10, searchType: 'similarity' as const } }
  await loadCollection(part, {
    collection,
    splitter: recursiveSplitter({ chunkSize: 1000, chunkOverlap: 200 }),
    engine: createUpsertEngine({ turns: createTurns(), log: quietLog }),
    signal: new AbortController().signal,
  })
  return part
}
