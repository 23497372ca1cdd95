import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../kit/json.ts'
import type { Operation } from '../operation.ts'
import { readApi } from './operations.ts'
import { toOpenApi3Servers } from './swagger2.ts'

const swagger = (paths: JsonObject, rest: JsonObject = {}) => ({
  swagger: '2.0',
  host: 'h.example',
  paths,
  ...rest,
})

test('readApi() reads Swagger 2.0 into the same model', () => {
  const description = swagger(
    {
      '/a/{id}': {
        put: {
          consumes: ['application/x-www-form-urlencoded'],
          parameters: [
            { name: 'id', in: 'path', required: true, type: 'string' },
            {
              name: 'ids',
              in: 'query',
              type: 'array',
              items: { type: 'integer' },
              collectionFormat: 'pipes',
            },
            {
              name: 'tags',
              in: 'query',
              type: 'array',
              items: { type: 'string' },
              collectionFormat: 'multi',
            },
            { name: 'plain', in: 'query', type: 'array', items: { type: 'string' } },
            { name: 'note', in: 'formData', type: 'string', required: true },
          ],
        },
        post: {
          parameters: [{ name: 'b', in: 'body', required: true, schema: { $ref: '#/definitions/B' } }],
        },
        patch: { parameters: [{ name: 'f', in: 'formData', type: 'file' }] },
      },
    },
    {
      basePath: '/v1',
      schemes: ['http', 'https'],
      definitions: { B: { type: 'object', properties: { c: { type: 'string' } } } },
      securityDefinitions: { k: { type: 'apiKey', in: 'query', name: 'key' }, b: { type: 'basic' } },
      security: [{ k: [] }, { b: [] }],
    },
  )
  const byMethod = Object.fromEntries(
    readApi({ 'a:/b': JSON.stringify(description) }, { link: 'a:/b' }).operations.map((one) => [
      one.method,
      one,
    ]),
  )
  const { PUT, POST, PATCH } = byMethod as Record<string, Operation>
  assert.equal(PUT!.server, 'https://h.example/v1')
  assert.deepEqual(
    PUT!.parameters.map(({ style, explode }) => [style, explode]),
    [
      ['simple', false],
      ['pipeDelimited', false],
      ['form', true],
      ['form', false],
    ],
  )
  assert.deepEqual(
    [PUT!.body!.encoding, POST!.body!.encoding, PATCH!.body!.encoding],
    ['form', 'json', 'multipart'],
  )
  const bodyOf = ({ input }: Operation) => (input.properties as JsonObject).RequestBody
  assert.deepEqual(bodyOf(POST!), { type: 'object', properties: { c: { type: 'string' } } })
  assert.deepEqual(PATCH!.body!.parts, { f: { file: true } })
  assert.deepEqual(PUT!.security, [
    [{ schemeName: 'k', type: 'apiKey', in: 'query', name: 'key' }],
    [{ schemeName: 'b', type: 'basic' }],
  ])
})

for (const [what, root, urls] of [
  [
    'https first',
    { host: 'h', schemes: ['http', 'https'], basePath: '/v1' },
    ['https://h/v1', 'http://h/v1'],
  ],
  ['https by default', { host: 'h' }, ['https://h/']],
  ['http where that is all', { host: 'h:80', schemes: ['http', 'ws'] }, ['http://h:80/']],
  ['a relative address without a host', { basePath: 'v1' }, ['/v1']],
] as [string, JsonObject, string[]][])
  test(`toOpenApi3Servers() gives ${what}`, () => {
    assert.deepEqual(
      toOpenApi3Servers(root).map(({ url }) => url),
      urls,
    )
  })
