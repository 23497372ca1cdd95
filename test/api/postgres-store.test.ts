import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import type { JsonObject } from '../../src/kit/json.ts'
import { builtInEmbedder } from '../../src/embed/builtin.ts'
import { pgVectorDatabase } from '../support/pgvector.ts'
import { administer, pgVectorServer } from '../support/postgres.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { makePlatform } from '../support/platform.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL with pgvector')

/** The card `postgres`: chunks of a flow in a PostgreSQL with pgvector, from the upload to the answer. */

const [platform, server, database] = await Promise.all([makePlatform(), pgVectorServer(), pgVectorDatabase()])
const PASSWORD = 'the-password-of-the-vectors'
await administer(server, `CREATE ROLE carduser LOGIN SUPERUSER PASSWORD '${PASSWORD}'`)
const client = new pg.Client(server.address(database))
await client.connect()
after(() => client.end())

const kept = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
  name: 'Vectors',
  credentialName: 'PostgresApi',
  plainDataObj: { user: 'carduser', password: PASSWORD },
})
assert.equal(kept.status, 200, kept.text)

let flows = 0
async function makeFlow(store: JsonObject = {}, name = `Postgres ${++flows}`): Promise<string> {
  const row = drawFlow({
    name,
    overridable: ['files', 'addMetadata', 'filter'],
    recordManager: { cleanup: 'incremental' },
    store: { host: '127.0.0.1', port: server.port, database, credential: kept.body.id, ...store },
  })
  const drawn = JSON.parse(JSON.stringify(row).replaceAll('builtInVectorStore', 'postgres')) as JsonObject
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawn)
  assert.equal(made.status, 200, made.text)
  return made.body.id
}

type Found = { docs: { pageContent: string; metadata: JsonObject; scores: JsonObject }[] }
async function query(flow: string, body: JsonObject): Promise<Found['docs']> {
  const answer = await platform.call<Found>('POST', `/api/v1/vector/query/${flow}`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.docs
}
const textsOf = (docs: Found['docs']) => docs.map(({ pageContent }) => pageContent)

test('a flow with the card postgres keeps vectors in that database, and finds by meaning, by words and by filter [store:postgres]', async () => {
  const flow = await makeFlow({ tableName: 'first' })
  const files = { 'a.txt': 'The heron stands in the river.', 'b.txt': 'Rent is paid each month.' }
  await platform.upload(flow, files, { addMetadata: '{"batch": 1}' })
  assert.deepEqual(textsOf(await query(flow, { query: 'a bird in the water', topK: 1 })), [files['a.txt']])
  assert.deepEqual(textsOf(await query(flow, { query: 'hron', mode: 'keyword' })), [files['a.txt']])
  assert.deepEqual(await query(flow, { query: 'rent', filter: { batch: 2 } }), [])
  assert.equal((await query(flow, { query: 'rent', filter: { batch: 1 } })).length, 2)
  const { rows } = await client.query(
    `SELECT relname FROM pg_class WHERE relname LIKE 'first\\_%' AND relkind = 'r'`,
  )
  assert.equal(rows.length, 1)
  assert.equal((await client.query(`SELECT FROM "${rows[0].relname}"`)).rowCount, 2)
  // A new version takes the place of the old one, and its points go.
  await platform.upload(flow, { 'a.txt': 'The otter swims.' }, {})
  assert.deepEqual(textsOf(await query(flow, { query: 'otter', topK: 1 })), ['The otter swims.'])
  const { body } = await platform.manage<{ data: unknown[] }>('GET', `/api/v1/vector/sources/${flow}`)
  assert.equal(body.data.length, 2)
})

test('a flow with the card postgres finds the rows of a table of Flowise, by filter too, and does not change them [store:postgres]', async () => {
  const embedder = builtInEmbedder()
  const rows = [
    ['The heron stands in the river.', { loc: { page: 1, lines: 4 }, tags: ['birds'] }],
    ['Rent is paid each month.', { loc: { page: 2 } }],
    ['A secret of one conversation about the heron.', { flowise_chatId: 'c1' }],
  ] as const
  await client.query(
    `CREATE TABLE flowise (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), "pageContent" text, metadata jsonb, embedding vector)`,
  )
  for (const [text, metadata] of rows)
    await client.query(
      'INSERT INTO flowise ("pageContent", metadata, embedding) VALUES ($1, $2, $3::vector)',
      [text, metadata, `[${(await embedder.embed([text]))[0]!.join(',')}]`],
    )
  await client.query(
    `INSERT INTO flowise ("pageContent", metadata, embedding) VALUES ('other model', '{}', '[1,2]')`,
  )
  const flow = await makeFlow({ tableName: 'flowise' })
  const asked = { query: 'a bird in the water', mode: 'vector' }
  const [first] = await query(flow, { ...asked, topK: 1 })
  assert.deepEqual([first?.pageContent, first?.metadata], [rows[0][0], rows[0][1]])
  assert.deepEqual(textsOf(await query(flow, asked)).sort(), [rows[1][0], rows[0][0]].sort())
  assert.equal((await query(flow, { ...asked, chatId: 'c1' })).length, 3)
  const filtered = await makeFlow({
    tableName: 'flowise',
    pgMetadataFilter: { loc: { page: 1 }, tags: ['birds'] },
  })
  assert.deepEqual(textsOf(await query(filtered, asked)), [rows[0][0]])
  await platform.upload(flow, { 'own.txt': 'The otter swims in the water.' }, {})
  assert.equal((await query(flow, asked)).length, 3)
  assert.equal((await client.query('SELECT FROM flowise')).rowCount, 4)
})

test('a flow with the card postgres names a server that it may not or cannot use, without the password', async () => {
  const denied = await makeFlow({ host: '10.1.2.3' })
  const answer = await platform.call('POST', `/api/v1/vector/query/${denied}`, { body: { query: 'x' } })
  assert.equal(answer.status, 403, answer.text)
  const absent = await makeFlow({ database: 'no_such_database' })
  const refused = await platform.call<{ code: string }>('POST', `/api/v1/vector/query/${absent}`, {
    body: { query: 'x' },
  })
  assert.equal(refused.body.code, 'engine_unfit', refused.text)
  const unknown = await platform.call<{ message: string }>(
    'POST',
    `/api/v1/vector/query/${await makeFlow({ additionalConfig: { extra: 1 } })}`,
    { body: { query: 'x' } },
  )
  assert.match(unknown.text, /only schema and ssl are read/)
  for (const { text } of [answer, refused, unknown]) assert.doesNotMatch(text, new RegExp(PASSWORD))
})
