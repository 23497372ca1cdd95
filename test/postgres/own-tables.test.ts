import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import type { Ledger } from '../../src/contract/ledger.ts'
import { emptyTables, settleNumbers } from '../../src/db/move/postgres-rows.ts'
import { openPostgres, type PostgresDatabase } from '../../src/db/postgres/database.ts'
import { postgresLedger } from '../../src/db/postgres/ledger.ts'
import { dropLeftTables, makeOwnTables } from '../../src/db/postgres/own-tables.ts'
import { ownTables, SPLIT_TABLES } from '../../src/db/postgres/schema/own-tables.ts'
import { SCHEMA } from '../../src/db/postgres/schema/schema.ts'
import { verifyPostgres } from '../../src/db/postgres/verify.ts'
import { ENGINE, idsOf, newChunk, publication } from '../contract/ledger-parts.ts'
import { needs } from '../support/needs.ts'
import { emptyPostgres, openedPostgres, postgresServer, preparedPostgres } from '../support/postgres.ts'
import { postgresTool } from '../support/postgres-tools.ts'

await needs('PostgreSQL')

const OWN_FROM = 40

const splitLedger = (database: PostgresDatabase): Ledger =>
  postgresLedger(database, Date.now, undefined, { ownTables: { from: OWN_FROM, most: 3 } })

async function splitDatabase(t: TestContext) {
  const address = await preparedPostgres(t)
  const database = await openedPostgres(t, address)
  return { address, database, ledger: splitLedger(database) }
}

const textsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `text ${String(from + at).padStart(6, '0')}`)

/** Loads texts of one source in batches; answers the id of the index. */
async function load(ledger: Ledger, namespace: string, [from, to]: [number, number], batch = 10) {
  const run = await ledger.open({ namespace, embedder: 'e', engine: ENGINE })
  for (let at = from; at < to; at += batch) {
    const chunks = textsOf(at, Math.min(at + batch, to)).map((text) => newChunk('a', text))
    await run.stage(chunks, 2, new Float32Array(2 * chunks.length))
  }
  await run.publish(publication(to - from))
  return Number(run.index.collection)
}

const shown = async (ledger: Ledger, namespace: string): Promise<string[]> =>
  (await ledger.chunks(namespace, { offset: 0, limit: 100_000 })).rows
    .map(({ pageContent }) => pageContent)
    .sort()

/** How many rows of an index are in the shared tables and in its own, as passages, vectors, chunks. */
async function places({ reader }: PostgresDatabase, index: number) {
  const counts = async (own: number): Promise<number[]> => {
    const of = (table: string) =>
      table === 'vectors' ? 'passage_id IN (SELECT id FROM passages WHERE index_id = $2)' : 'index_id = $2'
    return Promise.all(
      SPLIT_TABLES.map(
        async (table) =>
          (await reader.get<{ n: number }>(
            `SELECT count(*) AS n FROM ${table} WHERE own = $1 AND ${of(table)}`,
            own,
            index,
          ))!.n,
      ),
    )
  }
  return { shared: await counts(0), own: await counts(index) }
}

