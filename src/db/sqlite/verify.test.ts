import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { UNDO_NEWEST_STEP } from '../../../test/support/sqlite-schemas.ts'
import { temporaryDirectory } from '../../../test/support/command-line.ts'
import { Connection } from './connection.ts'
import { openDatabase } from './database.ts'
import { verifyDirectory } from './verify.ts'

test('verifyDirectory() leaves out checks that a database of an earlier version has no columns for', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'data')
  const database = openDatabase(directory)
  await database.close()
  const earlier = new Connection(database.file)
  earlier.exec(UNDO_NEWEST_STEP)
  earlier.close()
  const checks = await verifyDirectory(directory)
  assert.deepEqual(
    checks.flatMap(({ findings }) => findings),
    [],
  )
  const done = checks.filter(({ skipped }) => skipped === undefined).map(({ check }) => check)
  assert.deepEqual(done, ['pages', 'references', 'schema'])
  assert.ok(checks.every(({ skipped, unread }) => (skipped !== undefined) === (unread === true)))
})

test('verifyDirectory() finds fault with a schema from before the first release, which it cannot read', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'data')
  const database = openDatabase(directory)
  await database.close()
  const earlier = new Connection(database.file)
  earlier.exec('ALTER TABLE vectors DROP COLUMN checksum; PRAGMA user_version = 10')
  earlier.close()
  const checks = await verifyDirectory(directory)
  assert.match(checks.flatMap(({ findings }) => findings).join(), /^the schema is version 10,/)
})

test('verifyDirectory() refuses a database of a later version', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'data')
  const database = openDatabase(directory)
  await database.close()
  const later = new Connection(database.file)
  later.exec('PRAGMA user_version = 99')
  later.close()
  await assert.rejects(verifyDirectory(directory), { code: 'database_newer' })
})
