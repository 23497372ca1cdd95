import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { choir, SEED, start } from '../fixtures/events.ts'
import { builtTool, callTool } from '../support/built-part.ts'
import { typed, website } from '../support/website.ts'

const pathId = { id: { type: 'string', in: 'path', description: 'The id of an event' } }
const details = {
  name: { type: 'string', required: true, description: 'What it is called' },
  date: { type: 'string', required: true, description: 'ISO 8601' },
  location: { type: 'string', required: true },
}

/** What follows the head of a successful answer. */
const bodyIn = (output: string) => JSON.parse(output.slice(output.indexOf('\n\n')))

/** What the model gets of a call; the HTTP facts of calls have tests of their own. */
async function outcome(...call: Parameters<typeof callTool>) {
  const { output, failed } = await callTool(...call)
  return { output, ...(failed === undefined ? {} : { failed }) }
}

test('the tools of the event example do what their names describe [tools:get, tools:post, tools:put, tools:delete, tools:names]', async (t) => {
  const url = await start(t)
  const get = await builtTool('requestsGet', {
    requestsGetUrl: `${url}/events`,
    requestsGetName: 'get_events',
    requestsGetDescription: 'Read events',
    requestsGetQueryParamsSchema: JSON.stringify(pathId),
  })
  assert.deepEqual([get.name, get.description, get.unsafe], ['get_events', 'Read events', false])
  assert.deepEqual(bodyIn((await callTool(get, {})).output), SEED)
  assert.deepEqual(bodyIn((await callTool(get, { queryParams: { id: '2' } })).output), SEED[1])
  assert.deepEqual(await outcome(get, { queryParams: { id: '99' } }), {
    output: 'HTTP 404 Not Found\n\n{"error":"Event not found"}',
    failed: true,
  })

  const create = await builtTool('requestsPost', {
    requestsPostUrl: `${url}/events`,
    requestsPostName: 'create_event',
    requestsPostDescription: 'Create an event',
    requestsPostBodySchema: JSON.stringify(details),
  })
  assert.equal(create.unsafe, true)
  const created = await callTool(create, { body: choir })
  assert.match(created.output, /^HTTP 201 Created\n/)
  const { id, ...stored } = bodyIn(created.output)
  assert.deepEqual(stored, choir)
  const refusal = await callTool(create, { body: { name: 'Choir' } })
  assert.match(refusal.output, /^HTTP 400 Bad Request\n[\s\S]*"error"/)
  assert.equal(refusal.failed, true)

  const put = await builtTool('requestsPut', {
    requestsPutUrl: `${url}/events`,
    requestsPutName: 'update_event',
    requestsPutBodySchema: JSON.stringify({ id: { type: 'string', required: true }, ...details }),
  })
  assert.deepEqual(await outcome(put, { body: { id, ...choir } }), {
    output: 'HTTP 404 Not Found\n\n{"error":"Endpoint not found"}',
    failed: true,
  })

  const remove = await builtTool('requestsDelete', {
    requestsDeleteUrl: `${url}/events`,
    requestsDeleteName: 'delete_event',
    requestsDeleteQueryParamsSchema: pathId,
  })
  assert.deepEqual(await outcome(remove, { queryParams: { id } }), { output: 'HTTP 204 No Content' })
  assert.equal((await callTool(remove, { queryParams: { id } })).failed, true)
  assert.deepEqual(await outcome(remove, {}), { output: 'Nothing was sent: id is missing', failed: true })
  assert.deepEqual(bodyIn((await callTool(get, {})).output), SEED)
})

test('a PATCH tool really updates an event, by the id in its address [tools:patch, tools:put-path]', async (t) => {
  const url = await start(t)
  for (const address of [`${url}/events`, `${url}/events/:id`, `${url}/events/{id}`]) {
    const patch = await builtTool('requestsPatch', {
      requestsPatchUrl: address,
      requestsPatchName: 'Patch Event!',
      requestsPatchQueryParamsSchema: JSON.stringify(pathId),
      requestsPatchBodySchema: JSON.stringify(details),
    })
    assert.equal(patch.name, 'patch_event')
    const body = { ...choir, name: `by ${address.slice(-4)}` }
    const { output } = await callTool(patch, { queryParams: { id: '3' }, body })
    assert.match(output, /^HTTP 200 OK\n/)
    assert.deepEqual(await (await fetch(`${url}/events/3`)).json(), { id: '3', ...body })
  }
})

test('POST and PUT fill parts of the path as well [tools:put-path]', async () => {
  const seen: string[] = []
  const site = await website({
    '/a/b%20c/d?e=5': (request, response) => {
      seen.push(request.method!)
      response.end('ok')
    },
  })
  for (const word of ['Post', 'Put']) {
    const tool = await builtTool(`requests${word}`, {
      [`requests${word}Url`]: `${site.url}/a/:one/d`,
      [`requests${word}QueryParamsSchema`]: { one: { in: 'path' }, e: { type: 'integer', in: 'query' } },
    })
    assert.deepEqual(await outcome(tool, { queryParams: { one: 'b c', e: 5 }, body: {} }), {
      output: 'HTTP 200 OK\n\nok',
    })
  }
  assert.deepEqual(seen, ['POST', 'PUT'])
})

