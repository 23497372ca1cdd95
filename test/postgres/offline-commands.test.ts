import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fillDirectory } from '../support/full-database.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { room } from '../support/program.ts'
import { runHere as run, startHere as start } from '../support/program-here.ts'
import { makeCollection } from '../support/small-collection.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

/** A folder for a server of its own. */
function within(directory: string): string {
  const folder = path.join(directory, 'server')
  mkdirSync(folder, { recursive: true })
  return folder
}

const ADMIN_KEY = 'the-admin-key-of-the-test'
const SECRET_KEY = 'a-secret-key-of-the-test-000000001'

test('sluice key and sluice sign-in work on the database of DATABASE_URL, which a server uses, and make no other', async (t) => {
  const directory = room(t)
  const environment = {
    DATABASE_URL: await emptyPostgres(t),
    SECRET_KEY,
    ADMIN_KEY: 'the-admin-key-of-the-test',
  }
  const { url } = await start(t, ['start'], { directory: within(directory), environment })
  const command = (...argv: string[]) => run(argv, { directory, environment })

  const made = await command('key', 'new', 'website', '--scope', 'query', '--flow', 'quickstart')
  assert.equal(made.code, 0, made.stderr)
  const ask = (key: string) =>
    fetch(`${url}/api/v1/vector/query/quickstart`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'herons' }),
    })
  assert.equal((await ask(made.stdout.trim())).status, 200)
  assert.match((await command('key', 'list')).stdout, /website/)
  assert.equal((await command('key', 'rm', 'website')).code, 0)
  assert.doesNotMatch((await command('key', 'list')).stdout, /website/)

  const unknown = await command('sign-in')
  assert.match(unknown.stdout, /^http:\/\/127\.0\.0\.1:3000\/#sign-in=/)
  assert.match(unknown.stderr, /No server of this machine says where it listens/)
  const link = await command('sign-in', '--data-dir', path.join(directory, 'server/sluice-data'))
  assert.equal(link.code, 0, link.stderr)
  assert.equal(link.stdout.split('/#')[0], url)
  const code = link.stdout.trim().split('#sign-in=')[1]
  const signIn = () =>
    fetch(`${url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
  assert.equal((await signIn()).status, 200)
  assert.equal((await signIn()).status, 401)
  assert.equal(existsSync(path.join(directory, 'sluice-data')), false)
})

test('sluice eval reads a flow from the database of DATABASE_URL', async (t) => {
  const directory = room(t)
  const environment = { DATABASE_URL: await emptyPostgres(t), SECRET_KEY, ADMIN_KEY }
  const { url } = await start(t, ['start'], { directory: within(directory), environment })
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
  const flows = `${url}/api/v1/chatflows`
  const { flowData } = (await (await fetch(`${flows}/quickstart`, { headers })).json()) as {
    flowData: string
  }
  const body = JSON.stringify({ name: 'Bird house', flowData })
  assert.equal((await fetch(flows, { method: 'POST', headers, body })).status, 200)
  const evaluation = await run(['eval', 'bird-house', makeCollection(directory), '--json'], {
    directory,
    environment,
  })
  assert.equal(evaluation.code, 0, evaluation.stderr)
  assert.equal((JSON.parse(evaluation.stdout) as { documents: number }).documents, 2)
  const missing = await run(['eval', 'fish-house', 'birds', '--json'], { directory, environment })
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /fish-house/)
})

test('sluice backup and sluice restore with DATABASE_URL do nothing and say what to do', async (t) => {
  const directory = room(t)
  await fillDirectory(path.join(directory, 'sluice-data'), 20)
  const environment = { DATABASE_URL: await emptyPostgres(t), SECRET_KEY }
  const backup = await run(['backup', 'all.sluice'], { directory, environment })
  assert.deepEqual([backup.code, existsSync(path.join(directory, 'all.sluice'))], [1, false])
  assert.match(backup.stderr, /nothing was copied[\s\S]*pg_dump/)
  const restore = await run(['restore', 'all.sluice'], { directory, environment })
  assert.equal(restore.code, 1)
  assert.match(restore.stderr, /nothing was restored[\s\S]*sluice move/)
})

test('sluice credential reset with DATABASE_URL lets servers start with another SECRET_KEY, and names what has to be entered again', async (t) => {
  const directory = room(t)
  const settings = { DATABASE_URL: await emptyPostgres(t), ADMIN_KEY }
  const launch = (secret: string) =>
    start(t, ['start'], { directory: within(directory), environment: { ...settings, SECRET_KEY: secret } })
  const first = await launch('the-first-secret-of-the-test-00001')
  const credentials = `${first.url}/api/v1/credentials`
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
  const body = { name: 'weather service', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'k1' } }
  const made = await fetch(credentials, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(made.status, 200, await made.text())
  first.kill('SIGTERM')
  assert.equal(await first.ended, 0)

  const environment = { ...settings, SECRET_KEY }
  const refused = await run(['start', '--port', '0'], { directory: within(directory), environment })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /SECRET_KEY is not the secret[\s\S]*credential reset/)
  const reset = () => run(['credential', 'reset', '--yes'], { directory, environment })
  const without = await run(['credential', 'reset', '--yes'], { directory, environment: settings })
  assert.equal(without.code, 2)
  assert.match(without.stderr, /SECRET_KEY.* must be set/)
  const done = await reset()
  assert.equal(done.code, 0, done.stderr)
  assert.match(done.stderr, /enter again {2}weather service/)

  const second = await launch(SECRET_KEY)
  const busy = await reset()
  assert.equal(busy.code, 1)
  assert.match(busy.stderr, /are using the database/)
  const list = await fetch(`${second.url}/api/v1/credentials`, { headers })
  assert.deepEqual(
    ((await list.json()) as { name: string }[]).map(({ name }) => name),
    ['weather service'],
  )
})
