import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { runMove } from '../../src/db/move/run-move.ts'
import { resealer } from '../../src/db/reseal.ts'
import { openCredential } from '../../src/db/rows/credential.ts'
import { SECRET_TEXT } from '../../src/db/secret-check.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { resealRows } from '../../src/db/sqlite/reseal-rows.ts'
import { keepNextSecret, openSecretKey } from '../../src/db/sqlite/secret-key.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { fillDirectory } from '../support/full-database.ts'
import { lacking } from '../support/needs.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { launch, room } from '../support/program.ts'
import { runHere as run } from '../support/program-here.ts'
import { until } from '../support/until.ts'

type Sealed = { id: string; name: string; kind: string; sealed: string }
const CREDENTIALS = 'SELECT id, name, kind, sealed FROM credentials ORDER BY id'
const REQUESTS = 'SELECT request FROM jobs WHERE request IS NOT NULL'

/** Checks that a secret opens every credential and every request. */
function opensAll(secret: string, credentials: readonly Sealed[], requests: readonly { request: string }[]) {
  const box = createSecretBox(secret)
  assert.ok(credentials.length > 0 && requests.length > 0)
  for (const row of credentials) assert.match(openCredential(box, row.id, row, []).key!, /^k\d$/)
  for (const { request } of requests) assert.match(box.open(request), /^\{"request":\d\}$/)
}

async function filled(t: TestContext) {
  const directory = room(t)
  const data = path.join(directory, 'sluice-data')
  await fillDirectory(data, 60)
  return { directory, data, secret: secretIn(data) }
}

const secretIn = (data: string) => readFileSync(path.join(data, 'secret.key'), 'utf8').trim()

function inFile(data: string, secret: string): void {
  const connection = new Connection(path.join(data, 'sluice.db'), { readOnly: true })
  try {
    opensAll(secret, connection.all<Sealed>(CREDENTIALS), connection.all<{ request: string }>(REQUESTS))
  } finally {
    connection.close()
  }
}

test('sluice secret rotate gives secret.key a new secret, which opens everything and shows itself nowhere', async (t) => {
  const { directory, data, secret } = await filled(t)
  const rotated = await run(['secret', 'rotate'], { directory })
  assert.equal(rotated.code, 0, rotated.stderr)
  assert.match(rotated.stderr, /7 credentials, 7 requests/)
  const fresh = secretIn(data)
  assert.notEqual(fresh, secret)
  inFile(data, fresh)
  assert.ok(!(rotated.stdout + rotated.stderr).includes(fresh))
  assert.equal(existsSync(path.join(data, 'secret.key.next')), false)
  const database = openDatabase(data)
  assert.equal(await openSecretKey(database, data, undefined), fresh)
  await database.close()
})

test('A start after a rotation that was interrupted finds the secret that the database is sealed with', async (t) => {
  const { data, secret } = await filled(t)
  const start = async () => {
    const database = openDatabase(data)
    const found = await openSecretKey(database, data, undefined)
    await database.close()
    return found
  }
  // Killed before the commit.
  keepNextSecret(data, 'the-new-secret-of-the-test')
  assert.equal(await start(), secret)
  assert.equal(existsSync(path.join(data, 'secret.key.next')), false)
  // Killed between the commit and the rename.
  keepNextSecret(data, 'the-new-secret-of-the-test')
  const connection = new Connection(path.join(data, 'sluice.db'))
  const check = createSecretBox('the-new-secret-of-the-test').seal(SECRET_TEXT)
  resealRows(connection, resealer(secret, 'the-new-secret-of-the-test'), check)
  connection.close()
  assert.equal(await start(), 'the-new-secret-of-the-test')
  assert.equal(secretIn(data), 'the-new-secret-of-the-test')
  inFile(data, 'the-new-secret-of-the-test')
})

test('sluice secret rotate on PostgreSQL is all or nothing where it is killed, and may be repeated', {
  skip: lacking('PostgreSQL'),
}, async (t) => {
  const { directory, data, secret } = await filled(t)
  const address = await emptyPostgres(t)
  await runMove(
    { into: 'postgres', directory: data, address, secretKey: undefined, restart: false },
    () => {},
  )
  const client = new pg.Client(address)
  await client.connect()
  const watching = new pg.Client(address)
  await watching.connect()
  const opens = async (key: string) =>
    opensAll(
      key,
      (await watching.query<Sealed>(CREDENTIALS)).rows,
      (await watching.query<{ request: string }>(REQUESTS)).rows,
    )
  const environment = { DATABASE_URL: address, SECRET_KEY: secret }
  const input = 'the-new-secret-of-the-test\n'

  // Credentials are sealed anew, and a row of the jobs makes it wait.
  await client.query('BEGIN')
  await client.query('SELECT 1 FROM jobs ORDER BY seq DESC LIMIT 1 FOR UPDATE')
  const child = launch(['secret', 'rotate'], { directory, environment })
  child.stdin!.end(input)
  const ended = once(child, 'exit')
  await until(async () => {
    const { rowCount } = await watching.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rowCount! > 0
  }, 'the rotation waits')
  child.kill('SIGKILL')
  await ended
  await client.query('ROLLBACK')
  await opens(secret)

  const wrong = await run(['secret', 'rotate'], {
    ...{ directory, input },
    environment: { DATABASE_URL: address, SECRET_KEY: 'not-the-secret' },
  })
  assert.match(wrong.stderr, /is not the secret/)
  const rotated = await run(['secret', 'rotate'], { directory, environment, input })
  assert.equal(rotated.code, 0, rotated.stderr)
  await opens('the-new-secret-of-the-test')
  const again = await run(['secret', 'rotate'], { directory, environment, input })
  assert.match(again.stderr, /already/)
  const generated = await run(['secret', 'rotate', '--generate'], {
    directory,
    environment: { DATABASE_URL: address, SECRET_KEY: 'the-new-secret-of-the-test' },
  })
  await opens(/^SECRET_KEY=(\S+)\n$/.exec(generated.stdout)![1]!)
  await Promise.all([client.end(), watching.end()])
})

test('sluice secret rotate refuses a new secret that is too short, or the same', {
  skip: lacking('PostgreSQL'),
}, async (t) => {
  const { directory, data, secret } = await filled(t)
  const environment = { SECRET_KEY: secret }
  const rotate = (input: string) => run(['secret', 'rotate'], { directory, environment, input })
  assert.equal((await rotate('short')).code, 2)
  assert.match((await rotate(secret)).stderr, /the same as the old one/)
  inFile(data, secret)
  const done = await rotate('another-secret-of-the-test')
  assert.equal(done.code, 0, done.stderr)
  inFile(data, 'another-secret-of-the-test')
})
