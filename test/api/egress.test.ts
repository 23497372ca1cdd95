import assert from 'node:assert/strict'
import { hostname, networkInterfaces } from 'node:os'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { start, step, steps } from '../support/agent-drawing.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { makePlatform, type TestPlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { redirect, website } from '../support/website.ts'

/** A service of this machine that trusts whoever calls it. */
const secret = await website({ '/': 'the secret page of this machine' })
/** A site that leads there. Only its own place is allowed. */
const site = await website({ '/': 'a page', '/away': redirect(secret.url) })
const provider = await startProviderServer()
const shut = await makePlatform({ EGRESS_ALLOW: '' })
const open = await makePlatform({ EGRESS_ALLOW: new URL(site.url).host })
/** All of this machine is allowed: only the server itself is not. One server, since a test reads its port. */
const wide = await makePlatform({ EGRESS_ALLOW: '127.0.0.0/8,::1,0.0.0.0,0.0.0.0/0,::/0' }, { servers: 1 })
after(() => provider.close())

async function store(on: TestPlatform, name: string, flow: object): Promise<string> {
  const { body, status, text } = await on.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name,
    ...flow,
  })
  assert.equal(status, 200, text)
  return body.id
}

/** What a stranger gets of an agent flow that calls an address. */
async function callByStep(on: TestPlatform, url: string) {
  const nodes = [start(), step('httpAgentflow_0', { method: 'GET', url })]
  const flowData = { nodes, edges: steps('startAgentflow_0 > httpAgentflow_0') }
  const flow = await store(on, 'calls', { flowData, type: 'AGENTFLOW' })
  return on.call<{ code?: string; message?: string; hint?: string }>('POST', `/api/v1/prediction/${flow}`, {
    body: { question: 'Anything' },
  })
}

/** What an upsert of a scraped page answers. */
async function scrape(on: TestPlatform, url: string) {
  const flow = await on.flow({ loaders: { cheerioWebScraper: { url } } })
  return on.manage('POST', `/api/v1/vector/upsert/${flow}`, {})
}

async function embeds(on: TestPlatform, baseUrl: string, more: object = {}): Promise<string> {
  const drawing = drawFlow({ ...more })
  const { nodes } = drawing.flowData as unknown as { nodes: { data: JsonObject }[] }
  const node = nodes.find(({ data }) => data.name === 'builtInEmbeddings')!
  Object.assign(node.data, { name: 'ollamaEmbedding', label: 'Ollama', inputs: { modelName: 'm', baseUrl } })
  return store(on, 'embeds', drawing)
}

test('a flow reaches no service of this machine unless EGRESS_ALLOW lists it, and the refusal says what to set [egress:loopback, egress:refusal]', async () => {
  const { port } = new URL(secret.url)
  for (const url of [secret.url, `http://localhost:${port}`, `http://[::ffff:127.0.0.1]:${port}/`]) {
    const { status, body, text } = await callByStep(shut, url)
    assert.equal(status, 403, text)
    assert.equal(body.code, 'egress_denied')
    assert.match(body.message!, /EGRESS_ALLOW does not list it/)
    assert.ok(body.hint!.endsWith(`EGRESS_ALLOW=${new URL(url).host}`), body.hint)
  }
  const page = await scrape(shut, secret.url)
  assert.match(page.text, /EGRESS_ALLOW/)
  assert.deepEqual(secret.asked, [])
  const allowed = await callByStep(open, site.url)
  assert.equal(allowed.status, 200, allowed.text)
})

test('a redirect to this machine is judged as any call [egress:loopback]', async () => {
  assert.match((await scrape(open, `${site.url}/away`)).text, /egress_denied|EGRESS_ALLOW/)
  const { status, body } = await callByStep(open, `${site.url}/away`)
  assert.deepEqual([status, body.code], [403, 'egress_denied'])
  assert.deepEqual(secret.asked, [])
})

test('nothing calls the server itself, by whatever name and setting [egress:own-port]', async () => {
  const { port } = new URL(wide.url)
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  const names = [
    '127.0.0.1',
    'localhost',
    '127.8.8.8',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    hostname(),
  ]
  const addresses = own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
  for (const name of [...names, ...addresses]) {
    const url = `http://${name}:${port}/healthz`
    if (!URL.canParse(url)) continue
    const { status, body, text } = await callByStep(wide, url)
    assert.equal(status, 403, `${name}: ${text}`)
    assert.match(body.message!, /it is this server itself/, name)
  }
  const flow = await embeds(wide, wide.url)
  const answer = await wide.upload(flow, { 'a.txt': 'A text.' })
  assert.match(answer.text, /it is this server itself/)
  assert.equal((await callByStep(wide, secret.url)).status, 200)
})

test('a provider may be on this machine where the owner typed its address, not where a request did [egress:provider]', async () => {
  const typed = await embeds(shut, provider.url)
  const answer = await shut.upload(typed, { 'a.txt': 'A text.' })
  assert.equal(answer.status, 200, answer.text)

  const files = { name: 'files', enabled: true }
  const nodes = { '*': [files], Ollama: [{ name: 'baseUrl', enabled: true }] }
  const calls = provider.calls.length
  const other = await embeds(shut, 'http://127.0.0.1:9', {
    apiConfig: { overrideConfig: { status: true, nodes } },
  })
  const asked = await shut.upload(other, { 'a.txt': 'A text.' }, { baseUrl: provider.url })
  assert.equal(asked.status, 403, asked.text)
  assert.match(asked.text, /EGRESS_ALLOW/)
  assert.equal(provider.calls.length, calls)
})
