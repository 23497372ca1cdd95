import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import { remoteToolset } from '../../src/tools/mcp/remote-toolset.ts'
import { startChatServer } from '../support/chat-server.ts'
import { drawDocumentChat } from '../support/document-chat.ts'
import { makePlatform } from '../support/platform.ts'
import { LOOPBACK } from '../support/loopback.ts'

const platform = await makePlatform()
await platform.upload('quickstart', { 'otters.txt': 'Otters hold hands while they sleep.' })
const model = await startChatServer()
after(() => model.close())
const asking = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
  name: 'Asking',
  flowData: drawDocumentChat(model.url),
})
await platform.call('POST', `/api/v1/vector/upsert/${asking.body.id}`, { body: {} })
const bound = await platform.key({ scopes: ['query'] })
const closed = await platform.flow({ name: 'Closed', apikeyid: bound.id })
const address = (flow: string) => new URL(`/api/v1/mcp/${flow}`, platform.url)

async function connected(
  flow: string,
  headers: Record<string, string> = {},
  mode: 'auto' | 'legacy' = 'auto',
) {
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(address(flow), { requestInit: { headers } }))
  return client
}

const textOf = (answer: { content: { type: string }[] }) =>
  answer.content.map((block) => ('text' in block ? block.text : block.type)).join('\n')

test('a flow is an MCP server: the official client finds its tools and searches [mcp:server]', async () => {
  const client = await connected('quickstart')
  const { tools } = await client.listTools()
  const search = tools.find(({ name }) => name === 'search')
  assert.deepEqual(search?.inputSchema.required, ['query'])
  assert.equal(search?.annotations?.readOnlyHint, true)
  const answer = await client.callTool({ name: 'search', arguments: { query: 'sleeping otters', topK: 1 } })
  assert.equal(textOf(answer), '[1] otters.txt, line 1\nOtters hold hands while they sleep.')
  const wrong = await client
    .callTool({ name: 'search', arguments: { query: 7 } })
    .catch((error: Error) => error)
  assert.ok(wrong instanceof Error || wrong.isError, 'arguments that do not fit are refused')
  await client.close()
})

test('a flow that answers has the tool ask, for who may ask; its answer names its sources', async () => {
  model.script({ text: 'They hold hands.' })
  const client = await connected(asking.body.id)
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['search', 'ask'],
  )
  const answer = await client.callTool({ name: 'ask', arguments: { question: 'How do otters sleep?' } })
  assert.equal(textOf(answer), 'They hold hands.\n\nSources:\n[1] text_0')
  await client.close()
})

test('a failure of a tool of an MCP server is the result of the call', async () => {
  model.script({ status: 401 })
  const client = await connected(asking.body.id)
  const answer = await client.callTool({ name: 'ask', arguments: { question: 'Anybody?' } })
  assert.equal(answer.isError, true)
  assert.match(textOf(answer), /failed/)
  await client.close()
})

test('a flow is an MCP server for clients of 2025 too', async () => {
  const client = await connected('quickstart', {}, 'legacy')
  const answer = await client.callTool({ name: 'search', arguments: { query: 'otters' } })
  assert.match(textOf(answer), /hold hands/)
  await client.close()
})

test('a flow as an MCP server refuses pages of other sites', async () => {
  const headers = { origin: 'https://elsewhere.example', accept: 'application/json, text/event-stream' }
  const { status, body } = await platform.call('POST', '/api/v1/mcp/quickstart', { headers, body: {} })
  assert.equal(status, 403)
  assert.partialDeepStrictEqual(body, { code: 'origin_refused' })
})

test('a flow as an MCP server takes one message a request', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const headers = { accept: 'application/json, text/event-stream' }
  const { status, body } = await platform.call('POST', '/api/v1/mcp/quickstart', {
    headers,
    body: [ping, ping],
  })
  assert.equal(status, 400)
  assert.partialDeepStrictEqual(body, { code: 'body_invalid' })
})

test('a flow as an MCP server follows the access rules of the flow', async () => {
  await assert.rejects(connected(closed), /401|Unauthorized/i)
  const client = await connected(closed, { authorization: `Bearer ${bound.apiKey}` })
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['search'],
  )
  await client.close()
  const unknown = await platform.call('POST', '/api/v1/mcp/nowhere', { body: {} })
  assert.equal(unknown.status, 404)
})

test('remoteToolset() gives the tools of a server to agents, and its answers [mcp:tools]', async () => {
  const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })
  const toolset = remoteToolset({ url: address('quickstart'), headers: {}, egress, only: ['search'] })
  const signal = AbortSignal.timeout(60_000)
  const [search] = await toolset.tools(signal)
  assert.partialDeepStrictEqual(search, { name: 'search', unsafe: false })
  const outcomes = await Promise.all([
    search!.call({ query: 'otters' }, signal),
    search!.call({ query: 'hands' }, signal),
  ])
  for (const { output, failed } of outcomes) {
    assert.match(output, /hold hands/)
    assert.equal(failed, undefined)
  }
  const refused = await search!.call({ query: '' }, signal)
  assert.equal(refused.failed, true)
  await egress.close()
})

test('remoteToolset() masks in answers what it sent with its calls', async () => {
  const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })
  const headers = { 'x-pass': 'hold hands while' }
  const signal = AbortSignal.timeout(60_000)
  const [search] = await remoteToolset({ url: address('quickstart'), headers, egress }).tools(signal)
  const { output } = await search!.call({ query: 'otters' }, signal)
  assert.match(output, /Otters •••• they sleep/)
  await egress.close()
})

test('remoteToolset() names the reason if there is no server, or if egress forbids the call', async () => {
  const open = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })
  const shut = createEgress({ rules: createEgressRules({}) })
  const signal = AbortSignal.timeout(60_000)
  const nowhere = new URL('/api/v1/mcp/nowhere', platform.url)
  await assert.rejects(remoteToolset({ url: nowhere, headers: {}, egress: open }).tools(signal), {
    code: 'provider_failed',
  })
  await assert.rejects(
    remoteToolset({ url: address('quickstart'), headers: {}, egress: shut }).tools(signal),
    {
      code: 'egress_denied',
    },
  )
  await Promise.all([open.close(), shut.close()])
})
