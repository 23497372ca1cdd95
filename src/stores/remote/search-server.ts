import { createHash } from 'node:crypto'
import type { Metric } from '../../contract/retrieval.ts'
import type { PointContent } from '../../contract/ledger.ts'
import type { EngineCandidate, Point, SeparateEngine } from '../../contract/vector-engine.ts'
import { canonicalJson, isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { comparePoints, type ReadPoint } from '../compare-points.ts'
import { withoutStopWords } from '../../text/terms/stop-words.ts'
import { remoteCapabilities } from './capabilities.ts'
import { batchSize } from './batch-size.ts'
import { callBatches } from './call-batches.ts'
import { bulkWriter } from './bulk.ts'
import type { EngineAnswer, EngineServer } from './engine-server.ts'
import { type IndexOptions, PLAIN_INDEX } from './index-options.ts'
import { exactSearch } from './exact-search.ts'
import { factsOf } from './metadata-facts.ts'
import { type Narrowing, narrowingOf } from './narrowing.ts'
import { orderRange, orderTermsOf } from './order-terms.ts'
import { pairedWrites } from './paired-writes.ts'
import { documentWith } from './point-document.ts'
import { repairPoints } from './repair.ts'
import { closenessOf, elasticsearch, FIELDS, openSearch, type SearchDialect } from './search-dialects.ts'
import { type IndexPlace, searchIndexes } from './search-indexes.ts'

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
/** The most words of a question; each is a clause of the query. */
const MAX_WORDS = 64

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
    const version = isObject(body) ? body.version : undefined
    if (!isObject(version) || typeof version.number !== 'string')
      throw server.failure('it is neither OpenSearch nor Elasticsearch')
    return version.distribution === 'opensearch' ? openSearch(version.number) : elasticsearch(version.number)
  }

  async function dialect(): Promise<SearchDialect> {
    known ??= readDialect()
    try {
      return await known
    } catch (error) {
      known = undefined
      throw error
    }
  }

  /** A call to the index of a collection; undefined where there is none. @param path of the action, with its query */
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
    return undefined
  }

  const refresh = (collection: string) => call(collection, '_refresh')

  const contentOf = ({ text, metadata }: PointContent): JsonObject => ({
    [FIELDS.text]: text.toWellFormed(),
    [FIELDS.metadata]: metadata as JsonObject,
    [FIELDS.facts]: factsOf(metadata),
    [FIELDS.order]: orderTermsOf(metadata),
  })

  /** Both products refuse a vector of zeros where cosines are compared. */
  const hasCosine = (vector: Float32Array): boolean =>
    metric !== 'cosine' || vector.some((number) => number !== 0)

  const documentOf = (point: Point): Uint8Array => {
    const fields = { ...contentOf(point), [FIELDS.id]: point.id }
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
  }

  /** The hits of a search; none where the index does not exist. @param how the query of its path */
  async function hitsOf(collection: string, body: JsonObject, how = ''): Promise<Hit[]> {
    const answer = await call(collection, `_search${how}`, body)
    if (!answer) return []
    const { hits, timed_out, _shards } = answer.body as JsonObject
    const failed = isObject(_shards) && typeof _shards.failed === 'number' ? _shards.failed : 0
    if (timed_out === true || failed > 0) throw server.failure('a part of the index did not answer')
    return (isObject(hits) && Array.isArray(hits.hits) ? hits.hits : []) as Hit[]
  }

  /** All points. @param fields those that are read */
  async function* pages(collection: string, fields: string[] | false): AsyncGenerator<Hit[]> {
    await refresh(collection)
    for (let after: Json | undefined; ; ) {
      const hits = await hitsOf(collection, {
        size: IDS_PER_CALL,
        _source: fields,
        sort: [{ [FIELDS.id]: 'asc' }],
        query: { match_all: {} },
        ...(after === undefined ? {} : { search_after: [after] }),
      })
      if (hits.length > 0) yield hits
      // Documents of other programs have no id to go on from; they come last.
      if (hits.length < IDS_PER_CALL) return
      after = hits.at(-1)!._id
    }
  }

  async function* ids(collection: string): AsyncGenerator<string[]> {
    for await (const hits of pages(collection, false)) yield hits.map(({ _id }) => _id)
  }

  async function* contents(collection: string): AsyncGenerator<ReadPoint[]> {
    for await (const hits of pages(collection, CONTENT_FIELDS))
      yield hits.map(({ _id, _source }) => ({ id: _id, content: canonicalJson(_source ?? null) }))
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

    async refresh(collection) {
      await refresh(collection)
    },

    delete: remove,

    async vectors(collection, ids) {
      const vectors = new Map<string, Float32Array>()
      for (const batch of callBatches(ids, { count: IDS_PER_CALL })) {
        const answer = await call(collection, `_mget?_source_includes=${VECTOR_FIELDS}`, { ids: batch })
        const body = answer?.body
        const docs = isObject(body) && Array.isArray(body.docs) ? body.docs : []
        for (const doc of docs as Hit[]) {
          const vector = vectorIn(doc)
          if (vector) vectors.set(doc._id, vector)
        }
      }
      return vectors
    },

    async search(collection, { vector, text, limit, filter, vectors = false }) {
      const size = Math.min(limit, MAX_RESULT)
      const narrowing = filter && narrowingOf(filter, ['number', 'string'])
      const condition = narrowing && conditionOf(narrowing)
      const common = { size, _source: vectors ? VECTOR_FIELDS : false }
      const words = text === undefined ? [] : wordsOf(text)
      const copies = copiesOf(
        vector ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength) : text!,
      )
      const nearest = async (filter: JsonObject | undefined): Promise<Hit[]> => {
        const body = (await dialect()).knn({ vector: Array.from(vector!), limit: size, filter })
        const hits = await hitsOf(collection, { ...common, ...body }, `?${copies}`)
        return hits.length < size && !filter ? nearest(EVERY_POINT) : hits
      }
      const [near, worded] = await Promise.all([
        vector && hasCosine(vector) ? nearest(condition) : [],
        words.length > 0
          ? hitsOf(collection, { ...common, query: wordQuery(words, condition) }, `?${copies}&${ALL_SHARDS}`)
          : [],
      ])
      const found = new Map<string, EngineCandidate>()
      const candidate = (hit: Hit): EngineCandidate => {
        const id = hit._id
        const own = vectors ? vectorIn(hit) : undefined
        return (
          found.get(id) ?? {
            ...{ id, vectorScore: null, keywordScore: null, matched: null },
            ...(own ? { vector: own } : {}),
          }
        )
      }
      for (const hit of near)
        found.set(hit._id, { ...candidate(hit), vectorScore: closenessOf(metric, hit._score) })
      for (const hit of worded)
        found.set(hit._id, {
          ...candidate(hit),
          keywordScore: hit._score,
        })
      return [...found.values()]
    },

    drop: indexes.drop,
    fault: indexes.fault,

    repair: (collection, expected) =>
      repairPoints({ pages: () => ids(collection), remove: (gone) => remove(collection, gone) }, expected),

    compare: (collection, expected) =>
      comparePoints(contents(collection), expected, (content) => canonicalJson(contentOf(content))),
  }
  return index.vectors === 'int8' ? { ...engine, search: exactSearch(engine.search, metric) } : engine
}

