import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { pgbouncer } from '../support/pgbouncer.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL', 'PgBouncer')

const NONE = { steps: [] }

test('openPostgres() refuses PgBouncer in transaction mode in a clear line [start:pooler]', async (t) => {
  const address = await pgbouncer(t, 'transaction', await emptyPostgres(t))
  await assert.rejects(openPostgres(address, NONE), {
    code: 'database_pooled',
    message: /^DATABASE_URL leads to a connection pooler in transaction mode/,
  })
  await assert.rejects(openPostgres(address, { ...NONE, direct: address }), {
    code: 'database_pooled',
    message: /^DATABASE_DIRECT_URL leads to a connection pooler in transaction mode/,
  })
})

test('openPostgres() works through PgBouncer in session mode', async (t) => {
  const address = await pgbouncer(t, 'session', await emptyPostgres(t))
  const database = await openPostgres(address, NONE)
  t.after(() => database.close())
  const limits = await database.reader.get("SELECT current_setting('lock_timeout') AS locks")
  assert.deepEqual(limits, { locks: '2s' })
})

test('openPostgres() with a direct address sets its limits in every transaction through PgBouncer in transaction mode [start:pooler]', async (t) => {
  const direct = await emptyPostgres(t)
  const database = await openPostgres(await pgbouncer(t, 'transaction', direct, 2), { ...NONE, direct })
  t.after(() => database.close())
  const ask =
    "SELECT current_setting('lock_timeout') AS locks, current_setting('statement_timeout') AS statements"
  const limits = { locks: '2s', statements: '4s' }
  const all = await Promise.all([
    ...Array.from({ length: 6 }, () => database.reader.get(ask)),
    database.writer.get(ask),
    database.transaction((sql) => sql.get(ask)),
    database.snapshot((sql) => sql.get(ask)),
  ])
  assert.deepEqual(all, Array(9).fill(limits))
  const longer = await database.transaction((sql) => sql.get(ask), { limitMs: 60_000 })
  assert.deepEqual(longer, { locks: '1min', statements: '1min' })
})

test('openPostgres() refuses a direct address of another database [start:pooler]', async (t) => {
  const address = await pgbouncer(t, 'transaction', await emptyPostgres(t))
  await assert.rejects(openPostgres(address, { ...NONE, direct: await emptyPostgres(t) }), {
    code: 'database_unfit',
    message: /DATABASE_DIRECT_URL leads to another database/,
  })
})
