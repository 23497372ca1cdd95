import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { BuildContext } from '../../contract/card.ts'
import { isEmptyInput } from '../../cards/field.ts'
import type { Tool, ToolCallContext } from '../../contract/tool.ts'
import { createEgress } from '../../kit/egress/client.ts'
import { createEgressRules } from '../../kit/egress/rules.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import { openAPIToolkit } from './openapi-toolkit.ts'
import { LOOPBACK } from '../../../test/support/loopback.ts'

type Seen = { method: string; url: string; headers: Record<string, unknown>; body: string }

const seen: Seen[] = []
const api = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request
  seen.push({ method, url, headers, body: (await buffer(request)).toString() })
  const json = (status: number, value: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (url.startsWith('/openapi.yaml')) return response.end(DESCRIPTION)
  if (url.startsWith('/broken.yaml')) return response.end('a: [')
  if (url.startsWith('/things/gone')) return json(404, { error: 'no such thing' })
  if (method === 'DELETE') return response.writeHead(204).end()
  if (url.startsWith('/echo')) return json(200, { secret: headers['x-key'], token: headers.authorization })
  return json(200, [{ id: 1, name: 'One' }])
})
api.listen(0, '127.0.0.1')
await once(api, 'listening')
const { port } = api.address() as AddressInfo
const origin = `http://127.0.0.1:${port}`
const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })
after(async () => {
  await egress.close()
  api.closeAllConnections()
  api.close()
})

const DESCRIPTION = `
openapi: 3.0.0
info: { title: Things, version: 1.0.0 }
servers: [{ url: / }]
security: [{ key: [] }]
components:
  securitySchemes:
    key: { type: http, scheme: bearer }
paths:
  /things:
    get:
      operationId: listThings
      summary: Lists things
      parameters:
        - { name: tag, in: query, schema: { type: string } }
        - { name: X-Key, in: header, schema: { type: string } }
    post:
      operationId: createThing
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: { type: string }
                note: { type: string, nullable: true }
                size: { type: object, properties: { width: { type: number } } }
  /things/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get: { operationId: getThing }
    delete: {}
  /echo:
    get: { operationId: echo }
`
const file = `data:text/yaml;base64,${Buffer.from(DESCRIPTION).toString('base64')},filename:things.yaml`

const credentials: Record<string, Record<string, string>> = { c1: { openAPIToken: 'token-of-ours' } }

async function toolsOf(inputs: JsonObject): Promise<Map<string, Tool>> {
  const values = Object.fromEntries(
    Object.entries(openAPIToolkit.fields).map(([name, field]) => [
      name,
      isEmptyInput(inputs[name]) ? field.fallback : field.read(inputs[name]),
    ]),
  )
  const context: Partial<BuildContext> = {
    flowId: 'flow-1',
    nodeId: 'kit',
    egress,
    credential: async (id) => credentials[id]!,
  }
  const toolset = openAPIToolkit.build({ values, parts: {} }, context as BuildContext)
  const tools = await toolset.tools(signal)
  return new Map(tools.map((tool) => [tool.name, tool]))
}

const { signal } = new AbortController()

async function call(inputs: JsonObject, name: string, input: JsonObject = {}, place?: ToolCallContext) {
  const tool = (await toolsOf({ inputType: 'link', openApiLink: `${origin}/openapi.yaml`, ...inputs })).get(
    name,
  )
  assert.ok(tool, `there is no tool ${name}`)
  seen.length = 0
  return { ...(await tool.call(input, signal, place)), request: seen[0], tool }
}

for (const [what, inputs] of [
  ['a link', { inputType: 'link', openApiLink: `${origin}/openapi.yaml` }],
  ['a file', { inputType: 'file', openApiFile: file, selectedServer: origin }],
  ['the file of an older flow', { yamlFile: file, selectedServer: origin }],
] as [string, JsonObject][])
  test(`openAPIToolkit makes a tool of each operation of ${what} [openapi:toolkit]`, async () => {
    const tools = await toolsOf(inputs)
    assert.deepEqual(
      [...tools.keys()],
      ['listThings', 'createThing', 'getThing', 'delete_things_by_id', 'echo'],
    )
    assert.equal(tools.get('listThings')!.description, 'Lists things')
    assert.deepEqual(
      [...tools.values()].map(({ unsafe = false }) => unsafe),
      [false, true, false, true, false],
    )
    assert.match(
      (await tools.get('listThings')!.call({ QueryParameters: { tag: 'a b' } }, signal)).output,
      /One/,
    )
    assert.equal(seen.at(-1)!.url, '/things?tag=a%20b')
  })

