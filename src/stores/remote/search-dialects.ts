import type { Metric } from '../../contract/retrieval.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { type IndexOptions, PLAIN_INDEX } from './index-options.ts'

/** The fields of a point in an index: `text`, `embedding` and `metadata` have the names of Flowise. */
export const FIELDS = {
  text: 'text',
  vector: 'embedding',
  /** The length of a vector of zeros, which no index of cosines takes. */
  zeros: 'sluice_zeros',
  /** The check of the vector. It is read and never searched, so that it needs no mapping. */
  check: 'sluice_check',
  metadata: 'metadata',
  id: 'sluice_id',
  facts: 'sluice_facts',
  order: 'sluice_order',
} as const

/** A kNN search: the filter is applied while the neighbours are found, so that it does not shorten the result. */
export type KnnSearch = { vector: number[]; limit: number; filter: JsonObject | undefined }

/** What OpenSearch and Elasticsearch have in different ways. */
export type SearchDialect = {
  readonly name: 'OpenSearch' | 'Elasticsearch'
  /** The body of the creation of an index; a plain one unless told how it is. */
  index(dimensions: number, metric: Metric, options?: IndexOptions): JsonObject
  /** The body of a search by vector. */
  knn(search: KnnSearch): JsonObject
  /** The field of the vectors in the mapping of an index that {@link index} has made: its type, and what may be asked of it. */
  vectorField(mapping: JsonObject): { type: string; dimensions: Json | undefined; metric: Json | undefined }
}

/** The oldest versions that work: OpenSearch applies filters within the search of Lucene, Elasticsearch has `knn` in a search. */
const OLDEST = { OpenSearch: [2, 4], Elasticsearch: [8, 4] } as const

/** What the answer to `GET /` says of a server; `fault`: why it cannot be used. */
export type SearchProduct = { dialect: SearchDialect; version: string; fault: string | undefined }

/** Undefined where it is the answer of another program. */
export function productIn(root: Json | undefined): SearchProduct | undefined {
  const version = isObject(root) ? root.version : undefined
  if (!isObject(version) || typeof version.number !== 'string') return undefined
  const { number, distribution } = version
  const dialect = distribution === 'opensearch' ? openSearch(number) : elasticsearch(number)
  const [major = 0, minor = 0] = number.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST[dialect.name]
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
  const oldest = `${oldestMajor}.${oldestMinor}`
  const fault = isOld ? `it is ${dialect.name} ${number}, and ${oldest} is the oldest that works` : undefined
  return { dialect, version: number, fault }
}

const PROPERTIES = {
  [FIELDS.text]: { type: 'text' },
  // Kept as it is: fields of one name may have values of different types in different documents.
  [FIELDS.metadata]: { type: 'object', enabled: false },
  [FIELDS.id]: { type: 'keyword' },
  [FIELDS.facts]: { type: 'keyword', norms: false },
  [FIELDS.order]: { type: 'keyword', norms: false },
} satisfies JsonObject

/**
 * What is written is shown where it may be found, by a call. By itself the product would show it every second, in small segments that it
 * merges later.
 */
const REFRESH = { refresh_interval: '-1' }

const OPENSEARCH_SPACES = { cosine: 'cosinesimil', dot: 'innerproduct', euclidean: 'l2' } as const
const ELASTIC_SIMILARITIES = { cosine: 'cosine', dot: 'max_inner_product', euclidean: 'l2_norm' } as const

/** How many of the nearest each part of an index looks for, also where fewer are asked: with so few its graph misses many. */
const LEAST_WIDTH = 250

/** Over how many parts and copies an index is spread. */
const spread = ({ shards, copies }: IndexOptions): JsonObject => ({
  ...(shards === undefined ? {} : { number_of_shards: shards }),
  ...(copies === undefined ? {} : { number_of_replicas: copies }),
})

/** The parameters of a method of OpenSearch's Lucene engine. */
function lucene({ vectors, efConstruction }: IndexOptions): JsonObject {
  const parameters = {
    ...(vectors === 'int8' ? { encoder: { name: 'sq' } } : {}),
    ...(efConstruction === undefined ? {} : { ef_construction: efConstruction }),
  }
  return Object.keys(parameters).length > 0 ? { parameters } : {}
}