const ownTablesOf = async ({ reader }: PostgresDatabase): Promise<string[]> =>
  (
    await reader.all<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhparent
       WHERE relkind = 'p' AND inhrelid::regclass::text LIKE '%\\_of\\_%' ORDER BY 1`,
    )
  ).map(({ name }) => name)

const sweep = async (ledger: Ledger, namespace: string, goOn?: () => boolean) =>
  (await ledger.sweeper(namespace))!.sweep(async () => {}, goOn)

const isUnswept = async (ledger: Ledger, namespace: string): Promise<boolean> =>
  (await ledger.unswept()).namespaces.includes(namespace)

const findings = async (address: string) => (await verifyPostgres(address)).flatMap((check) => check.findings)

/** A transaction that has read a table and stays open, as a dump does; returns what ends it. */
async function openReader(t: TestContext, address: string): Promise<() => Promise<void>> {
  const client = new pg.Client(address)
  client.on('error', () => {})
  await client.connect()
  const end = () => client.end()
  t.after(end)
  await client.query('BEGIN; SELECT count(*) FROM passages')
  return end
}

test('a small namespace has no tables of its own; a large load makes some and all its rows are read and removed', async (t) => {
  const { address, database, ledger } = await splitDatabase(t)
  const small = await load(ledger, 'small', [0, OWN_FROM - 1])
  await load(ledger, 'other', [0, 5])
  assert.deepEqual(await ownTablesOf(database), [])
  const large = await load(ledger, 'large', [0, 95])
  assert.deepEqual(
    await ownTablesOf(database),
    ['chunks', 'passages', 'vectors'].map((table) => `${table}_of_${large}`),
  )
  assert.deepEqual(await places(database, large), { shared: [0, 0, 0], own: [95, 95, 95] })
  assert.deepEqual(await places(database, small), { shared: [39, 39, 39], own: [0, 0, 0] })
  assert.deepEqual(await shown(ledger, 'large'), textsOf(0, 95))
  assert.deepEqual(await findings(address), [])

  await ledger.remove('large')
  await ledger.sweepRemoved(ENGINE, async () => {})
  assert.deepEqual(await ownTablesOf(database), [])
  assert.deepEqual(await places(database, large), { shared: [0, 0, 0], own: [0, 0, 0] })
  assert.deepEqual(await shown(ledger, 'small'), textsOf(0, OWN_FROM - 1))
  assert.deepEqual(await findings(address), [])
})

test('the rows of a namespace that became large before are moved by its sweeps, in steps, while readers see all of them', async (t) => {
  const { address, database, ledger } = await splitDatabase(t)
  const plain = postgresLedger(database)
  const count = 7300
  const index = await load(plain, 'n', [0, count], 1000)
  assert.equal(await isUnswept(plain, 'n'), false)
  assert.equal(await isUnswept(ledger, 'n'), true)
  const ids = await idsOf(ledger, 'n', 'a')
  let steps = 0
  // A job waits: the sweep ends after its step.
  assert.equal(await sweep(ledger, 'n', () => steps++ < 1), false)
  const between = await places(database, index)
  assert.deepEqual(
    between.shared.map((rows, at) => rows + between.own[at]!),
    [count, count, count],
  )
  assert.ok(between.shared.every((rows) => rows > 0 && rows < count))
  assert.deepEqual(await idsOf(ledger, 'n', 'a'), ids)
  assert.equal(await isUnswept(ledger, 'n'), true)
  // Two members at once: one does each step, or is told to do it again.
  const other = await openedPostgres(t, address)
  await Promise.all([sweep(ledger, 'n'), sweep(splitLedger(other), 'n')])
  assert.deepEqual(await places(database, index), { shared: [0, 0, 0], own: [count, count, count] })
  assert.equal(await isUnswept(ledger, 'n'), false)
  assert.deepEqual(await idsOf(ledger, 'n', 'a'), ids)
  assert.deepEqual(await findings(address), [])
})

test('a crash of the database in the middle of a move loses no row and leaves none twice; the next sweep goes on', async (t) => {
  const { address, database, ledger } = await splitDatabase(t)
  const count = 7300
  const index = await load(postgresLedger(database), 'n', [0, count], 1000)
  const server = await postgresServer()
  let crash: Promise<void> | undefined
  // The first step is done, and the second begins when the server ends. It may be repeated after that, or fail.
  let steps = 0
  const swept = sweep(ledger, 'n', () => {
    if (steps++ === 1) crash = server.crash()
    return true
  })
  await Promise.allSettled([swept])
  await crash
  assert.ok(crash)
  const between = await places(database, index)
  assert.deepEqual(
    between.shared.map((rows, at) => rows + between.own[at]!),
    [count, count, count],
  )
  await sweep(ledger, 'n')
  assert.deepEqual(await places(database, index), { shared: [0, 0, 0], own: [count, count, count] })
  assert.deepEqual(await findings(address), [])
})

test('nothing is moved while a run is open: it may belong to another member', async (t) => {
  const { database, ledger } = await splitDatabase(t)
  const index = await load(postgresLedger(database), 'n', [0, 2500], 1000)
  const run = await ledger.open({ namespace: 'n', embedder: 'e', engine: ENGINE })
  await sweep(ledger, 'n')
  assert.deepEqual((await places(database, index)).shared, [500, 500, 500])
  await run.abandon()
  await sweep(ledger, 'n')
  assert.deepEqual((await places(database, index)).shared, [0, 0, 0])
})

test('a removal that waits for a reader deletes nothing, stays a removal, and is done after it', async (t) => {
  const { address, database, ledger } = await splitDatabase(t)
  await load(ledger, 'large', [0, 95])
  const end = await openReader(t, address)
  await ledger.remove('large')
  await assert.rejects(
    ledger.sweepRemoved(ENGINE, async () => {}),
    { code: 'database_busy' },
  )
  assert.equal((await ledger.unswept()).removed, true)
  assert.equal((await ownTablesOf(database)).length, 3)
  await end()
  await ledger.sweepRemoved(ENGINE, async () => {})
  assert.deepEqual(await ownTablesOf(database), [])
  assert.equal((await ledger.unswept()).removed, false)
})

test('tables of an index that an older member has swept are dropped with the next removal', async (t) => {
  const { database, ledger } = await splitDatabase(t)
  const [gone, kept] = [await load(ledger, 'gone', [0, 95]), await load(ledger, 'kept', [0, 95])]
  await database.writer.run('DELETE FROM indexes WHERE id = $1', gone)
  await dropLeftTables(database)
  assert.deepEqual(
    await ownTablesOf(database),
    ['chunks', 'passages', 'vectors'].map((table) => `${table}_of_${kept}`),
  )
  assert.deepEqual(await shown(ledger, 'kept'), textsOf(0, 95))
})

test('with the most namespaces that may have tables, a further one goes on in the shared ones until another is removed', async (t) => {
  const { database, ledger } = await splitDatabase(t)
  for (const namespace of ['one', 'two', 'three']) await load(ledger, namespace, [0, 45])
  const fourth = await load(ledger, 'four', [0, 95])
  assert.deepEqual(await places(database, fourth), { shared: [95, 95, 95], own: [0, 0, 0] })
  assert.equal(await isUnswept(ledger, 'four'), false)
  await sweep(ledger, 'four')
  assert.deepEqual(await shown(ledger, 'four'), textsOf(0, 95))
  await ledger.remove('two')
  await ledger.sweepRemoved(ENGINE, async () => {})
  assert.equal(await isUnswept(ledger, 'four'), true)
  await sweep(ledger, 'four')
  assert.deepEqual(await places(database, fourth), { shared: [0, 0, 0], own: [95, 95, 95] })
})

test('a move into the database that begins anew leaves empty tables, which an index with the same id takes', async (t) => {
  const { database, ledger } = await splitDatabase(t)
  const before = await load(ledger, 'n', [0, 95])
  await database.transaction(async (sql) => {
    await emptyTables(sql)
    await settleNumbers(sql)
  })
  const index = await load(ledger, 'again', [0, 95])
  assert.equal(index, before)
  assert.deepEqual(await places(database, index), { shared: [0, 0, 0], own: [95, 95, 95] })
  assert.deepEqual(await shown(ledger, 'again'), textsOf(0, 95))
})

test('a dump with tables of namespaces is restored with them', async (t) => {
  const { address, ledger } = await splitDatabase(t)
  await load(ledger, 'small', [0, 5])
  await load(ledger, 'large', [0, 95])
  const empty = await emptyPostgres(t)
  const dump = postgresTool('pg_dump', ['--no-owner', address])
  postgresTool('psql', ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', empty], dump)
  const restored = await openedPostgres(t, empty)
  const again = splitLedger(restored)
  assert.deepEqual(await shown(again, 'large'), textsOf(0, 95))
  const other = await load(again, 'other', [0, 95])
  assert.deepEqual(await places(restored, other), { shared: [0, 0, 0], own: [95, 95, 95] })
  await again.remove('large')
  await again.sweepRemoved(ENGINE, async () => {})
  assert.equal((await ownTablesOf(restored)).length, 3)
  assert.deepEqual(await findings(empty), [])
})

test('a removed index gets no tables', async (t) => {
  const { database, ledger } = await splitDatabase(t)
  const index = await load(ledger, 'n', [0, 5])
  await ledger.remove('n')
  assert.equal(await database.transaction((sql) => makeOwnTables(sql, index)), false)
  assert.deepEqual(await ownTablesOf(database), [])
})

const BEFORE = SCHEMA.slice(
  0,
  SCHEMA.findIndex(({ name }) => name === 'tables of large indexes'),
)

/** Rows as a program of before adds them: it knows no `own`. */
async function addAsBefore(database: PostgresDatabase, namespace: string, count: number): Promise<number> {
  return database.transaction(async (sql) => {
    const added = async (statement: string, ...values: (string | number)[]) =>
      (await sql.get<{ id: number }>(statement, ...values))!.id
    const index = await added(
      `INSERT INTO indexes (namespace, embedder, engine, dimensions, chunks, created_at) VALUES ($1, 'e', $2, 2, $3, 1) RETURNING id`,
      namespace,
      ENGINE,
      count,
    )
    const run = await added(
      `INSERT INTO runs (index_id, state, started_at) VALUES ($1, 'published', 1) RETURNING seq AS id`,
      index,
    )
    const source = await added(
      `INSERT INTO sources (index_id, name, updated_at, chunks) VALUES ($1, 'a', 1, $2) RETURNING id`,
      index,
      count,
    )
    const { block } = (await sql.get<{ block: number }>(`SELECT nextval('passage_blocks') AS block`))!
    for (const [at, text] of textsOf(0, count).entries()) {
      const { hash, metadata, metadataHash, pointId } = newChunk('a', text)
      const id = block * 1024 + at
      await sql.run(
        'INSERT INTO passages (id, index_id, hash, content) VALUES ($1, $2, $3, $4)',
        id,
        index,
        hash,
        text,
      )
      await sql.run('INSERT INTO vectors (passage_id, vector) VALUES ($1, $2)', id, new Uint8Array(8))
      await sql.run(
        `INSERT INTO chunks (index_id, source_id, passage_id, hash, metadata, metadata_hash, born, point)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        ...[index, source, id, hash, metadata, metadataHash, run, pointId],
      )
    }
    return index
  })
}

