import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { Operation } from '../operation.ts'
import { type ReadOptions, readApi } from './operations.ts'

const LINK = 'https://api.example/v1/openapi.json'

function read(
  description: JsonObject,
  options: ReadOptions = { link: LINK },
  others: Record<string, string> = {},
) {
  const root = options.link ?? 'description:/openapi'
  return readApi({ [root]: JSON.stringify(description), ...others }, options)
}

const modern = (paths: JsonObject, rest: JsonObject = {}) => ({
  openapi: '3.1.0',
  info: { title: 'T' },
  paths,
  ...rest,
})

/** The only operation of a description. */
function only(description: JsonObject, options?: ReadOptions): Operation {
  const { operations, refused } = read(description, options)
  assert.equal(operations.length, 1, JSON.stringify(refused))
  return operations[0]!
}

test('readApi() makes groups of parameters and requires those with a required parameter', () => {
  const { input, parameters: read } = only(
    modern({
      '/a/{id}': {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'q', in: 'query', schema: { type: 'string' } },
        ],
        post: {
          parameters: [
            { name: 'q', in: 'query', required: true, description: 'Words', schema: { type: 'integer' } },
            { name: 'X-A', in: 'header', schema: { type: 'string' } },
            { name: 'sid', in: 'cookie', schema: { type: 'string' } },
            { name: 'Accept', in: 'header', schema: { type: 'string' } },
          ],
          requestBody: {
            content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } },
          },
        },
      },
    }),
  )
  const closed = { type: 'object', additionalProperties: false }
  assert.deepEqual(input, {
    ...closed,
    properties: {
      PathParameters: { ...closed, properties: { id: { type: 'integer' } }, required: ['id'] },
      QueryParameters: {
        ...closed,
        properties: { q: { type: 'integer', description: 'Words' } },
        required: ['q'],
      },
      HeaderParameters: { ...closed, properties: { 'X-A': { type: 'string' } } },
      CookieParameters: { ...closed, properties: { sid: { type: 'string' } } },
      RequestBody: { type: 'array', items: { type: 'string' } },
    },
    required: ['PathParameters', 'QueryParameters'],
  })
  assert.deepEqual(
    read.map(({ name, style, explode }) => [name, style, explode]),
    [
      ['id', 'simple', false],
      ['q', 'form', true],
      ['X-A', 'simple', false],
      ['sid', 'form', true],
    ],
  )
})

for (const [what, content, mediaType, written] of [
  [
    'JSON before all others',
    { 'multipart/form-data': {}, 'application/json; charset=utf-8': {} },
    'application/json; charset=utf-8',
    'json',
  ],
  [
    'kinds of JSON',
    { 'application/merge-patch+json': {}, 'application/xml': {} },
    'application/merge-patch+json',
    'json',
  ],
  [
    'forms before files',
    { 'multipart/form-data': {}, 'application/x-www-form-urlencoded': {} },
    'application/x-www-form-urlencoded',
    'form',
  ],
  ['any type as JSON', { '*/*': {} }, 'application/json', 'json'],
  [
    'lines of JSON',
    { 'application/x-ndjson': { itemSchema: { type: 'object' } } },
    'application/x-ndjson',
    'jsonLines',
  ],
  ['XML as a text', { 'application/xml': { schema: { type: 'object' } } }, 'application/xml', 'text'],
  ['everything else as bytes', { 'image/png': {} }, 'image/png', 'bytes'],
] as [string, JsonObject, string, string][])
  test(`readApi() takes ${what}`, () => {
    const { body } = only(modern({ '/a': { post: { requestBody: { required: true, content } } } }))
    assert.deepEqual([body!.mediaType, body!.encoding, body!.required], [mediaType, written, true])
  })

test('readApi() reads the query method, further methods and a whole query string of OpenAPI 3.2', () => {
  const { operations } = read(
    modern({
      '/a': {
        query: { requestBody: { content: { 'application/json': {} } } },
        additionalOperations: { COPY: {} },
        get: {
          parameters: [
            {
              name: 'q',
              in: 'querystring',
              content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
            },
          ],
        },
      },
    }),
  )
  assert.deepEqual(operations.map(({ method }) => method).sort(), ['COPY', 'GET', 'QUERY'])
  const get = operations.find(({ method }) => method === 'GET')!
  assert.deepEqual(
    [get.parameters[0]!.in, get.parameters[0]!.mediaType],
    ['querystring', 'application/x-www-form-urlencoded'],
  )
  assert.ok(operations.find(({ method }) => method === 'QUERY')!.body)
})

