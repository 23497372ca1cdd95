import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { runMove } from '../../src/db/move/run-move.ts'
import { openPostgres, type PostgresDatabase } from '../../src/db/postgres/database.ts'
import { verifyPostgres } from '../../src/db/postgres/verify.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import { temporaryDirectory } from '../support/command-line.ts'
import { fillDirectory } from '../support/full-database.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { room } from '../support/program.ts'
import { runHere } from '../support/program-here.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

/** A database with documents, and the address of it. */
async function filled(t: TestContext): Promise<{ address: string; database: PostgresDatabase }> {
  const directory = path.join(temporaryDirectory(t), 'data')
  await fillDirectory(directory, 400)
  const address = await emptyPostgres(t)
  await runMove({ into: 'postgres', directory, address, secretKey: undefined, restart: false }, () => {})
  const database = await openPostgres(address)
  t.after(() => database.close())
  return { address, database }
}

const findingsOf = async (address: string): Promise<string[]> =>
  (await verifyPostgres(address)).flatMap(({ check, findings }) =>
    findings.map((finding) => `${check}: ${finding}`),
  )

/** What is done to the database, and what must be found then. */
const DAMAGES: readonly { sql: string; finding: RegExp }[] = [
  {
    sql: `DELETE FROM chunks WHERE id = (SELECT max(id) FROM chunks WHERE born = 1 AND died IS NULL)`,
    finding: /^chunks: harbour is counted with 390 chunks and has 389$/,
  },
  {
    sql: `UPDATE sources SET chunks = 7 WHERE name = 'folder/4 é.md'`,
    finding: /^sources: 1 sources of harbour/,
  },
  {
    sql: `DELETE FROM vectors WHERE passage_id = 5`,
    finding: /^vectors: 1 passages of harbour have no vector$/,
  },
  {
    sql: `UPDATE vectors SET vector = substring(vector FROM 1 FOR 8) WHERE passage_id = 5`,
    finding: /^vectors: 1 vectors of harbour have another length/,
  },
  { sql: `UPDATE passages SET content = content || '!' WHERE id = 5`, finding: /^texts: 1 rows of passages/ },
  { sql: `UPDATE chunks SET metadata = '{"x":1}' WHERE id = 5`, finding: /^metadata: 1 rows of chunks/ },
  {
    sql: `DELETE FROM passages WHERE id = 5`,
    finding: /^references: 1 rows of chunks refer to rows of passages/,
  },
  {
    sql: `UPDATE chunks SET index_id = (SELECT id FROM indexes WHERE namespace = 'other') WHERE id = 5`,
    finding: /^runs: 1 chunks of other are of a run of another index$/,
  },
  {
    sql: `INSERT INTO runs (index_id, state, started_at) SELECT 1, 'open', 1 FROM generate_series(1, 2)`,
    finding: /^runs: harbour has 2 open runs$/,
  },
]

test('verifyPostgres() finds nothing in a sound database, and each kind of damage by its name', async (t) => {
  const { address, database } = await filled(t)
  assert.deepEqual(await findingsOf(address), [])
  const checks = await verifyPostgres(address)
  assert.ok(checks.every(({ looked }) => looked > 0))
  for (const { sql, finding } of DAMAGES) {
    // Changed back after each: what the transaction changed is stored, so a copy of the tables is kept.
    await database.transaction(async (session) => {
      for (const table of TABLES) await session.run(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`)
      await session.run(sql)
    })
    const found = await findingsOf(address)
    assert.ok(
      found.some((one) => finding.test(one)),
      `${sql}: ${found.join('; ')}`,
    )
    await database.transaction(async (session) => {
      await session.run(`DELETE FROM runs WHERE state = 'open'`)
      for (const table of TABLES) {
        await session.run(`DELETE FROM ${table}`)
        await session.run(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}`)
        await session.run(`DROP TABLE kept_${table}`)
      }
    })
    assert.deepEqual(await findingsOf(address), [], sql)
  }
})

const TABLES = ['chunks', 'vectors', 'passages', 'sources']

test('sluice verify with DATABASE_URL also checks the replica, and --repair deletes it', async (t) => {
  const { address, database } = await filled(t)
  const directory = room(t)
  const replica = path.join(directory, 'sluice-data/replica')
  const stores = replicaStores(database, replica)
  const search = { embedder: 'e', vector: hashVector('x'), metric: 'cosine', limit: 5 } as const
  assert.equal((await stores.open('harbour').search(search)).length, 5)
  await stores.close()
  const verify = (...argv: string[]) =>
    runHere(['verify', ...argv], { directory, environment: { DATABASE_URL: address, SECRET_KEY: 'x' } })
  const sound = await verify()
  assert.equal(sound.code, 0, sound.stdout + sound.stderr)
  assert.match(sound.stdout, /replica: postings/)
  // One that was fetched is beside it.
  const fetched = path.join(replica, 'indexes/1-1')
  mkdirSync(fetched, { recursive: true })
  copyFileSync(path.join(replica, 'sluice.db'), path.join(fetched, 'sluice.db'))
  const beside = new Connection(path.join(fetched, 'sluice.db'))
  beside.run(`UPDATE vectors SET checksum = 1 WHERE passage_id = 4`)
  beside.close()
  const damagedBeside = await verify()
  assert.equal(damagedBeside.code, 1)
  assert.match(damagedBeside.stdout, /replica 1-1: contents .* 1 rows of vectors differ/)
  const connection = new Connection(path.join(replica, 'sluice.db'))
  connection.run(`UPDATE vectors SET checksum = 1 WHERE passage_id = 5`)
  connection.close()
  const damaged = await verify()
  assert.equal(damaged.code, 1)
  assert.match(damaged.stdout, /replica: contents .* 1 rows of vectors differ/)
  const repaired = await verify('--repair')
  assert.equal(repaired.code, 0, repaired.stdout + repaired.stderr)
  assert.equal(existsSync(replica), false)
  // Without DATABASE_URL it is the database in the directory, which has none.
  assert.equal((await runHere(['verify', '--repair'], { directory })).code, 1)
})
