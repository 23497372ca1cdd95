import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openPostgres, type PostgresDatabase, type PostgresOptions } from '../../src/db/postgres/database.ts'
import { administer, emptyPostgres, openedPostgres, postgresServer } from '../support/postgres.ts'
import { silentProxy } from '../support/silent-proxy.ts'
import { until } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

/** A database with one table of numbers. */
const NUMBERS = [{ name: 'numbers', sql: 'CREATE TABLE numbers (id int PRIMARY KEY, n bigint NOT NULL)' }]

const opened = (t: TestContext, address: string, options: PostgresOptions = { steps: NUMBERS }) =>
  openedPostgres(t, address, options)

const numbersOf = async ({ reader }: PostgresDatabase) =>
  (await reader.all<{ n: number }>('SELECT n FROM numbers ORDER BY id')).map(({ n }) => n)

test('openPostgres() gives times as numbers, bytes as Uint8Array, and stores a text with U+0000', async (t) => {
  const { reader } = await opened(t, await emptyPostgres(t))
  assert.deepEqual(
    await reader.get(
      'SELECT $1::bigint AS time, $2::bytea AS bytes, $3::text AS text, $4::text[] AS texts, count(*) AS count',
      1_700_000_000_000,
      new Uint8Array([0, 255]),
      'a\0b',
      ['x', 'y\0'],
    ),
    {
      time: 1_700_000_000_000,
      bytes: new Uint8Array([0, 255]),
      text: 'a\ufffdb',
      texts: ['x', 'y\ufffd'],
      count: 1,
    },
  )
})

test('openPostgres() names what is wrong with a database that it cannot use', async (t) => {
  const server = await postgresServer()
  await assert.rejects(openPostgres(server.address('missing')), {
    code: 'database_unfit',
    message: /database "missing" does not exist/,
  })
  await administer(
    server,
    `CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`,
  )
  t.after(() => administer(server, 'DROP DATABASE latin WITH (FORCE)'))
  await assert.rejects(openPostgres(server.address('latin')), {
    code: 'database_unfit',
    message: /the encoding of the database is LATIN1; it must be UTF8/,
  })
  await assert.rejects(openPostgres('postgres://sluice@127.0.0.1:1/none'), {
    code: 'database_unreachable',
    status: 503,
  })
})

test('transaction() undoes all of a work that throws, and passes its error on', async (t) => {
  const database = await opened(t, await emptyPostgres(t))
  const failure = new Error('no')
  await assert.rejects(
    database.transaction(async (session) => {
      await session.run('INSERT INTO numbers VALUES (1, 1)')
      throw failure
    }),
    failure,
  )
  assert.deepEqual(await numbersOf(database), [])
  // A failed statement ends the transaction, whatever the work makes of it.
  await assert.rejects(
    database.transaction(async (session) => {
      await session.run('INSERT INTO numbers VALUES (1, 1)')
      await session.run('INSERT INTO numbers VALUES (1, 1)').catch(() => {})
    }),
    /was rolled back/,
  )
  assert.deepEqual(await numbersOf(database), [])
})

test('transaction() repeats work after a conflict and after a deadlock', async (t) => {
  const database = await opened(t, await emptyPostgres(t))
  await database.writer.run('INSERT INTO numbers VALUES (1, 0), (2, 0)')
  // Each reads before it writes: without repetition all but one of these would fail or be lost.
  const add = () =>
    database.transaction(
      async (session) => {
        const { n } = (await session.get<{ n: number }>('SELECT n FROM numbers WHERE id = 1'))!
        await session.run('UPDATE numbers SET n = $1 WHERE id = 1', n + 1)
      },
      { isolation: 'SERIALIZABLE' },
    )
  await Promise.all([add(), add(), add()])
  assert.deepEqual(await numbersOf(database), [3, 0])

  let attempts = 0
  let holding = 0
  const addBoth = (first: number, second: number) =>
    database.transaction(async (session) => {
      attempts++
      await session.run('UPDATE numbers SET n = n + 10 WHERE id = $1', first)
      holding++
      // Each has the row that the other needs.
      await until(() => holding >= 2)
      await session.run('UPDATE numbers SET n = n + 10 WHERE id = $1', second)
    })
  await Promise.all([addBoth(1, 2), addBoth(2, 1)])
  assert.ok(attempts >= 3, String(attempts))
  assert.deepEqual(await numbersOf(database), [23, 20])
})

