import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import { remoteToolset } from '../../src/tools/mcp/remote-toolset.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { node } from '../support/agent-drawing.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { makePlatform } from '../support/platform.ts'

/** Providers whose answers have no end. */

/** The bytes that the last answer has sent. */
let sent = 0
const SSE = `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: 'word ' } }] })}\n\n: ${'x'.repeat(60_000)}\n\n`

/** Writes until the other side is gone. */
function withoutEnd(response: ServerResponse, piece: string): void {
  let going = true
  response.once('close', () => {
    going = false
  })
  const write = () => {
    while (going) {
      sent += piece.length
      if (!response.write(piece)) return void response.once('drain', write)
    }
  }
  write()
}

const endless = createServer((request, response) => {
  request.resume()
  sent = 0
  const streams = request.url!.startsWith('/streams')
  response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' })
  withoutEnd(response, streams ? SSE : `[${'0.1,'.repeat(16_000)}`)
})
await new Promise<void>((listening) => endless.listen(0, '127.0.0.1', listening))
const { port } = endless.address() as AddressInfo
const url = `http://127.0.0.1:${port}`
const platform = await makePlatform()
after(() => {
  endless.closeAllConnections()
  endless.close()
})

async function store(flowData: object): Promise<string> {
  const { body, status, text } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'endless',
    flowData,
  })
  assert.equal(status, 200, text)
  return body.id
}

const model = (path: string, streaming: boolean) =>
  node('chatOpenAICustom_0', { modelName: 'm', basepath: `${url}${path}`, openAIApiKey: 'none', streaming })

/** The system buffers some of what was sent. */
const BUFFERED = 16 * 2 ** 20

function assertRefused({ status, text }: { status: number; text: string }, megabytes: number): void {
  assert.equal(status, 502, text.slice(0, 500))
  assert.match(text, new RegExp(`its answer is larger than ${megabytes} MB`), text.slice(0, 500))
  assert.ok(sent < megabytes * 2 ** 20 + BUFFERED, `${sent} bytes were sent`)
}

for (const [what, path, streaming] of [
  ['a model that streams', '/streams/v1', true],
  ['a model that answers at once', '/at-once/v1', false],
] as const)
  test(`${what} without end is refused, with its name and the limit [egress:answer-size]`, async () => {
    const chain = node('conversationChain_0', { model: '{{chatOpenAICustom_0.data.instance}}' })
    const flow = await store({ nodes: [model(path, streaming), chain], edges: [] })
    const answer = await platform.call('POST', `/api/v1/prediction/${flow}`, { body: { question: 'Go on' } })
    assertRefused(answer, 32)
  })

test('an embedder without end is refused, with its name and the limit [egress:answer-size]', async () => {
  const drawing = drawFlow({})
  const { nodes } = drawing.flowData as unknown as { nodes: { data: { name: string } }[] }
  const embedder = nodes.find(({ data }) => data.name === 'builtInEmbeddings')!
  Object.assign(embedder.data, { name: 'ollamaEmbedding', inputs: { modelName: 'm', baseUrl: url } })
  const flow = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawing)
  assertRefused(await platform.upload(flow.body.id, { 'a.txt': 'A text.' }), 7)
})

test('a reranker and an engine without end are refused, with their names and limits [egress:answer-size]', async () => {
  const reranked = await platform.flow({ reranker: { modelName: 'm', basePath: url } })
  await platform.upload(reranked, { 'a.txt': 'The rent is due.' })
  const asked = await platform.query(reranked, { query: 'rent' })
  assert.match(asked.text, /its answer is larger than 8 MB/)
  const drawing = drawFlow({ storeNode: 'qdrant', store: { qdrantServerUrl: url, qdrantCollection: 'c' } })
  const flow = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawing)
  assertRefused(await platform.upload(flow.body.id, { 'a.txt': 'A text.' }), 64)
})

test('an MCP server without end fails its tools, with its name and the limit [egress:answer-size]', async () => {
  const egress = createEgress({ rules: createEgressRules({ mcp: LOOPBACK }) })
  const toolset = remoteToolset({ url: new URL(url), headers: {}, egress: egress.forMcp() })
  await assert.rejects(toolset.tools(AbortSignal.timeout(60_000)), /127\.0\.0\.1.*larger than 16 MB/)
  await egress.close()
})
