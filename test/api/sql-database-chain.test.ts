import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import pg from 'pg'
import type { AnswererPart, BuildContext } from '../../src/contract/card.ts'
import { assemble } from '../../src/flow/assemble.ts'
import { readGraph } from '../../src/flow/graph.ts'
import { createFileParser } from '../../src/formats/pool.ts'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { node } from '../support/agent-drawing.ts'
import { callTool } from '../support/built-part.ts'
import { lend } from '../support/lend.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { mariadbServer } from '../support/mariadb.ts'
import { lacking } from '../support/needs.ts'
import { newPostgres, postgresServer } from '../support/postgres.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-sql-chain-')))
const parser = createFileParser({ readable: [folder], size: 1 })
after(async () => {
  await parser.close()
  rmSync(folder, { recursive: true, force: true })
})

const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })

const TABLES = [
  'CREATE TABLE animals (id int, name varchar(50), legs int)',
  `INSERT INTO animals VALUES (1, 'otter', 4), (2, 'heron', 2), (3, 'ibis', 2)`,
  'CREATE TABLE "order" (id int)',
]

type Database = { inputs: JsonObject; credential?: Record<string, string>; types: string }

async function sqliteOf(): Promise<Database> {
  const database = new DatabaseSync(path.join(folder, 'zoo.db'))
  for (const statement of TABLES) database.exec(statement)
  database.close()
  return { inputs: { database: 'sqlite', url: 'zoo.db' }, types: 'id INT, name varchar(50), legs INT' }
}

async function postgresOf(): Promise<Database> {
  const { port } = await postgresServer()
  const { address, drop } = await newPostgres()
  after(drop)
  const { username, password, pathname } = new URL(address)
  const client = new pg.Client(address)
  await client.connect()
  for (const statement of TABLES) await client.query(statement)
  await client.end()
  return {
    inputs: { database: 'postgres', url: `postgresql://127.0.0.1:${port}${pathname}`, credential: 'c' },
    credential: { user: decodeURIComponent(username), password: decodeURIComponent(password) || 'none' },
    types: 'id integer, name character varying, legs integer',
  }
}

async function mariadbOf(): Promise<Database> {
  const { port, run } = await mariadbServer()
  await run(
    ...TABLES.map((statement) => statement.replaceAll('"', '`')),
    "CREATE USER asker IDENTIFIED BY 'secret-of-the-test'",
    'GRANT ALL ON test.* TO asker',
  )
  return {
    inputs: { database: 'mysql', url: `mysql://asker:secret-of-the-test@127.0.0.1:${port}/test` },
    types: 'id int(11), name varchar(50), legs int(11)',
  }
}

/** The chain of a node, with a model that is never asked. */
function chainOf(inputs: JsonObject, services: Partial<BuildContext> = {}) {
  const plugged = { ...inputs, model: '{{chatOllama_0.data.instance}}' }
  const { nodes } = readGraph({
    nodes: [
      node('sqlDatabaseChain_0', plugged),
      node('chatOllama_0', { modelName: 'm', baseUrl: 'http://127.0.0.1:9' }),
    ],
  })
  const house = { parser, openStore: undefined as never, egress, folders: { allowed: [folder], never: [] } }
  const part = assemble('answerer', 'sqlDatabaseChain_0', nodes, catalog, lend({ ...house, ...services }))
  return part as AnswererPart & { type: 'toolAgent' }
}

for (const [product, skip, open] of [
  ['SQLite', false, sqliteOf],
  ['PostgreSQL', lacking('PostgreSQL'), postgresOf],
  ['MariaDB', lacking('MariaDB'), mariadbOf],
] as const) {
  const opened = skip === false ? open() : undefined
  opened?.catch(() => {})
  const toolOf = async (more: JsonObject = {}) => {
    const { inputs, credential = {} } = await opened!
    const part = chainOf({ ...inputs, ...more }, { credential: async () => credential })
    return (await part.tools[0]!.tools(new AbortController().signal))[0]!
  }
  const rows = async (query: string, more: JsonObject = {}) => callTool(await toolOf(more), { query })

  test(`sqlDatabaseChain tells the model the tables of ${product}, and answers its statements`, {
    skip,
  }, async () => {
    const { types } = await opened!
    const { name, description } = await toolOf()
    assert.equal(name, 'query_database')
    assert.ok(description.includes(`animals${product === 'MariaDB' ? '`' : '"'} (${types})`), description)
    const counted = await rows('SELECT legs, count(*) AS n FROM animals GROUP BY legs ORDER BY legs')
    assert.deepEqual(counted, { output: 'legs: 2\nn: 2\n\nlegs: 4\nn: 1' })
    assert.deepEqual(await rows("SELECT name FROM animals WHERE name = 'eel'"), { output: 'No rows.' })
    const few = await rows('SELECT name FROM animals ORDER BY id', { topK: 2 })
    assert.deepEqual(few, { output: 'name: otter\n\nname: heron\n\nThere are more rows than 2.' })
  })

  test(`sqlDatabaseChain changes nothing in ${product}, and the model reads why`, { skip }, async () => {
    for (const statement of ['DELETE FROM animals', 'DROP TABLE animals', 'SELECT nothing FROM animals']) {
      const { output, failed } = await rows(statement)
      assert.equal(failed, true, statement)
      assert.match(output, /^The call did not succeed: /)
      assert.doesNotMatch(output, /secret-of-the-test/)
    }
    assert.match((await rows('SELECT count(*) AS n FROM animals')).output, /n: 3/)
  })

  test(`sqlDatabaseChain tells only of the tables of ${product} that it may, with their first rows`, {
    skip,
  }, async () => {
    const shown = (await toolOf({ includesTables: 'animals', sampleRowsInTableInfo: 1 })).description
    assert.match(shown, /\n {2}id: 1, name: otter, legs: 4$/)
    assert.doesNotMatch(shown, /order/)
    assert.doesNotMatch((await toolOf({ ignoreTables: '["order"]' })).description, /order/)
    assert.match((await toolOf({ includesTables: 'none' })).description, /It has no tables\.$/)
  })
}

test('sqlDatabaseChain fills its prompt, and refuses an address that is none of its database', async () => {
  const given = { database: 'sqlite', url: 'zoo.db', topK: 3 }
  const { systemMessage } = chainOf({ ...given, customPrompt: '{dialect} {top_k} {table_info} {other}' })
  assert.equal(systemMessage, 'SQLite 3 (the tables in the description of the tool query_database) {other}')
  for (const [inputs, message] of [
    [{}, /names no database/],
    [{ url: 'postgresql://db/x' }, /the path is needed/],
    [{ database: 'postgres', url: 'mysql://db/x' }, /expected postgresql:\/\/HOST/],
    [{ database: 'mysql', url: 'mysql://db' }, /expected mysql:\/\/HOST/],
  ] as [JsonObject, RegExp][])
    assert.throws(() => chainOf(inputs), { code: 'input_invalid', message })
  const outside = chainOf({ url: '../zoo.db' })
  await assert.rejects(outside.tools[0]!.tools(new AbortController().signal), { code: 'path_not_allowed' })
})
