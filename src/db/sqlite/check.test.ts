import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { isBeingRead, slowDownCheck } from '../../../test/support/slow-check.ts'
import { until } from '../../../test/support/until.ts'
import { checkDatabase, checkInProcess } from './check.ts'
import { openDatabase } from './database.ts'

/** The file of a sound database that nothing has open. */
async function made(t: TestContext): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-check-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const database = openDatabase(folder)
  await database.close()
  return database.file
}

test('checkDatabase tells a sound file from a damaged one, on a thread and in a process', async (t) => {
  const file = await made(t)
  assert.equal(await checkDatabase(file).sound, true)
  assert.equal(await checkInProcess(file).sound, true)
  truncateSync(file, statSync(file).size - 8192)
  assert.equal(await checkDatabase(file).sound, false)
  assert.equal(await checkInProcess(file).sound, false)
})

test('checkDatabase of a large file ends within a statement when it is stopped, without an answer', {
  timeout: 60_000,
}, async (t) => {
  const file = await made(t)
  slowDownCheck(file, 64 * 2 ** 20)
  const check = checkDatabase(file)
  await until(() => isBeingRead(file), 'the check')
  await check.stop()
  assert.equal(isBeingRead(file), false)
  assert.equal(await check.sound, undefined)
})
