import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { makePlatformOver } from '../support/postgres-platform.ts'
import { administer, newPostgres, postgresServer } from '../support/postgres.ts'
import { silentProxy } from '../support/silent-proxy.ts'
import { untilEqual } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const server = await postgresServer()
const { address, drop } = await newPostgres()
after(drop)

/** Makes all connections read-only that are open now; those of a database with a setting of its own are as that says. */
async function readOnly(isOn: boolean): Promise<void> {
  await administer(server, `ALTER SYSTEM SET default_transaction_read_only = ${isOn ? 'on' : 'off'}`)
  await administer(server, 'SELECT pg_reload_conf()')
  // The server reads it a moment later, and then tells all connections before it takes another one.
  await untilEqual(
    async () => {
      const { rows } = await administer(server, 'SHOW default_transaction_read_only')
      return rows[0].default_transaction_read_only
    },
    isOn ? 'on' : 'off',
  )
}
after(() => readOnly(false))

test('a change is made on another connection where those that are open lead to a server that takes none, as after a failover [server:database-read-only]', async (t) => {
  const steps = [{ name: 'numbers', sql: 'CREATE TABLE numbers (n int PRIMARY KEY)' }]
  const { address: own, drop: dropOwn } = await newPostgres()
  t.after(dropOwn)
  const database = await openPostgres(own, { steps })
  t.after(() => database.close())
  const all = Array.from({ length: 8 }, (_, n) => n)
  await Promise.all(all.map((n) => database.writer.run('INSERT INTO numbers VALUES ($1)', n)))
  assert.ok(database.connections().idle > 2, 'several connections are open')
  // New connections are to the new primary.
  await administer(
    server,
    `ALTER DATABASE ${new URL(own).pathname.slice(1)} SET default_transaction_read_only = off`,
  )
  await readOnly(true)
  await database.check()
  await Promise.all([
    database.writer.run('INSERT INTO numbers VALUES (100)'),
    database.transaction((sql) => sql.run('INSERT INTO numbers VALUES (101)')),
  ])
  await readOnly(false)
  const rows = await database.reader.all<{ n: number }>('SELECT n FROM numbers WHERE n >= 100 ORDER BY n')
  assert.deepEqual(
    rows.map(({ n }) => n),
    [100, 101],
  )
})

test('a change is made on another connection where one of those that are open went read-only before it was lent', async (t) => {
  const steps = [{ name: 'numbers', sql: 'CREATE TABLE numbers (n int PRIMARY KEY)' }]
  const { address: own, drop: dropOwn } = await newPostgres()
  t.after(dropOwn)
  const database = await openPostgres(own, { steps })
  t.after(() => database.close())
  await administer(
    server,
    `ALTER DATABASE ${new URL(own).pathname.slice(1)} SET default_transaction_read_only = off`,
  )
  await readOnly(true)
  // Not repeated where it might have been done: this one was certainly not.
  assert.equal(await database.writer.run('INSERT INTO numbers VALUES (1)'), 1)
  await readOnly(false)
})

test('a server over a database that takes no changes is not ready, names it, and goes on by itself [server:database-read-only]', async (t) => {
  const { call, manage } = await makePlatformOver(t, address)
  await readOnly(true)
  const { status, body } = await call<{ code: string; dependencies: object[] }>('GET', '/readyz')
  assert.deepEqual([status, body.code], [503, 'database_read_only'])
  assert.partialDeepStrictEqual(body.dependencies[0], { name: 'database', state: 'away' })
  const refused = await manage<{ code: string }>('POST', '/api/v1/variables', { name: 'a', value: 'b' })
  assert.deepEqual([refused.status, refused.body.code], [503, 'database_read_only'])
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  await readOnly(false)
  await untilEqual(async () => (await call('GET', '/readyz')).status, 200)
  assert.equal((await manage('POST', '/api/v1/variables', { name: 'a', value: 'b' })).status, 200)
})

test('a server whose connections are open and answer nothing says so within three seconds, and is ready again on new ones [server:readiness]', async (t) => {
  const proxy = await silentProxy(t, server.port)
  const { call } = await makePlatformOver(t, proxy.address(address))
  assert.equal((await call('GET', '/readyz')).status, 200)
  proxy.cut()
  const { status, body } = await call<{ dependencies: { reason?: string }[] }>('GET', '/readyz')
  assert.equal(status, 503)
  const [, seconds] = /did not answer within ([\d.]+) seconds/.exec(body.dependencies[0]!.reason!)!
  assert.ok(Number(seconds) <= 3, seconds)
  proxy.mend()
  await untilEqual(async () => (await call('GET', '/readyz')).status, 200)
})
