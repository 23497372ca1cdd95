import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import type { JobAnswer } from '../../src/api/job.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { needs } from '../support/needs.ts'
import { pgVectorDatabase } from '../support/pgvector.ts'
import { administer, newPostgres, pgVectorServer } from '../support/postgres.ts'
import { room, start } from '../support/program.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until, untilEqual } from '../support/until.ts'

await needs('PostgreSQL', 'PostgreSQL with pgvector')

const ADMIN_KEY = 'the-admin-key-of-the-test'
const COUNT = 1000
const lines = Array.from({ length: COUNT }, (_, line) => `Line ${line} tells of the heron.`)

const vectors = await pgVectorServer()
await administer(vectors, `CREATE ROLE crashing LOGIN SUPERUSER PASSWORD 'the-password'`)

test('a repair whose server is killed goes on at the next start: what was mended stays mended, and costs no text again [repair:route]', (t) =>
  repairGoesOn(t, {}))

test('the same over PostgreSQL [repair:route]', async (t) => {
  const { address, drop } = await newPostgres()
  t.after(drop)
  await repairGoesOn(t, { DATABASE_URL: address, SECRET_KEY: 'the-secret-of-the-test' })
})

async function repairGoesOn(t: TestContext, settings: Record<string, string>): Promise<void> {
  const [provider, database] = await Promise.all([startProviderServer(), pgVectorDatabase()])
  const client = new pg.Client(vectors.address(database))
  await client.connect()
  t.after(async () => {
    provider.close()
    await client.end()
  })
  const environment = { ADMIN_KEY, EGRESS_ALLOW: LOOPBACK.join(','), ...settings }
  const given = { directory: room(t), environment }
  let server = await start(t, ['start'], given)
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const isForm = body instanceof FormData
    const headers = { authorization: `Bearer ${ADMIN_KEY}` }
    const answer = await fetch(`${server.url}/api/v1/${path}`, {
      method,
      headers: !body || isForm ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    assert.ok(answer.ok, text)
    return JSON.parse(text) as Body
  }

  const { id: credential } = await call<{ id: string }>('POST', 'credentials', {
    ...{ name: 'Vectors', credentialName: 'PostgresApi' },
    plainDataObj: { user: 'crashing', password: 'the-password' },
  })
  const place = { host: '127.0.0.1', port: vectors.port, database, tableName: 'docs' }
  const drawing = drawFlow({
    ...{ name: 'Handbook', splitter: { chunkSize: 40, chunkOverlap: 0 }, storeNode: 'postgres' },
    store: { ...place, credential },
  })
  const { nodes } = drawing.flowData as unknown as { nodes: { data: JsonObject }[] }
  const inputs = { modelName: 'mine', basePath: `${provider.url}/v1` }
  Object.assign(nodes.find(({ data }) => data.name === 'builtInEmbeddings')!.data, {
    ...{ name: 'localAIEmbeddings', inputs },
  })
  await call('POST', 'chatflows', drawing)
  const form = new FormData()
  form.append('files', new File([lines.join('\n\n')], 'lines.txt'))
  await call('POST', 'vector/upsert/handbook', form)
  // The sweep after the load has ended then.
  await call('POST', 'vector/repair/handbook', {})

  const { rows } = await client.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'docs\\_%'`,
  )
  const table = `"${rows[0].relname}"`
  const points = async () => (await client.query(`SELECT FROM ${table}`)).rowCount!
  const lost = lines.slice(0, 300)
  await client.query(`DELETE FROM ${table} WHERE "pageContent" = ANY($1)`, [lost])
  provider.calls.length = 0
  provider.hold(2)
  const { jobId } = await call<{ jobId: string }>('POST', 'vector/repair/handbook?async=true', {})
  await until(() => provider.calls.length === 3, 'the third call')
  const embedded = provider.calls.slice(0, 2).flatMap((one) => one.texts).length
  await untilEqual(points, COUNT - lost.length + embedded)
  server.kill('SIGKILL')
  await server.ended
  provider.release()

  server = await start(t, ['start'], given)
  const job = () => call<JobAnswer>('GET', `jobs/${jobId}`)
  await untilEqual(async () => (await job()).state, 'done')
  const left = lost.length - embedded
  assert.partialDeepStrictEqual(await job(), {
    ...{ kind: 'repair', attempt: 2 },
    result: {
      ...{ numMissing: left, numEmbedded: left, numLeft: 0 },
      warnings: [
        {
          key: 'attempt',
          reason: 'an earlier attempt has ended early: what it mended is not in these counts',
        },
      ],
    },
  })
  assert.equal(await points(), COUNT)
  const texts = provider.calls.flatMap((one) => one.texts)
  // Only the texts of the call that was under way are embedded again.
  assert.equal(texts.length, lost.length + provider.calls[2]!.texts.length)
  assert.equal(new Set(texts).size, lost.length)
}