/** About how many bytes the document of a point has. */
const pointBytes = ({ vector, text }: Point): number => 13 * vector.length + text.length + 1000

/**
 * How a question gets the same answer each time: it asks the same copies, which have graphs of their own and count deleted documents
 * differently. Other questions ask others.
 */
const copiesOf = (question: Buffer | string): string =>
  `preference=${createHash('sha256').update(question).digest('hex').slice(0, 8)}`

/** Rarity of words is counted over all shards, not in each alone. Elasticsearch refuses this for vectors, which have none. */
const ALL_SHARDS = 'search_type=dfs_query_then_fetch'

/**
 * A condition that every point meets. Deleted documents stay in the graph of vectors until a merge, and a search among them may end before
 * it has met others. Only with a condition it then compares all points that meet it.
 */
const EVERY_POINT = conditionOf({ op: 'none', facts: ['-'] })

const VECTOR_FIELDS: string[] = [FIELDS.vector, FIELDS.zeros]

/** The vector of a document, where it was read. */
function vectorIn({ _source }: Hit): Float32Array | undefined {
  const { [FIELDS.vector]: numbers, [FIELDS.zeros]: zeros } = _source ?? {}
  if (Array.isArray(numbers)) return Float32Array.from(numbers as number[])
  return typeof zeros === 'number' ? new Float32Array(zeros) : undefined
}

/** What an index keeps of a text and metadata. */
const CONTENT_FIELDS: string[] = [FIELDS.text, FIELDS.metadata, FIELDS.facts, FIELDS.order]

type Hit = { _id: string; _score: number; _source?: JsonObject }

function conditionOf(narrowing: Narrowing): JsonObject {
  switch (narrowing.op) {
    case 'and':
      return { bool: { filter: narrowing.all.map(conditionOf) } }
    case 'or':
      return { bool: { should: narrowing.all.map(conditionOf), minimum_should_match: 1 } }
    case 'some':
      return { terms: { [FIELDS.facts]: narrowing.facts } }
    case 'none':
      return { bool: { must_not: [{ terms: { [FIELDS.facts]: narrowing.facts } }] } }
    default: {
      const range = orderRange(narrowing)
      return range ? { range: { [FIELDS.order]: range } } : { match_all: {} }
    }
  }
}

/** The words of a question, each once, without stop words unless it has only these. */
function wordsOf(question: string): string[] {
  const split = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const bare = split(withoutStopWords(question))
  return [...new Set(bare.length > 0 ? bare : split(question))].slice(0, MAX_WORDS)
}

/** BM25 of all words. */
const wordQuery = (words: readonly string[], condition: JsonObject | undefined): JsonObject => ({
  bool: {
    should: words.map((query) => ({ match: { [FIELDS.text]: { query } } })),
    minimum_should_match: 1,
    ...(condition ? { filter: [condition] } : {}),
  },
})
