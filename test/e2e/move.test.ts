import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { emptyPostgres } from '../support/postgres.ts'
import { room } from '../support/program.ts'
import { runHere as run, startHere as start } from '../support/program-here.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

test('sluice move brings a server to PostgreSQL and back: flows, documents, keys, and what is sealed', async (t) => {
  const directory = room(t)
  const address = await emptyPostgres(t)
  const sluice = (...argv: string[]) => run(argv, { directory })
  const first = await start(t, ['start'], { directory })
  const key = (await sluice('key', 'new', 'ops', '--scope', 'manage')).stdout.trim()
  mkdirSync(path.join(directory, 'docs'))
  writeFileSync(path.join(directory, 'docs/ferry.md'), '# Ferry\n\nThe ferry leaves at noon.')
  writeFileSync(path.join(directory, 'docs/tide.md'), '# Tide\n\nHigh water is at four in the morning.')
  assert.equal((await sluice('upsert', 'quickstart', 'docs', '--url', first.url)).code, 0)
  const query = async (url: string) =>
    (await sluice('query', 'quickstart', 'when does the ferry leave', '--url', url, '--json')).stdout
  const documents = (answer: string) => (JSON.parse(answer) as { docs: unknown }).docs
  const found = documents(await query(first.url))
  const busy = await sluice('move', '--to', address)
  assert.match(busy.stderr, /Another server is using the data directory/)
  first.kill('SIGTERM')
  await first.ended

  const moved = await sluice('move', '--to', address)
  assert.equal(moved.code, 0, moved.stderr)
  assert.match(moved.stdout, /1 flows, .*2 chunks/)
  const secret = readFileSync(path.join(directory, 'sluice-data/secret.key'), 'utf8').trim()
  assert.match(moved.stderr, /SECRET_KEY="\$\(cat '.*secret\.key'\)"/)
  assert.ok(!(moved.stdout + moved.stderr).includes(secret))

  const settings = { DATABASE_URL: address, SECRET_KEY: secret }
  const node = await start(t, ['start', '--data-dir', 'node'], { directory, environment: settings })
  assert.deepEqual(documents(await query(node.url)), found)
  const keys = await sluice('key', 'list', '--url', node.url, '--key', key)
  assert.match(keys.stdout, /ops/)
  const inUse = await sluice('move', '--from', address, '--to', 'back')
  assert.match(inUse.stderr, /Servers at 127\.0\.0\.1 are using the database/)
  node.kill('SIGTERM')
  await node.ended

  const wrong = await run(['move', '--to', 'back'], {
    directory,
    environment: { DATABASE_URL: address, SECRET_KEY: 'another' },
  })
  assert.match(wrong.stderr, /is not the secret/)
  const returned = await run(['move', '--to', 'back', '--print-secret'], { directory, environment: settings })
  assert.equal(returned.code, 0, returned.stderr)
  assert.ok(returned.stdout.endsWith(`SECRET_KEY=${secret}\n`))
  const last = await start(t, ['start', '--data-dir', 'back'], {
    directory,
    environment: { SECRET_KEY: secret },
  })
  assert.deepEqual(documents(await query(last.url)), found)
})

test('sluice move needs one directory and one PostgreSQL address', async (t) => {
  const directory = room(t)
  for (const argv of [
    [],
    ['--to', 'elsewhere'],
    ['--to', 'postgres://a@b/c', '--from', 'postgres://a@b/d'],
  ]) {
    const { code, stderr } = await run(['move', ...argv], { directory })
    assert.equal(code, 2, stderr)
  }
  const unknown = await run(['move', '--to', 'postgres://user:pw@'], { directory })
  assert.equal(unknown.code, 2)
  assert.ok(!unknown.stderr.includes('pw'), unknown.stderr)
  const missing = await run(['move', '--to', 'postgres://user:pw@host/db'], { directory })
  assert.match(missing.stderr, /There is no database in/)
})
