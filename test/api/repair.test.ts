import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import pg from 'pg'
import type { z } from 'zod'
import type { auditLog } from '../../src/api/audit.ts'
import type { JobAnswer } from '../../src/api/job.ts'
import type { RepairAnswer } from '../../src/api/repair.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { needs } from '../support/needs.ts'
import { pgVectorDatabase } from '../support/pgvector.ts'
import { makePlatform, testScenarios } from '../support/platform.ts'
import { administer, pgVectorServer } from '../support/postgres.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until, untilEqual } from '../support/until.ts'

await needs('PostgreSQL with pgvector')

const [platform, provider, server, database] = await Promise.all([
  makePlatform(),
  startProviderServer(),
  pgVectorServer(),
  pgVectorDatabase(),
])
const PASSWORD = 'the-password-of-the-vectors'
await administer(server, `CREATE ROLE repairer LOGIN SUPERUSER PASSWORD '${PASSWORD}'`)
const client = new pg.Client(server.address(database))
await client.connect()
const { body: credential } = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
  ...{ name: 'Vectors', credentialName: 'PostgresApi' },
  plainDataObj: { user: 'repairer', password: PASSWORD },
})
after(async () => {
  provider.close()
  await client.end()
})
beforeEach(() => {
  provider.calls.length = 0
})

const COUNT = 2000
const lines = Array.from({ length: COUNT }, (_, line) => `Line ${line} tells of the heron.`)
const textsSent = () => provider.calls.flatMap(({ texts }) => texts)

/** The body of a flow that keeps its vectors in a table of its own, and embeds with a model of the provider. */
function drawn(table: string, model = 'mine'): JsonObject {
  const row = drawFlow({
    ...{ name: `Repair ${table}`, slug: table, splitter: { chunkSize: 40, chunkOverlap: 0 } },
    ...{ recordManager: { cleanup: 'incremental' }, storeNode: 'postgres' },
    store: { host: '127.0.0.1', port: server.port, database, tableName: table, credential: credential.id },
  })
  const { nodes } = row.flowData as unknown as { nodes: { data: JsonObject }[] }
  const embeddings = nodes.find(({ data }) => data.name === 'builtInEmbeddings')!
  const inputs = { modelName: model, basePath: `${provider.url}/v1` }
  Object.assign(embeddings.data, { name: 'localAIEmbeddings', inputs })
  return row
}