test('a model gets types, choices and required fields [tools:params-schema, tools:body-schema]', async () => {
  const get = await builtTool('requestsGet', {
    requestsGetUrl: 'http://localhost/events/:id',
    requestsGetQueryParamsSchema: `{
      // as people write it
      id: { type: 'integer', in: 'path', required: true, description: 'The event' },
      sort: { type: 'string', in: 'query', enum: ['name', 'date'], default: 'date' },
      'full': { type: 'boolean', in: 'query' },
    }`,
  })
  assert.deepEqual(get.parameters, {
    type: 'object',
    properties: {
      queryParams: {
        type: 'object',
        properties: {
          id: { type: 'integer', description: 'The event' },
          sort: { type: 'string', enum: ['name', 'date'], default: 'date' },
          full: { type: 'boolean' },
        },
        required: ['id'],
        additionalProperties: false,
      },
    },
    required: ['queryParams'],
    additionalProperties: false,
  })
  const post = await builtTool('requestsPost', {
    requestsPostUrl: 'http://localhost/events',
    requestsPostBodySchema: JSON.stringify({
      ...details,
      seats: { type: 'number', required: true },
      tags: { type: 'array', items: { type: 'string' } },
    }),
  })
  assert.deepEqual(post.parameters, {
    type: 'object',
    properties: {
      body: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'What it is called' },
          date: { type: 'string', description: 'ISO 8601' },
          location: { type: 'string' },
          seats: { type: 'number' },
          tags: { type: 'array', items: { type: 'string' } },
        },
        required: ['name', 'date', 'location', 'seats'],
        additionalProperties: false,
      },
    },
    required: ['body'],
    additionalProperties: false,
  })
  const fixed = await builtTool('requestsPost', {
    requestsPostUrl: 'http://localhost/events',
    requestPostBody: '{"date": "2026-01-01"}',
    requestsPostBodySchema: details,
  })
  assert.partialDeepStrictEqual(fixed.parameters, {
    properties: { body: { required: ['name', 'location'] } },
  })
  const free = await builtTool('requestsGet', { requestsGetUrl: 'http://localhost/events' })
  assert.deepEqual(free.parameters.properties, {
    queryParams: { type: 'object', additionalProperties: { type: 'string' } },
  })
})

test('the parameters of a schema go to their places, and nothing else is sent [tools:params-schema]', async () => {
  const site = await website({
    '/events/7?day=monday&sort=date': typed('text/plain', 'seven'),
    '/free?a=1&b=x+y': typed('text/plain', 'free'),
  })
  const get = await builtTool('requestsGet', {
    requestsGetUrl: `${site.url}/events/:id?day=monday`,
    requestsGetQueryParamsSchema: JSON.stringify({
      id: { type: 'integer', in: 'path', required: true },
      sort: { type: 'string', in: 'query', default: 'date' },
      day: { type: 'string', in: 'query' },
    }),
  })
  const input = { queryParams: { id: 7, day: 'sunday', other: 'x' } }
  assert.equal((await callTool(get, input)).output, 'HTTP 200 OK\n\nseven')
  const free = await builtTool('requestsGet', {
    requestsGetUrl: `${site.url}/free`,
    requestsGetQueryParamsSchema: '{}',
  })
  assert.equal((await callTool(free, { queryParams: { a: 1, b: 'x y' } })).output, 'HTTP 200 OK\n\nfree')
})

const bodies: [what: string, inputs: JsonObject, written: JsonObject, sent: string][] = [
  [
    'the fields of the fixed body',
    {
      requestPostBody: '{"city": "Oslo", "secret": 1}',
      requestsPostBodySchema: { city: 'string', name: 'string' },
    },
    { city: 'Rome', name: 'Choir' },
    '{"city":"Oslo","name":"Choir","secret":1}',
  ],
  [
    'a fixed body alone, without what the model writes',
    { requestPostBody: "{city: 'Oslo'}" },
    { city: 'Rome', x: 1 },
    '{"city":"Oslo"}',
  ],
  ['a fixed list as it is', { requestPostBody: '[1, 2]' }, {}, '[1,2]'],
  ['what the model writes where no schema is given', {}, { any: ['thing'] }, '{"any":["thing"]}'],
  [
    'defaults of the schema',
    { requestsPostBodySchema: { n: { type: 'integer', default: 3 }, m: { type: 'integer', default: 4 } } },
    { m: 5 },
    '{"n":3,"m":5}',
  ],
  [
    'a form where the headers say so',
    {
      requestsPostHeaders: { 'Content-Type': 'application/x-www-form-urlencoded' },
      requestPostBody: { a: 'x y', b: 2 },
    },
    {},
    'a=x+y&b=2',
  ],
  [
    'the inputs of the first version before those of the second',
    { body: { old: 1 }, requestPostBody: { fresh: 1 } },
    {},
    '{"old":1}',
  ],
]

