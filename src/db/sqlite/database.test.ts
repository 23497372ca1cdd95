import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { temporaryData, temporaryDatabase } from '../../../test/support/store.ts'
import { DATA_FILES } from '../../contract/data-files.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { Connection } from './connection.ts'
import { openDatabase } from './database.ts'
import { flowStore } from '../repositories/flows.ts'
import { keepSetting } from '../repositories/settings.ts'
import { stageChunks } from './run-writes.ts'
import { openRun } from '../ledger/indexes.ts'

const codeIs = (code: string) => (error: unknown) => error instanceof SluiceError && error.code === code

const flow = (id: string, slug: string): FlowRow => ({
  id,
  slug,
  name: slug,
  type: 'CHATFLOW',
  flowData: '{"nodes":[]}',
  config: { category: 'x' },
  apiKeyId: null,
  createdAt: 1,
  updatedAt: 1,
  revision: 1,
})

test('openDatabase() makes a directory that only its owner may enter, and keeps what was written in it', async (t) => {
  const { directory, open } = temporaryData(t)
  const first = open('deep/data')
  assert.equal(statSync(path.join(directory, 'deep/data')).mode & 0o777, 0o700)
  assert.equal(await first.isAlive(), true)
  await first.sql.write(keepSetting, { name: 'a', value: '1' })
  await first.close()
  assert.equal(await first.isAlive(), false)
  const second = open('deep/data')
  assert.equal(second.reader.get<{ value: string }>('SELECT value FROM settings')!.value, '1')
})

test('openDatabase() lets two have one file open: each reads what the other has written', async (t) => {
  const { open } = temporaryData(t)
  const [one, other] = [open(), open()]
  await one.sql.write(keepSetting, { name: 'a', value: '1' })
  assert.equal(await other.sql.write(keepSetting, { name: 'a', value: '2' }), '1')
  await other.sql.write(keepSetting, { name: 'b', value: '3' })
  assert.equal(one.reader.all('SELECT * FROM settings').length, 2)
})

test('openDatabase() works when several make the file at one time', async (t) => {
  const { directory } = temporaryData(t)
  const opening = `
    const { openDatabase } = await import(process.argv[2])
    await openDatabase(process.argv[3]).close()`
  const workers = Array.from({ length: 4 }, () => {
    const argv = [import.meta.resolve('./database.ts'), directory]
    return new Worker(opening, { eval: true, argv })
  })
  const codes = await Promise.all(workers.map(async (worker) => (await once(worker, 'exit'))[0]))
  assert.deepEqual(codes, [0, 0, 0, 0])
  assert.equal(existsSync(path.join(directory, DATA_FILES.backups)), false)
})

test('openDatabase() refuses a file of a newer version and leaves it as it was', async (t) => {
  const { directory } = temporaryData(t)
  await openDatabase(directory).close()
  const file = path.join(directory, 'sluice.db')
  const raw = new Connection(file)
  raw.exec('PRAGMA user_version = 99')
  assert.throws(() => openDatabase(directory), codeIs('database_newer'))
  assert.equal(raw.get('PRAGMA user_version')!.user_version, 99)
  raw.close()
})

test('openDatabase() refuses a file from before the first release and leaves it as it was', async (t) => {
  const { directory } = temporaryData(t)
  await openDatabase(directory).close()
  const raw = new Connection(path.join(directory, 'sluice.db'))
  raw.exec('PRAGMA user_version = 6')
  assert.throws(() => openDatabase(directory), codeIs('database_older'))
  assert.equal(raw.get('PRAGMA user_version')!.user_version, 6)
  raw.close()
})

test('openDatabase() names the directory or file that it cannot use', (t) => {
  const { directory: folder } = temporaryData(t)
  const file = path.join(folder, 'a-file')
  writeFileSync(file, 'x')
  assert.throws(() => openDatabase(file), codeIs('data_dir_unusable'))
  assert.throws(() => openDatabase(path.join(file, 'below')), codeIs('data_dir_unusable'))
  writeFileSync(path.join(folder, 'sluice.db'), 'this is no database, however long the text in it may be')
  assert.throws(() => openDatabase(folder), codeIs('database_unusable'))
  const taken = path.join(folder, 'taken')
  mkdirSync(path.join(taken, 'sluice.db'), { recursive: true })
  assert.throws(() => openDatabase(taken), codeIs('database_unusable'))
})

