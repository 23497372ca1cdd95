import { fingerprint } from '../../src/kit/hash.ts'
import { canonicalJson } from '../../src/kit/json.ts'
import { chunkIdOf } from '../../src/documents/chunk-id.ts'
import { builtInEngine } from '../../src/stores/built-in/engine.ts'
import { chunkStores } from '../../src/stores/chunk-stores.ts'
import { scanEngine } from '../support/scan-engine.ts'
import { sharedLedger } from '../support/store.ts'
import { separateEngineSuite, type TestEngine, type TestPoint, vectorEngineSuite } from './vector-engine.ts'

const { database, ledger, newNamespace } = sharedLedger()

const chunkOf = ({ text, metadata = {} }: TestPoint) => {
  const canonical = canonicalJson(metadata)
  return {
    source: text,
    text,
    hash: fingerprint(text),
    metadata: canonical,
    metadataHash: fingerprint(canonical),
  }
}

/** The built-in engine gets its points from its ledger, by published runs. */
function builtIn(): TestEngine {
  const engine = builtInEngine(database)
  const stores = chunkStores({ ledger, engine })
  return {
    capabilities: engine.capabilities,
    collection() {
      const namespace = newNamespace()
      const store = stores.open(namespace)
      const texts = new Map<string, string>()
      return {
        async put(points) {
          const run = await store.open('test')
          const vectors = Float32Array.from(points.flatMap(({ vector }) => vector))
          await run.stage(points.map(chunkOf), vectors, 2)
          const nothing = { removedChunkIds: [], files: [], updatedSources: [], invalidatedFiles: [] }
          await run.publish({ ...nothing, stagedCount: points.length })
          await run.sweep()
          for (const point of points) texts.set(chunkIdOf(chunkOf(point)), point.text)
        },
        async remove(removed) {
          await store.remove({ sources: removed })
        },
        async search(request) {
          const index = await ledger.find(namespace)
          return (index && (await engine.search(index.collection, request))) ?? []
        },
        textOf: (id) => texts.get(id)!,
        drop: () => store.drop(),
      }
    },
  }
}

/** A separate engine gets its points by its own writes. */
function separate(): TestEngine {
  const engine = scanEngine()
  let collections = 0
  return {
    capabilities: engine.capabilities,
    collection() {
      const name = `${++collections}`
      const id = (text: string) => `id of ${text}`
      return {
        put: (points) =>
          engine.upsert(
            name,
            points.map(({ text, vector, metadata = {} }) => ({
              id: id(text),
              text,
              vector: Float32Array.from(vector),
              metadata,
            })),
          ),
        remove: (texts) => engine.delete(name, texts.map(id)),
        search: (request) => engine.search(name, request),
        textOf: (own) => own.slice(id('').length),
        drop: () => engine.drop(name),
      }
    },
  }
}

vectorEngineSuite('the built-in engine', builtIn)
vectorEngineSuite('a separate engine', separate)
separateEngineSuite('a separate engine', () => scanEngine())
