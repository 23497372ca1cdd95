import type { Metric } from '../../contract/retrieval.ts'
import type { PointContent } from '../../contract/ledger-points.ts'
import type { EngineCandidate, Point, PointChecks, SeparateEngine } from '../../contract/vector-engine.ts'
import { canonicalJson, isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { withoutPatience } from '../../kit/patience.ts'
import { checkIn, comparePoints, type ReadPoint } from '../compare-points.ts'
import { remoteCapabilities } from './capabilities.ts'
import { batchSize } from './batch-size.ts'
import { callBatches } from './call-batches.ts'
import { bulkWriter } from './bulk.ts'
import type { EngineAnswer, EngineServer } from './engine-server.ts'
import { type IndexOptions, PLAIN_INDEX } from './index-options.ts'
import { expungeLater } from './expunge.ts'
import { isRefreshed, wholeDocumentsIn, wholeHitsIn } from './search-answer.ts'
import { exactSearch } from './exact-search.ts'
import { factsOf, factsOfMetadata, factsOfPoint } from './metadata-facts.ts'
import { orderTermsOf } from './order-terms.ts'
import { pairedWrites } from './paired-writes.ts'
import { documentWith } from './point-document.ts'
import { vectorCheck } from '../vector-check.ts'
import { closenessOf, FIELDS, productIn, type SearchDialect } from './search-dialects.ts'
import { FORBIDDEN, type IndexPlace, searchIndexes } from './search-indexes.ts'
import {
  type FoundHit,
  type ReadHit,
  idOf,
  type Search,
  searchesOf,
  VECTOR_FIELDS,
  vectorIn,
} from './search-queries.ts'

export type SearchServerOptions = {
  server: EngineServer
  /** The name of the engine in the ledger. */
  name: string
  /** Indexes of the server that belong to this engine have this name, a hyphen, and the name of the ledger. */
  indexPrefix: string
  /** How vectors are compared. Fixed when an index is created. */
  metric: Metric
  /** How new indexes are made; plain ones unless given. */
  index?: IndexOptions
}

/** The largest result that both servers give (`index.max_result_window`). */
const MAX_RESULT = 10_000
const IDS_PER_CALL = 1000

/**
 * Points in OpenSearch or Elasticsearch, which of them is read from the answer of the server. Both sides are searched: kNN
 * with the filter, and BM25 over the texts.
 *
 * A write is in the transaction log when it is answered, and `_refresh` makes it visible to searches.
 */
export function searchServerEngine(options: SearchServerOptions): SeparateEngine {
  const { server, indexPrefix, metric, index = PLAIN_INDEX } = options
  let known: Promise<SearchDialect> | undefined
  const bulk = bulkWriter(server)
  const write = pairedWrites(batchSize())
  const indexes = searchIndexes({ server, indexPrefix, metric, options: index, dialect })

  /** Which product answers. */
  async function readDialect(): Promise<SearchDialect> {
    const { body } = await server.call({ method: 'GET', path: '/' })
    const product = productIn(body)
    if (!product) throw server.failure('it is neither OpenSearch nor Elasticsearch')
    if (product.fault !== undefined) throw server.failure(product.fault)
    return product.dialect
  }

  async function dialect(): Promise<SearchDialect> {
    known ??= withoutPatience(readDialect)
    try {
      return await known
    } catch (error) {
      known = undefined
      throw error
    }
  }

  /**
   * A call to the index of a collection; undefined where there is none.
   *
   * @param path of the action, with its query
   * @throws SluiceError `provider_failed`, also where nodes do not agree whether the index is there
   */
  async function call(
    collection: string,
    path: string,
    body?: JsonObject,
  ): Promise<EngineAnswer | undefined> {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const place = await indexes.find(collection)
      if (!place) return undefined
      const answer = await server.call({
        ...{ method: 'POST', path: `/${encodeURIComponent(place.target)}/${path}`, expected: [404] },
        ...(body ? { body } : {}),
      })
      if (answer.status !== 404) return answer
      indexes.dropKnown(collection)
    }
    // The node that leads the cluster learns last that an index is gone.
    throw server.failure('the index is being removed or made')
  }

  /** Shows searches what was written; repeated where a copy was not reached. */
  async function refresh(collection: string): Promise<void> {
    const wait = server.wait()
    try {
      for (let attempt = 1; ; attempt++) {
        const answer = await call(collection, '_refresh')
        if (isRefreshed(answer?.body)) return
        const reason = 'a copy of the index was not refreshed'
        if (!wait.goesOn(reason, attempt)) throw server.failure(reason)
        await server.pause(attempt, answer?.headers)
      }
    } finally {
      wait.over()
    }
  }

  const expunge = expungeLater(
    (collection) => call(collection, '_forcemerge?only_expunge_deletes=true&wait_for_completion=false'),
    (collection) => withoutPatience(() => refresh(collection)),
  )

  const contentOf = ({ text, metadata }: PointContent, facts = factsOf(metadata)): JsonObject => ({
    [FIELDS.text]: text.toWellFormed(),
    [FIELDS.metadata]: metadata as JsonObject,
    [FIELDS.facts]: facts,
    [FIELDS.order]: orderTermsOf(metadata),
  })

  /** Both products refuse a vector of zeros where cosines are compared. */
  const hasCosine = (vector: Float32Array): boolean =>
    metric !== 'cosine' || vector.some((number) => number !== 0)

  const documentOf = (point: Point): Uint8Array => {
    const fields = {
      ...contentOf(point, factsOfPoint(point)),
      [FIELDS.check]: point.check ?? vectorCheck(point.vector),
      [FIELDS.id]: point.id,
    }
    return hasCosine(point.vector)
      ? documentWith(fields, FIELDS.vector, point.vector)
      : Buffer.from(JSON.stringify({ ...fields, [FIELDS.zeros]: point.vector.length }))
  }

  /** A call that writes points. */
  function packed(place: IndexPlace, points: readonly Point[]) {
    const actions = points.map((point) => ({
      action: { index: { _index: place.target, _id: point.id } },
      document: documentOf(point),
    }))
    const bytes = actions.reduce((sum, { document }) => sum + document.length, 0)
    return { bytes, send: () => bulk(actions, place) }
  }

  async function remove(collection: string, ids: readonly string[]): Promise<void> {
    const place = ids.length > 0 ? await indexes.find(collection) : undefined
    if (!place) return
    for (const batch of callBatches(ids, { count: IDS_PER_CALL }))
      await bulk(
        batch.map((id) => ({ action: { delete: { _index: place.target, _id: id } } })),
        place,
      )
    await refresh(collection)
    expunge.note(collection, ids.length)
  }

  function whole(read: ReadHit[] | undefined): ReadHit[] {
    if (!read) throw server.failure('a part of the index did not answer')
    return read
  }

  const hitsIn = (body: Json | undefined) => whole(wholeHitsIn(body))

  /** The hits of a search; none where the index does not exist. @param how the query of its path */
  async function hitsOf(collection: string, { body, how = {} }: Search): Promise<ReadHit[]> {
    const query = new URLSearchParams(how).toString()
    const answer = await call(collection, `_search${query && `?${query}`}`, body)
    return answer ? hitsIn(answer.body) : []
  }

  /** Whether the credential may make several searches by one call: that is a right of its own. */
  let maySearchTogether = true

  /** The hits of several searches, by one call where that is possible. What is wrong with one of them is told by a call of its own. */
  async function hitsOfAll(collection: string, searches: readonly Search[]): Promise<ReadHit[][]> {
    const place = searches.length > 1 && maySearchTogether ? await indexes.find(collection) : undefined
    if (place) {
      const { status, body } = await server.call({
        ...{ method: 'POST', path: `/${encodeURIComponent(place.target)}/_msearch` },
        lines: searches.flatMap(({ body, how = {} }) => [how, body]),
        expected: [...FORBIDDEN, 404],
      })
      if (FORBIDDEN.includes(status)) maySearchTogether = false
      const answers = isObject(body) && Array.isArray(body.responses) ? body.responses : []
      if (answers.length === searches.length && answers.every((one) => isObject(one) && one.status === 200))
        return answers.map(hitsIn)
    }
    return Promise.all(searches.map((search) => hitsOf(collection, search)))
  }

  /** All points. @param fields those that are read */
  async function* pages(collection: string, fields: string[] | false): AsyncGenerator<ReadHit[]> {
    await refresh(collection)
    for (let after: Json | undefined; ; ) {
      const body: JsonObject = {
        size: IDS_PER_CALL,
        _source: fields,
        sort: [{ [FIELDS.id]: 'asc' }],
        query: { match_all: {} },
        ...(after === undefined ? {} : { search_after: [after] }),
      }
      const hits = await hitsOf(collection, { body })
      if (hits.length > 0) yield hits
      // Documents of other programs have no id to go on from; they come last.
      const [last = null] = hits.at(-1)?.sort ?? []
      if (hits.length < IDS_PER_CALL || last === null) return
      after = last
    }
  }

  async function* ids(collection: string): AsyncGenerator<string[]> {
    for await (const hits of pages(collection, false)) yield hits.map(({ _id }) => _id)
  }

  async function* contents(collection: string): AsyncGenerator<ReadPoint[]> {
    for await (const hits of pages(collection, CONTENT_FIELDS))
      yield hits.map(({ _id, _source }) => {
        const { [FIELDS.check]: check, ...held } = _source ?? {}
        const content = { ...held, [FIELDS.facts]: factsOfMetadata(held[FIELDS.facts]) }
        return { id: _id, content: canonicalJson(content as JsonObject), check: checkIn(check) }
      })
  }

  /** Some fields of those of some points that are there, also where no search finds them yet. */
  async function* documents(
    collection: string,
    ids: readonly string[],
    fields: readonly string[],
  ): AsyncGenerator<ReadHit> {
    for (const batch of callBatches(ids, { count: IDS_PER_CALL })) {
      const answer = await call(collection, `_mget?_source_includes=${fields.join()}`, { ids: batch })
      yield* whole(wholeDocumentsIn(answer?.body))
    }
  }

  const engine: SeparateEngine = {
    name: options.name,
    capabilities: remoteCapabilities('searchServer', metric),

    async upsert(collection, points, { later } = { later: false }) {
      if (points.length === 0) return
      const place = await indexes.make(collection, points[0]!.vector.length)
      try {
        await write(points, pointBytes, (batch) => packed(place, batch))
      } catch (error) {
        indexes.dropKnown(collection)
        throw error
      }
      if (!later) await refresh(collection)
    },

    refresh,

    delete: remove,

    async vectors(collection, ids) {
      const vectors = new Map<string, Float32Array>()
      for await (const document of documents(collection, ids, VECTOR_FIELDS)) {
        const vector = vectorIn(document)
        if (vector) vectors.set(document._id, vector)
      }
      return vectors
    },

    async checks(collection, ids) {
      const checks: PointChecks = new Map()
      for await (const { _id, _source } of documents(collection, ids, [FIELDS.check]))
        checks.set(_id, checkIn(_source?.[FIELDS.check]))
      return checks
    },

    ids,

    async search(collection, request) {
      const size = Math.min(request.limit, MAX_RESULT)
      // A first search waits for the product and for the index at once.
      const [{ knn }] = await Promise.all([dialect(), known ? undefined : indexes.find(collection)])
      const { byVector, again, byWords } = searchesOf({ ...request, limit: size }, { knn, hasCosine })
      const found = await hitsOfAll(
        collection,
        [byVector, byWords].filter((search) => search !== undefined),
      )
      let near: FoundHit[] = byVector ? found.shift()! : []
      const worded: FoundHit[] = byWords ? found.shift()! : []
      if (again && near.length < size) near = await hitsOf(collection, again)
      const candidates = new Map<string, EngineCandidate>()
      const note = (hit: FoundHit, score: Partial<EngineCandidate>): void => {
        const id = idOf(hit)
        if (id === undefined) return
        const own = request.vectors ? vectorIn(hit) : undefined
        const known = candidates.get(id) ?? {
          ...{ id, vectorScore: null, keywordScore: null, matched: null },
          ...(own ? { vector: own } : {}),
        }
        candidates.set(id, { ...known, ...score })
      }
      for (const hit of near) note(hit, { vectorScore: closenessOf(metric, hit._score) })
      for (const hit of worded) note(hit, { keywordScore: hit._score })
      return [...candidates.values()]
    },

    async drop(collection) {
      expunge.drop(collection)
      await indexes.drop(collection)
    },

    fault: indexes.fault,
    kept: async (collection) => indexes.kept(collection),

    compare: (collection, expected) =>
      comparePoints(contents(collection), expected, (content) => canonicalJson(contentOf(content))),
  }
  return index.vectors === 'int8' ? { ...engine, search: exactSearch(engine.search, metric) } : engine
}

/** About how many bytes the document of a point has. */
const pointBytes = ({ vector, text }: Point): number => 13 * vector.length + text.length + 1000

/** What an index keeps of a text and metadata. */
const CONTENT_FIELDS: string[] = [FIELDS.text, FIELDS.metadata, FIELDS.facts, FIELDS.order, FIELDS.check]
