import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestPoint } from './vector-engine.ts'
import { pgVectorDatabase, pgVectorOver } from '../support/pgvector.ts'
import { sharedStores } from '../support/store.ts'
import { chunkStoreSuite } from './chunk-store.ts'
import { engineComparisonSuite } from './engine-comparison.ts'
import { hiddenNeighbourSuite } from './hidden-neighbours.ts'
import { separateEngineSuite, type TestEngine, vectorEngineSuite } from './vector-engine.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL with pgvector')

const name = 'the engine over PostgreSQL with pgvector'
const engine = await pgVectorOver({ database: await pgVectorDatabase() })
const tiny = await pgVectorOver({ database: await pgVectorDatabase(), graphFrom: 1 })
after(() => Promise.all([engine.close(), tiny.close()]))
let collections = 0

/** @param withGraph whether each write is followed by the build of a graph */
function suiteEngine(withGraph: boolean): TestEngine {
  const used = withGraph ? tiny : engine
  return {
    capabilities: used.capabilities,
    collection() {
      const collection = `${++collections}`
      const id = (text: string) => `id of ${text}`
      return {
        async put(points: readonly TestPoint[]) {
          await used.upsert(
            collection,
            points.map(({ text, vector, metadata = {} }) => ({
              id: id(text),
              text,
              vector: Float32Array.from(vector),
              metadata,
            })),
          )
          if (withGraph) await used.buildGraphs()
        },
        remove: (texts) => used.delete(collection, texts.map(id)),
        search: (request) => used.search(collection, request),
        textOf: (own) => own.slice(id('').length),
        drop: () => used.drop(collection),
      }
    },
  }
}

vectorEngineSuite(name, () => suiteEngine(false))
vectorEngineSuite(`${name} and a graph`, () => suiteEngine(true))
separateEngineSuite(name, () => {
  const own = `${++collections}`
  const here = (collection: string) => `${own} ${collection}`
  return {
    ...engine,
    upsert: (collection, points) => engine.upsert(here(collection), points),
    delete: (collection, ids) => engine.delete(here(collection), ids),
    vectors: (collection, ids) => engine.vectors(here(collection), ids),
    search: (collection, request) => engine.search(here(collection), request),
    drop: (collection) => engine.drop(here(collection)),
    checks: (collection, ids) => engine.checks(here(collection), ids),
    ids: (collection) => engine.ids(here(collection)),
    fault: (collection, use) => engine.fault(here(collection), use),
    compare: (collection, expected) => engine.compare(here(collection), expected),
  }
})

const { stores, newNamespace } = sharedStores()
const single = await pgVectorOver({ database: await pgVectorDatabase(), single: true })
after(() => single.close())
const { close: _, ...kept } = single
const source = { name: engine.name, key: '', create: () => kept }
chunkStoreSuite('a store over PostgreSQL with pgvector', () => {
  const own = newNamespace()
  return { open: (namespace) => stores.openSeparate(`${own} ${namespace}`, source) }
})

const { close: _end, ...half } = engine
engineComparisonSuite(name, {
  make: () => half,
  open: (own) => stores.openSeparate(newNamespace(), own),
})

hiddenNeighbourSuite(name, { make: () => half, place: () => ({ stores, namespace: newNamespace() }) })

test(`${name} takes first writes of a new collection at the same time`, async () => {
  const collection = `at once ${++collections}`
  const ids = Array.from({ length: 8 }, (_, at) => `point ${at}`)
  const point = (id: string) => ({ id, text: id, metadata: {}, vector: Float32Array.of(1, 0) })
  await Promise.all(ids.map((id) => engine.upsert(collection, [point(id)])))
  assert.deepEqual([...(await engine.vectors(collection, ids)).keys()].sort(), ids)
})
