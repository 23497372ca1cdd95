import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test, type TestContext } from 'node:test'
import pg from 'pg'
import type { EngineVerification } from '../../src/contract/engine-comparison.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { qdrantProtocol } from '../support/engines/scripted-qdrant.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { lacking } from '../support/needs.ts'
import { pgVectorDatabase } from '../support/pgvector.ts'
import { administer, emptyPostgres, pgVectorServer } from '../support/postgres.ts'
import { room } from '../support/program.ts'
import { runHere, startHere } from '../support/program-here.ts'

const ADMIN_KEY = 'the-admin-key-of-the-test'
const FILES = {
  'a.txt': 'The heron stands in the river.',
  'b.txt': 'The heron stands in the river.',
  'c.txt': 'Rent is paid each month.',
  'd.txt': 'The otter swims.',
}

type Engine = { node: string; store: JsonObject; kind: string; values: JsonObject }

/** Runs a server with a flow over an engine, loads documents, and gives what `sluice verify` needs while it runs. */
async function serve(t: TestContext, engine: Engine, environment: Record<string, string>) {
  const given = { directory: room(t), environment: { ADMIN_KEY, ...environment } }
  const server = await startHere(t, ['start'], given)
  const post = async (path: string, body: object | FormData): Promise<{ id: string }> => {
    const isForm = body instanceof FormData
    const headers = { authorization: `Bearer ${ADMIN_KEY}` }
    const answer = await fetch(`${server.url}/api/v1/${path}`, {
      method: 'POST',
      headers: isForm ? headers : { ...headers, 'content-type': 'application/json' },
      body: isForm ? body : JSON.stringify(body),
    })
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    return JSON.parse(text) as { id: string }
  }
  const { id: credential } = await post('credentials', {
    ...{ name: 'the engine', credentialName: engine.kind, plainDataObj: engine.values },
  })
  const { node: storeNode, store } = engine
  await post('chatflows', drawFlow({ name: 'Handbook', storeNode, store: { ...store, credential } }))
  const form = new FormData()
  for (const [name, text] of Object.entries(FILES)) form.append('files', new File([text], name))
  await post('vector/upsert/handbook', form)
  return {
    verify: (...argv: string[]) => runHere(['verify', ...argv], given),
    again: () => startHere(t, ['start'], given),
    async stop() {
      server.kill('SIGTERM')
      assert.equal(await server.ended, 0)
    },
  }
}

const enginesIn = (stdout: string) => (JSON.parse(stdout) as { engines: EngineVerification[] }).engines

test('sluice verify compares a database with pgvector, and --repair mends it and embeds the one text that is lost [verify:engines]', {
  skip: lacking('PostgreSQL with pgvector'),
}, async (t) => {
  const [vectors, database] = await Promise.all([pgVectorServer(), pgVectorDatabase()])
  await administer(vectors, `CREATE ROLE verifier LOGIN SUPERUSER PASSWORD 'the-password'`)
  const client = new pg.Client(vectors.address(database))
  await client.connect()
  after(() => client.end())
  const { verify, stop } = await serve(
    t,
    {
      node: 'postgres',
      store: { host: '127.0.0.1', port: vectors.port, database, tableName: 'docs' },
      kind: 'PostgresApi',
      values: { user: 'verifier', password: 'the-password' },
    },
    {},
  )
  const running = await verify()
  assert.equal(running.code, 0, running.stdout + running.stderr)
  assert.match(running.stdout, /^handbook +4 +4 +0 +0 +0 +0 +postgres 127\.0\.0\.1:\d+\/vectors_\d+ docs$/m)
  const refused = await verify('handbook', '--repair')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /data director/)
  await stop()

  const { rows } = await client.query(
    `SELECT relname FROM pg_class WHERE relname LIKE 'docs\\_%' AND relkind = 'r'`,
  )
  const table = `"${rows[0].relname}"`
  await client.query(`DELETE FROM ${table} WHERE metadata->>'source' IN ('b.txt', 'c.txt')`)
  await client.query(
    `UPDATE ${table} SET "pageContent" = 'Someone else was here.' WHERE metadata->>'source' = 'd.txt'`,
  )
  const stranger = randomUUID()
  await client.query(
    `INSERT INTO ${table} SELECT $1, "pageContent", metadata, embedding FROM ${table} LIMIT 1`,
    [stranger],
  )
  const found = await verify('handbook')
  assert.equal(found.code, 1)
  assert.match(found.stdout, /^handbook +4 +3 +2 +1 +1 +0 /m)
  assert.ok(found.stdout.includes(`handbook: too many: ${stranger}\n`), found.stdout)
  assert.doesNotMatch(found.stdout, /heron|Someone|Rent/)

  const repaired = await verify('handbook', '--repair')
  assert.equal(repaired.code, 0, repaired.stdout + repaired.stderr)
  assert.match(repaired.stdout, /handbook: 3 points were written, 1 removed; texts embedded: 1/)
  const texts = await client.query(`SELECT "pageContent" AS text FROM ${table} ORDER BY 1`)
  assert.deepEqual(
    texts.rows.map(({ text }) => text),
    Object.values(FILES).sort(),
  )
  const [left] = enginesIn((await verify('--json')).stdout)
  assert.ok(left && 'comparison' in left)
  assert.deepEqual([left.comparison.missing.count, left.comparison.surplus.count], [0, 0])
})

