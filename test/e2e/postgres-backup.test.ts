import assert from 'node:assert/strict'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { emptyPostgres } from '../support/postgres.ts'
import { postgresTool } from '../support/postgres-tools.ts'
import { room, run, start } from '../support/program.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const SECRET_KEY = 'the-secret-of-the-test'
const ADMIN_KEY = 'the-management-key-of-the-test'

test('A backup of PostgreSQL in the documented order brings a member back: database, files, SECRET_KEY [server:backup]', async (t) => {
  const directory = room(t)
  const address = await emptyPostgres(t)
  const environment = { DATABASE_URL: address, SECRET_KEY, ADMIN_KEY }
  const startNode = (data: string, url = address) =>
    start(t, ['start', '--data-dir', data], { directory, environment: { ...environment, DATABASE_URL: url } })
  const sluice = (...argv: string[]) => run(argv, { directory })
  const upload = async (url: string, name: string, text: string) => {
    writeFileSync(path.join(directory, name), text)
    const { code, stderr } = await sluice('upsert', 'quickstart', name, '--url', url)
    assert.equal(code, 0, stderr)
  }
  const sources = async (url: string) => {
    const response = await fetch(`${url}/api/v1/vector/sources/quickstart`)
    const { data } = (await response.json()) as { data: { source: string }[] }
    return data.map(({ source }) => source).sort()
  }
  const found = async (url: string, question: string) => {
    const { stdout } = await sluice('query', 'quickstart', question, '--url', url, '--json')
    const { docs } = JSON.parse(stdout) as { docs: { metadata: { source: string } }[] }
    return docs.map(({ metadata }) => metadata.source).sort()
  }
  const manage = async (url: string, method: string, at: string, body?: object) => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
    return fetch(`${url}/api/v1/${at}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  }
  const original = async (url: string) =>
    (await manage(url, 'GET', 'vector/sources/quickstart/original?source=ferry.md')).text()

  const node = await startNode('node')
  assert.equal(
    (await manage(node.url, 'PATCH', 'chatflows/quickstart/settings', { set: { originals: 'on' } })).status,
    200,
  )
  const credential = {
    name: 'mine',
    credentialName: 'openAIApi',
    plainDataObj: { openAIApiKey: 'sk-of-the-test' },
  }
  assert.equal((await manage(node.url, 'POST', 'credentials', credential)).status, 200)
  await upload(node.url, 'ferry.md', 'The ferry leaves at noon.')
  assert.deepEqual(await found(node.url, 'ferry'), ['ferry.md'])

  // 1. The database, while the member runs. 2. The files. 3. SECRET_KEY is kept elsewhere.
  const dump = path.join(directory, 'monday.dump')
  postgresTool('pg_dump', ['--format=custom', '--file', dump, address])
  cpSync(path.join(directory, 'node/originals'), path.join(directory, 'saved/originals'), { recursive: true })

  // What comes later is in no backup. The replica of the member has it.
  await upload(node.url, 'tide.md', 'High water is at four.')
  await upload(node.url, 'ferry.md', 'The ferry leaves at midnight.')
  assert.deepEqual(await found(node.url, 'water'), ['ferry.md', 'tide.md'])
  node.kill('SIGTERM')
  await node.ended

  postgresTool('pg_restore', ['--clean', '--if-exists', '--no-owner', '--dbname', address, dump])
  rmSync(path.join(directory, 'node/originals'), { recursive: true })
  cpSync(path.join(directory, 'saved/originals'), path.join(directory, 'node/originals'), { recursive: true })
  const verified = await run(['verify'], { directory, environment })
  assert.equal(verified.code, 0, verified.stdout)

  const again = await startNode('node')
  assert.deepEqual(await sources(again.url), ['ferry.md'])
  assert.deepEqual(await found(again.url, 'water'), ['ferry.md'])
  assert.equal(await original(again.url), 'The ferry leaves at noon.')
  // Runs get the numbers that the lost ones had, and another member finds what they bring.
  await upload(again.url, 'mast.md', 'The mast is of pine.')
  assert.deepEqual(await found(again.url, 'pine'), ['ferry.md', 'mast.md'])
  const rotated = await run(['secret', 'rotate', '--generate'], { directory, environment })
  assert.match(rotated.stderr, /Servers at .* are using the database/)
  again.kill('SIGTERM')
  await again.ended
  const second = await startNode('second')
  assert.deepEqual(await found(second.url, 'pine'), ['ferry.md', 'mast.md'])
  second.kill('SIGTERM')
  await second.ended
  // The credential is sealed with the SECRET_KEY that was kept.
  const opened = await run(['secret', 'rotate', '--generate'], { directory, environment })
  assert.match(opened.stderr, /1 credential,/)
  assert.ok(!opened.stderr.includes('enter again'), opened.stderr)
})
