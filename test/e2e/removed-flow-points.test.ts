import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import pg from 'pg'
import { drawFlow } from '../support/flow-drawing.ts'
import { form } from '../support/platform.ts'
import { lacking } from '../support/needs.ts'
import { pgVectorDatabase } from '../support/pgvector.ts'
import { administer, emptyPostgres, pgVectorServer } from '../support/postgres.ts'
import { room, start } from '../support/program.ts'
import { runHere } from '../support/program-here.ts'
import { newBucketUrl } from '../support/s3-server.ts'
import { until } from '../support/until.ts'

const KEY = 'the-management-key-of-the-test'
const PASSWORD = 'a-password-in-an-address'
const skip = lacking('PostgreSQL with pgvector')

type Server = Awaited<ReturnType<typeof start>>

async function send(
  { url }: Server,
  method: string,
  path: string,
  body?: object | FormData,
): Promise<{ id: string }> {
  const isForm = body instanceof FormData
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  assert.ok(answer.ok, text)
  return JSON.parse(text) as { id: string }
}

/** A database with pgvector and a flow that has its vectors there, in a server that was killed while it deleted them for good. */
async function killedWhileDeleting(t: TestContext, environment: Record<string, string>, others = 0) {
  const [vectors, database] = await Promise.all([pgVectorServer(), pgVectorDatabase()])
  await administer(
    vectors,
    `DO $$ BEGIN CREATE ROLE forgotten LOGIN SUPERUSER PASSWORD '${PASSWORD}'; EXCEPTION WHEN duplicate_object THEN END $$`,
  )
  const [client, holder] = [
    new pg.Client(vectors.address(database)),
    new pg.Client(vectors.address(database)),
  ]
  await Promise.all([client.connect(), holder.connect()])
  after(() => Promise.all([client.end(), holder.end()]))
  const given = { directory: room(t), environment: { ADMIN_KEY: KEY, ...environment } }
  const open = (directory = given.directory) =>
    start(t, ['start', '--data-dir', `${directory}/data`], { ...given, directory })
  const server = await open()
  const members = await Promise.all(Array.from({ length: others }, () => open(room(t))))
  const { id: credential } = await send(server, 'POST', 'credentials', {
    ...{
      name: 'Vectors',
      credentialName: 'PostgresApi',
      plainDataObj: { user: 'forgotten', password: PASSWORD },
    },
  })
  const place = { host: '127.0.0.1', port: vectors.port, database, tableName: 'docs', credential }
  const { id } = await send(
    server,
    'POST',
    'chatflows',
    drawFlow({ name: 'Gone', storeNode: 'postgres', store: place }),
  )
  await send(
    server,
    'POST',
    `vector/upsert/${id}`,
    form({ 'a.txt': 'Herons stand.', 'b.txt': 'Otters swim.' }),
  )
  await send(server, 'DELETE', `vector/upsert/${id}?source=a.txt`)
  const tables = async () =>
    (
      await client.query<{ relname: string }>(
        `SELECT relname FROM pg_class WHERE relname LIKE 'docs\\_%' AND relkind = 'r'`,
      )
    ).rows.map(({ relname }) => relname)
  assert.equal((await tables()).length, 2, 'with one for the removed document')
  await holder.query('BEGIN')
  for (const table of await tables()) await holder.query(`LOCK TABLE "${table}" IN ACCESS SHARE MODE`)
  await send(server, 'DELETE', `chatflows/${id}?now=true`)
  await until(async () => {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DROP TABLE%' AND datname = $1`,
      [database],
    )
    return rows.length > 0
  }, 'a table that is being dropped')
  server.kill('SIGKILL')
  await server.ended
  // Its connection may still wait for the lock.
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = $1`,
    [database],
  )
  return {
    ...{ given, credential, tables, members },
    open: () => open(),
    release: () => holder.query('ROLLBACK'),
    verify: (...argv: string[]) =>
      runHere(['verify', '--data-dir', `${given.directory}/data`, ...argv], given),
  }
}

test('points of a flow that was removed for good go after a kill -9, with no card that names their engine [flows:removed-points]', {
  skip,
}, async (t) => {
  const { open, release, tables, verify } = await killedWhileDeleting(t, {})
  assert.equal((await tables()).length, 2)
  const told = await verify()
  assert.equal(told.code, 0, told.stdout)
  assert.match(
    told.stdout,
    /docs still has points of removed flows or reindexes, in 1 index: a server deletes them/,
  )
  await open()
  await release()
  await until(async () => (await tables()).length === 0, 'the end of the points')
  await until(async () => !(await verify()).stdout.includes('still has points'), 'the end of the index')
})

test('another member deletes the points of a removed flow in an engine that it was never told of [flows:removed-points]', {
  skip: skip || lacking('PostgreSQL', 'the S3 server of the tests'),
}, async (t) => {
  const environment = {
    ...{ DATABASE_URL: await emptyPostgres(t), BLOB_URL: await newBucketUrl() },
    ...{ SECRET_KEY: 'the-secret-of-the-members', EGRESS_ALLOW: '127.0.0.0/8' },
  }
  const { release, tables } = await killedWhileDeleting(t, environment, 1)
  await release()
  await until(async () => (await tables()).length === 0, 'the end of the points')
})

test('where the credential of an engine is gone, log and verify say what is left [flows:removed-points]', {
  skip,
}, async (t) => {
  const { open, release, tables, verify, credential } = await killedWhileDeleting(t, {})
  const server = await open()
  await send(server, 'DELETE', `credentials/${credential}`)
  await release()
  await until(
    () => server.log.some((line) => line.includes('points-not-deleted') && line.includes('redential')),
    'a failure for want of the credential',
  )
  assert.ok(!server.log.join('\n').includes(PASSWORD))
  const told = await verify()
  assert.equal(told.code, 1, told.stdout)
  assert.match(told.stdout, /docs still has points .* in 1 index: Credential .* not found/)
  assert.equal((await tables()).length, 2)
})