test('sluice verify compares Qdrant with a ledger in PostgreSQL, whose lost and damaged vectors a repair embeds, and a reindex [verify:vectors]', {
  skip: lacking('PostgreSQL'),
}, async (t) => {
  const protocol = qdrantProtocol()
  const scripted = await startScriptedEngine(protocol)
  after(() => scripted.close())
  const environment = { DATABASE_URL: await emptyPostgres(t), SECRET_KEY: 'the-secret-of-the-nodes' }
  const { verify, stop, again } = await serve(
    t,
    {
      node: 'qdrant',
      store: { qdrantServerUrl: scripted.url, qdrantCollection: 'docs' },
      kind: 'qdrantApi',
      values: { qdrantApiKey: 'the-key-of-qdrant' },
    },
    environment,
  )
  assert.equal((await verify('handbook')).code, 0)
  assert.equal((await verify('handbook', '--repair')).code, 1, 'a server runs')
  await stop()
  const [collection] = protocol.collections.values()
  for (const { id, payload } of [...collection!.points.values()])
    if (String(payload.content).includes('otter')) collection!.points.delete(id)
    else if (String(payload.content).includes('Rent')) payload.metadata = { source: 'c.txt', forged: true }
  const damaged = await verify()
  assert.equal(damaged.code, 1)
  assert.match(damaged.stdout, /^handbook +4 +3 +1 +0 +1 +0 +qdrant /m)
  const [row] = enginesIn((await verify('handbook', '--repair', '--json')).stdout)
  assert.ok(row && 'comparison' in row)
  const { repair } = row.comparison
  assert.deepEqual([repair!.written, repair!.embedded, repair!.left.missing.count], [2, 1, 0])
  const points = [...collection!.points.values()]
  const otter = points.find(({ payload }) => String(payload.content).includes('otter'))!
  const rent = points.find(({ payload }) => String(payload.content).includes('Rent'))!
  // A point of an earlier version has no check.
  delete rent.payload.sluice_check
  otter.vector = otter.vector.toReversed()
  const spoilt = await verify('handbook')
  assert.equal(spoilt.code, 1)
  assert.match(spoilt.stdout, /^handbook +4 +4 +0 +0 +0 +1 +qdrant /m)
  assert.match(spoilt.stdout, /^handbook: damaged vectors: [-0-9a-f]+$/m)
  assert.match(spoilt.stdout, /^handbook: the vectors of 1 points were not compared/m)
  const [mended] = enginesIn((await verify('handbook', '--repair', '--json')).stdout)
  assert.ok(mended && 'comparison' in mended)
  assert.deepEqual([mended.comparison.damaged.count, mended.comparison.repair!.embedded], [1, 1])
  assert.equal((await verify('handbook')).code, 0)
  for (const { id, payload } of [...collection!.points.values()])
    if (String(payload.content).includes('otter')) collection!.points.delete(id)

  const server = await again()
  const answer = await fetch(`${server.url}/api/v1/vector/reindex/handbook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(answer.status, 200, await answer.text())
  server.kill('SIGTERM')
  await server.ended
  const sound = await verify()
  assert.equal(sound.code, 0, sound.stdout + sound.stderr)

  scripted.close()
  const away = await verify('handbook')
  assert.equal(away.code, 1)
  assert.match(away.stdout, /cannot be compared/)
})

test('sluice verify of a flow in the built-in store says where it is checked, and of an unknown flow that it is unknown', async (t) => {
  const given = { directory: room(t), environment: { ADMIN_KEY } }
  const server = await startHere(t, ['start'], given)
  server.kill('SIGTERM')
  await server.ended
  const own = await runHere(['verify', 'quickstart'], given)
  assert.equal(own.code, 0, own.stderr)
  assert.match(own.stdout, /built-in store/)
  const unknown = await runHere(['verify', 'quickstar'], given)
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /quickstart/)
})