/** Whether a version such as `8.14.1` is this one or a newer one. */
function isFrom(version: string, from: [major: number, minor: number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > from[0] || (major === from[0] && minor >= from[1])
}

/**
 * https://docs.opensearch.org/latest/vector-search/
 *
 * @param version such as `2.19.1`
 */
export function openSearch(version: string): SearchDialect {
  // The text of a vector is left out of the stored document, and made from the vector where it is read.
  const source = isFrom(version, [2, 19]) ? { 'knn.derived_source.enabled': true } : {}
  return {
    name: 'OpenSearch',
    index: (dimension, metric, options = PLAIN_INDEX) => ({
      settings: { index: { knn: true, ...REFRESH, ...source, ...spread(options) } },
      mappings: {
        dynamic: false,
        properties: {
          ...PROPERTIES,
          [FIELDS.vector]: {
            type: 'knn_vector',
            dimension,
            // The engine that applies filters within the search.
            method: {
              ...{ name: 'hnsw', engine: 'lucene', space_type: OPENSEARCH_SPACES[metric] },
              ...lucene(options),
            },
          },
        },
      },
    }),
    knn: ({ vector, limit, filter }) => ({
      query: {
        knn: {
          [FIELDS.vector]: { vector, k: Math.max(limit, LEAST_WIDTH), ...(filter ? { filter } : {}) },
        },
      },
    }),
    vectorField: ({ dimension, method }) => ({
      type: 'knn_vector',
      dimensions: dimension,
      metric: metricOf(OPENSEARCH_SPACES, isObject(method) ? (method.space_type as Json) : undefined),
    }),
  }
}

/**
 * https://www.elastic.co/docs/reference/elasticsearch/mapping-reference/dense-vector
 *
 * @param version such as `8.14.1`
 */
export function elasticsearch(version: string): SearchDialect {
  // From 9.2 on vectors are left out of `_source` unless an index asks for them.
  const source = isFrom(version, [9, 2]) ? { 'mapping.exclude_source_vectors': false } : {}
  return {
    name: 'Elasticsearch',
    index: (dims, metric, options = PLAIN_INDEX) => ({
      settings: { index: { ...REFRESH, ...source, ...spread(options) } },
      mappings: {
        dynamic: false,
        properties: {
          ...PROPERTIES,
          [FIELDS.vector]: {
            type: 'dense_vector',
            dims,
            index: true,
            similarity: ELASTIC_SIMILARITIES[metric],
            // The default of newer versions rounds vectors to eight bits, and the scores with them.
            index_options: {
              type: options.vectors === 'int8' ? 'int8_hnsw' : 'hnsw',
              ...(options.efConstruction === undefined ? {} : { ef_construction: options.efConstruction }),
            },
          },
        },
      },
    }),
    knn: ({ vector, limit, filter }) => ({
      knn: {
        field: FIELDS.vector,
        query_vector: vector,
        k: limit,
        num_candidates: Math.min(10_000, Math.max(2 * limit, LEAST_WIDTH)),
        ...(filter ? { filter } : {}),
      },
    }),
    vectorField: ({ dims, similarity }) => ({
      type: 'dense_vector',
      dimensions: dims,
      metric: metricOf(ELASTIC_SIMILARITIES, similarity),
    }),
  }
}

/** Our word for a metric of a product; its own where we have none. */
const metricOf = (names: Record<Metric, string>, name: Json | undefined): Json | undefined =>
  Object.entries(names).find(([, own]) => own === name)?.[0] ?? name

/**
 * What keeps an index with a mapping from having our points; undefined where nothing does.
 *
 * @param dimensions undefined where they are not known
 */
export function mappingFault(
  mapping: JsonObject,
  dialect: SearchDialect,
  { dimensions, metric }: { dimensions: number | undefined; metric: Metric },
): string | undefined {
  const properties = isObject(mapping.properties) ? (mapping.properties as Record<string, JsonObject>) : {}
  const vector = properties[FIELDS.vector] ?? {}
  const own = dialect.vectorField(vector)
  const wanted = { ...PROPERTIES, [FIELDS.vector]: { type: own.type } } satisfies Record<string, JsonObject>
  for (const [field, { type }] of Object.entries(wanted)) {
    // Both products leave this type out where a field is an object.
    const found = properties[field] && (properties[field].type ?? 'object')
    if (found !== type) return `has another mapping: ${field} is ${found ?? 'missing'} instead of ${type}`
  }
  if (dimensions !== undefined && own.dimensions !== dimensions)
    return `has vectors of ${own.dimensions} numbers, and the flow has ${dimensions}`
  if (own.metric !== undefined && own.metric !== metric)
    return `compares vectors by ${own.metric}, and the flow by ${metric}`
  return undefined
}

/** The closeness of two vectors from the score of both products: `(1 + cos) / 2`, `1 / (1 + d²)`, or by the dot product. */
export function closenessOf(metric: Metric, score: number): number {
  switch (metric) {
    case 'cosine':
      return 2 * score - 1
    case 'euclidean':
      return 1 / (1 + Math.sqrt(Math.max(0, 1 / score - 1)))
    case 'dot':
      return score >= 1 ? score - 1 : 1 - 1 / score
  }
}
