import type { ApiDocument } from './judge.ts'

/*
 * The part of the APIs of OpenSearch and Elasticsearch that the engine uses: operations, parameters, fields and their limits,
 * written down from these descriptions (read 2026-11-22):
 *
 * - github.com/opensearch-project/opensearch-api-specification: `spec/namespaces/_core.yaml` and `indices.yaml`,
 *   `spec/schemas/_core.bulk.yaml`, `_core.mget.yaml`, `_core.msearch.yaml`, `_core.search.yaml`, `_common.mapping.yaml`, `_common.query_dsl.yaml`
 * - github.com/elastic/elasticsearch-specification: `specification/_global/{bulk,info,mget,msearch,search}`, `indices/{create,delete,
 *   exists,refresh}`, `_types/Knn.ts`, `_types/mapping/DenseVectorProperty.ts`, `_types/query_dsl`
 *
 * The limits of `k` and `num_candidates` are from the products' documents on kNN search.
 */

export type Product = 'opensearch' | 'elasticsearch'

const TEXT = { type: 'string' }
const FLAG = { type: 'boolean' }
const WHOLE = { type: 'integer', minimum: 0 }
const NUMBERS = { type: 'array', items: { type: 'number' }, minItems: 1 }
const strict = (properties: object, required: string[] = []) => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
})
const oneKey = { minProperties: 1, maxProperties: 1 }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const oneOrMore = (schema: object) => ({ anyOf: [schema, { type: 'array', items: schema }] })

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ACCEPT = { name: 'Accept', in: 'header', required: true, schema: { const: 'application/json' } }
const ERRORS = { '4XX': json(ref('Failure')), '5XX': json(ref('Failure')) }

const SHARDS = strict(
  {
    ...{ total: WHOLE, successful: WHOLE, failed: WHOLE, skipped: WHOLE },
    failures: { type: 'array', items: { type: 'object' } },
  },
  ['total', 'successful', 'failed'],
)

/** Fields of an index; those of a vector differ. */
const vectorProperty = {
  opensearch: strict(
    {
      type: { const: 'knn_vector' },
      dimension: { type: 'integer', minimum: 1, maximum: 16_000 },
      method: strict(
        {
          name: { enum: ['hnsw', 'ivf'] },
          engine: { enum: ['lucene', 'faiss', 'nmslib'] },
          space_type: { enum: ['l1', 'l2', 'linf', 'cosinesimil', 'innerproduct', 'hamming'] },
          parameters: { type: 'object' },
        },
        ['name'],
      ),
    },
    ['type', 'dimension'],
  ),
  elasticsearch: strict(
    {
      type: { const: 'dense_vector' },
      dims: { type: 'integer', minimum: 1, maximum: 4096 },
      index: FLAG,
      similarity: { enum: ['cosine', 'dot_product', 'l2_norm', 'max_inner_product'] },
      index_options: strict(
        {
          type: {
            enum: [
              'bbq_flat',
              'bbq_hnsw',
              'bbq_disk',
              'flat',
              'hnsw',
              'int4_flat',
              'int4_hnsw',
              'int8_flat',
              'int8_hnsw',
            ],
          },
          ...{ m: WHOLE, ef_construction: WHOLE },
        },
        ['type'],
      ),
    },
    ['type'],
  ),
}

const SPREAD = { number_of_shards: WHOLE, number_of_replicas: WHOLE }

const settings = {
  opensearch: strict({
    index: strict({ knn: FLAG, refresh_interval: TEXT, 'knn.derived_source.enabled': FLAG, ...SPREAD }),
  }),
  elasticsearch: strict({
    index: strict({ refresh_interval: TEXT, 'mapping.exclude_source_vectors': FLAG, ...SPREAD }),
  }),
}

const mappings = (product: Product) =>
  strict({
    dynamic: { anyOf: [FLAG, { enum: ['strict', 'runtime', 'true', 'false'] }] },
    properties: {
      type: 'object',
      additionalProperties: {
        anyOf: [
          strict({ type: { const: 'text' } }, ['type']),
          strict({ type: { const: 'keyword' }, norms: FLAG }, ['type']),
          strict({ type: { const: 'object' }, enabled: FLAG }),
          vectorProperty[product],
        ],
      },
    },
  })

