import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import { pgVectorEngine } from '../../src/stores/pgvector/engine.ts'
import { repairPoints } from '../../src/stores/repair-points.ts'
import { vectorCheck } from '../../src/stores/vector-check.ts'
import { collect } from '../support/collect.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { pgVectorDatabase, pgVectorOver, temporaryPgVector } from '../support/pgvector.ts'
import { freePort } from '../support/free-port.ts'
import { pgVectorServer } from '../support/postgres.ts'
import { repaired } from '../support/repaired.ts'
import { until } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL with pgvector')

const NAME = 'the engine over PostgreSQL with pgvector'
const pointsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => {
    const id = String(from + n)
    return { id, text: `text ${id}`, vector: hashVector(id), metadata: { id } }
  })
const NEAREST = { vector: hashVector('q'), metric: 'cosine', limit: 5000 } as const

/** A client of the same database, as its owner. */
async function ask(database: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client((await pgVectorServer()).address(database))
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

test(`${NAME} has all points of a batch or none after the server ended in the middle, and takes the batch again`, async (t) => {
  const database = await pgVectorDatabase()
  const engine = await temporaryPgVector(t, { database })
  await engine.upsert('c', pointsOf(10))
  // Holds the table, so that the batch waits in the middle of its transaction.
  const holder = new pg.Client((await pgVectorServer()).address(database))
  holder.on('error', () => {})
  await holder.connect()
  const { rows } = await holder.query(
    `SELECT relname FROM pg_class WHERE relname LIKE 'documents%' AND relkind = 'r'`,
  )
  await holder.query('BEGIN')
  await holder.query(`LOCK TABLE "${rows[0].relname}" IN SHARE MODE`)
  const writing = engine.upsert('c', pointsOf(500, 10))
  await until(
    async () => (await ask(database, `SELECT FROM pg_locks WHERE NOT granted`)).rowCount! > 0,
    'the batch to wait',
  )
  await (await pgVectorServer()).crash()
  // Its connection was lost before the commit: the transaction is repeated by itself, or fails with a name.
  const failure = await writing.then(
    () => undefined,
    (error: { code?: string }) => error,
  )
  if (failure) assert.equal(failure.code, 'provider_failed')
  const found = (await engine.search('c', NEAREST)).length
  assert.equal(found, failure ? 10 : 510)
  await engine.upsert('c', pointsOf(500, 10))
  assert.equal((await engine.search('c', NEAREST)).length, 510)
  assert.deepEqual(await repaired(engine, 'c', ['1', '2', 'gone']), {
    removed: 508,
    missing: ['gone'],
  })
})

test(`${NAME} removes nothing where the expected ids of a repair cannot be read to the end`, async (t) => {
  const engine = await temporaryPgVector(t)
  await engine.upsert('c', pointsOf(10))
  async function* broken() {
    yield ['1']
    throw new Error('the ledger is away')
  }
  const known = async () => new Set<string>()
  const repairing = repairPoints(engine, 'c', { ids: broken, known }, async () => {})
  await assert.rejects(repairing, { message: 'the ledger is away' })
  assert.equal((await engine.search('c', NEAREST)).length, 10)
  assert.deepEqual(await repaired(engine, 'c', ['1']), { removed: 9, missing: [] })
})

test(`${NAME} names a server that does not answer, one that refuses the user, and an address that is not allowed`, async () => {
  const database = await pgVectorDatabase()
  const port = await freePort()
  const away = await pgVectorOver({ database, port })
  await assert.rejects(away.search('c', NEAREST), {
    code: 'provider_failed',
    message: 'PostgreSQL with pgvector failed: the connection was refused',
  })
  await away.close()
  const stranger = await pgVectorOver({ database: 'no_such_database' })
  await assert.rejects(stranger.upsert('c', pointsOf(1)), { code: 'engine_unfit' })
  await stranger.close()
  const egress = createEgress({ rules: createEgressRules({}) })
  const denied = pgVectorEngine({
    name: 'postgres test',
    server: {
      host: '127.0.0.1',
      port: (await pgVectorServer()).port,
      database,
      ssl: false,
      login: async () => ({ user: 'sluice', password: '' }),
      socket: egress.socket,
    },
    tables: { table: 'documents' },
    metric: 'cosine',
    outside: { contentColumn: 'pageContent' },
  })
  await assert.rejects(denied.search('c', NEAREST), { code: 'egress_denied' })
  await denied.close()
  await egress.close()
})

test(`${NAME} refuses a version of pgvector that is too old, and works once it is updated`, async (t) => {
  const database = await pgVectorDatabase()
  await ask(database, 'CREATE EXTENSION vector')
  const { rows } = await ask(database, `SELECT extversion FROM pg_extension WHERE extname = 'vector'`)
  await ask(database, `UPDATE pg_extension SET extversion = '0.8.3' WHERE extname = 'vector'`)
  const engine = await temporaryPgVector(t, { database })
  await assert.rejects(engine.upsert('c', pointsOf(1)), {
    code: 'engine_unfit',
    message: /pgvector has version 0\.8\.3, and 0\.8\.4 is the oldest that works/,
  })
  await ask(database, `UPDATE pg_extension SET extversion = '${rows[0].extversion}' WHERE extname = 'vector'`)
  await engine.upsert('c', pointsOf(1))
  assert.equal((await engine.search('c', NEAREST)).length, 1)
})

test(`${NAME} builds one graph when a table is large enough, also after an interrupted build`, async (t) => {
  const database = await pgVectorDatabase()
  const engine = await temporaryPgVector(t, { database, graphFrom: 300, quietMs: 3_600_000 })
  const graphs = async () =>
    (
      await ask(
        database,
        `SELECT indisvalid AS valid FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = relam WHERE amname = 'hnsw'`,
      )
    ).rows.map(({ valid }) => valid)
  await engine.upsert('c', pointsOf(299))
  await engine.buildGraphs()
  assert.deepEqual(await graphs(), [])
  await engine.upsert('c', pointsOf(1, 299))
  await engine.buildGraphs()
  assert.deepEqual(await graphs(), [true])
  await ask(
    database,
    `UPDATE pg_index SET indisvalid = false WHERE indexrelid IN (SELECT c.oid FROM pg_class c JOIN pg_am a ON a.oid = relam WHERE amname = 'hnsw')`,
  )
  await engine.upsert('c', pointsOf(1, 300))
  await engine.buildGraphs()
  assert.deepEqual(await graphs(), [true])
  assert.equal((await engine.search('c', { ...NEAREST, limit: 10 })).length, 10)
})

test(`${NAME} makes a graph anew where most of its rows were deleted, and drops it where too few are left`, async (t) => {
  const database = await pgVectorDatabase()
  const engine = await temporaryPgVector(t, { database, graphFrom: 300, quietMs: 3_600_000 })
  const graph = async () =>
    (
      await ask(
        database,
        `SELECT pg_relation_size(indexrelid)::int AS size, indisvalid AS valid FROM pg_index JOIN pg_class c ON c.oid = indexrelid
           JOIN pg_am a ON a.oid = relam WHERE amname = 'hnsw'`,
      )
    ).rows as { size: number; valid: boolean }[]
  const deleteFirst = (count: number) =>
    engine.delete(
      'c',
      pointsOf(count).map(({ id }) => id),
    )
  await engine.upsert('c', pointsOf(6000))
  await engine.buildGraphs()
  const [before] = await graph()
  // An interrupted one left this.
  const { rows } = await ask(database, `SELECT relname FROM pg_class WHERE relname LIKE '%\\_graph'`)
  await ask(
    database,
    `CREATE INDEX left_over ON "${String(rows[0].relname).replace(/_graph$/, '')}" USING hnsw (embedding halfvec_l2_ops)`,
  )
  await ask(database, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'left_over'::regclass`)
  await deleteFirst(5500)
  await engine.buildGraphs()
  const after = await graph()
  assert.deepEqual(
    after.map(({ valid }) => valid),
    [true],
  )
  assert.ok(after[0]!.size < before!.size / 4, `${after[0]!.size} of ${before!.size}`)
  assert.equal((await engine.search('c', { ...NEAREST, limit: 500 })).length, 500)

  await engine.upsert('c', pointsOf(5500))
  await engine.buildGraphs()
  await deleteFirst(5800)
  await engine.buildGraphs()
  assert.deepEqual(await graph(), [])
  assert.equal((await engine.search('c', { ...NEAREST, limit: 500 })).length, 200)
})

test(`${NAME} gives a table 32 bits a number when a vector does not fit into 16`, async (t) => {
  const engine = await temporaryPgVector(t)
  await engine.upsert('c', [{ id: 'small', text: '', vector: Float32Array.of(1, 2), metadata: {} }])
  await engine.upsert('c', [{ id: 'large', text: '', vector: Float32Array.of(1e6, 3), metadata: {} }])
  const held = await engine.vectors('c', ['small', 'large'])
  assert.deepEqual(Array.from(held.get('large')!), [1e6, 3])
  assert.deepEqual(Array.from(held.get('small')!), [1, 2])
  const found = await engine.search('c', { vector: Float32Array.of(2e6, 6), metric: 'cosine', limit: 1 })
  assert.deepEqual(
    found.map(({ id }) => id),
    ['large'],
  )
})

test(`${NAME} reads and compares a table of an earlier version, whose points have no checks, and gives it the column at the next write [verify:vectors]`, async (t) => {
  const database = await pgVectorDatabase()
  const engine = await temporaryPgVector(t, { database })
  await engine.upsert('c', pointsOf(2))
  const { rows } = await ask(
    database,
    `SELECT relname FROM pg_class WHERE relname LIKE 'documents%' AND relkind = 'r'`,
  )
  await ask(database, `ALTER TABLE "${rows[0].relname}" DROP COLUMN sluice_check`)
  const [first, second] = pointsOf(2)
  const checks = async () => Object.fromEntries(await engine.checks('c', ['0', '1']))
  assert.deepEqual(await checks(), { 0: null, 1: null })
  const compared = (await collect(engine.compare('c', async () => new Map([['0', first!]])))).flat()
  assert.deepEqual(compared, [
    { id: '0', state: 'same', check: null },
    { id: '1', state: 'unknown', check: null },
  ])
  await engine.upsert('c', [second!])
  assert.deepEqual(await checks(), { 0: null, 1: vectorCheck(second!.vector) })
})
