import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { shareDatabase } from '../../src/db/postgres/share-database.ts'
import { readConfig } from '../../src/kit/config.ts'
import type { Log } from '../../src/kit/log.ts'
import { startPlatform } from '../../src/main.ts'
import { newPostgres } from '../support/postgres.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

await needs('PostgreSQL')

const { address, drop } = await newPostgres()
after(drop)

const nothing = () => {}
const log: Log = { error: nothing, warn: nothing, info: nothing, debug: nothing }
const ADMIN_KEY = 'the-management-key-of-the-tests'

const newFolder = (t: TestContext) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-postgres-server-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const start = (directory: string, SECRET_KEY = 'the-secret-of-the-test-nodes', WARM = '8') => {
  const flags = { PORT: '0', DATA_DIR: directory, ADMIN_KEY, DATABASE_URL: address, SECRET_KEY, WARM }
  return startPlatform(readConfig({ flags, environment: {}, directory }), log)
}

async function call(url: string, place: string, body?: object | FormData): Promise<unknown> {
  const isForm = body instanceof FormData
  const response = await fetch(url + place, {
    headers: {
      authorization: `Bearer ${ADMIN_KEY}`,
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { method: 'POST', body: isForm ? body : JSON.stringify(body) } : {}),
  })
  assert.equal(response.status, 200, await response.clone().text())
  return response.json()
}

test('a server over PostgreSQL keeps flows and documents there: one with an empty data directory has them all [server:warm]', async (t) => {
  const first = await start(newFolder(t))
  const [{ id }] = (await call(first.url, '/api/v1/chatflows')) as [{ id: string }]
  const form = new FormData()
  form.append('files', new File(['Anna Berg signs the contracts. The budget is five million.'], 'a.txt'))
  const { numAdded } = (await call(first.url, `/api/v1/vector/upsert/${id}`, form)) as { numAdded: number }
  assert.equal(numAdded, 1)
  const ask = async (url: string) =>
    (await call(url, `/api/v1/vector/query/${id}`, { query: 'who signs the contracts?' })) as {
      docs: { pageContent: string }[]
    }
  const [found] = (await ask(first.url)).docs
  await first.close()

  const second = await start(newFolder(t))
  // It loads what the first one was asked for.
  await until(async () => (await fetch(`${second.url}/readyz`)).status === 200)
  const again = (await ask(second.url)).docs
  assert.deepEqual(again, [found])
  const { dependencies } = (await call(second.url, '/readyz')) as {
    dependencies: { name: string; state: string }[]
  }
  assert.deepEqual(
    dependencies.map(({ name, state }) => [name, state]),
    [
      ['database', 'ok'],
      ['disk', 'ok'],
      ['warm namespaces', 'ok'],
    ],
  )
  await second.close()
  const cold = await start(newFolder(t), undefined, '0')
  const ready = (await call(cold.url, '/readyz')) as { dependencies: { name: string }[] }
  assert.deepEqual(
    ready.dependencies.map(({ name }) => name),
    ['database', 'disk'],
  )
  await cold.close()
})

test('a server over PostgreSQL does not start with another SECRET_KEY', async (t) => {
  await assert.rejects(start(newFolder(t), 'another-secret-of-the-tests'), { code: 'secret_wrong' })
})

test('shareDatabase() lets servers with a bucket share a database, and one without a bucket have it alone', async () => {
  const now = { longestMs: 0, everyMs: 1 }
  const withBucket = [await shareDatabase(address, true), await shareDatabase(address, true)]
  await assert.rejects(shareDatabase(address, false, now), { code: 'database_shared' })
  const waiting = shareDatabase(address, false)
  for (const leave of withBucket) await leave()
  const leave = await waiting
  for (const hasBucket of [true, false])
    await assert.rejects(shareDatabase(address, hasBucket, now), { code: 'database_shared' })
  await leave()
})