/** A flow that has loaded a line for each of its points, and the table of these. */
async function loaded(
  name: string,
  texts: readonly string[] = lines,
): Promise<{ flow: string; table: string }> {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawn(name))
  assert.equal(made.status, 200, made.text)
  const sent = await platform.upload(made.body.id, { 'lines.txt': texts.join('\n\n') })
  assert.equal(sent.body.numAdded, texts.length, sent.text)
  const { rows } = await client.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE $1`,
    [`${name}\\_%`],
  )
  // The sweep after the load has ended then: it would remove strangers, too.
  assert.equal((await repair(name)).body.numLeft, 0)
  provider.calls.length = 0
  return { flow: name, table: `"${rows[0]!.relname}"` }
}

const texts = (from: number, to: number) => lines.slice(from, to)
const repair = (flow: string, query = '') =>
  platform.manage<RepairAnswer>('POST', `/api/v1/vector/repair/${flow}${query}`, {})
const jobOf = async (id: string) => (await platform.manage<JobAnswer>('GET', `/api/v1/jobs/${id}`)).body
const lose = (table: string, lost: readonly string[]) =>
  client.query(`DELETE FROM ${table} WHERE "pageContent" = ANY($1)`, [lost])

/** Of a repair whose job is begun again each time. */
const TRIES = 5

/**
 * Repairs what `damage` does. On a busy machine others may take a member for dead: the second attempt of its job finds only what the
 * first has left, so it is done and repaired once more.
 */
async function repairAtOnce(flow: string, damage: () => Promise<unknown>): Promise<RepairAnswer> {
  for (let tries = 1; tries <= TRIES; tries++) {
    provider.calls.length = 0
    await damage()
    const { status, text, body } = await repair(flow)
    assert.equal(status, 200, text)
    if ((await jobOf(body.jobId)).attempt === 1) return body
  }
  return assert.fail(`${TRIES} repairs were each begun again`)
}

const SOUND = {
  ...{ numChunks: COUNT, numPoints: COUNT, numUnchecked: 0, numLeft: 0, why: null },
  ...{ numMissing: 0, numSurplus: 0, numDifferent: 0, numDamaged: 0 },
  ...{ numWritten: 0, numEmbedded: 0, numRemoved: 0 },
}

test('a repair of 5 lost points of 2,000 embeds 5 texts, and a dry run says so before it; nothing else changes [repair:route]', async () => {
  const { flow, table } = await loaded('lost')
  assert.partialDeepStrictEqual((await repair(flow)).body, SOUND)
  const lost = texts(700, 705)
  await lose(table, lost)

  const told = await repair(flow, '?dryRun=true')
  assert.equal(told.status, 200, told.text)
  assert.partialDeepStrictEqual(told.body, {
    ...{ ...SOUND, dryRun: true, numPoints: COUNT - 5, numMissing: 5, numLeft: 5, numToEmbed: 5 },
    left: { missing: 5, surplus: 0, different: 0, damaged: 0 },
  })
  assert.equal(told.body.first.missing.length, 5)
  assert.deepEqual(textsSent(), [])
  assert.equal((await client.query(`SELECT FROM ${table}`)).rowCount, COUNT - 5)

  const mended = await repairAtOnce(flow, () => lose(table, lost))
  assert.partialDeepStrictEqual(mended, {
    ...{ ...SOUND, dryRun: false, numPoints: COUNT - 5, numMissing: 5, numWritten: 5, numEmbedded: 5 },
    warnings: [],
  })
  assert.deepEqual(textsSent().sort(), lost)
  provider.calls.length = 0
  assert.partialDeepStrictEqual((await repair(flow, '?dryRun=true')).body, { ...SOUND, numToEmbed: 0 })
  const { body } = await platform.query(flow, { query: lost[0]!, topK: 1 })
  assert.deepEqual(
    body.docs.map(({ pageContent }) => pageContent),
    [lost[0]],
  )
})

test('a repair finds damaged vectors and changed texts, deletes strangers, and embeds the texts of the damaged alone [repair:route]', async () => {
  const { flow, table } = await loaded('damaged')
  const damaged = texts(10, 13)
  const strangers = Array.from({ length: 4 }, () => randomUUID())
  const body = await repairAtOnce(flow, async () => {
    await client.query(
      `UPDATE ${table} SET embedding = (SELECT embedding FROM ${table} WHERE "pageContent" = $1) WHERE "pageContent" = ANY($2)`,
      [lines[99], damaged],
    )
    await client.query(
      `UPDATE ${table} SET metadata = '{"source": "forged"}' WHERE "pageContent" = ANY($1)`,
      [texts(20, 22)],
    )
    await client.query(
      `INSERT INTO ${table} SELECT id, 'A stranger.', '{}', (SELECT embedding FROM ${table} LIMIT 1) FROM unnest($1::uuid[]) id`,
      [strangers],
    )
  })
  assert.partialDeepStrictEqual(body, {
    ...{ numChunks: COUNT, numPoints: COUNT + 4, numMissing: 0, numSurplus: 4 },
    ...{ numDifferent: 2, numDamaged: 3, numUnchecked: 0 },
    ...{ numWritten: 5, numEmbedded: 3, numRemoved: 4, numLeft: 0, why: null },
    first: { surplus: strangers.sort(), missing: [] },
  })
  assert.deepEqual(textsSent().sort(), [...damaged].sort())
  provider.calls.length = 0
  assert.partialDeepStrictEqual((await repair(flow)).body, SOUND)
  assert.deepEqual(textsSent(), [])
})

test('a repair is a job: it is shown with its points, waits for the namespace, can be cancelled, and goes on where it was [repair:route]', async () => {
  const { flow, table } = await loaded('followed')
  await lose(table, texts(0, 1200))
  // The first six calls are answered; the seventh waits.
  provider.hold(6)
  const first = (await repair(flow, '?async=true')).body
  await until(() => provider.calls.length === 7, 'the seventh call')
  const second = (await repair(flow, '?async=true')).body
  const written = async () => (await client.query(`SELECT FROM ${table}`)).rowCount! - 800
  const done = provider.calls.slice(0, 6).flatMap((call) => call.texts).length
  assert.ok(done > 300 && done <= 600, `${done} texts`)
  await untilEqual(written, done)
  await untilEqual(async () => (await jobOf(first.jobId)).chunks.written, done)
  const job = await jobOf(first.jobId)
  assert.partialDeepStrictEqual(job, {
    ...{ kind: 'repair', state: 'running', stage: 'repair' },
    ...{ points: { total: COUNT, found: 1200 }, chunks: { embedded: done, written: done } },
  })
  assert.ok(job.points!.compared >= 400 && job.points!.compared <= COUNT, `${job.points!.compared}`)
  assert.equal((await jobOf(second.jobId)).state, 'queued')
  // A comparison waits for nobody, and tells that it may see what is being written.
  const beside = (await repair(flow, '?dryRun=true')).body
  assert.equal(beside.numMissing, 1200 - done)
  assert.deepEqual(
    beside.warnings.map(({ key }) => key),
    ['dryRun'],
  )

  const cancelled = await platform.manage<JobAnswer>('POST', `/api/v1/jobs/${first.jobId}/cancel`)
  assert.partialDeepStrictEqual(cancelled.body, { state: 'cancelled', error: { code: 'cancelled' } })
  provider.release()
  await untilEqual(async () => (await jobOf(second.jobId)).state, 'done')
  const { result } = await jobOf(second.jobId)
  assert.partialDeepStrictEqual(result, {
    ...{ numMissing: 1200 - done, numWritten: 1200 - done, numEmbedded: 1200 - done, numLeft: 0 },
  })
  const { body: list } = await platform.manage<{ data: JobAnswer[] }>(
    'GET',
    `/api/v1/jobs?flowId=${flow}&kind=repair`,
  )
  assert.deepEqual(
    list.data.slice(0, 2).map(({ id, state }) => [id, state]),
    [
      [second.jobId, 'done'],
      [first.jobId, 'cancelled'],
    ],
  )
  const retried = await platform.manage<JobAnswer>('POST', `/api/v1/jobs/${first.jobId}/retry`)
  assert.equal(retried.status, 200)
  await untilEqual(async () => (await jobOf(first.jobId)).state, 'done')
  assert.partialDeepStrictEqual((await jobOf(first.jobId)).result, SOUND)
})

test('a repair whose embedder fails, or is another one, mends all else and tells what is left and why [repair:route]', async () => {
  const { flow, table } = await loaded('unembedded', texts(0, 50))
  await lose(table, texts(0, 5))
  await client.query(`UPDATE ${table} SET metadata = '{}' WHERE "pageContent" = $1`, [lines[20]])
  provider.script({ status: 401, body: '{"error": {"message": "no such key"}}' })
  const { status, body } = await repair(flow)
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, { numMissing: 5, numDifferent: 1, numWritten: 1, numEmbedded: 0 })
  assert.partialDeepStrictEqual(body, { numLeft: 5, left: { missing: 5, different: 0 } })
  assert.match(body.why!, /401|key/)
  assert.equal(provider.calls.length, 1)

  await platform.manage('PUT', `/api/v1/chatflows/${flow}`, drawn('unembedded', 'another'))
  for (const query of ['?dryRun=true', '']) {
    const other = (await repair(flow, query)).body
    assert.partialDeepStrictEqual(other, { numMissing: 5, numWritten: 0, numEmbedded: 0, numLeft: 5 })
    assert.match(other.why!, /was built with .*mine.* and the flow now embeds with .*another/)
  }
  assert.equal(provider.calls.length, 1)

  await platform.manage('PUT', `/api/v1/chatflows/${flow}`, drawn('unembedded'))
  assert.partialDeepStrictEqual((await repair(flow)).body, { numEmbedded: 5, numLeft: 0, why: null })
})

test('a repair goes into the audit log with its flow, and its job into the metrics', async () => {
  const { flow } = await loaded('audited', texts(0, 3))
  assert.equal((await repair(flow)).status, 200)
  const audited = async () => {
    const { body } = await platform.manage<z.output<typeof auditLog>>('GET', '/api/v1/audit?limit=20')
    return body.entries.some(
      ({ route, object, status }) =>
        route === '/api/v1/vector/repair/:flowId' && object === flow && status === 200,
    )
  }
  await until(audited, 'the row of the audit log')
  // Each server counts the jobs that it did itself, and one of them may have done all.
  const counted = async () =>
    /sluice_job\w*_count\{kind="repair",state="done"\} [1-9]/.test(
      (await platform.manage('GET', '/metrics')).text,
    )
  await until(counted, 'the repair in the metrics of the server that did it')
})

const asking = await platform.key({ scopes: ['upsert', 'query'] })
await platform.flow({ name: 'Built in', slug: 'built-in' })
await platform.manage('POST', '/api/v1/chatflows', drawn('empty'))
const path = (flow: string) => `/api/v1/vector/repair/${flow}`

testScenarios(platform, [
  { name: 'a repair needs a key', method: 'POST', path: path('empty'), status: 401 },
  {
    name: 'a repair is closed to a key without the scope manage',
    method: 'POST',
    path: path('empty'),
    key: asking.apiKey,
    status: 403,
    expect: { code: 'scope_missing' },
  },
])

test('a repair of nothing has nothing to do; of the built-in store, of no flow and of no node it is refused by name', async () => {
  assert.partialDeepStrictEqual((await repair('empty')).body, { numChunks: 0, numPoints: 0, numLeft: 0 })
  type Refused = { code: string; message: string }
  const refused = async (flow: string, body = {}) => {
    const answer = await platform.manage<Refused>('POST', path(flow), body)
    return [answer.status, answer.body.code]
  }
  assert.deepEqual(await refused('built-in'), [409, 'no_points'])
  assert.deepEqual(await refused('nobody'), [404, 'flow_not_found'])
  assert.deepEqual(await refused('empty', { stopNodeId: 'fileLoader_0' }), [422, 'flow_cannot_query'])
})
