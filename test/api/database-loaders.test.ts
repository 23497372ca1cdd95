import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { mariadbServer } from '../support/mariadb.ts'
import { lacking } from '../support/needs.ts'
import { makePlatform } from '../support/platform.ts'
import { newPostgres, postgresServer } from '../support/postgres.ts'
import pg from 'pg'
import { cuttingProxy } from '../support/cutting-proxy.ts'

const platform = await makePlatform()

type Server = {
  kind: 'postgresql' | 'mysql'
  credential: object
  port: number
  database: string
  run(...statements: string[]): Promise<unknown>
  /** A query that takes longer than a second, and one whose only row has a hundred megabytes. */
  slow: string
  large: string
  /** Statements that would write. */
  writes: string[]
}

const TABLE = [
  'CREATE TABLE animals (id int, name varchar(50), habit text, legs int, born date, big bigint)',
  `INSERT INTO animals VALUES (1, 'otter', 'swims', 4, '2020-02-29', 9007199254740993), (2, 'heron', NULL, 2, '2021-01-01', 5)`,
  'CREATE TABLE numbers (n int, filler varchar(200))',
]

async function postgresOf(): Promise<Server> {
  const { port } = await postgresServer()
  const { address, drop } = await newPostgres()
  after(drop)
  const url = new URL(address)
  const run = async (...statements: string[]) => {
    const client = new pg.Client(address)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  await run(...TABLE, `INSERT INTO numbers SELECT n, repeat('x', 200) FROM generate_series(1, 5000) AS n`)
  return {
    kind: 'postgresql',
    credential: { user: url.username, password: url.password || 'none' },
    port,
    database: url.pathname.slice(1),
    run,
    slow: 'SELECT n, pg_sleep(0.1) AS p FROM numbers',
    large: `SELECT 1 AS n, 'small' AS t UNION ALL SELECT 2, repeat('x', 100000000)`,
    writes: [
      `WITH gone AS (DELETE FROM animals RETURNING name) SELECT name FROM gone`,
      'SELECT name FROM animals; DELETE FROM animals',
      `SELECT setval('counter', 7)`,
    ],
  }
}

async function mariadbOf(): Promise<Server> {
  const { port, run } = await mariadbServer()
  await run(
    ...TABLE,
    'INSERT INTO numbers SELECT seq, REPEAT("x", 200) FROM seq_1_to_5000',
    "CREATE USER reader IDENTIFIED BY 'secret-of-the-test'",
    'GRANT ALL ON test.* TO reader',
    'GRANT FILE ON *.* TO reader',
    'CREATE FUNCTION erase() RETURNS int MODIFIES SQL DATA BEGIN DELETE FROM animals; RETURN 1; END',
  )
  return {
    kind: 'mysql',
    credential: { user: 'reader', password: 'secret-of-the-test' },
    port,
    database: 'test',
    run,
    slow: 'SELECT n, SLEEP(0.5) AS p FROM numbers ORDER BY p',
    large: `SELECT 1 AS n, 'small' AS t UNION ALL SELECT 2, REPEAT('x', 100000000)`,
    writes: [
      'SELECT erase() AS name',
      'SELECT name FROM animals; DELETE FROM animals',
      `SELECT name FROM animals INTO/**/OUTFILE '/tmp/sluice-of-a-test'`,
    ],
  }
}

const SERVERS = [
  ['PostgreSQL', lacking('PostgreSQL'), postgresOf],
  ['MariaDB', lacking('MariaDB'), mariadbOf],
] as const

type Outcome = {
  numAdded: number
  code?: string
  message?: string
  addedDocs?: { pageContent: string; metadata: Record<string, unknown> }[]
  files?: { status: string; error?: { code: string; message: string } }[]
}

for (const [product, skip, open] of SERVERS) {
  const started = skip === false ? open() : undefined
  started?.catch(() => {})
  let credential: Promise<string> | undefined

  const load = async (inputs: object, more: object = {}) => {
    const server = await started!
    const kind = server.kind === 'postgresql' ? 'PostgresApi' : 'MySQLApi'
    credential ??= platform
      .manage<{ id: string }>('POST', '/api/v1/credentials', {
        name: product,
        credentialName: kind,
        plainDataObj: server.credential,
      })
      .then(({ body, text }) => body.id ?? assert.fail(text))
    const loader = {
      databaseType: server.kind,
      host: '127.0.0.1',
      port: server.port,
      database: server.database,
      credential: await credential,
      ...inputs,
    }
    const flow = await platform.flow({ loaders: { sqlDatabase: loader }, ...more })
    return platform.call<Outcome>('POST', `/api/v1/vector/upsert/${flow}`, { body: {} })
  }
  const stored = (answer: Awaited<ReturnType<typeof load>>) => answer.body.numAdded ?? 0

  test(`sqlDatabase loads the rows of ${product}, one a document, with columns as text and as metadata`, {
    skip,
  }, async () => {
    const { database } = await started!
    const { status, body, text } = await load({
      query: 'SELECT * FROM animals ORDER BY id',
      contentColumns: 'name, habit',
      metadataColumns: 'legs, born, big',
    })
    assert.equal(status, 200, text)
    const source = `127.0.0.1/${database}/animals`
    assert.deepEqual(
      body.addedDocs?.map(({ pageContent, metadata: { loc: _, ...metadata } }) => ({
        pageContent,
        metadata,
      })),
      [
        {
          pageContent: 'name: otter\nhabit: swims',
          metadata: { source, legs: 4, born: '2020-02-29', big: '9007199254740993' },
        },
        { pageContent: 'name: heron', metadata: { source, legs: 2, born: '2021-01-01', big: 5 } },
      ],
    )
  })

  test(`sqlDatabase reads 5,000 rows of ${product} by parts`, { skip }, async () => {
    const answer = await load({ query: 'SELECT n FROM numbers', contentColumns: 'n' })
    assert.deepEqual([answer.status, stored(answer)], [200, 5000], answer.text.slice(0, 300))
  })

  for (const [what, inputs, expected] of [
    ['a statement that is no SELECT', { query: 'DELETE FROM animals' }, /the query is not a SELECT/],
    [
      'a column that is not there',
      { query: 'SELECT name FROM animals', metadataColumns: 'wings' },
      /no column wings/,
    ],
    ['a table that is not there', { query: 'SELECT name FROM plants' }, /the server says: .*plants/],
    ['a host that EGRESS_ALLOW does not list', { host: '10.1.2.3', query: 'SELECT 1' }, /10\.1\.2\.3/],
  ] as const)
    test(`sqlDatabase over ${product} refuses ${what}, and stores nothing`, { skip }, async () => {
      const answer = await load(inputs)
      assert.notEqual(answer.status, 200)
      assert.match(answer.text, expected)
      assert.equal(stored(answer), 0)
    })

  test(`sqlDatabase over ${product} writes nothing, whatever the query is`, { skip }, async () => {
    const { writes, kind, run } = await started!
    if (kind === 'postgresql') await run('CREATE SEQUENCE counter')
    for (const query of writes) {
      const answer = await load({ query })
      assert.equal(answer.status, 422, `${query}: ${answer.text}`)
      assert.match(answer.text, /the server says|OUTFILE/)
    }
    assert.equal(stored(await load({ query: 'SELECT name FROM animals' })), 2)
  })

  test(`sqlDatabase over ${product} ends a query that takes longer than its time-out`, { skip }, async () => {
    const answer = await load({ query: (await started!).slow, contentColumns: 'n', timeout: 1 })
    assert.equal(answer.status, 422, answer.text)
    assert.match(answer.text, /took more than 1 seconds/)
    assert.equal(stored(answer), 0)
  })

  test(`sqlDatabase over ${product} refuses a row of a hundred megabytes by its size`, { skip }, async () => {
    const answer = await load({ query: (await started!).large })
    assert.equal(answer.status, 422, answer.text.slice(0, 300))
    assert.match(answer.text, /a row is larger than 32 MB/)
    assert.equal(stored(answer), 0)
  })

  test(`sqlDatabase over ${product} says that the connection went away in the middle, and stores nothing`, {
    skip,
  }, async (t) => {
    const proxy = await cuttingProxy((await started!).port, 100_000)
    t.after(() => proxy.close())
    const answer = await load({ port: proxy.port, query: 'SELECT n, filler FROM numbers' })
    assert.equal(answer.status, 502, answer.text)
    assert.match(answer.text, /the connection was cut/)
    assert.equal(stored(answer), 0)
    const again = await load({ query: 'SELECT n FROM numbers WHERE n < 3' })
    assert.equal(stored(again), 2)
  })
}
