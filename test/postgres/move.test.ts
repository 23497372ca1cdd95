import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { runMove } from '../../src/db/move/run-move.ts'
import { hashRows } from '../../src/db/move/moved-rows.ts'
import { MOVED_TABLES, NOT_MOVED, typesOf } from '../../src/db/move/moved-tables.ts'
import { sqliteRows } from '../../src/db/move/sqlite-rows.ts'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { credentialStore } from '../../src/db/repositories/credentials.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { verifyDirectory } from '../../src/db/sqlite/verify.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { replicaStores } from '../../src/stores/replica-stores.ts'
import { temporaryDirectory } from '../support/command-line.ts'
import { fillDirectory, textOf } from '../support/full-database.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { emptyPostgres, openedPostgres, preparedPostgres } from '../support/postgres.ts'
import { launch, run } from '../support/program.ts'
import { until } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const CHUNKS = 2600

/** A data directory with rows in all tables. It is made once. */
let filled: Promise<string> | undefined
async function fullDirectory(t: TestContext): Promise<string> {
  filled ??= (async () => {
    const template = path.join(temporaryDirectory({ after() {} } as unknown as TestContext), 'data')
    await fillDirectory(template, CHUNKS)
    process.once('exit', () => rmSync(path.dirname(template), { recursive: true, force: true }))
    return template
  })()
  const directory = path.join(temporaryDirectory(t), 'data')
  cpSync(await filled, directory, { recursive: true })
  return directory
}

const quiet = () => {}

/** The hashes of all tables in a data directory. */
async function hashesOf(directory: string) {
  const connection = new Connection(path.join(directory, 'sluice.db'), { readOnly: true })
  try {
    const hashes: Record<string, unknown> = {}
    for (const table of MOVED_TABLES) hashes[table.name] = await hashRows(sqliteRows(connection), table)
    return hashes
  } finally {
    connection.close()
  }
}

const request = (into: 'postgres' | 'directory', directory: string, address: string) => ({
  into,
  directory,
  address,
  secretKey: undefined,
  restart: false,
})

/** The hits of some queries, with their scores. `words`: also by keyword. */
async function searched(stores: ReturnType<typeof builtInStores>, { words }: { words: boolean }) {
  const found = []
  for (const n of [1, 77, 1203]) {
    const text = textOf(n)
    const candidates = await stores.open('harbour').search({
      ...{ embedder: 'e', vector: hashVector(text), metric: 'cosine', limit: 20 },
      ...(words ? { text } : {}),
    })
    found.push(
      candidates
        .map(({ pageContent, metadata, vectorScore, keywordScore }) =>
          JSON.stringify([pageContent, metadata, vectorScore, keywordScore]),
        )
        .sort(),
    )
  }
  return found
}

test('A move to PostgreSQL and back brings every row, and searches find the same with the same scores', async (t) => {
  const directory = await fullDirectory(t)
  const address = await emptyPostgres(t)
  const before = await hashesOf(directory)
  const here = openDatabase(directory)
  const local = builtInStores(here)
  const expected = await searched(local, { words: true })
  const nearest = await searched(local, { words: false })
  await local.close()
  await here.close()

  const report = await runMove(request('postgres', directory, address), quiet)
  assert.deepEqual(
    Object.fromEntries(report.tables.map(({ table, rows, sha256 }) => [table, { rows, hash: sha256 }])),
    before,
  )
  assert.ok(report.tables.every(({ rows }) => rows > 0))
  assert.equal(report.secret, 'secret.key')
  const secret = readFileSync(path.join(directory, 'secret.key'), 'utf8').trim()
  assert.equal(report.secretText, secret)

  const database = await openPostgres(address, { program: 'test' })
  const credentials = credentialStore(database.sql, createSecretBox(secret))
  const [first] = await credentials.list()
  assert.match((await credentials.open(first!.id)).key!, /^k\d$/)
  const folder = path.join(temporaryDirectory(t), 'replica')
  const stores = replicaStores(database, folder)
  // A removed document that can be restored counts in the scores of words only in the embedded database.
  assert.ok(isDeepStrictEqual(await searched(stores, { words: false }), nearest))
  // New rows get numbers that no moved row has.
  await stores.open('harbour').restore(['folder/3 é.md'], 6)
  const run = await stores.open('new').open('e')
  await run.stage(
    [{ source: 's', hash: 'x', text: 'x', metadata: '{}', metadataHash: 'm' }],
    new Float32Array(8),
    8,
  )
  await run.publish({
    stagedCount: 1,
    removedChunkIds: [],
    files: [],
    updatedSources: ['s'],
    invalidatedFiles: [],
  })
  await stores.open('new').drop()
  await stores.open('harbour').remove({ source: 'folder/3 é.md', restorableUntil: 4e12 })
  await stores.close()

  const back = path.join(temporaryDirectory(t), 'back')
  await database.close()
  await runMove(request('directory', back, address), quiet)
  assert.equal(existsSync(path.join(back, 'moving')), false)
  assert.equal(statSync(path.join(back, 'sluice.db')).mode & 0o777, 0o600)
  const findings = (await verifyDirectory(back)).flatMap((check) => check.findings)
  assert.deepEqual(
    findings.filter((finding) => !/and a job needs it/.test(finding)),
    [],
  )
  const there = openDatabase(back)
  const returned = builtInStores(there)
  assert.ok(isDeepStrictEqual(await searched(returned, { words: false }), nearest))
  assert.ok(isDeepStrictEqual(await searched(returned, { words: true }), expected))
  await returned.close()
  await there.close()
})

