import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { lacking } from '../support/needs.ts'
import { pgVectorDatabase } from '../support/pgvector.ts'
import { administer, pgVectorServer } from '../support/postgres.ts'
import { room, run } from '../support/program.ts'
import { startHere } from '../support/program-here.ts'
import { silentProxy } from '../support/silent-proxy.ts'

const ADMIN_KEY = 'the-admin-key-of-the-test'

type Engine = { node: string; kind: string; values: JsonObject; stores: JsonObject[] }

/** A data directory with a flow for each store, whose server has ended, and the command that verifies it, also with two seconds for a call. */
async function loaded(t: TestContext, { node: storeNode, kind, values, stores }: Engine) {
  const given = { directory: room(t), environment: { ADMIN_KEY } }
  const server = await startHere(t, ['start'], given)
  const post = async (path: string, body: object | FormData): Promise<{ id: string }> => {
    const isForm = body instanceof FormData
    const headers = { authorization: `Bearer ${ADMIN_KEY}` }
    const answer = await fetch(`${server.url}/api/v1/${path}`, {
      method: 'POST',
      headers: isForm ? headers : { ...headers, 'content-type': 'application/json' },
      body: isForm ? body : JSON.stringify(body),
    })
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    return JSON.parse(text) as { id: string }
  }
  const { id: credential } = await post('credentials', {
    ...{ name: 'the engine', credentialName: kind, plainDataObj: values },
  })
  for (const [at, store] of stores.entries()) {
    const name = `Flow ${at + 1}`
    await post('chatflows', drawFlow({ name, storeNode, store: { ...store, credential } }))
    const form = new FormData()
    form.append('files', new File(['The heron stands.'], 'heron.txt'))
    await post(`vector/upsert/flow-${at + 1}`, form)
  }
  server.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  const verify = (...argv: string[]) => run(['verify', ...argv], given)
  const soon = { ...given, environment: { ADMIN_KEY, ENGINE_TIMEOUT: '2' } }
  return { verify, verifySoon: (...argv: string[]) => run(['verify', ...argv], soon) }
}

test('sluice verify ends with a sentence where OpenSearch is silent, and asks it once for all its indexes [verify:silent]', async (t) => {
  const engine = await startScriptedEngine(searchProtocol('opensearch'))
  t.after(() => engine.close())
  const proxy = await silentProxy(t, Number(new URL(engine.url).port))
  const { verify, verifySoon } = await loaded(t, {
    node: 'openSearch',
    kind: 'openSearchUrl',
    values: { openSearchUrl: proxy.address(engine.url), user: 'admin', password: 'a-password' },
    stores: [{ indexName: 'docs' }, { indexName: 'docs', namespace: 'second' }, { indexName: 'others' }],
  })
  assert.equal((await verify()).code, 0)
  proxy.freeze()
  const { code, stdout } = await verifySoon()
  assert.equal(code, 1)
  const told = stdout.split('\n').filter((line) => line.includes('cannot be compared'))
  assert.equal(told.length, 3, stdout)
  const says = (flow: string, sentence: string) =>
    assert.ok(
      told.some((line) => line.startsWith(`${flow}: opensearch `) && line.endsWith(sentence)),
      stdout,
    )
  const late = 'cannot be compared: OpenSearch did not answer in 2 seconds'
  // An index of the same engine is not asked for again; another engine may be in another place.
  says('flow-1', `${late}; it was not asked again for this index`)
  says('flow-2', `docs cosine ${late}`)
  says('flow-3', `others cosine ${late}`)
  assert.equal((await verifySoon('--repair')).code, 1)
  proxy.thaw()
  assert.equal((await verify()).code, 0)
})

test('sluice verify ends with a sentence where pgvector is silent, also while it reads the points [verify:silent]', {
  skip: lacking('PostgreSQL with pgvector'),
}, async (t) => {
  const [vectors, database] = await Promise.all([pgVectorServer(), pgVectorDatabase()])
  await administer(vectors, `CREATE ROLE verifying LOGIN SUPERUSER PASSWORD 'the-password'`)
  const proxy = await silentProxy(t, vectors.port)
  const place = { host: '127.0.0.1', port: proxy.port, database, tableName: 'docs' }
  const { verify, verifySoon } = await loaded(t, {
    node: 'postgres',
    kind: 'PostgresApi',
    values: { user: 'verifying', password: 'the-password' },
    stores: [place, { ...place, namespace: 'second' }],
  })
  assert.equal((await verify()).code, 0)
  const sentence = /flow-2: .* cannot be compared: PostgreSQL with pgvector did not answer in 2 seconds\n/
  proxy.freeze()
  const silent = await verifySoon()
  assert.equal(silent.code, 1)
  assert.match(silent.stdout, sentence)
  proxy.thaw()
  // Nobody gives back a lock that others wait for.
  const holder = new (await import('pg')).default.Client(vectors.address(database))
  holder.on('error', () => {})
  await holder.connect()
  const { rows } = await holder.query(
    `SELECT relname FROM pg_class WHERE relname LIKE 'docs\\_%' AND relkind = 'r'`,
  )
  await holder.query('BEGIN')
  for (const { relname } of rows) await holder.query(`LOCK TABLE "${relname}" IN ACCESS EXCLUSIVE MODE`)
  const held = await verifySoon('--json')
  assert.equal(held.code, 1)
  assert.match(held.stdout, /PostgreSQL with pgvector did not answer in 2 seconds/)
  await holder.end()
  assert.equal((await verify()).code, 0)
})
