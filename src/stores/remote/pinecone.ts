import type { PointContent } from '../../contract/ledger-points.ts'
import type { EngineCandidate, Point, PointChecks, SeparateEngine } from '../../contract/vector-engine.ts'
import { SluiceError } from '../../kit/errors.ts'
import { canonicalJson, isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { checkIn, comparePoints, type ReadPoint } from '../compare-points.ts'
import { remoteCapabilities } from './capabilities.ts'
import { callBatches, pointBytes } from './call-batches.ts'
import type { EngineAnswer, EngineServer } from './engine-server.ts'
import { factsOf, factsOfMetadata, factsOfPoint, fieldsOf } from './metadata-facts.ts'
import { type Narrowing, narrowingOfSearch } from './narrowing.ts'
import { vectorCheck } from '../vector-check.ts'

export type PineconeOptions = {
  /** The name of the engine in the ledger. */
  name: string
  /** The server of the index, with vectors of one length, compared by the cosine. */
  server: EngineServer
  /** Namespaces that belong to this engine have this name, a hyphen, and the name of the ledger. */
  namespacePrefix: string
  /** The key of the text in the metadata: that of Flowise unless given. */
  textKey?: string | undefined
}

/** Pinecone refuses calls of more than 2 MB or 1,000 vectors, and metadata of more than 40 kB. */
const BATCH = { count: 1000, bytes: 1_800_000 }
const METADATA_BYTES = 40_000
/** What the number of a run takes of them. */
const RUN_BYTES = 20
const IDS_PER_DELETE = 1000
/** Ids are in the address of a fetch. */
const IDS_PER_FETCH = 100
const IDS_PER_PAGE = 100
const MAX_RESULT = 10_000

const FACTS = 'sluice_facts'
/** The check of the vector, and what it takes of the room for metadata. */
const CHECK = 'sluice_check'
const CHECK_BYTES = 60

/** How often it is asked whether a write is visible. The waits between double, and are 51 seconds in sum. */
const VISIBLE_ATTEMPTS = 9

/**
 * Points in an index of Pinecone, over its REST API (https://docs.pinecone.io/reference/api, version 2025-04). The index
 * exists already; each collection is a namespace of it.
 *
 * Pinecone answers a write before searches see it. A write therefore waits until the index has reached the write, by the
 * sequence numbers of its answers (https://docs.pinecone.io/guides/index-data/check-data-freshness): for about
 * a minute, then it goes on, since the write itself is durable. A deleted point that is still found is dropped by the ledger.
 */
export function pineconeEngine(options: PineconeOptions): SeparateEngine {
  const { server, namespacePrefix, textKey = 'text' } = options
  const namespaceOf = (collection: string) => `${namespacePrefix}-${collection}`

  const post = (path: string, body: JsonObject): Promise<EngineAnswer> =>
    server.call({ method: 'POST', path, body, expected: [404] })

  /** The metadata of a record, with the text among them. */
  function recordMetadata({ text, metadata }: PointContent): JsonObject {
    const own: JsonObject = { ...flatMetadata(metadata), [FACTS]: factsOf(metadata) }
    const left =
      METADATA_BYTES - RUN_BYTES - Buffer.byteLength(JSON.stringify(own)) - textKey.length - CHECK_BYTES
    if (left < 0) throw server.failure('the metadata of a chunk are larger than 40 kB')
    return { ...own, [textKey]: cutText(text, left) }
  }

  const recordOf = (point: Point): JsonObject => ({
    id: point.id,
    values: Array.from(point.vector),
    metadata: {
      ...recordMetadata(point),
      [FACTS]: factsOfPoint(point),
      [CHECK]: point.check ?? vectorCheck(point.vector),
    },
  })

  /** Waits until a search has seen a write: by its number, or by a point that is there or gone since. */
  async function untilVisible(collection: string, written: EngineAnswer, id: string, isThere: boolean) {
    const target = Number(written.headers.get('x-pinecone-request-lsn') ?? Number.NaN)
    for (let attempt = 1; attempt <= VISIBLE_ATTEMPTS; attempt++) {
      const seen = await post('/query', { id, topK: 1, namespace: namespaceOf(collection) })
      const reached = Number(seen.headers.get('x-pinecone-max-indexed-lsn') ?? Number.NaN)
      const matches = isObject(seen.body) && Array.isArray(seen.body.matches) ? seen.body.matches : []
      const isSeen =
        Number.isNaN(target) || Number.isNaN(reached) ? matches.length > 0 === isThere : reached >= target
      if (isSeen) return
      await server.pause(attempt)
    }
  }

  async function remove(collection: string, ids: readonly string[]): Promise<void> {
    let removed: EngineAnswer | undefined
    for (const batch of callBatches(ids, { count: IDS_PER_DELETE })) {
      removed = await post('/vectors/delete', { ids: batch, namespace: namespaceOf(collection) })
      if (removed.status === 404) return
    }
    if (removed) await untilVisible(collection, removed, ids.at(-1)!, false)
  }

  async function* pages(collection: string): AsyncGenerator<string[]> {
    for (let token: string | undefined; ; ) {
      const query = new URLSearchParams({ namespace: namespaceOf(collection), limit: `${IDS_PER_PAGE}` })
      if (token !== undefined) query.set('paginationToken', token)
      const { status, body } = await server.call({
        ...{ method: 'GET', path: `/vectors/list?${query}`, expected: [404] },
      })
      if (status === 404 || !isObject(body)) return
      const vectors = Array.isArray(body.vectors) ? (body.vectors as { id: string }[]) : []
      yield vectors.map(({ id }) => id)
      const next = isObject(body.pagination) ? body.pagination.next : undefined
      if (typeof next !== 'string' || next === '') return
      token = next
    }
  }

  /** Some records by their ids; those that are not there are left out. */
  async function fetchRecords(collection: string, ids: readonly string[]): Promise<[string, JsonObject][]> {
    const query = new URLSearchParams()
    for (const id of ids) query.append('ids', id)
    query.set('namespace', namespaceOf(collection))
    const { body } = await server.call({ method: 'GET', path: `/vectors/fetch?${query}`, expected: [404] })
    const found = isObject(body) && isObject(body.vectors) ? body.vectors : {}
    return Object.entries(found).filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
  }

  async function* contents(collection: string): AsyncGenerator<ReadPoint[]> {
    for await (const ids of pages(collection))
      for (const batch of callBatches(ids, { count: IDS_PER_FETCH }))
        yield (await fetchRecords(collection, batch)).map(([id, { metadata }]) => {
          const { [CHECK]: check, ...held } = isObject(metadata) ? metadata : {}
          const content = { ...held, [FACTS]: factsOfMetadata(held[FACTS]) }
          return { id, content: canonicalJson(content as JsonObject), check: checkIn(check) }
        })
  }

  return {
    name: options.name,
    capabilities: remoteCapabilities('pinecone', 'cosine'),

    async upsert(collection, points) {
      let written: EngineAnswer | undefined
      for (const batch of callBatches(points, BATCH, pointBytes)) {
        const vectors = batch.map(recordOf)
        written = await post('/vectors/upsert', { vectors, namespace: namespaceOf(collection) })
        if (written.status === 404) throw server.failure('the index does not exist')
      }
      if (written) await untilVisible(collection, written, points.at(-1)!.id, true)
    },

    delete: remove,

    async vectors(collection, ids) {
      const vectors = new Map<string, Float32Array>()
      for (const batch of callBatches(ids, { count: IDS_PER_FETCH }))
        for (const [id, { values }] of await fetchRecords(collection, batch))
          if (Array.isArray(values)) vectors.set(id, Float32Array.from(values as number[]))
      return vectors
    },

    async checks(collection, ids) {
      const checks: PointChecks = new Map()
      for (const batch of callBatches(ids, { count: IDS_PER_FETCH }))
        for (const [id, { metadata }] of await fetchRecords(collection, batch))
          checks.set(id, checkIn(isObject(metadata) ? metadata[CHECK] : undefined))
      return checks
    },

    ids: pages,

    async search(collection, { vector, limit, filter, withoutRuns, vectors = false }) {
      if (!vector) return []
      const narrowing = narrowingOfSearch({ filter, withoutRuns }, ['number'])
      const { body } = await post('/query', {
        vector: Array.from(vector),
        topK: Math.min(limit, MAX_RESULT),
        namespace: namespaceOf(collection),
        includeValues: vectors,
        includeMetadata: false,
        ...(narrowing ? { filter: conditionOf(narrowing) } : {}),
      })
      const matches = isObject(body) && Array.isArray(body.matches) ? (body.matches as Match[]) : []
      return matches.map(
        ({ id, score, values }): EngineCandidate => ({
          ...{ id, vectorScore: score, keywordScore: null, matched: null },
          ...(vectors && values ? { vector: Float32Array.from(values) } : {}),
        }),
      )
    },

    async drop(collection) {
      const dropped = await post('/vectors/delete', { deleteAll: true, namespace: namespaceOf(collection) })
      if (dropped.status !== 404) await untilVisible(collection, dropped, '', false)
    },

    async fault(collection) {
      for await (const ids of pages(collection)) if (ids.length > 0) return undefined
      return `the namespace ${namespaceOf(collection)} is empty`
    },

    compare: (collection, expected) =>
      comparePoints(contents(collection), expected, (content) => canonicalJson(recordMetadata(content))),
  }
}

/** The version of the API that this engine speaks. */
export const PINECONE_HEADERS = { 'x-pinecone-api-version': '2025-04' }

/**
 * The address of an index, from Pinecone's control plane.
 *
 * @throws SluiceError `engine_unfit` where it is missing or compares vectors in another way, `provider_failed`
 */
export async function findPineconeIndex(
  control: EngineServer,
  engine: string,
  index: string,
): Promise<string> {
  const path = `/indexes/${encodeURIComponent(index)}`
  const { status, body } = await control.call({ method: 'GET', path, expected: [404] })
  const { host, metric } = isObject(body) ? body : {}
  if (status === 404 || typeof host !== 'string')
    throw new SluiceError('engine_unfit', { engine, reason: `there is no index ${index}` })
  if (metric !== 'cosine')
    throw new SluiceError('engine_unfit', { engine, reason: 'the metric of the index must be cosine' })
  return /^https?:/.test(host) ? host : `https://${host}`
}

type Match = { id: string; score: number; values?: number[] }

/** Pinecone takes texts, numbers, flags and lists of texts; other values become JSON, and null is left out. */
function flatMetadata(metadata: Point['metadata']): JsonObject {
  const flat: JsonObject = {}
  for (const [field, value] of fieldsOf(metadata)) {
    // A key that begins with a dollar sign is an operator.
    if (value === null || isObject(value) || field.startsWith('$')) continue
    flat[field] =
      Array.isArray(value) && !value.every((one) => typeof one === 'string') ? JSON.stringify(value) : value
  }
  return flat
}

function conditionOf(narrowing: Narrowing): JsonObject {
  switch (narrowing.op) {
    case 'and':
    case 'or':
      return { [`$${narrowing.op}`]: narrowing.all.map(conditionOf) }
    case 'some':
      return { [FACTS]: { $in: narrowing.facts } }
    case 'none':
      return { [FACTS]: { $nin: narrowing.facts } }
    default:
      return { [narrowing.path.join('.')]: { [`$${narrowing.op}`]: narrowing.value as Json } }
  }
}

/** The beginning of a text that needs at most so many bytes of JSON. */
function cutText(text: string, bytes: number): string {
  if (Buffer.byteLength(JSON.stringify(text)) <= bytes) return text
  let end = Math.min(text.length, bytes)
  while (end > 0 && Buffer.byteLength(JSON.stringify(text.slice(0, end))) > bytes) end = Math.floor(end * 0.9)
  return text.slice(0, end).toWellFormed()
}