test('write() takes back all that a failed write has done, and the next one works', async (t) => {
  const database = temporaryDatabase(t)
  const { run, index } = await database.sql.write(openRun, {
    namespace: 'n',
    embedder: 'e',
    engine: 'built-in',
    now: 1,
  })
  const chunk = { source: 'a', hash: 'h', metadata: '{}', metadataHash: 'm' }
  // The second chunk brings no text, and no passage of this index has its hash.
  const chunks = [
    { ...chunk, text: 'words' },
    { ...chunk, hash: 'unheard of' },
  ]
  const request = { indexId: index.id, run, chunks, dimensions: 1, vectors: new Float32Array(1), now: 1 }
  await assert.rejects(database.write(stageChunks, request), (error: Error) => {
    assert.match(error.message, /^the write stageChunks failed: /)
    const cause = error.cause as Error
    assert.equal(cause.name, 'TypeError')
    assert.match(cause.stack!, /run-writes\.ts:\d+/)
    return true
  })
  for (const table of ['sources', 'passages', 'vectors', 'chunks'])
    assert.equal(database.reader.all(`SELECT * FROM ${table}`).length, 0, table)
  await database.write(stageChunks, { ...request, chunks: chunks.slice(0, 1), vectors: new Float32Array(1) })
  assert.equal(database.reader.all('SELECT * FROM chunks').length, 1)
})

test('write() throws the SluiceError of the writing thread with its code and facts', async (t) => {
  const database = temporaryDatabase(t)
  const flows = flowStore(database.sql)
  await flows.insert(flow('1', 'ours'))
  await assert.rejects(flows.insert(flow('2', 'ours')), (error: unknown) => {
    assert.ok(error instanceof SluiceError)
    assert.deepEqual([error.code, error.status, error.facts], ['slug_taken', 409, { slug: 'ours' }])
    assert.equal(error.message, 'Another flow already has the slug ours')
    return true
  })
})

test('write() throws stopping after close(), which waits for earlier writes', async (t) => {
  const { open } = temporaryData(t)
  const database = open()
  const writes = Array.from({ length: 20 }, (_, n) =>
    database.sql.write(keepSetting, { name: `${n}`, value: 'x' }),
  )
  await database.close()
  assert.equal((await Promise.all(writes)).length, 20)
  await assert.rejects(database.sql.write(keepSetting, { name: 'late', value: 'x' }), codeIs('stopping'))
  await database.close()
  assert.equal(open().reader.all('SELECT * FROM settings').length, 20)
})

test('write() fails every time, and never waits, once the writing thread is gone', async (t) => {
  const { directory, open } = temporaryData(t)
  const database = open('data')
  // The thread opens the file a moment later.
  rmSync(path.join(directory, 'data'), { recursive: true })
  for (const name of ['first', 'second'])
    await assert.rejects(database.sql.write(keepSetting, { name, value: 'x' }), /unable to open/)
  assert.equal(await database.isAlive(), false)
})

test('the reader cannot write', (t) => {
  const { reader } = temporaryDatabase(t)
  assert.throws(() => reader.run("INSERT INTO settings VALUES ('a', 'b')"), /readonly/)
})

test('snapshot() shows one moment, however much is written meanwhile', async (t) => {
  const database = temporaryDatabase(t)
  const writer = new Connection(database.file)
  const count = () => database.reader.all('SELECT * FROM settings').length
  const counts = database.reader.snapshot(() => {
    const before = count()
    writer.run("INSERT INTO settings VALUES ('a', 'b')")
    return [before, count()]
  })
  writer.close()
  assert.deepEqual([...counts, count()], [0, 0, 1])
})

test('close() leaves one file that holds everything, and no log beside it', async (t) => {
  const { directory, open } = temporaryData(t)
  const database = open('data')
  for (let n = 0; n < 50; n++)
    await database.sql.write(keepSetting, { name: `${n}`, value: 'x'.repeat(10_000) })
  assert.ok(statSync(`${database.file}-wal`).size > 0)
  await database.close()
  assert.deepEqual([existsSync(`${database.file}-wal`), existsSync(`${database.file}-shm`)], [false, false])
  mkdirSync(path.join(directory, 'copy'))
  copyFileSync(database.file, path.join(directory, 'copy/sluice.db'))
  assert.equal(open('copy').reader.all('SELECT * FROM settings').length, 50)
})

test('openDatabase() makes files that only their owner can read, in an open directory too', async (t) => {
  const { directory, open } = temporaryData(t)
  const folder = path.join(directory, 'open')
  mkdirSync(folder, { mode: 0o755 })
  const database = open('open')
  await database.sql.write(keepSetting, { name: 'a', value: '1' })
  for (const file of [database.file, `${database.file}-wal`])
    assert.equal(statSync(file).mode & 0o777, 0o600, file)
})