/** Where a move is stopped: what it waits for, and the table that has rows of an unfinished batch then. */
const STOPS: readonly { title: string; block: string }[] = [
  { title: 'before the first row of a table', block: 'LOCK TABLE flows IN ACCESS EXCLUSIVE MODE' },
  { title: 'between two tables', block: 'LOCK TABLE vectors IN ACCESS EXCLUSIVE MODE' },
  { title: 'in the middle of a batch', block: 'SELECT pg_advisory_xact_lock(42)' },
]

/** Lets a row of the second batch of a table wait for a lock. */
const WAITING_ROW = `
  CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.id > (SELECT min(id) + 1500 FROM passages) THEN PERFORM pg_advisory_xact_lock(42); END IF;
      RETURN NEW;
    END $$;
  CREATE TRIGGER wait_for_test BEFORE INSERT ON passages FOR EACH ROW EXECUTE FUNCTION wait_for_test()`

test('A move that is killed goes on where it ended: nothing comes twice and nothing is lost', async (t) => {
  const directory = await fullDirectory(t)
  const before = await hashesOf(directory)
  const address = await preparedPostgres(t)
  const database = await openPostgres(address, { program: 'test' })
  await database.transaction((sql) => sql.run(WAITING_ROW))
  const argv = ['move', '--to', address, '--data-dir', directory]
  for (const { title, block } of STOPS) await killedAt({ argv, address, title, block, cwd: directory })
  const found = await database.reader.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'move'`)
  assert.equal((JSON.parse(found!.value) as { table: string }).table, 'passages')
  const refused = await run(['start', '--port', '0'], {
    directory: temporaryDirectory(t),
    environment: { DATABASE_URL: address, SECRET_KEY: 'the-secret-of-the-test' },
  })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /was interrupted/)
  await database.close()
  const done = await run([...argv, '--json'], { directory })
  assert.equal(done.code, 0, done.stderr)
  const { tables } = JSON.parse(done.stdout) as { tables: { table: string; rows: number; sha256: string }[] }
  assert.deepEqual(
    Object.fromEntries(tables.map(({ table, rows, sha256 }) => [table, { rows, hash: sha256 }])),
    before,
  )
  const again = await run(argv, { directory })
  assert.match(again.stderr, /moved into .* already/)
})

test('A move into a directory that is killed goes on where it ended, and leaves no database before its end', async (t) => {
  const directory = await fullDirectory(t)
  const address = await emptyPostgres(t)
  await runMove(request('postgres', directory, address), quiet)
  const before = await hashesOf(directory)
  const back = path.join(temporaryDirectory(t), 'back')
  const argv = ['move', '--from', address, '--to', back]
  for (const block of ['flows', 'vectors', 'chunks'])
    await killedAt({
      ...{ argv, address, title: `at ${block}`, cwd: directory },
      block: `LOCK TABLE ${block} IN ACCESS EXCLUSIVE MODE`,
    })
  assert.equal(existsSync(path.join(back, 'sluice.db')), false)
  const refused = await run(['start', '--data-dir', back], { directory })
  assert.match(refused.stderr, /A move into .* was interrupted/)
  const done = await run(argv, { directory })
  assert.equal(done.code, 0, done.stderr)
  assert.deepEqual(await hashesOf(back), before)
})

/** Starts a command, which waits behind a lock, and kills it there. */
async function killedAt({
  argv,
  address,
  title,
  block,
  cwd,
}: Record<'address' | 'title' | 'block' | 'cwd', string> & { argv: string[] }): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  await client.query('BEGIN')
  await client.query(block)
  const watching = new pg.Client(address)
  await watching.connect()
  const child = launch(argv, { directory: cwd })
  const ended = once(child, 'exit')
  let text = ''
  child.stderr!.on('data', (piece) => (text += piece))
  await until(async () => {
    assert.equal(child.exitCode, null, `${title}: ${text}`)
    const { rowCount } = await watching.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rowCount! > 0
  }, `the move waits ${title}`)
  child.kill('SIGKILL')
  const [, signal] = await ended
  assert.equal(signal, 'SIGKILL')
  await client.query('ROLLBACK')
  await Promise.all([client.end(), watching.end()])
}

test('A move refuses a directory with a server, a database with servers, and a target with rows', async (t) => {
  const directory = await fullDirectory(t)
  const address = await preparedPostgres(t)
  const move = () => runMove(request('postgres', directory, address), quiet)
  const server = await openPostgres(address)
  await server.reader.get('SELECT 1')
  await assert.rejects(move(), { code: 'database_in_use' })
  await server.writer.run(`INSERT INTO variables VALUES ('a', 'a', 'static', '', 1, 1)`)
  await server.close()
  // The connection by which a node says that it is alive.
  const node = await openPostgres(address, { program: 'sluice host:1' })
  await node.reader.get('SELECT 1')
  await assert.rejects(move(), { code: 'database_in_use' })
  await node.close()
  await assert.rejects(move(), { code: 'move_target_used', message: /rows in variables/ })
  await assert.rejects(runMove({ ...request('postgres', directory, address), restart: true }, quiet), {
    code: 'move_target_used',
  })
  await assert.rejects(runMove(request('directory', directory, address), quiet), { code: 'move_target_used' })
})

test('A move notices a source that has changed since it began, and --restart begins anew', async (t) => {
  const directory = await fullDirectory(t)
  const address = await preparedPostgres(t)
  const changed = { once: false }
  const source = new Connection(path.join(directory, 'sluice.db'))
  t.after(() => source.close())
  const change = ({ table }: { table: string }) => {
    if (table !== 'chunks' || changed.once) return
    changed.once = true
    source.run(`UPDATE flows SET name = 'another'`)
  }
  await assert.rejects(runMove(request('postgres', directory, address), change), {
    code: 'move_differs',
    message: /differ in flows .* with other contents/,
  })
  await assert.rejects(runMove(request('postgres', directory, address), quiet), { code: 'move_differs' })
  const again = await runMove({ ...request('postgres', directory, address), restart: true }, quiet)
  assert.equal(again.tables.length, MOVED_TABLES.length)
})

test('MOVED_TABLES has every column of both databases, or says that it is not moved', async (t) => {
  const directory = await fullDirectory(t)
  const connection = new Connection(path.join(directory, 'sluice.db'), { readOnly: true })
  t.after(() => connection.close())
  const database = await openedPostgres(t, await preparedPostgres(t))
  const columns = {
    sqlite: connection.all<{ name: string; column: string }>(
      `SELECT sqlite_schema.name, info.name AS "column" FROM sqlite_schema, pragma_table_info(sqlite_schema.name) AS info
       WHERE sqlite_schema.type = 'table' AND sqlite_schema.name NOT LIKE 'sqlite%'`,
    ),
    postgres: await database.reader.all<{ name: string; column: string }>(
      `SELECT table_name AS name, column_name AS "column" FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name NOT IN (SELECT inhrelid::regclass::text FROM pg_inherits)`,
    ),
  }
  const moved = new Set(
    MOVED_TABLES.flatMap((table) => typesOf(table).map(([column]) => `${table.name}.${column}`)),
  )
  for (const kind of ['sqlite', 'postgres'] as const) {
    const left: readonly string[] = NOT_MOVED[kind]
    const unknown = columns[kind]
      .filter(({ name }) => !left.includes(name))
      .map(({ name, column }) => `${name}.${column}`)
      .filter((column) => !moved.has(column) && !left.includes(column))
    assert.deepEqual(unknown, [], kind)
  }
})