test('readApi() leaves out headers that are set, and keys', () => {
  const parameters: Json = [
    { name: 'X-Tenant', in: 'header', schema: { type: 'string' } },
    { name: 'api_key', in: 'header', schema: { type: 'string' } },
    { name: 'q', in: 'query', schema: { type: 'string' } },
  ]
  const components = { securitySchemes: { k: { type: 'apiKey', in: 'header', name: 'api_key' } } }
  const { parameters: read } = only(modern({ '/a': { get: { parameters } } }, { components }), {
    link: LINK,
    headers: ['x-tenant'],
  })
  assert.deepEqual(
    read.map(({ name }) => name),
    ['q'],
  )
})

test('readApi() resolves references to path items, parameters and bodies', () => {
  const {
    parameters: read,
    body,
    notes,
  } = only(
    modern(
      { '/a': { $ref: '#/components/pathItems/A' } },
      {
        components: {
          pathItems: {
            A: {
              post: {
                parameters: [{ $ref: '#/components/parameters/P' }],
                requestBody: { $ref: '#/components/requestBodies/B' },
              },
            },
          },
          parameters: { P: { name: 'p', in: 'query', schema: { $ref: '#/components/schemas/S' } } },
          requestBodies: { B: { content: { 'text/plain': { schema: { type: 'string' } } } } },
          schemas: { S: { type: 'string' } },
        },
      },
    ),
  )
  assert.deepEqual([read[0]!.name, body!.encoding, notes], ['p', 'text', []])
})

test('readApi() uses further documents, and names those that are missing', () => {
  const description = modern({
    '/a': { get: { parameters: [{ $ref: 'more.json#/P' }] } },
    '/b': { $ref: 'https://other.example/b.yaml' },
  })
  const more = JSON.stringify({
    P: { name: 'p', in: 'query', schema: { $ref: '#/S' } },
    S: { type: 'integer' },
  })
  const { operations, refused, missing } = read(
    description,
    { link: LINK },
    { 'https://api.example/v1/more.json': more },
  )
  assert.deepEqual((operations[0]!.input.properties as JsonObject).QueryParameters, {
    type: 'object',
    properties: { p: { type: 'integer' } },
    additionalProperties: false,
  })
  assert.deepEqual(missing, ['https://other.example/b.yaml'])
  assert.match(refused[0]!.reason, /another document, which is not loaded/)
})

for (const [what, operation, note] of [
  ['a parameter that is not there', { parameters: [{ $ref: '#/none' }] }, /#\/none is left out/],
  ['an invalid header name', { parameters: [{ name: 'a b', in: 'header' }] }, /not a valid header name/],
  ['a parameter without a place', { parameters: [{ name: 'x' }] }, /x is left out/],
  ['a body of a GET', { requestBody: { content: { 'application/json': {} } } }, /without a body/],
  ['a body that is not there', { requestBody: { $ref: '#/none' } }, /body is left out/],
  ['an unsupported security scheme', { security: [{ other: [] }] }, /security scheme/],
  [
    'a placeholder of the path without a parameter',
    { parameters: [] },
    /path parameters id are not described/,
  ],
] as [string, JsonObject, RegExp][])
  test(`readApi() notes ${what}`, () => {
    const components = { securitySchemes: { k: { type: 'http', scheme: 'bearer' } } }
    assert.match(only(modern({ '/a/{id}': { get: operation } }, { components })).notes.join('\n'), note)
  })

for (const [what, text] of [
  ['a text', 'just words'],
  ['a list', '[1]'],
  ['an object', '{"a":1}'],
  ['nothing', ''],
  ['JSON Schema', '{"type":"object"}'],
])
  test(`readApi() refuses ${what} that is not a description`, () => {
    assert.throws(() => readApi({ [LINK]: text! }, { link: LINK }), /it is not an OpenAPI description/)
  })

for (const [what, description] of [
  [
    'null everywhere',
    { openapi: '3.0.0', info: null, paths: { '/a': null, '/b': { get: null, post: { parameters: null } } } },
  ],
  [
    'lists instead of objects',
    { openapi: '3.0.0', info: [], paths: { '/a': [], '/b': { get: [], put: { requestBody: [] } } } },
  ],
  [
    'texts instead of objects',
    { openapi: '3.0.0', paths: { '/a': { get: { parameters: ['x'], requestBody: 'y', security: 'z' } } } },
  ],
  [
    'dangerous names',
    {
      openapi: '3.0.0',
      paths: {
        '/a': {
          post: {
            requestBody: {
              content: {
                'application/json': {
                  schema: JSON.parse(
                    '{"properties":{"__proto__":{"type":"string"},"constructor":{}}}',
                  ) as Json,
                },
              },
            },
          },
        },
      },
    },
  ],
] as [string, JsonObject][])
  test(`readApi() tolerates ${what}`, () => {
    const { operations, refused } = read(description)
    assert.ok(operations.length + refused.length > 0)
  })