test('openAPIToolkit gives the model a failed response with its body, and a response without a body', async () => {
  const missing = await call({}, 'getThing', { PathParameters: { id: 'gone' } })
  assert.deepEqual(
    [missing.failed, missing.output],
    [true, 'HTTP 404 Not Found\n\n{"error":"no such thing"}'],
  )
  const deleted = await call({}, 'delete_things_by_id', { PathParameters: { id: 'x' } })
  assert.deepEqual([deleted.failed, deleted.output], [undefined, 'HTTP 204 No Content'])
})

test('openAPIToolkit tells the model what its input lacks, and sends no request', async () => {
  const { output, failed, request } = await call({}, 'getThing', {})
  assert.deepEqual([failed, request], [true, undefined])
  assert.match(output, /PathParameters\.id is missing/)
})

test('openAPIToolkit gives the response of the API to the user unchanged [openapi:return-direct]', async () => {
  const { output, tool } = await call({ returnDirect: true }, 'listThings')
  assert.deepEqual([output, tool.returnDirect], ['[{"id":1,"name":"One"}]', true])
  const missing = await call({ returnDirect: true }, 'getThing', { PathParameters: { id: 'gone' } })
  assert.match(missing.output, /^HTTP 404/)
})

test('openAPIToolkit sends headers and keys with each call and shows them nowhere [openapi:headers]', async () => {
  const inputs = { headers: '{"X-Key":"header-of-ours"}', credential: 'c1' }
  const { output, request, tool } = await call(inputs, 'echo')
  assert.equal(request!.headers['x-key'], 'header-of-ours')
  assert.equal(request!.headers.authorization, 'Bearer token-of-ours')
  assert.ok(!/of-ours/.test(output + JSON.stringify(tool)), output)
  const { tool: listing } = await call(inputs, 'listThings')
  assert.ok(!('HeaderParameters' in (listing.parameters.properties as JsonObject)))
  assert.ok('HeaderParameters' in ((await call({}, 'listThings')).tool.parameters.properties as JsonObject))
})

test('openAPIToolkit lets a header of the author win over the credential', async () => {
  const { request } = await call({ headers: { Authorization: 'Basic abc' }, credential: 'c1' }, 'echo')
  assert.equal(request!.headers.authorization, 'Basic abc')
})

test('openAPIToolkit removes empty keys if its input removeNulls is on [openapi:remove-null]', async () => {
  const input = {
    QueryParameters: { tag: '' },
    RequestBody: { name: 'x', note: null, size: { width: null } },
  }
  const { request } = await call({ removeNulls: true }, 'createThing', { RequestBody: input.RequestBody })
  assert.deepEqual(JSON.parse(request!.body), { name: 'x' })
  const kept = await call({}, 'createThing', { RequestBody: input.RequestBody })
  assert.deepEqual(JSON.parse(kept.request!.body), input.RequestBody)
  const { request: listed } = await call({ removeNulls: true }, 'listThings', {
    QueryParameters: input.QueryParameters,
  })
  assert.equal(listed!.url, '/things')
})

test('openAPIToolkit lets code of the author make the output [openapi:custom-code]', async () => {
  const customCode = `
    const fetch = require('node-fetch')
    const answer = await fetch($url, $options)
    const things = await answer.json()
    return { status: answer.status, first: things[0].name, asked: $PathParameters, chat: $flow.chatId, who: $vars.who }`
  const place = { flow: { chatflowId: 'f', chatId: 'c-9' }, variables: { who: 'Ada' } }
  const { output, request } = await call(
    { customCode, credential: 'c1' },
    'getThing',
    { PathParameters: { id: 'a' } },
    place,
  )
  assert.deepEqual(JSON.parse(output), {
    status: 200,
    first: 'One',
    asked: { id: 'a' },
    chat: 'c-9',
    who: 'Ada',
  })
  assert.equal(request!.headers.authorization, 'Bearer token-of-ours')
})

