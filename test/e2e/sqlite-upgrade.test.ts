import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { restoreDirectory } from '../../src/db/sqlite/restore.ts'
import { storedSourceName } from '../../src/documents/conversation.ts'
import { chatMessageStore } from '../../src/db/repositories/chat-messages.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { FIRST_VERSION, SCHEMA_VERSION, schemaVersion } from '../../src/db/sqlite/migrations.ts'
import { verifyDirectory } from '../../src/db/sqlite/verify.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { temporaryDirectory } from '../support/command-line.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { room, run, start } from '../support/program.ts'
import { KEPT_SCHEMAS, UNDO_NEWEST_STEP, unpackBackup, unpackDirectory } from '../support/sqlite-schemas.ts'

type Counts = Record<string, number>

function look<T>(file: string, read: (connection: Connection) => T): T {
  const connection = new Connection(file, { readOnly: true })
  try {
    return read(connection)
  } finally {
    connection.close()
  }
}

const rowCounts = (file: string): Counts =>
  look(file, (connection) =>
    Object.fromEntries(
      connection
        .all<{ name: string }>(
          `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'backup_%'`,
        )
        .map(({ name }) => [name, Number(connection.get(`SELECT count(*) AS n FROM ${name}`)!.n)]),
    ),
  )

/** Whether a directory has all rows that it had, is sound, and is searched. */
async function isWhole(directory: string, before: Counts): Promise<void> {
  const after = rowCounts(path.join(directory, 'sluice.db'))
  for (const [table, rows] of Object.entries(before)) assert.ok(after[table]! >= rows, table)
  const checks = (await verifyDirectory(directory)).filter(({ check }) => check !== 'uploads')
  assert.deepEqual(
    checks.flatMap(({ findings }) => findings),
    [],
  )
  const database = openDatabase(directory)
  const stores = builtInStores(database)
  const search = { embedder: 'e', vector: hashVector('x'), metric: 'cosine', limit: 5 } as const
  assert.equal((await stores.open('harbour').search(search)).length, 5)
  await stores.close()
  await database.close()
}

const backupsIn = (directory: string) => {
  const folder = path.join(directory, 'backups')
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : []
}

test('The schema of this version is kept: npm exec -- node test/support/keep-sqlite-schema.ts [upgrade:kept]', () => {
  assert.ok(KEPT_SCHEMAS.includes(FIRST_VERSION), KEPT_SCHEMAS.join())
  assert.ok(KEPT_SCHEMAS.includes(SCHEMA_VERSION), KEPT_SCHEMAS.join())
})

for (const schema of KEPT_SCHEMAS) {
  test(`a data directory with schema ${schema} opens with all its rows, and has a backup from before [upgrade:kept, upgrade:backup]`, async (t) => {
    const directory = path.join(temporaryDirectory(t), 'data')
    unpackDirectory(schema, directory)
    const before = rowCounts(path.join(directory, 'sluice.db'))
    await openDatabase(directory).close()
    const backups = backupsIn(directory)
    assert.equal(backups.length, schema === SCHEMA_VERSION ? 0 : 1)
    await isWhole(directory, before)
    for (const backup of backups) {
      assert.equal(look(backup, schemaVersion), schema)
      assert.deepEqual(rowCounts(backup), before)
      assert.equal(statSync(backup).mode & 0o777, 0o600)
      const restored = path.join(temporaryDirectory(t), 'restored')
      await restoreDirectory(backup, restored)
      assert.ok(existsSync(path.join(restored, 'secret.key')))
      await isWhole(restored, before)
    }
  })

  if (schema < 36)
    test(`files of conversations of schema ${schema} are for managers alone, unless it knows who sent them [chat:files:before]`, async (t) => {
      const directory = path.join(temporaryDirectory(t), 'data')
      unpackDirectory(schema, directory)
      const earlier = new Connection(path.join(directory, 'sluice.db'))
      const { id: flowId } = earlier.get<{ id: string }>('SELECT id FROM flows ORDER BY id LIMIT 1')!
      for (const chatId of ['old', 'a "chat"\\u0000\tä'])
        earlier.run(
          'INSERT INTO sources (index_id, name, updated_at) VALUES (1, ?, 1)',
          storedSourceName('rent.txt', { flowId, chatId }),
        )
      earlier.close()
      const database = openDatabase(directory)
      const messages = chatMessageStore(database.sql)
      for (const chatId of ['old', 'a "chat"\\u0000\tä'])
        await assert.rejects(messages.requireOwner({ flowId, chatId, sessionId: chatId }, 'some key'), {
          code: 'session_taken',
        })
      await messages.requireOwner({ flowId, chatId: 'new', sessionId: 'new' }, 'some key')
      await database.close()
    })

  test(`a backup with schema ${schema} is restored with all its rows [upgrade:kept]`, async (t) => {
    const room = temporaryDirectory(t)
    const [file, directory] = [path.join(room, 'kept.sluice'), path.join(room, 'data')]
    unpackBackup(schema, file)
    await restoreDirectory(file, directory)
    await isWhole(directory, rowCounts(file))
  })
}

test('without a backup nothing is changed, and --no-backup goes on [upgrade:backup]', async (t) => {
  const directory = room(t)
  const data = path.join(directory, 'data')
  const file = path.join(data, 'sluice.db')
  await openDatabase(data).close()
  const earlier = new Connection(file)
  earlier.exec(UNDO_NEWEST_STEP)
  earlier.close()
  // No folder can be made here: as on a full disk.
  writeFileSync(path.join(data, 'backups'), '')
  for (const argv of [
    ['start', '--port', '0'],
    ['key', 'list'],
  ]) {
    const refused = await run([...argv, '--data-dir', 'data'], { directory })
    assert.notEqual(refused.code, 0)
    assert.match(refused.stderr, /the backup that is made before it is changed failed/)
    assert.match(refused.stderr, /--no-backup/)
  }
  assert.equal(look(file, schemaVersion), SCHEMA_VERSION - 1)
  const server = await start(t, ['start', '--no-backup', '--data-dir', 'data'], { directory })
  assert.equal(look(file, schemaVersion), SCHEMA_VERSION)
  server.kill('SIGTERM')
  assert.equal(await server.ended, 0)
})

test('a start says where the backup is that it has made [upgrade:backup]', async (t) => {
  const directory = room(t)
  const data = path.join(directory, 'data')
  await openDatabase(data).close()
  const earlier = new Connection(path.join(data, 'sluice.db'))
  earlier.exec(UNDO_NEWEST_STEP)
  earlier.close()
  const server = await start(t, ['start', '--data-dir', 'data'], { directory })
  const said = server.log
    .map((line) => JSON.parse(line) as { event: string; file?: string })
    .filter(({ event }) => event === 'database-backed-up')
  assert.deepEqual(
    said.map(({ file }) => file),
    backupsIn(data),
  )
  assert.equal(said.length, 1)
})
