import type { Metric } from '../../contract/retrieval.ts'
import type { PointContent } from '../../contract/ledger-points.ts'
import type { EngineCandidate, Point, PointChecks, SeparateEngine } from '../../contract/vector-engine.ts'
import { openOnce } from '../../kit/open-once.ts'
import { canonicalJson, isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { checkIn, comparePoints, type ReadPoint } from '../compare-points.ts'
import { remoteCapabilities } from './capabilities.ts'
import { callBatches, pointBytes } from './call-batches.ts'
import { sizeFault } from './size-fault.ts'
import type { EngineAnswer, EngineServer } from './engine-server.ts'
import { fieldsOf } from './metadata-facts.ts'
import { vectorCheck } from '../vector-check.ts'

export type ChromaOptions = {
  /** The name of the engine in the ledger. */
  name: string
  server: EngineServer
  /** Where the collections are; unless given, in what Chroma has from the beginning. Read before the first call. */
  place?: (() => Promise<{ tenant: string; database: string }>) | undefined
  /** Collections that belong to this engine have this name, a hyphen, and the name of the ledger. */
  collectionPrefix: string
  /** How vectors are compared. Fixed when a collection is created. */
  metric: Metric
}

const SPACES = { cosine: 'cosine', dot: 'ip', euclidean: 'l2' } as const
const BATCH = { count: 300, bytes: 8 * 2 ** 20 }
const IDS_PER_CALL = 1000
/** The field of the run that has written a point. */
const RUN = 'sluice_run'
/** The key of the check of a vector among the metadata. */
const CHECK = 'sluice_check'
const CONTENTS = ['documents', 'metadatas']
const DEFAULT_PLACE = { tenant: 'default_tenant', database: 'default_database' }

/**
 * Points in Chroma, over version 2 of its API (https://docs.trychroma.com/docs/overview/openapi). Without `filters`:
 * Chroma's metadata have no lists, null or objects, and its conditions on absent fields differ between versions, so the
 * ledger checks filters. Runs are left out by a field of their own: `$nin` also holds for points without it (tried with 3.5).
 */
export function chromaEngine(options: ChromaOptions): SeparateEngine {
  const { server, metric, collectionPrefix } = options
  const basePath = openOnce(async () => {
    const { tenant, database } = (await options.place?.()) ?? DEFAULT_PLACE
    return `/api/v2/tenants/${encodeURIComponent(tenant)}/databases/${encodeURIComponent(database)}/collections`
  })
  const nameOf = (collection: string) => `${collectionPrefix}-${collection}`
  /** Chroma's ids of collections, by their names. */
  const known = new Map<string, string>()

  /** A collection as Chroma describes it; undefined where it does not exist. */
  async function describe(name: string): Promise<EngineAnswer | undefined> {
    const path = `${await basePath()}/${encodeURIComponent(name)}`
    const answer = await server.call({ method: 'GET', path, expected: [404] })
    return answer.status === 404 ? undefined : answer
  }

  /** The id of a collection; undefined where it does not exist. */
  async function idOf(collection: string): Promise<string | undefined> {
    const name = nameOf(collection)
    const before = known.get(name)
    if (before !== undefined) return before
    const answer = await describe(name)
    return answer && remember(name, answer)
  }

  function remember(name: string, { body }: EngineAnswer): string {
    if (!isObject(body) || typeof body.id !== 'string') throw server.failure('its collection has no id')
    known.set(name, body.id)
    return body.id
  }

  async function create(collection: string): Promise<string> {
    const name = nameOf(collection)
    const configuration = { hnsw: { space: SPACES[metric] } }
    const body = { name, get_or_create: true, configuration }
    return remember(name, await server.call({ method: 'POST', path: await basePath(), body }))
  }

  /**
   * A call to a collection; undefined where it does not exist. A collection that was dropped and made again has another id.
   */
  async function call(collection: string, action: string, body: JsonObject): Promise<Json | undefined> {
    for (let attempt = 1; ; attempt++) {
      const id = await idOf(collection)
      if (id === undefined) return undefined
      const path = `${await basePath()}/${id}/${action}`
      const answer = await server.call({ method: 'POST', path, body, expected: [404] })
      if (answer.status !== 404) return answer.body ?? {}
      known.delete(nameOf(collection))
      if (attempt === 2) return undefined
    }
  }

  async function remove(collection: string, ids: readonly string[]): Promise<void> {
    for (const batch of callBatches(ids, { count: BATCH.count }))
      await call(collection, 'delete', { ids: batch })
  }

  /** Some points, in the order in which they were first written. Undefined where there is no collection. */
  async function get(collection: string, body: JsonObject): Promise<HeldAnswer | undefined> {
    const answer = await call(collection, 'get', body)
    return isObject(answer) && Array.isArray(answer.ids) ? (answer as HeldAnswer) : undefined
  }

  /** All points, a page after the other. @param include what is read of each */
  async function* pages(collection: string, include: string[], limit: number): AsyncGenerator<HeldAnswer> {
    for (let offset = 0; ; offset += limit) {
      const page = await get(collection, { limit, offset, include })
      if (!page) return
      yield page
      if (page.ids.length < limit) return
    }
  }

  async function* contents(collection: string): AsyncGenerator<ReadPoint[]> {
    for await (const { ids, documents, metadatas } of pages(collection, CONTENTS, BATCH.count))
      yield ids.map((id, at) => {
        const { [CHECK]: check, [RUN]: _, ...metadata } = metadatas?.[at] ?? {}
        const content = canonicalJson([documents?.[at] ?? null, orNull(metadata as JsonObject)])
        return { id, content, check: checkIn(check) }
      })
  }

  type Nearest = { vector: Float32Array; limit: number; vectors: boolean; where: JsonObject }

  async function nearest(
    collection: string,
    { vector, limit, vectors, where }: Nearest,
  ): Promise<EngineCandidate[]> {
    const answer = await call(collection, 'query', {
      query_embeddings: [Array.from(vector)],
      n_results: limit,
      ...where,
      include: vectors ? ['distances', 'embeddings'] : ['distances'],
    })
    if (!isObject(answer)) return []
    const { ids, distances, embeddings } = answer as QueryAnswer
    return (ids[0] ?? []).map((id, at): EngineCandidate => {
      const own = embeddings?.[0]?.[at]
      return {
        ...{ id, vectorScore: closenessOf(metric, distances![0]![at]!), keywordScore: null, matched: null },
        ...(vectors && own ? { vector: Float32Array.from(own) } : {}),
      }
    })
  }

  return {
    name: options.name,
    capabilities: remoteCapabilities('chroma', metric),

    async upsert(collection, points) {
      for (const batch of callBatches(points, BATCH, pointBytes)) {
        const body = {
          ids: batch.map(({ id }) => id),
          embeddings: batch.map(({ vector }) => Array.from(vector)),
          documents: batch.map(({ text }) => text),
          metadatas: batch.map(storedMetadata),
        }
        if ((await call(collection, 'upsert', body)) !== undefined) continue
        await create(collection)
        if ((await call(collection, 'upsert', body)) === undefined)
          throw server.failure('it has no collection after its creation')
      }
    },

    delete: remove,

    async vectors(collection, ids) {
      const vectors = new Map<string, Float32Array>()
      for (const batch of callBatches(ids, { count: BATCH.count })) {
        const answer = await call(collection, 'get', { ids: batch, include: ['embeddings'] })
        if (!isObject(answer)) return vectors
        const { ids: found, embeddings } = answer as { ids: string[]; embeddings: number[][] }
        for (const [at, id] of found.entries()) vectors.set(id, Float32Array.from(embeddings[at]!))
      }
      return vectors
    },

    async checks(collection, ids) {
      const checks: PointChecks = new Map()
      for (const batch of callBatches(ids, { count: BATCH.count })) {
        const found = await get(collection, { ids: batch, include: ['metadatas'] })
        for (const [at, id] of (found?.ids ?? []).entries())
          checks.set(id, checkIn(found!.metadatas?.[at]?.[CHECK]))
      }
      return checks
    },

    async *ids(collection) {
      for await (const { ids } of pages(collection, [], IDS_PER_CALL)) yield ids
    },

    async search(collection, { vector, limit, withoutRuns = [], vectors = false }) {
      if (!vector) return []
      const find = (where: JsonObject) => nearest(collection, { vector, limit, vectors, where })
      if (withoutRuns.length === 0) return find({})
      const found = await find({ where: { [RUN]: { $nin: [...withoutRuns] } } })
      if (found.length === limit) return found
      // Among many that are nearly alike, Chroma ends a search with a condition before it has met all that meet it.
      const ids = new Set(found.map(({ id }) => id))
      return [...found, ...(await find({})).filter(({ id }) => !ids.has(id))]
    },

    async drop(collection) {
      known.delete(nameOf(collection))
      const path = `${await basePath()}/${encodeURIComponent(nameOf(collection))}`
      await server.call({ method: 'DELETE', path, expected: [404] })
    },

    async fault(collection, { dimensions }) {
      const name = nameOf(collection)
      const answer = await describe(name)
      if (!answer) return `the collection ${name} is missing`
      return sizeFault(`the collection ${name}`, isObject(answer.body) && answer.body.dimension, dimensions)
    },

    compare: (collection, expected) => comparePoints(contents(collection), expected, storedContent),
  }
}

type HeldAnswer = {
  ids: string[]
  documents?: (string | null)[] | null
  metadatas?: (JsonObject | null)[] | null
}

type QueryAnswer = { ids: string[][]; distances?: number[][]; embeddings?: (number[] | null)[][] }

/** Chroma's distances: 1 - cosine, 1 - dot product, and the square of the Euclidean distance. */
const closenessOf = (metric: Metric, distance: number): number =>
  metric === 'euclidean' ? 1 / (1 + Math.sqrt(Math.max(0, distance))) : 1 - distance

/** Chroma takes texts, numbers and flags; other values become JSON, and null is left out. Null where nothing is left. */
function flatMetadata({ metadata }: Pick<Point, 'metadata'>): JsonObject | null {
  const flat: JsonObject = {}
  for (const [field, value] of fieldsOf(metadata))
    if (value !== null && !isObject(value)) flat[field] = Array.isArray(value) ? JSON.stringify(value) : value
  // Fields of these names that they have themselves are not kept.
  const { [RUN]: _run, [CHECK]: _check, ...own } = flat
  return orNull(own)
}

const orNull = (metadata: JsonObject): JsonObject | null =>
  Object.keys(metadata).length > 0 ? metadata : null

const storedMetadata = (point: Point): JsonObject => ({
  ...flatMetadata(point),
  [CHECK]: point.check ?? vectorCheck(point.vector),
  ...(point.run === undefined ? {} : { [RUN]: point.run }),
})

/** What a collection has of a text and metadata, as `contents` gives it. */
const storedContent = (content: PointContent): string => canonicalJson([content.text, flatMetadata(content)])
