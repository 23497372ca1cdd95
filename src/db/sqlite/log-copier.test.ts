import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Connection } from './connection.ts'
import { createLogCopier, type LogCopier } from './log-copier.ts'

/** A copy begins after so many writes. */
const WRITES = 16

/** A database in WAL mode whose own connection makes no checkpoints. */
function openLog(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-log-'))
  const file = path.join(folder, 'log.db')
  const connection = new Connection(file)
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a BLOB)')
  t.after(() => {
    connection.close()
    rmSync(folder, { recursive: true })
  })
  return { file, connection }
}

/** So many writes that a copy begins, unless one is under way. */
function writeOften(connection: Connection, copier: LogCopier): void {
  for (let write = 0; write < WRITES; write++) {
    connection.run('INSERT INTO t VALUES (zeroblob(1000))')
    copier.noteWrite()
  }
}

test('a log copier copies the log into the file after every few writes, while its thread is open', async (t) => {
  const { file, connection } = openLog(t)
  const copier = createLogCopier(file)
  t.after(copier.close)
  for (let write = 0; write < WRITES; write++) {
    assert.equal(copier.copies, 0)
    connection.run('INSERT INTO t VALUES (zeroblob(100000))')
    copier.noteWrite()
  }
  while (copier.copies === 0) await setTimeout(5)
  // PASSIVE reports what was copied before; nothing was written since, so this checkpoint has nothing to copy.
  const other = new Connection(file)
  connection.run('DELETE FROM t')
  const { log } = other.get<{ log: number }>('PRAGMA wal_checkpoint(PASSIVE)')!
  other.close()
  // The log began anew with the last write, which SQLite does only after all of it was copied.
  assert.ok(log < 20, `${log} pages`)
})

test('a log copier ends its thread when there is nothing to copy, and starts one again when it is needed', async (t) => {
  const { file, connection } = openLog(t)
  const copier = createLogCopier(file, 20)
  t.after(copier.close)
  for (const round of [1, 2]) {
    writeOften(connection, copier)
    while (copier.copies < round) await setTimeout(5)
    while (copier.isRunning) await setTimeout(5)
  }
})

test('a log copier that is closed during a copy starts no thread for the writes that waited for it', async (t) => {
  const { file, connection } = openLog(t)
  const copier = createLogCopier(file)
  t.after(copier.close)
  writeOften(connection, copier)
  // These wait for the copy that has begun.
  writeOften(connection, copier)
  await copier.close()
  assert.equal(copier.isRunning, false)
  writeOften(connection, copier)
  assert.equal(copier.isRunning, false)
  await copier.close()
})

test('a log copier whose thread failed closes without an error, and starts another one with later writes', async (t) => {
  const { file, connection } = openLog(t)
  const missing = `${file}-missing/log.db`
  const failing = createLogCopier(missing)
  for (let write = 0; write < WRITES; write++) failing.noteWrite()
  await failing.close()

  const copier = createLogCopier(missing)
  t.after(copier.close)
  for (let write = 0; write < WRITES; write++) copier.noteWrite()
  while (copier.isRunning) await setTimeout(5)
  mkdirSync(path.dirname(missing))
  connection.exec(`VACUUM INTO '${missing}'`)
  for (let write = 0; write < WRITES; write++) copier.noteWrite()
  while (copier.copies === 0) await setTimeout(5)
})
