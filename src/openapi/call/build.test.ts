import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../kit/json.ts'
import type {
  BodyPlan,
  Operation,
  AuthScheme,
  OperationParameter,
  ParameterLocation,
  ParameterStyle,
} from '../operation.ts'
import { BadInput } from './bad-input.ts'
import { buildCall } from './build.ts'
import { withoutEmpty } from './without-empty.ts'

const parameter = (
  name: string,
  place: ParameterLocation,
  style: ParameterStyle,
  explode: boolean,
  more: Partial<OperationParameter> = {},
): OperationParameter => ({
  name,
  in: place,
  style,
  explode,
  allowReserved: false,
  required: false,
  ...more,
})

const operation = (more: Partial<Operation>): Operation => ({
  name: 'op',
  method: 'GET',
  path: '/',
  description: '',
  input: {},
  server: 'https://api.example',
  parameters: [],
  security: [],
  notes: [],
  ...more,
})

const plain = { headers: {}, secrets: {} }
const build = (given: Partial<Operation>, input: JsonObject) => buildCall(operation(given), input, plain)

const COLOR: Json = { R: 100, G: 200 }
const LIST: Json = ['blue', 'black']

/** The examples of the specification (OpenAPI 3.1, 4.8.12.4). */
for (const [place, style, explode, empty, one, list, object] of [
  ['path', 'simple', false, undefined, 'blue', 'blue,black', 'R,100,G,200'],
  ['path', 'simple', true, undefined, 'blue', 'blue,black', 'R=100,G=200'],
  ['path', 'label', false, '.', '.blue', '.blue,black', '.R,100,G,200'],
  ['path', 'label', true, '.', '.blue', '.blue.black', '.R=100.G=200'],
  ['path', 'matrix', false, ';color', ';color=blue', ';color=blue,black', ';color=R,100,G,200'],
  ['path', 'matrix', true, ';color', ';color=blue', ';color=blue;color=black', ';R=100;G=200'],
  ['query', 'form', false, 'color=', 'color=blue', 'color=blue,black', 'color=R,100,G,200'],
  ['query', 'form', true, 'color=', 'color=blue', 'color=blue&color=black', 'R=100&G=200'],
  ['query', 'spaceDelimited', false, undefined, undefined, 'color=blue%20black', 'color=R%20100%20G%20200'],
  ['query', 'pipeDelimited', false, undefined, undefined, 'color=blue%7Cblack', 'color=R%7C100%7CG%7C200'],
  ['query', 'tabDelimited', false, undefined, undefined, 'color=blue%09black', undefined],
  [
    'query',
    'deepObject',
    true,
    undefined,
    undefined,
    'color%5B%5D=blue&color%5B%5D=black',
    'color%5BR%5D=100&color%5BG%5D=200',
  ],
] as [ParameterLocation, ParameterStyle, boolean, string?, string?, string?, string?][])
  test(`buildCall() writes a ${place} in the style ${style}${explode ? ', exploded' : ''}`, () => {
    for (const [value, expected] of [
      ['', empty],
      ['blue', one],
      [LIST, list],
      [COLOR, object],
    ] as const) {
      if (expected === undefined) continue
      const group = place === 'path' ? 'PathParameters' : 'QueryParameters'
      const path = place === 'path' ? '/a/{color}' : '/a/'
      // An empty label would be a dot segment.
      const call = () =>
        build(
          { path, parameters: [parameter('color', place, style, explode)] },
          { [group]: { color: value } },
        )
      if (expected === '.') assert.throws(call, BadInput)
      else assert.equal(call().url, `https://api.example/a/${place === 'query' ? '?' : ''}${expected}`)
    }
  })

for (const [what, given, input, expected] of [
  [
    'escapes what a value could break',
    { parameters: [parameter('q', 'query', 'form', true)] },
    { q: 'a&b=c d/é+#' },
    '/?q=a%26b%3Dc%20d%2F%C3%A9%2B%23',
  ],
  [
    'keeps reserved characters where they are allowed',
    { parameters: [parameter('q', 'query', 'form', true, { allowReserved: true })] },
    { q: 'a/b:c&d' },
    '/?q=a/b:c%26d',
  ],
  [
    'appends to a query of the path',
    { path: '/a?x=1#frag', parameters: [parameter('q', 'query', 'form', true)] },
    { q: 1 },
    '/a?x=1&q=1',
  ],
  [
    'writes parameters with a media type as JSON',
    { parameters: [parameter('q', 'query', 'form', true, { mediaType: 'application/json' })] },
    { q: { a: [1] } },
    '/?q=%7B%22a%22%3A%5B1%5D%7D',
  ],
  [
    'writes objects within lists as JSON',
    { parameters: [parameter('q', 'query', 'form', true)] },
    { q: [{ a: 1 }] },
    '/?q=%7B%22a%22%3A1%7D',
  ],
  [
    'writes a whole query string',
    {
      parameters: [
        parameter('q', 'querystring', 'form', true, { mediaType: 'application/x-www-form-urlencoded' }),
      ],
    },
    { q: { a: 1, b: ['x', 'y'] } },
    '/?a=1&b=x&b=y',
  ],
  [
    'goes as deep as objects go',
    { parameters: [parameter('f', 'query', 'deepObject', true)] },
    { f: { a: { b: 1 } } },
    '/?f%5Ba%5D%5Bb%5D=1',
  ],
  ['leaves out null', { parameters: [parameter('q', 'query', 'form', true)] }, { q: null }, '/'],
] as [string, Partial<Operation>, JsonObject, string][])
  test(`buildCall() ${what}`, () => {
    assert.equal(build(given, { QueryParameters: input }).url, `https://api.example${expected}`)
  })

