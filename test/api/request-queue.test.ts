import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { heldFlow } from '../support/held-flow.ts'
import { readScrape } from '../support/metrics.ts'
import { form, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until } from '../support/until.ts'

const provider = await startProviderServer()
after(() => provider.close())
const platform = await makePlatform({ MAX_REQUESTS: '16', MAX_REQUESTS_IN_WORK: '1' }, { servers: 1 })
const flow = await heldFlow(platform.manage, provider, 'held')
const loaded = await platform.call('POST', `/api/v1/vector/upsert/${flow}`, {
  body: form({ 'a.txt': 'Otters swim.' }, {}),
})
assert.equal(loaded.status, 200, loaded.text)
const [one, other] = await Promise.all([
  platform.key({ scopes: ['query'], flows: [flow] }),
  platform.key({ scopes: ['query'], flows: [flow] }),
])

const query = (key: string, question: string) =>
  platform.call('POST', `/api/v1/vector/query/${flow}`, { key, body: { query: question } })
const figures = async () => readScrape((await platform.manage('GET', '/metrics')).text)
const waiting = async () => (await figures()).value('sluice_requests', { state: 'waiting' })

/** The status of a GET on a connection of its own. */
async function freshly(path: string): Promise<string> {
  const { hostname, port } = new URL(platform.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
  return (await text(socket)).slice(9, 12)
}

test('queries beyond those in work wait by turns of their keys; health and metrics do not wait [limits:requests:turns]', async () => {
  provider.calls.length = 0
  provider.hold(0)
  const all = [query(one.apiKey, 'a0')]
  await until(() => provider.calls.length === 1)
  for (let n = 1; n < 8; n++) {
    all.push(query(one.apiKey, `a${n}`))
    await until(async () => (await waiting()) === n)
  }
  all.push(query(other.apiKey, 'b0'))
  await until(async () => (await waiting()) === 8)
  assert.equal(provider.calls.length, 1, 'the others have not begun')
  for (const path of ['/healthz', '/readyz', '/metrics', '/api/v1/ping'])
    assert.equal(await freshly(path), '200', path)
  provider.release()
  for (const { status } of await Promise.all(all)) assert.equal(status, 200)
  assert.deepEqual(
    provider.calls.map(({ texts }) => texts[0]),
    ['a0', 'b0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'],
  )
})

test('a key with three quarters of all requests is refused more, which a metric counts; another key is not [limits:requests:shed]', async () => {
  const shed = async () => (await figures()).value('sluice_requests_shed_total', { reason: 'key' })
  const before = await shed()
  provider.calls.length = 0
  provider.hold(0)
  const all = Array.from({ length: 12 }, (_, n) => query(one.apiKey, `c${n}`))
  await until(async () => (await waiting()) === 11)
  const refused = await query(one.apiKey, 'more')
  assert.partialDeepStrictEqual(refused, { status: 503, body: { code: 'server_busy' } })
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(await shed(), before + 1)
  all.push(query(other.apiKey, 'd0'))
  await until(async () => (await waiting()) === 12)
  provider.release()
  for (const { status } of await Promise.all(all)) assert.equal(status, 200)
  assert.equal(await waiting(), 0)
  assert.equal(
    platform.log.some(({ event, facts }) => event === 'request-failed' && facts.code === 'server_busy'),
    false,
  )
})