test('transaction() repeats work whose connection ended before its commit, and reads go on after a crash', async (t) => {
  const database = await opened(t, await emptyPostgres(t))
  let attempts = 0
  await database.transaction(async (session) => {
    attempts++
    const { pid } = (await session.get<{ pid: number }>('SELECT pg_backend_pid() AS pid'))!
    await session.run('INSERT INTO numbers VALUES (1, $1)', attempts)
    if (attempts > 1) return
    await database.reader.get('SELECT pg_terminate_backend($1)', pid)
    while (true) await session.get('SELECT 1')
  })
  assert.deepEqual([attempts, await numbersOf(database)], [2, [2]])
  await (await postgresServer()).crash()
  assert.deepEqual(await numbersOf(database), [2])
})

test('writer.run() says that the outcome is unknown where the connection ends before the answer', async (t) => {
  const limits = { statementMs: 300_000 }
  const database = await opened(t, await emptyPostgres(t), { steps: NUMBERS, limits })
  const writing = assert.rejects(database.writer.run('INSERT INTO numbers SELECT 1, 1 FROM pg_sleep(200)'), {
    code: 'database_answer_lost',
    status: 503,
  })
  await until(
    async () =>
      (
        await database.reader.all(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'INSERT INTO numbers SELECT%'`,
        )
      ).length > 0,
  )
  await writing
})

test('A connection that goes silent is given up and replaced, and the locks of its transaction are free again', async (t) => {
  const address = await emptyPostgres(t)
  const proxy = await silentProxy(t, (await postgresServer()).port)
  const limits = { connectMs: 3000, statementMs: 1000, lockMs: 500, idleInTransactionMs: 1000 }
  const direct = await opened(t, address)
  const behind = await opened(t, proxy.address(address), { steps: NUMBERS, limits })
  await direct.writer.run('INSERT INTO numbers VALUES (1, 0)')
  let wasCut = false
  const { promise: cut, resolve: isCut } = Promise.withResolvers<void>()
  const changed = behind.transaction(async (session) => {
    await session.run('UPDATE numbers SET n = n + 1 WHERE id = 1')
    // In the first attempt that comes so far: on a busy machine one may exceed the limits before.
    if (!wasCut) {
      wasCut = true
      proxy.cut()
      isCut()
    }
    await session.run('UPDATE numbers SET n = n + 1 WHERE id = 1')
  })
  await cut
  await until(async () => {
    const changes = await direct.writer.run('UPDATE numbers SET n = n + 100 WHERE id = 1').catch(() => 0)
    return changes === 1
  }, 'the end of the lock')
  proxy.mend()
  await changed
  assert.deepEqual(await numbersOf(direct), [102])
})

test('what is asked of a closed database is refused, not repeated as after a lost connection', async (t) => {
  const { reader, transaction, close } = await openPostgres(await emptyPostgres(t))
  await close()
  let attempts = 0
  const work = async () => void attempts++
  await assert.rejects(reader.get('SELECT 1 AS one'), { code: 'stopping' })
  await assert.rejects(transaction(work), { code: 'stopping' })
  assert.equal(attempts, 0)
})

test('openPostgres() does each step of the schema once, also where several members start together', async (t) => {
  const address = await emptyPostgres(t)
  const members = await Promise.all([1, 2, 3].map(() => opened(t, address)))
  const two = [
    ...NUMBERS,
    { name: 'second', sql: 'ALTER TABLE numbers ADD COLUMN label text; CREATE TABLE more (id int)' },
  ]
  await Promise.all([1, 2].map(() => opened(t, address, { steps: two })))
  assert.deepEqual(await members[0]!.reader.all('SELECT number, name FROM schema_steps ORDER BY number'), [
    { number: 1, name: 'numbers' },
    { number: 2, name: 'second' },
  ])
  // A member of the version before goes on, and may start again.
  await members[0]!.writer.run('INSERT INTO numbers VALUES (1, 1)')
  await opened(t, address)
})

test('openPostgres() refuses a schema that a newer version has contracted, and undoes a step that fails', async (t) => {
  const address = await emptyPostgres(t)
  const contracted = [
    ...NUMBERS,
    { name: 'expand', sql: 'CREATE TABLE other (id int)' },
    { name: 'contract', sql: 'DROP TABLE numbers', needs: 2 },
  ]
  const failing = [...NUMBERS, { name: 'wrong', sql: 'CREATE TABLE half (id int); SELECT wrong' }]
  await assert.rejects(openPostgres(address, { steps: failing }), /wrong/)
  const after = await opened(t, address)
  assert.deepEqual(await after.reader.all("SELECT to_regclass('half') AS found"), [{ found: null }])
  await opened(t, address, { steps: contracted })
  await assert.rejects(openPostgres(address, { steps: NUMBERS }), {
    code: 'schema_newer',
    facts: { hint: 'start the newer version', found: 3, needs: 2, known: 1 },
  })
})