/** A search by vector: a query of OpenSearch, a part of its own of a request to Elasticsearch. */
const knnQuery = {
  ...{ type: 'object', ...oneKey },
  additionalProperties: strict(
    { vector: NUMBERS, k: { type: 'integer', minimum: 1, maximum: 10_000 }, filter: ref('Query') },
    ['vector'],
  ),
}
const knnSearch = strict(
  {
    ...{ field: TEXT, query_vector: NUMBERS, k: { type: 'integer', minimum: 1 } },
    num_candidates: { type: 'integer', minimum: 1, maximum: 10_000 },
    filter: oneOrMore(ref('Query')),
  },
  ['field'],
)

const VALUE = { type: ['string', 'number', 'boolean'] }
const query = (product: Product) => ({
  ...strict({
    match_all: strict({}),
    bool: strict({
      ...{
        filter: oneOrMore(ref('Query')),
        must: oneOrMore(ref('Query')),
        must_not: oneOrMore(ref('Query')),
      },
      ...{ should: oneOrMore(ref('Query')), minimum_should_match: { type: ['integer', 'string'] } },
    }),
    terms: { type: 'object', ...oneKey, additionalProperties: { type: 'array', items: VALUE } },
    match: {
      ...{ type: 'object', ...oneKey },
      additionalProperties: strict({ query: VALUE, _name: TEXT }, ['query']),
    },
    range: {
      ...{ type: 'object', ...oneKey },
      additionalProperties: strict({ gt: VALUE, gte: VALUE, lt: VALUE, lte: VALUE }),
    },
    ...(product === 'opensearch' ? { knn: knnQuery } : {}),
  }),
  ...oneKey,
})

const searchRequest = (product: Product) =>
  strict({
    size: { type: 'integer', minimum: 0, maximum: 10_000 },
    _source: { anyOf: [FLAG, { type: 'array', items: TEXT }] },
    stored_fields: { const: '_none_' },
    docvalue_fields: { type: 'array', items: TEXT },
    query: ref('Query'),
    sort: {
      type: 'array',
      items: { type: 'object', ...oneKey, additionalProperties: { enum: ['asc', 'desc'] } },
    },
    search_after: { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] }, minItems: 1 },
    ...(product === 'elasticsearch' ? { knn: oneOrMore(knnSearch) } : {}),
  })

const HIT = {
  type: 'object',
  properties: {
    ...{ _index: TEXT, _id: TEXT, _score: { type: ['number', 'null'] }, _source: { type: 'object' } },
    matched_queries: { type: 'array', items: TEXT },
    sort: { type: 'array' },
    fields: { type: 'object', additionalProperties: { type: 'array' } },
  },
  // Without stored fields there is no id.
  required: ['_index'],
}

const SEARCH_ANSWER = {
  type: 'object',
  properties: {
    ...{ took: WHOLE, timed_out: FLAG, _shards: SHARDS },
    hits: strict(
      {
        total: strict({ value: WHOLE, relation: { enum: ['eq', 'gte'] } }, ['value', 'relation']),
        max_score: { type: ['number', 'null'] },
        hits: { type: 'array', items: HIT },
      },
      ['hits'],
    ),
  },
  required: ['took', 'timed_out', '_shards', 'hits'],
}

const OPERATION = strict({ _id: TEXT, _index: TEXT, routing: TEXT })
const RESULT = {
  type: 'object',
  properties: {
    ...{ _id: { type: ['string', 'null'] }, _index: TEXT, status: { type: 'integer' }, result: TEXT },
    error: ref('ErrorCause'),
  },
  required: ['_index', 'status'],
}

/** Lines of a bulk are an action, and after one that writes its document: no document has only one of these fields. */
const BULK_LINES = {
  type: 'array',
  minItems: 1,
  items: {
    anyOf: [
      { ...strict({ index: OPERATION }, ['index']) },
      { ...strict({ delete: OPERATION }, ['delete']) },
      { type: 'object', not: { anyOf: [{ required: ['index'] }, { required: ['delete'] }] } },
    ],
  },
}

/** Lines of several searches are what would stand in the address of one, and after it its body. */
const msearchLines = (product: Product) => ({
  type: 'array',
  minItems: 2,
  items: {
    anyOf: [
      strict({ preference: TEXT, search_type: { enum: ['query_then_fetch', 'dfs_query_then_fetch'] } }),
      searchRequest(product),
    ],
  },
})

const version = {
  opensearch: { distribution: { const: 'opensearch' } },
  elasticsearch: { build_flavor: TEXT },
}

