import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { JsonObject } from '../../src/kit/json.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { heldFlow } from '../support/held-flow.ts'
import { until } from '../support/job-desk.ts'
import { form, makePlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { untilEqual } from '../support/until.ts'

const provider = await startProviderServer()
after(() => provider.close())
const platform = await makePlatform({ MAX_JOBS: '2', MAX_JOBS_PER_KEY: '2' }, { servers: 1 })

const drawing = drawFlow({})
const { nodes } = drawing.flowData as unknown as { nodes: { data: JsonObject }[] }
Object.assign(nodes.find(({ data }) => data.name === 'builtInEmbeddings')!.data, {
  name: 'localAIEmbeddings',
  inputs: { modelName: 'mine', basePath: `${provider.url}/v1` },
})
const { id: flow } = (await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawing)).body
const upsert = `/api/v1/vector/upsert/${flow}`
const headers = { prefer: 'respond-async' }
const submit = (name: string, more: Record<string, string> = {}) =>
  platform.call<{ jobId: string }>('POST', upsert, {
    body: form({ [name]: 'Words.' }, {}),
    headers: { ...headers, ...more },
  })

test('a full queue refuses a job with the time to try again, and does not wait for the upload [upsert:job:bounds]', async () => {
  provider.script('silence')
  const waiting = [await submit('a.txt'), await submit('b.txt', { 'idempotency-key': 'b' })]
  assert.deepEqual(
    waiting.map(({ status }) => status),
    [202, 202],
  )
  // Over PostgreSQL a server knows of the jobs when it has read them again.
  await untilEqual(async () => (await platform.call('POST', upsert, { body: {}, headers })).status, 503)
  for (const path of [upsert, `/api/v1/vector/reindex/${flow}`]) {
    const refused = await platform.call('POST', path, { body: {}, headers })
    assert.partialDeepStrictEqual(refused, { status: 503, body: { code: 'queue_full' } })
    assert.equal(refused.headers.get('retry-after'), '30')
  }
  assert.equal((await submit('c.txt', { 'idempotency-key': 'c' })).status, 503)
  assert.deepEqual(platform.uploads().length, 2)
  assert.equal((await submit('b.txt', { 'idempotency-key': 'b' })).status, 202, 'a repetition is no new job')
  assert.match(await answerBeforeBody(), /^HTTP\/1\.1 503 /)

  await until(() => provider.calls.length > 0)
  for (const { body } of waiting) await platform.call('POST', `/api/v1/jobs/${body.jobId}/cancel`)
  assert.equal((await submit('c.txt')).status, 202)
})

test('a key that fills its share of the queue is refused more, and another key is not [upsert:job:share,upsert:job:turns,upsert:job:place]', async () => {
  const shared = await makePlatform({ MAX_JOBS: '20', MAX_JOBS_PER_KEY: '2' }, { servers: 1 })
  provider.hold(0)
  const slug = await heldFlow(shared.manage, provider, 'held')
  const [one, other] = [await shared.key({ flows: [slug] }), await shared.key({ flows: [slug] })]
  const send = (key?: string) =>
    shared.call<{ jobId: string }>('POST', `/api/v1/vector/upsert/${slug}`, {
      body: form({ 'a.txt': `Words of ${key}.` }, {}),
      headers,
      ...(key === undefined ? {} : { key }),
    })
  const jobOf = async (id: string) =>
    (await shared.manage<{ state: string; place?: number }>('GET', `/api/v1/jobs/${id}`)).body
  const first = (await send(one.apiKey)).body.jobId
  await until(async () => (await jobOf(first)).state === 'running')
  assert.equal((await jobOf(first)).place, undefined)
  const waiting = [await send(one.apiKey), await send(one.apiKey)]
  const refused = await send(one.apiKey)
  assert.partialDeepStrictEqual(refused, { status: 429, body: { code: 'queue_share_full' } })
  assert.equal(refused.headers.get('retry-after'), '30')
  waiting.push(await send(other.apiKey), await send())
  const places = await Promise.all(waiting.map(async ({ body }) => (await jobOf(body.jobId)).place))
  assert.deepEqual(places, [3, 4, 1, 2], 'the key with a running job comes after those without')
  provider.release()
  for (const { body } of waiting) await until(async () => (await jobOf(body.jobId)).state === 'done')
})

/** The answer to a client that announces a gigabyte and has sent none of it. */
async function answerBeforeBody(): Promise<string> {
  const { hostname, port } = new URL(platform.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    `POST ${upsert} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n` +
      'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000000\r\n\r\n',
  )
  return text(socket)
}
