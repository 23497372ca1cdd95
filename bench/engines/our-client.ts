import path from 'node:path'
import type { Embedder } from '../../src/contract/embedder.ts'
import type { EngineSource } from '../../src/contract/engine-source.ts'
import type { ChunkStore } from '../../src/contract/chunk-store.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { engineServer } from '../../src/stores/remote/engine-server.ts'
import { searchServerEngine } from '../../src/stores/remote/search-server.ts'
import { Stager } from '../../src/upsert/stager.ts'
import type { BenchChunk } from './bench-chunks.ts'

const EMBEDDER = 'bench'
const PREFIX = 'bench-sluice'

export type OurClient = ReturnType<typeof ourClient>

/** What an upsert does once chunks are cut and vectors are known: the stager, the ledger in SQLite, the engine. */
export function ourClient(url: string, folder: string) {
  const database = openDatabase(path.join(folder, 'data'))
  const stores = builtInStores(database)
  const egress = createEgress({ rules: createEgressRules({ loopback: true }) })
  const server = engineServer({
    ...{ egress, provider: 'The engine', keyHint: 'Check the address' },
    open: async () => ({ baseURL: url, headers: {} }),
  })
  const source: EngineSource = {
    ...{ name: `bench ${url}`, key: url },
    create: () => searchServerEngine({ server, name: 'bench', indexPrefix: PREFIX, metric: 'cosine' }),
  }

  return {
    open: (namespace: string): ChunkStore => stores.openSeparate(namespace, source),

    /** Stages and publishes chunks. */
    async load(store: ChunkStore, chunks: readonly BenchChunk[]): Promise<void> {
      const run = await store.open(EMBEDDER)
      const stager = new Stager({
        ...{ place: run, namespace: store.namespace, embedder: givenVectors(chunks) },
        ...{ signal: new AbortController().signal, progress: () => {} },
      })
      for (const { chunk } of chunks) {
        await stager.room()
        stager.add(chunk, false)
      }
      await stager.flush()
      const sources = [...new Set(chunks.map(({ chunk }) => chunk.source))]
      await run.publish({
        ...{ stagedCount: chunks.length, removedChunkIds: [], files: [], invalidatedFiles: [] },
        updatedSources: sources,
      })
    },

    async close(): Promise<void> {
      await stores.close()
      await database.close()
      await egress.close()
    },
  }
}

function givenVectors(chunks: readonly BenchChunk[]): Embedder {
  const vectors = new Map(chunks.map(({ chunk, vector }) => [chunk.text, vector]))
  return {
    ...{ id: EMBEDDER, dimensions: chunks[0]!.vector.length, concurrency: 1 },
    limits: { texts: 512, bytes: 1e7 },
    embed: async (texts) => texts.map((text) => vectors.get(text)!),
    embedQuery: async (text) => vectors.get(text)!,
  }
}
