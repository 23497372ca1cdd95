import type { ConnectedEngine } from '../../contract/engine-source.ts'
import type { PointContent } from '../../contract/ledger-points.ts'
import type { EngineCandidate, Point, PointChecks } from '../../contract/vector-engine.ts'
import type { Metric } from '../../contract/retrieval.ts'
import { uuidOf } from '../../kit/hash.ts'
import { canonicalJson, isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { checkIn, comparePoints, type ReadPoint } from '../compare-points.ts'
import { remoteCapabilities } from './capabilities.ts'
import { callBatches, pointBytes } from './call-batches.ts'
import type { EngineServer } from './engine-server.ts'
import { existsFact, factsOf, factsOfMetadata, factsOfPoint } from './metadata-facts.ts'
import { type Narrowing, narrowingOfSearch, type RangeNarrowing } from './narrowing.ts'
import { outsidePoints } from './qdrant-outside.ts'
import { vectorCheck } from '../vector-check.ts'
import { sizeFault } from './size-fault.ts'

export type QdrantOptions = {
  server: EngineServer
  /** The name of the engine in the ledger. */
  name: string
  /** Collections of the server that belong to this engine have this name, a hyphen, and the name of the ledger. */
  collectionPrefix: string
  /** How the vectors of a collection are compared. Fixed when the collection is created. */
  metric: Metric
  /** The keys of text and metadata in the payload: those of Flowise unless given. */
  contentKey?: string | undefined
  metadataKey?: string | undefined
  /** The most points of one call. */
  batchSize?: number | undefined
  /** Further settings of new collections, as in Qdrant's `CreateCollection`. */
  collectionConfig?: JsonObject | undefined
}

const DISTANCES = { cosine: 'Cosine', dot: 'Dot', euclidean: 'Euclid' } as const

/** The keys of the facts (`metadata-facts.ts`), of the check of the vector, and of ids that are no UUIDs. */
const FACTS = 'sluice_facts'
const CHECK = 'sluice_check'
const OWN_ID = 'sluice_id'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const pointIdOf = (id: string): string => (UUID.test(id) ? id : uuidOf(id))

/** Qdrant refuses calls of more than 32 MB. */
const BATCH = { count: 500, bytes: 8 * 2 ** 20 }
const IDS_PER_CALL = 1000

/** How often a write is sent again that Qdrant has taken, but not finished. */
const UNFINISHED_ATTEMPTS = 5

/**
 * Points in a Qdrant server, over its REST API (https://api.qdrant.tech/api-reference; checked with the OpenAPI description
 * of 1.18). Every write waits until Qdrant has applied it (`wait=true`). Qdrant may apply a part of a batch that it answers
 * with an error (qdrant/qdrant#4626): the ids of points are derived from those of the ledger, so the batch is sent again.
 *
 * A collection that has the prefix as its whole name belongs to another program, such as Flowise: it is searched too, and
 * never written. With the metric `cosine` Qdrant stores vectors at length 1.
 */
export function qdrantEngine(options: QdrantOptions): ConnectedEngine {
  const { server, collectionPrefix, metric, collectionConfig } = options
  const { contentKey = 'content', metadataKey = 'metadata' } = options
  const limits = { ...BATCH, count: Math.min(options.batchSize ?? BATCH.count, BATCH.count) }
  /** The collections that this process has seen with their indexes, and the ranges that have one. */
  const ready = new Set<string>()
  const ranged = new Set<string>()

  const pathOf = (collection: string) =>
    `/collections/${encodeURIComponent(`${collectionPrefix}-${collection}`)}`

  /** A write that waits. @throws SluiceError where Qdrant does not finish it */
  async function write(method: 'PUT' | 'POST', path: string, body: JsonObject): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      const answer = await server.call({ method, path: `${path}?wait=true`, body, expected: [404] })
      if (answer.status === 404) return 404
      const { result } = answer.body as JsonObject
      if (isObject(result) && result.status === 'completed') return 200
      if (attempt === UNFINISHED_ATTEMPTS) throw server.failure('it has taken a write, but did not finish it')
    }
  }

  /** Creates a collection with the index of its facts where that is missing. */
  async function prepare(collection: string, dimensions: number): Promise<void> {
    if (ready.has(collection)) return
    const path = pathOf(collection)
    const index = { field_name: FACTS, field_schema: 'keyword' }
    if ((await write('PUT', `${path}/index`, index)) === 404) {
      const vectors = { size: dimensions, distance: DISTANCES[metric] }
      // 409: another server was first.
      const body = { ...collectionConfig, vectors }
      await server.call({ method: 'PUT', path, body, expected: [409] })
      if ((await write('PUT', `${path}/index`, index)) === 404)
        throw server.failure('it has no collection after its creation')
    }
    ready.add(collection)
  }

  /** Lets a range be searched by an index. A key that may only read cannot create one: the search is slower then. */
  async function prepareRange(collection: string, key: string): Promise<void> {
    const name = `${collection} ${key}`
    if (ranged.has(name)) return
    const body = { field_name: key, field_schema: 'float' }
    const path = `${pathOf(collection)}/index?wait=true`
    await server.call({ method: 'PUT', path, body, expected: [401, 403, 404] })
    ranged.add(name)
  }

  const payloadOf = ({ text, metadata }: PointContent): JsonObject => ({
    [contentKey]: text,
    [metadataKey]: metadata as JsonObject,
    [FACTS]: factsOf(metadata),
  })

  const pointOf = (point: Point): JsonObject => ({
    id: pointIdOf(point.id),
    vector: Array.from(point.vector),
    payload: {
      ...payloadOf(point),
      [FACTS]: factsOfPoint(point),
      [CHECK]: point.check ?? vectorCheck(point.vector),
      ...(UUID.test(point.id) ? {} : { [OWN_ID]: point.id }),
    },
  })

  async function conditionOf(collection: string, narrowing: Narrowing): Promise<JsonObject> {
    switch (narrowing.op) {
      case 'and':
      case 'or': {
        const all = await Promise.all(narrowing.all.map((part) => conditionOf(collection, part)))
        return { [narrowing.op === 'and' ? 'must' : 'should']: all }
      }
      case 'some':
      case 'none': {
        const has = { key: FACTS, match: { any: narrowing.facts } }
        return { [narrowing.op === 'some' ? 'must' : 'must_not']: [has] }
      }
      default: {
        // Qdrant has no way to write such a key: what is known then is that the field exists.
        if (narrowing.path.some((key) => key.includes('"')))
          return conditionOf(collection, { op: 'some', facts: [existsFact(narrowing.path.join('.'))] })
        const keys = rangeKeys(metadataKey, narrowing)
        for (const key of keys) await prepareRange(collection, key)
        return { should: keys.map((key) => ({ key, range: { [narrowing.op]: narrowing.value } })) }
      }
    }
  }

  const remove = async (collection: string, ids: readonly string[]): Promise<void> => {
    for (const points of callBatches(ids, { count: IDS_PER_CALL }))
      await write('POST', `${pathOf(collection)}/points/delete`, { points: points.map(pointIdOf) })
  }

  /** @param payload the keys of the payload that are read, or all */
  async function* pages(collection: string, payload: string[] | true): AsyncGenerator<FoundPoint[]> {
    for (let offset: Json | undefined; ; ) {
      const body = { limit: IDS_PER_CALL, with_payload: payload, with_vector: false }
      const result = await read(`${pathOf(collection)}/points/scroll`, {
        ...body,
        ...(offset === undefined ? {} : { offset }),
      })
      if (!isObject(result)) return
      yield recordsIn(result.points)
      const next = result.next_page_offset as Json | undefined
      if (next === undefined || next === null) return
      offset = next
    }
  }

  async function* ids(collection: string): AsyncGenerator<string[]> {
    for await (const points of pages(collection, [OWN_ID])) yield points.map(({ id }) => id)
  }

  async function* contents(collection: string): AsyncGenerator<ReadPoint[]> {
    for await (const points of pages(collection, true))
      yield points.map(({ id, payload }) => {
        const { [contentKey]: text, [metadataKey]: metadata, [FACTS]: facts } = payload
        const held = { [contentKey]: text, [metadataKey]: metadata, [FACTS]: factsOfMetadata(facts) }
        const content = canonicalJson(JSON.parse(JSON.stringify(held)) as Json)
        return { id, content, check: checkIn(payload[CHECK]) }
      })
  }

  /** The result of a question; undefined where the collection does not exist. */
  async function read(path: string, body: JsonObject): Promise<Json | undefined> {
    const answer = await server.call({ method: 'POST', path, body, expected: [404] })
    if (answer.status === 404) return undefined
    const result = isObject(answer.body) ? answer.body.result : undefined
    if (result === undefined) throw server.failure('its answer has no result')
    return result as Json
  }

  return {
    name: options.name,
    capabilities: remoteCapabilities('qdrant', metric),

    async upsert(collection, points) {
      if (points.length === 0) return
      await prepare(collection, points[0]!.vector.length)
      for (const batch of callBatches(points, limits, pointBytes)) {
        const body = { points: batch.map(pointOf) }
        if ((await write('PUT', `${pathOf(collection)}/points`, body)) !== 404) continue
        // The collection was dropped after this process had seen it.
        ready.delete(collection)
        await prepare(collection, batch[0]!.vector.length)
        if ((await write('PUT', `${pathOf(collection)}/points`, body)) === 404)
          throw server.failure('it has no collection after its creation')
      }
    },

    delete: remove,

    async vectors(collection, ids) {
      const vectors = new Map<string, Float32Array>()
      for (const batch of callBatches(ids, { count: IDS_PER_CALL })) {
        const result = await read(`${pathOf(collection)}/points`, {
          ids: batch.map(pointIdOf),
          with_payload: [OWN_ID],
          with_vector: true,
        })
        if (result === undefined) return vectors
        for (const { id, vector } of recordsIn(result)) if (vector) vectors.set(id, vector)
      }
      return vectors
    },

    async checks(collection, ids) {
      const checks: PointChecks = new Map()
      for (const batch of callBatches(ids, { count: IDS_PER_CALL })) {
        const result = await read(`${pathOf(collection)}/points`, {
          ids: batch.map(pointIdOf),
          with_payload: [OWN_ID, CHECK],
          with_vector: false,
        })
        for (const { id, payload } of recordsIn(result)) checks.set(id, checkIn(payload[CHECK]))
      }
      return checks
    },

    ids,

    async search(collection, { vector, limit, filter, withoutRuns, vectors = false }) {
      if (!vector) return []
      const narrowing = narrowingOfSearch({ filter, withoutRuns }, ['number'])
      const result = await read(`${pathOf(collection)}/points/query`, {
        query: Array.from(vector),
        limit,
        with_payload: [OWN_ID],
        with_vector: vectors,
        ...(narrowing ? { filter: await conditionOf(collection, narrowing) } : {}),
      })
      return recordsIn(isObject(result) ? result.points : undefined).map(
        (found): EngineCandidate => ({
          id: found.id,
          vectorScore: metric === 'euclidean' ? 1 / (1 + found.score) : found.score,
          keywordScore: null,
          matched: null,
          ...(vectors && found.vector ? { vector: found.vector } : {}),
        }),
      )
    },

    async drop(collection) {
      ready.delete(collection)
      for (const name of ranged) if (name.startsWith(`${collection} `)) ranged.delete(name)
      await server.call({ method: 'DELETE', path: pathOf(collection), expected: [404] })
    },

    async fault(collection, { dimensions }) {
      const name = `the collection ${collectionPrefix}-${collection}`
      const { status, body } = await server.call({
        ...{ method: 'GET', path: pathOf(collection), expected: [404] },
      })
      if (status === 404) return `${name} is missing`
      const size = ['result', 'config', 'params', 'vectors', 'size'].reduce<unknown>(
        (at, key) => (isObject(at) ? at[key] : undefined),
        body,
      )
      return sizeFault(name, size, dimensions)
    },

    // Flowise's collection has the configured name itself.
    outside: (request) =>
      outsidePoints(
        { server, engine: options.name, collection: collectionPrefix, contentKey, metadataKey, metric },
        request,
      ),

    compare: (collection, expected) =>
      comparePoints(contents(collection), expected, (content) => canonicalJson(payloadOf(content))),
  }
}

type FoundPoint = { id: string; score: number; vector?: Float32Array; payload: JsonObject }

function recordsIn(list: unknown): FoundPoint[] {
  return (Array.isArray(list) ? list : []).filter(isObject).map(({ id, score, vector, payload }) => {
    const own = isObject(payload) ? payload[OWN_ID] : undefined
    return {
      id: typeof own === 'string' ? own : String(id),
      score: Number(score),
      payload: isObject(payload) ? (payload as JsonObject) : {},
      ...(Array.isArray(vector) ? { vector: Float32Array.from(vector as number[]) } : {}),
    }
  })
}

/** Where a number can be in the payload: a path through objects, or one key that contains the dots itself. */
function rangeKeys(metadataKey: string, { path }: RangeNarrowing): string[] {
  const keys = [path.map(quoted).join('.')]
  if (path.length > 1) keys.push(quoted(path.join('.')))
  return keys.map((key) => `${quoted(metadataKey)}.${key}`)
}

/** A key in a path of Qdrant: one with other characters than these stands in quotation marks. */
const quoted = (key: string): string => (/^[\w-]+$/.test(key) ? key : `"${key}"`)
