import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { lacking } from '../support/needs.ts'
import { pgVectorDatabase } from '../support/pgvector.ts'
import { administer, pgVectorServer } from '../support/postgres.ts'
import { form, makePlatform } from '../support/platform.ts'
import { silentProxy } from '../support/silent-proxy.ts'
import { until, untilEqual } from '../support/until.ts'

/** Engines that take connections and calls, and answer none of them until they go on. */

const platform = await makePlatform({ ENGINE_TIMEOUT: '3' })
const lacksPgVector = lacking('PostgreSQL with pgvector')
const engines = await Promise.all([openSearch(), ...(lacksPgVector === false ? [pgVector()] : [])])

type SilentEngine = {
  product: string
  proxy: Awaited<ReturnType<typeof silentProxy>>
  flow(name: string): Promise<string>
}

async function credentialOf(credentialName: string, plainDataObj: JsonObject): Promise<string> {
  const body = { name: credentialName, credentialName, plainDataObj }
  return (await platform.manage<{ id: string }>('POST', '/api/v1/credentials', body)).body.id
}

async function openSearch(): Promise<SilentEngine> {
  const engine = await startScriptedEngine(searchProtocol('opensearch'))
  after(() => engine.close())
  const proxy = await silentProxy({ after }, Number(new URL(engine.url).port))
  const values = { openSearchUrl: proxy.address(engine.url), user: 'admin', password: 'a-password' }
  const credential = await credentialOf('openSearchUrl', values)
  return {
    ...{ product: 'OpenSearch', proxy },
    flow: (name) =>
      platform.flow({ name, storeNode: 'openSearch', store: { indexName: name.toLowerCase(), credential } }),
  }
}

async function pgVector(): Promise<SilentEngine> {
  const [server, database] = await Promise.all([pgVectorServer(), pgVectorDatabase()])
  await administer(server, `CREATE ROLE silenced LOGIN SUPERUSER PASSWORD 'a-password'`)
  const proxy = await silentProxy({ after }, server.port)
  const credential = await credentialOf('PostgresApi', { user: 'silenced', password: 'a-password' })
  const place = { host: '127.0.0.1', port: proxy.port, database, tableName: 'silent', credential }
  return {
    ...{ product: 'PostgreSQL with pgvector', proxy },
    flow: (name) => platform.flow({ name, storeNode: 'postgres', store: place }),
  }
}

type Failed = { code: string; message: string; jobId: string }
type Ready = { status: string; dependencies: { name: string; state: string; reason?: string }[] }

const upsert = (flow: string, files: Record<string, string>, query = '') =>
  platform.manage<Failed>('POST', `/api/v1/vector/upsert/${flow}${query}`, form(files))
const jobOf = async (id: string) => (await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${id}`)).body
const found = async (flow: string) =>
  (await platform.query(flow, { query: 'an animal' })).body.docs.map(({ pageContent }) => pageContent).sort()

/** What `/readyz` says of the engines once a look of this server has ended. */
async function engineState(): Promise<string | undefined> {
  const { status, body } = await platform.call<Ready>('GET', '/readyz')
  assert.equal(status, 200)
  const state = body.dependencies.find(({ name }) => name === 'vector engines')
  return state?.state === 'away' ? state.reason : state?.state
}

for (const { product, proxy, flow: newFlow } of engines) {
  test(`while ${product} is silent, each request has an answer in time, and a job that waits for it goes on after that [engines:silent]`, async () => {
    const flow = await newFlow('Herons')
    const other = await newFlow('Otters')
    for (const one of [flow, other])
      assert.equal(
        (await upsert(one, { 'heron.txt': 'The heron stands.', 'gull.txt': 'The gull flies.' })).status,
        200,
      )
    proxy.freeze()
    const late = `${product} did not answer in 3 seconds`
    const query = await platform.query(flow, { query: 'an animal' })
    const { code, message } = query.body as unknown as Failed
    assert.deepEqual([query.status, code, message], [504, 'provider_timeout', late])

    const blocking = await upsert(flow, { 'crab.txt': 'The crab walks.' })
    assert.deepEqual([blocking.status, blocking.body.code], [503, 'engine_waits'])
    assert.equal(blocking.headers.get('retry-after'), '3')
    assert.ok(
      blocking.body.message.includes(`waits for ${product}, which takes no calls for 3 seconds: no answer`),
    )
    const async = await upsert(other, { 'crab.txt': 'The crab walks.' }, '?async=true')
    for (const id of [blocking.body.jobId, async.body.jobId]) {
      await until(async () => (await jobOf(id)).waiting !== undefined, 'the job says that it waits')
      const { state, waiting } = await jobOf(id)
      assert.deepEqual([state, waiting?.server, waiting?.reason], ['running', product, 'no answer'])
    }
    const removal = await platform.manage<Failed>('DELETE', `/api/v1/vector/upsert/${flow}?source=gull.txt`)
    assert.deepEqual([removal.status, removal.body.code], [503, 'engine_waits'])
    await untilEqual(engineState, late)
    assert.equal((await platform.call('GET', '/healthz')).status, 200)

    proxy.thaw()
    for (const id of [blocking.body.jobId, async.body.jobId])
      await untilEqual(async () => (await jobOf(id)).state, 'done')
    for (const one of [flow, other])
      assert.deepEqual(await found(one), ['The crab walks.', 'The gull flies.', 'The heron stands.'])
  })
}

if (lacksPgVector !== false) test('while pgvector is silent', { skip: lacksPgVector }, () => {})