for (const [size, quickBytes] of [
  ['small', undefined],
  ['large', 0],
] as const)
  test(`the tables of a ${size} database of before become the shared ones; members of before go on, and its large namespaces get tables`, async (t) => {
    const address = await emptyPostgres(t)
    const old = await openedPostgres(t, address, { steps: BEFORE })
    const index = await addAsBefore(old, 'old', 60)
    const step = { name: 'tables of large indexes', sql: ownTables(quickBytes) }
    const database = await openPostgres(address, {
      steps: [...BEFORE, step, ...SCHEMA.slice(BEFORE.length + 1)],
    })
    t.after(() => database.close())
    const ledger = splitLedger(database)
    assert.deepEqual(await shown(ledger, 'old'), textsOf(0, 60))
    const meanwhile = await addAsBefore(old, 'of an old member', 60)
    // The first look of a sweep is what a large database needs: a load makes no tables before.
    const loaded = await load(ledger, 'loaded', [0, 95])
    assert.deepEqual((await places(database, loaded)).own, size === 'large' ? [0, 0, 0] : [95, 95, 95])
    if (size === 'large') {
      const end = await openReader(t, address)
      await assert.rejects(sweep(ledger, 'old'), { code: 'database_busy' })
      await end()
    }
    for (const namespace of ['old', 'of an old member', 'loaded']) await sweep(ledger, namespace)
    for (const [id, count] of [
      [index, 60],
      [meanwhile, 60],
      [loaded, 95],
    ] as const)
      assert.deepEqual(await places(database, id), { shared: [0, 0, 0], own: [count, count, count] })
    assert.deepEqual(await shown(ledger, 'old'), textsOf(0, 60))
    assert.deepEqual(await shown(ledger, 'of an old member'), textsOf(0, 60))
    assert.deepEqual(await findings(address), [])
    // Ids go on behind those of before.
    const ids = await database.reader.all<{ id: number }>(
      'SELECT id FROM chunks GROUP BY id HAVING count(*) > 1',
    )
    assert.deepEqual(ids, [])
    const structure = ({ reader }: PostgresDatabase) =>
      reader.all(
        `SELECT conrelid::regclass || '.' || conname AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE '%\\_of\\_%'
         UNION ALL SELECT relname, pg_get_expr(relpartbound, oid) FROM pg_class
         WHERE relispartition AND relkind = 'r' AND relname NOT LIKE '%\\_of\\_%' ORDER BY 1, 2`,
      )
    assert.deepEqual(
      await structure(database),
      await structure(await openedPostgres(t, await preparedPostgres(t))),
    )
  })
