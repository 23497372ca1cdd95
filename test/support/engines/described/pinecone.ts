import type { ApiDocument } from './judge.ts'

/*
 * The part of Pinecone's API, version 2025-04, that the engine uses: operations, parameters, fields and their limits, written
 * down from `2025-04/db_data_2025-04.oas.yaml` and `db_control_2025-04.oas.yaml` of github.com/pinecone-io/pinecone-api (commit 09a8260a77dc, read 2026-11-22).
 * Limits of arrays stand there as `minLength` and `maxLength`. What values metadata may have is from
 * https://docs.pinecone.io/guides/index-data/indexing-overview#metadata.
 */

const TEXT = { type: 'string' }
const FLAG = { type: 'boolean' }
const ID = { type: 'string', minLength: 1, maxLength: 512 }
const VALUES = { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 20_000 }
const USAGE = { type: 'object', properties: { readUnits: { type: 'integer' } } }
const METADATA = {
  type: 'object',
  additionalProperties: {
    anyOf: [TEXT, { type: 'number' }, FLAG, { type: 'array', items: TEXT }],
  },
}
const strict = (properties: object, required: string[] = []) => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
})

const HEADERS = [
  { name: 'Api-Key', in: 'header', required: true, schema: { type: 'string', minLength: 1 } },
  { name: 'X-Pinecone-Api-Version', in: 'header', required: true, schema: { const: '2025-04' } },
]
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const status = strict({
  code: { type: 'integer' },
  message: TEXT,
  details: { type: 'array', items: { type: 'object' } },
})
const responses = (schema: object) => ({ '200': json(schema), '4XX': json(status), '5XX': json(status) })
const post = (body: object, answer: object) => ({
  post: {
    parameters: HEADERS,
    requestBody: { required: true, ...json(body) },
    responses: responses(answer),
  },
})
const get = (parameters: object[], answer: object) => ({
  get: { parameters: [...HEADERS, ...parameters], responses: responses(answer) },
})
const inQuery = (name: string, schema: object, required = false) => ({ name, in: 'query', required, schema })

const VECTOR = strict({ id: ID, values: VALUES, metadata: METADATA }, ['id', 'values'])

const INDEX = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 45 },
    dimension: { type: 'integer', minimum: 1, maximum: 20_000 },
    metric: { enum: ['cosine', 'euclidean', 'dotproduct'] },
    ...{ host: TEXT, vector_type: TEXT, spec: { type: 'object' } },
    status: strict({ ready: FLAG, state: TEXT }, ['ready', 'state']),
  },
  required: ['name', 'metric', 'host', 'spec', 'status', 'vector_type'],
}
const controlError = strict(
  { status: { type: 'integer' }, error: strict({ code: TEXT, message: TEXT }, ['code', 'message']) },
  ['status', 'error'],
)

export const PINECONE: ApiDocument = {
  paths: {
    '/indexes/{name}': {
      get: { parameters: HEADERS, responses: { '200': json(INDEX), '4XX': json(controlError) } },
    },
    '/vectors/upsert': post(
      strict(
        {
          vectors: { type: 'array', items: VECTOR, minItems: 1, maxItems: 1000 },
          namespace: TEXT,
        },
        ['vectors'],
      ),
      strict({ upsertedCount: { type: 'integer' } }),
    ),
    '/vectors/delete': post(
      strict({
        ids: { type: 'array', items: TEXT, minItems: 1, maxItems: 1000 },
        ...{ deleteAll: FLAG, namespace: TEXT, filter: { type: 'object' } },
      }),
      { type: 'object' },
    ),
    '/vectors/fetch': get(
      // "Does not accept values containing spaces": those of the tests have some, those of the ledger are UUIDs.
      [inQuery('ids', { type: 'array', items: TEXT }, true), inQuery('namespace', TEXT)],
      strict({
        vectors: { type: 'object', additionalProperties: VECTOR },
        ...{ namespace: TEXT, usage: USAGE },
      }),
    ),
    '/vectors/list': get(
      [
        inQuery('limit', { type: 'integer', minimum: 1, maximum: 100 }),
        ...[inQuery('prefix', TEXT), inQuery('paginationToken', TEXT), inQuery('namespace', TEXT)],
      ],
      strict({
        vectors: { type: 'array', items: strict({ id: TEXT }) },
        pagination: strict({ next: TEXT }),
        ...{ namespace: TEXT, usage: USAGE },
      }),
    ),
    '/query': post(
      strict(
        {
          topK: { type: 'integer', minimum: 1, maximum: 10_000 },
          ...{ namespace: TEXT, filter: { type: 'object' }, includeValues: FLAG, includeMetadata: FLAG },
          ...{ vector: VALUES, id: { type: 'string', maxLength: 512 } },
        },
        ['topK'],
      ),
      strict({
        matches: {
          type: 'array',
          items: strict(
            {
              id: ID,
              score: { type: 'number' },
              values: { type: 'array', items: { type: 'number' } },
              metadata: METADATA,
            },
            ['id'],
          ),
        },
        ...{ namespace: TEXT, usage: USAGE },
      }),
    ),
  },
}