test('buildCall() writes headers and cookies, and refuses values that would break out of them', () => {
  const parameters = [
    parameter('X-List', 'header', 'simple', false),
    parameter('sid', 'cookie', 'form', true),
    parameter('raw', 'cookie', 'cookie', true),
  ]
  const { headers } = build(
    { parameters },
    { HeaderParameters: { 'X-List': [1, 2] }, CookieParameters: { sid: 'a;b', raw: 'x=y' } },
  )
  assert.deepEqual([headers['x-list'], headers.cookie], ['1,2', 'sid=a%3Bb; raw=x=y'])
  assert.throws(() => build({ parameters }, { HeaderParameters: { 'X-List': 'a\r\nX-Evil: 1' } }), BadInput)
})

const ID = [parameter('id', 'path', 'simple', false, { required: true })]

for (const [what, given, input, reason] of [
  ['a missing parameter', { path: '/a/{id}', parameters: ID }, {}, /PathParameters\.id is missing/],
  [
    'an empty path parameter',
    { path: '/a/{id}', parameters: ID },
    { PathParameters: { id: '' } },
    /is empty/,
  ],
  ['a step up', { path: '/a/{id}', parameters: ID }, { PathParameters: { id: '..' } }, /must not be/],
  [
    'a name that does not exist',
    { parameters: [parameter('q', 'query', 'form', true)] },
    { QueryParameters: { p: 1 } },
    /it has q/,
  ],
  ['a group that is not an object', {}, { QueryParameters: 'x' }, /must be an object/],
  [
    'a missing body',
    { body: { required: true, mediaType: 'application/json', encoding: 'json', parts: {} } },
    {},
    /RequestBody is missing/,
  ],
  [
    'a form that is not an object',
    { body: { required: true, mediaType: 'multipart/form-data', encoding: 'multipart', parts: {} } },
    { RequestBody: [1] },
    /must be an object/,
  ],
] as [string, Partial<Operation>, JsonObject, RegExp][])
  test(`buildCall() refuses ${what}`, () => {
    assert.throws(
      () => build(given, input),
      (error) => error instanceof BadInput && reason.test(error.message),
    )
  })

test('buildCall() never leads to another path by a value', () => {
  for (const id of ['../admin', 'a/../../b', '%2e%2e', '..%2f', '\\..\\'])
    assert.match(
      new URL(build({ path: '/a/{id}', parameters: ID }, { PathParameters: { id } }).url).pathname,
      /^\/a\/[^/]+$/,
    )
})

const body = (
  encoding: BodyPlan['encoding'],
  mediaType: string,
  parts: BodyPlan['parts'] = {},
): Partial<Operation> => ({
  method: 'POST',
  body: { required: false, mediaType, encoding, parts },
})

for (const [what, given, value, expected] of [
  ['JSON', body('json', 'application/vnd.a+json'), { a: 1 }, '{"a":1}'],
  ['lines of JSON', body('jsonLines', 'application/x-ndjson'), [{ a: 1 }, 2], '{"a":1}\n2\n'],
  [
    'a form',
    body('form', 'application/x-www-form-urlencoded'),
    { a: 'x y', b: [1, 2], c: { d: 1 } },
    'a=x%20y&b=1&b=2&c=%7B%22d%22%3A1%7D',
  ],
  [
    'a form in a style',
    body('form', 'application/x-www-form-urlencoded', {
      c: { serialization: { style: 'deepObject', explode: true, allowReserved: false } },
    }),
    { c: { d: 1 } },
    'c%5Bd%5D=1',
  ],
  ['a text', body('text', 'application/xml'), '<a/>', '<a/>'],
  ['no body where it is null', body('json', 'application/json'), null, undefined],
] as [string, Partial<Operation>, Json, string | undefined][])
  test(`buildCall() sends ${what}`, () => {
    const call = build(given, { RequestBody: value })
    assert.equal(call.body, expected)
    assert.equal(call.headers['content-type'], expected === undefined ? undefined : given.body!.mediaType)
  })