test('openAPIToolkit keeps the credential out of the code and away from other servers', async () => {
  const customCode = `
    const other = await fetch('http://localhost:${port}/echo')
    return JSON.stringify([$options, await other.json(), typeof process])`
  const { output } = await call({ customCode, credential: 'c1' }, 'listThings')
  assert.ok(!output.includes('token-of-ours'), output)
  const [, other, kind] = JSON.parse(output) as unknown[]
  assert.ok(isObject(other) && other.token === undefined)
  assert.equal(kind, 'undefined')
})

test('openAPIToolkit masks a key that a response repeats, also with custom code [openapi:headers]', async () => {
  const customCode = 'return await (await fetch($url, $options)).text()'
  const { output } = await call(
    { customCode, credential: 'c1', headers: { 'X-Key': 'header-of-ours' } },
    'echo',
  )
  assert.equal(output, '{"secret":"••••","token":"Bearer ••••"}')
})

test('openAPIToolkit applies the network rules to custom code', async () => {
  const customCode = "try { await fetch('http://10.0.0.1/') } catch (error) { return error.message }"
  assert.match((await call({ customCode }, 'listThings')).output, /may not call 10\.0\.0\.1/)
})

test('openAPIToolkit gives the model the error of custom code', async () => {
  const { output, failed } = await call({ customCode: 'throw new TypeError("odd")' }, 'listThings')
  assert.deepEqual(
    [failed, output],
    [true, 'The call did not succeed: the custom code failed: TypeError: odd'],
  )
})

test('openAPIToolkit ignores the default code of Flowise', async () => {
  const customCode = `const fetch = require('node-fetch');
    const url = $url;\nconst options = $options;\n
    try {\n\tconst response = await fetch(url, options);\n\tconst resp = await response.json();
    \treturn JSON.stringify(resp);\n} catch (error) {\n\tconsole.error(error);\n\treturn '';\n}\n`
  assert.match(
    (await call({ customCode }, 'getThing', { PathParameters: { id: 'gone' } })).output,
    /HTTP 404/,
  )
})

test('openAPIToolkit uses only the selected endpoints, by name or by path', async () => {
  const tools = await toolsOf({
    inputType: 'link',
    openApiLink: `${origin}/openapi.yaml`,
    selectedEndpoints: '["getThing","GET /things"]',
  })
  assert.deepEqual([...tools.keys()], ['listThings', 'getThing'])
})

test('openAPIToolkit lets a model search if there are more tools than its limit', async () => {
  const { output, tool } = await call({ maxTools: 3 }, 'find_tool_things', { query: 'create a thing' })
  const [first] = JSON.parse(output) as JsonObject[]
  assert.equal(first!.name, 'createThing')
  assert.ok(isObject(first!.input))
  assert.match(tool.description, /call_tool_things/)
  const created = await call({ maxTools: 3 }, 'call_tool_things', {
    name: 'createThing',
    input: { RequestBody: { name: 'x' } },
  })
  assert.deepEqual([created.request!.method, created.tool.unsafe], ['POST', true])
  const unknown = await call({ maxTools: 3 }, 'call_tool_things', { name: 'none', input: {} })
  assert.deepEqual([unknown.failed, unknown.request], [true, undefined])
})

for (const [what, inputs, expected] of [
  ['no description', { inputType: 'file' }, /has no OpenAPI description/],
  ['a file kept elsewhere', { yamlFile: 'FILE-STORAGE::things.yaml' }, { code: 'file_not_stored' }],
  ['an unknown endpoint', { selectedEndpoints: ['nothing'] }, /no operation nothing/],
  ['an invalid description', { openApiLink: `${origin}/broken.yaml` }, { code: 'description_unusable' }],
  [
    'a missing description',
    { openApiLink: `${origin}/things/gone?key=k` },
    /\/things\/gone cannot be used: the server answers 404/,
  ],
  ['an address that it may not call', { openApiLink: 'http://10.0.0.1/' }, { code: 'egress_denied' }],
  [
    'a file without an absolute server address',
    { yamlFile: file, inputType: 'file' },
    /has no server|not an absolute address/,
  ],
] as [string, JsonObject, RegExp | { code: string }][])
  test(`openAPIToolkit refuses ${what}`, async () => {
    const link =
      inputs.yamlFile || inputs.inputType ? {} : { inputType: 'link', openApiLink: `${origin}/openapi.yaml` }
    await assert.rejects(toolsOf({ ...link, ...inputs }), expected)
  })