test('a request sends what its author fixed over what the model wrote [tools:fixed-body]', async (t) => {
  const got: [type: string | undefined, body: string][] = []
  const site = await website({
    '/': async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      got.push([request.headers['content-type'], body])
      response.end()
    },
  })
  for (const [what, inputs, written, sent] of bodies)
    await t.test(`it sends ${what}`, async () => {
      const tool = await builtTool('requestsPost', { requestsPostUrl: site.url, ...inputs })
      await callTool(tool, { body: written })
      const type = inputs.requestsPostHeaders ? 'application/x-www-form-urlencoded' : 'application/json'
      assert.deepEqual(got.pop(), [type, sent])
    })
  const put = await builtTool('requestsPut', { requestsPutUrl: site.url, requestPutBody: { a: 1 } })
  await callTool(put, { body: { a: 2 } })
  const patch = await builtTool('requestsPatch', { requestsPatchUrl: site.url, requestPatchBody: { a: 3 } })
  await callTool(patch, {})
  assert.deepEqual(
    got.map(([, body]) => body),
    ['{"a":1}', '{"a":3}'],
  )
})

test('headers are sent, and the model sees none of them [tools:headers]', async () => {
  const got: unknown[] = []
  const site = await website({
    '/': (request, response) => {
      got.push(request.headers['x-key'], request.headers.authorization)
      response.writeHead(403).end(`the key ${request.headers['x-key']} may not do that`)
    },
  })
  for (const headers of [
    '{"X-Key": "a-secret-key", "Authorization": "Bearer another-secret"}',
    "{'X-Key': 'a-secret-key', Authorization: 'Bearer another-secret',}",
    JSON.stringify([
      { key: 'X-Key', value: 'a-secret-key' },
      { key: 'Authorization', value: 'Bearer another-secret' },
    ]),
  ]) {
    const tool = await builtTool('requestsGet', { requestsGetUrl: site.url, requestsGetHeaders: headers })
    const { output } = await callTool(tool, { headers: { 'x-key': 'mine' } })
    assert.equal(output, 'HTTP 403 Forbidden\n\nthe key •••• may not do that')
    assert.doesNotMatch(JSON.stringify(tool), /secret/)
    assert.deepEqual(got.splice(0), ['a-secret-key', 'Bearer another-secret'])
  }
})

test('a password in the address is sent, and the model sees nothing of it [tools:headers]', async () => {
  const site = await website({
    '/': (request, response) => void response.end(`hello ${request.headers.authorization}`),
  })
  const url = site.url.replace('//', '//me:the%20password@')
  const { output } = await callTool(await builtTool('requestsGet', { requestsGetUrl: url }), {})
  assert.equal(output, 'HTTP 200 OK\n\nhello Basic ••••')
})

const refused: [what: string, inputs: JsonObject, reason: RegExp][] = [
  ['no address', {}, /a URL is needed/],
  ['an address of another kind', { requestsGetUrl: 'file:///etc/passwd' }, /must begin with http/],
  [
    'a schema that is none',
    { requestsGetUrl: 'http://a', requestsGetQueryParamsSchema: 'id: string' },
    /expected JSON/,
  ],
  [
    'a list for a schema',
    { requestsGetUrl: 'http://a', requestsGetQueryParamsSchema: '[1]' },
    /received a list/,
  ],
  [
    'a header that cannot be sent',
    { requestsGetUrl: 'http://a', requestsGetHeaders: { 'x y': 'secret' } },
    /^(?!.*secret).*header "x y" cannot be sent/,
  ],
]
for (const [what, inputs, reason] of refused)
  test(`requestsGet refuses ${what} [tools:get]`, async () => {
    await assert.rejects(builtTool('requestsGet', inputs), { message: reason, code: 'input_invalid' })
  })

test('an answer is cut at the length that is set, and the inputs of the first version still work [tools:get]', async () => {
  const site = await website({ '/long': typed('text/plain', 'x'.repeat(5000)) })
  const cut = async (inputs: JsonObject) =>
    (await callTool(await builtTool('requestsGet', inputs), {})).output
  const url = `${site.url}/long`
  assert.match(
    await cut({ url, name: 'Old Name', description: 'old', headers: '', queryParamsSchema: '' }),
    /first 2000 of 5000/,
  )
  assert.match(
    await cut({ requestsGetUrl: url, requestsGetMaxOutputLength: '50' }),
    /\n\nx{50}\n\(cut: the first 50 of 5000/,
  )
  const tool = await builtTool('requestsGet', { requestsGetUrl: 'http://me:word@a/x?key=1', url: '' })
  assert.deepEqual([tool.name, tool.description], ['requests_get', 'Sends a GET request to http://a/x'])
})