test('buildCall() sends bytes that came as base64', () => {
  const call = build(body('bytes', 'image/png'), { RequestBody: 'iVBORw==' })
  assert.deepEqual(call.body, new Uint8Array([0x89, 0x50, 0x4e, 0x47]))
})

test('buildCall() sends fields and files that a form parser reads', async () => {
  const parts = { file: { file: true, mediaType: 'image/png' }, meta: {} }
  const { headers, body: bytes } = build(body('multipart', 'multipart/form-data', parts), {
    RequestBody: { file: 'aGVsbG8=', meta: { a: 1 }, tags: ['x', 'y"\r\n'], note: 'é' },
  })
  const form = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers }).formData()
  const file = form.get('file') as File
  assert.deepEqual([await file.text(), file.type], ['hello', 'image/png'])
  assert.deepEqual([form.get('note'), form.getAll('tags').length], ['é', 2])
  assert.match(
    JSON.stringify(
      form.get('meta') instanceof File ? await (form.get('meta') as File).text() : form.get('meta'),
    ),
    /a/,
  )
})

const bearer: AuthScheme = { schemeName: 'oauth', type: 'bearer' }
const basic: AuthScheme = { schemeName: 'login', type: 'basic' }
const inQuery: AuthScheme = { schemeName: 'key', type: 'apiKey', in: 'query', name: 'api key' }
const inHeader: AuthScheme = { schemeName: 'app', type: 'apiKey', in: 'header', name: 'X-App' }
const inCookie: AuthScheme = { schemeName: 'sid', type: 'apiKey', in: 'cookie', name: 'SID' }

for (const [what, security, secrets, expected] of [
  [
    'the one token for a scheme that is called as every object is',
    [[{ ...bearer, schemeName: 'constructor' }]],
    { openAPIToken: 't' },
    { authorization: 'Bearer t' },
  ],
  ['the one token for a bearer scheme', [[bearer]], { openAPIToken: 't' }, { authorization: 'Bearer t' }],
  ['a token that says bearer itself', [[bearer]], { oauth: 'Bearer t' }, { authorization: 'Bearer t' }],
  ['name and password', [[basic]], { username: 'u', password: 'p' }, { authorization: 'Basic dTpw' }],
  ['a key in the query', [[inQuery]], { key: 'k&' }, { url: 'https://api.example/?api%20key=k%26' }],
  ['a key in a cookie', [[inCookie]], { token: 'c' }, { cookie: 'SID=c' }],
  [
    'two keys that are asked for together',
    [[inHeader, inQuery]],
    { app: 'a', key: 'k' },
    { 'x-app': 'a', url: 'https://api.example/?api%20key=k' },
  ],
  [
    'the first that is there',
    [[inHeader, bearer], [basic]],
    { app: 'a', username: 'u' },
    { authorization: 'Basic dTo=' },
  ],
  [
    'nothing where one of two is missing',
    [[inHeader, inQuery]],
    { app: 'a', token: 't' },
    { url: 'https://api.example/' },
  ],
  ['nothing to what is open', [], { token: 't' }, { url: 'https://api.example/' }],
] as [string, AuthScheme[][], Record<string, string>, Record<string, string>][])
  test(`buildCall() sends ${what} as authentication`, () => {
    const { url, headers } = buildCall(operation({ security }), {}, { headers: {}, secrets })
    const { accept: _, ...carried } = headers
    assert.deepEqual({ url, ...carried }, { url: 'https://api.example/', ...expected })
  })

test('buildCall() refuses a key that is not valid in a header, without showing it', () => {
  const given = operation({ security: [[bearer]] })
  assert.throws(
    () => buildCall(given, {}, { headers: {}, secrets: { token: 'our\nsecret' } }),
    (error) =>
      error instanceof BadInput && /authorization/.test(error.message) && !/secret/.test(error.message),
  )
})

test('buildCall() lets headers of the author override all others', () => {
  const given = operation({
    parameters: [parameter('X-A', 'header', 'simple', false)],
    security: [[bearer]],
    ...body('json', 'application/json'),
  })
  const headers = { 'x-a': 'ours', Authorization: 'ours', 'Content-Type': 'application/ours' }
  const call = buildCall(
    given,
    { HeaderParameters: { 'X-A': 'theirs' }, RequestBody: 1 },
    { headers, secrets: { token: 't' } },
  )
  assert.deepEqual(
    [call.headers['x-a'], call.headers.authorization, call.headers['content-type']],
    ['ours', 'ours', 'application/ours'],
  )
})

test('withoutEmpty() removes keys that are empty, at all depths [openapi:remove-null]', () => {
  assert.deepEqual(
    withoutEmpty({
      a: null,
      b: '',
      c: {},
      d: { e: null },
      f: [null, { g: null, h: 1 }],
      i: 0,
      j: false,
      k: [],
    }),
    { f: [null, { h: 1 }], i: 0, j: false, k: [] },
  )
})