const ok = (schema: object) => ({ '200': json(schema), ...ERRORS })
const withBody = (schema: object) => ({ requestBody: { required: true, ...json(schema) } })

export const searchDescription = (product: Product): ApiDocument => ({
  components: {
    schemas: {
      Query: query(product),
      ErrorCause: {
        type: 'object',
        properties: { type: TEXT, reason: { type: ['string', 'null'] } },
        required: ['type'],
      },
      Failure: strict({ error: { anyOf: [ref('ErrorCause'), TEXT] }, status: { type: 'integer' } }, [
        'error',
        'status',
      ]),
    },
  },
  paths: {
    '/': {
      get: {
        parameters: [ACCEPT],
        responses: ok({
          type: 'object',
          properties: {
            ...{ name: TEXT, cluster_name: TEXT, cluster_uuid: TEXT, tagline: TEXT },
            version: {
              type: 'object',
              properties: { number: TEXT, ...version[product] },
              required: ['number', ...Object.keys(version[product])],
            },
          },
          required: ['name', 'cluster_name', 'cluster_uuid', 'version', 'tagline'],
        }),
      },
    },
    '/{index}/_alias/{name}': {
      put: { parameters: [ACCEPT], responses: ok(strict({ acknowledged: FLAG }, ['acknowledged'])) },
    },
    '/{index}': {
      get: {
        parameters: [ACCEPT, { name: 'ignore_unavailable', in: 'query', schema: FLAG }],
        responses: ok({
          type: 'object',
          additionalProperties: strict({
            aliases: { type: 'object' },
            mappings: { type: 'object' },
            settings: { type: 'object' },
          }),
        }),
      },
      put: {
        parameters: [ACCEPT],
        ...withBody(
          strict({
            ...{ settings: settings[product], mappings: mappings(product) },
            aliases: { type: 'object', additionalProperties: strict({}) },
          }),
        ),
        responses: ok(
          strict({ acknowledged: FLAG, shards_acknowledged: FLAG, index: TEXT }, [
            ...['acknowledged', 'shards_acknowledged', 'index'],
          ]),
        ),
      },
      delete: { responses: ok(strict({ acknowledged: FLAG }, ['acknowledged'])) },
    },
    '/{index}/_refresh': { post: { responses: ok(strict({ _shards: SHARDS })) } },
    '/{index}/_search': {
      post: {
        parameters: [
          ACCEPT,
          { name: 'preference', in: 'query', schema: TEXT },
          {
            ...{ name: 'search_type', in: 'query' },
            schema: { enum: ['query_then_fetch', 'dfs_query_then_fetch'] },
          },
        ],
        ...withBody(searchRequest(product)),
        responses: ok(SEARCH_ANSWER),
      },
    },
    '/{index}/_msearch': {
      post: {
        parameters: [ACCEPT],
        requestBody: {
          required: true,
          content: { 'application/x-ndjson': { schema: msearchLines(product) } },
        },
        responses: ok(
          strict(
            {
              took: WHOLE,
              responses: {
                type: 'array',
                items: { anyOf: [{ allOf: [SEARCH_ANSWER], required: ['status'] }, ref('Failure')] },
              },
            },
            ['responses'],
          ),
        ),
      },
    },
    '/{index}/_mget': {
      post: {
        parameters: [ACCEPT, { name: '_source_includes', in: 'query', schema: TEXT }],
        ...withBody(strict({ ids: { type: 'array', items: TEXT, minItems: 1 } })),
        responses: ok(
          strict(
            {
              docs: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { _index: TEXT, _id: TEXT, found: FLAG, _source: { type: 'object' } },
                  required: ['_index', '_id', 'found'],
                },
              },
            },
            ['docs'],
          ),
        ),
      },
    },
    '/_bulk': {
      post: {
        parameters: [
          ACCEPT,
          { name: 'require_alias', in: 'query', schema: FLAG },
          { name: 'filter_path', in: 'query', schema: TEXT },
        ],
        requestBody: { required: true, content: { 'application/x-ndjson': { schema: BULK_LINES } } },
        responses: ok(
          strict(
            {
              ...{ took: WHOLE, errors: FLAG },
              items: {
                type: 'array',
                items: { ...strict({ index: RESULT, delete: RESULT }), ...oneKey },
              },
            },
            ['took', 'errors', 'items'],
          ),
        ),
      },
    },
  },
})
