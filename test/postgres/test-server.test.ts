import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { emptyPostgres, type PostgresServer, postgresServer } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

async function ask(address: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

test('emptyPostgres() gives each test a database of its own, in an order of texts other than that of bytes', async (t) => {
  const [one, two] = [await emptyPostgres(t), await emptyPostgres(t)]
  assert.notEqual(one, two)
  await ask(one, 'CREATE TABLE only_here (id int)')
  assert.deepEqual(await ask(two, "SELECT to_regclass('only_here')"), [null])
  assert.deepEqual(await ask(one, "SELECT 'a' < 'B'"), [true])
})

test('postgresServer() comes back on its port after a crash, with what was committed', async (t) => {
  const address = await emptyPostgres(t)
  await ask(address, 'CREATE TABLE kept AS SELECT 7 AS n')
  await ask(address, 'CHECKPOINT')
  await (await postgresServer()).crash()
  assert.deepEqual(await ask(address, 'SELECT n FROM kept'), [7])
})

test('postgresServer() ends, and its folder is removed, when the process of the tests is killed', async () => {
  const child = fork(new URL('../support/postgres-child.ts', import.meta.url))
  const message = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => assert.fail())])
  const { port, folder } = message[0] as Pick<PostgresServer, 'port' | 'folder'>
  const address = `postgres://sluice@127.0.0.1:${port}/postgres`
  assert.deepEqual(await ask(address, 'SELECT 1'), [1])
  const server = Number(readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  child.kill('SIGKILL')
  await once(child, 'exit')
  await until(() => !existsSync(folder), 'the removal of the folder')
  assert.throws(() => process.kill(server, 0), { code: 'ESRCH' })
  await assert.rejects(ask(address, 'SELECT 1'))
})
