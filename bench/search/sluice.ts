import type { StorePart } from '../../src/contract/card.ts'
import type { ChunkStore, StoreRun } from '../../src/contract/chunk-store.ts'
import type { Embedder } from '../../src/contract/embedder.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { builtInEmbedder } from '../../src/embed/builtin.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { createRetriever } from '../../src/retrieve/run.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { DIMENSIONS } from '../support/clustered.ts'
import { type SearchEngine, TOP } from './engine.ts'

/** What flows use, without HTTP: the store and the engine that queries it. */
export async function sluice(folder: string, namespace: string): Promise<SearchEngine> {
  const database = openDatabase(folder)
  return engineOver(builtInStores(database).open(namespace), () => database.close())
}

const BUILT_IN_DIMENSIONS = 256

/** A store of Sluice with the engine that queries it. With 256 dimensions its embedder has the id of the built-in model. */
export function engineOver(store: ChunkStore, close: () => Promise<void>): SearchEngine {
  let run: StoreRun | undefined
  const retriever = createRetriever()
  let asked: Float32Array = new Float32Array(DIMENSIONS)
  const builtIn = builtInEmbedder()
  // Hits of another embedder are not rescored.
  const id = DIMENSIONS === BUILT_IN_DIMENSIONS ? builtIn.id : `bench/${DIMENSIONS}`
  const embedder: Embedder = {
    id,
    limits: { texts: 100, bytes: 1e6 },
    concurrency: 1,
    // Sentences of the first hits are embedded when they are rescored.
    embed: builtIn.embed,
    embedQuery: async () => asked,
  }
  const part: StorePart = {
    store,
    embedder,
    loaders: [],
    retrieval: { topK: TOP, searchType: 'similarity' },
  }
  let stagedCount = 0
  return {
    async insert(rows) {
      const vectors = new Float32Array(rows.length * DIMENSIONS)
      for (const [at, { vector }] of rows.entries()) vectors.set(vector, at * DIMENSIONS)
      const chunks = rows.map(({ number, text, group }) => {
        const metadata = JSON.stringify({ group, number, source: `${number % 1000}.txt` })
        return {
          source: `${number % 1000}.txt`,
          text,
          hash: fingerprint(text),
          metadata,
          metadataHash: fingerprint(metadata),
        }
      })
      run ??= await store.open(id)
      await run.stage(chunks, vectors, DIMENSIONS)
      stagedCount += rows.length
    },

    async ready() {
      await run!.publish({
        stagedCount,
        removedChunkIds: [],
        files: [],
        updatedSources: [],
        invalidatedFiles: [],
      })
      await run!.sweep()
      run = undefined
      stagedCount = 0
    },

    async search({ vector, group, text }) {
      // Vectors of the built-in model have length 1, and rescoring relies on it.
      if (vector) {
        const length = Math.hypot(...vector)
        asked = vector.map((number) => number / length)
      }
      const [found] = await retriever.retrieve(part, [text ?? 'nothing'], {
        mode: text === undefined ? 'vector' : vector ? 'hybrid' : 'keyword',
        ...(group === undefined ? {} : { filter: { path: ['group'], op: 'eq', value: group } }),
      })
      return found!.map(({ metadata, pageContent }) => ({
        number: metadata.number as number,
        text: pageContent,
      }))
    },

    close,
  }
}
