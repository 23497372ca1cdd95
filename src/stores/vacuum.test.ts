import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { temporaryDatabase } from '../../test/support/store.ts'
import { until } from '../../test/support/until.ts'
import { builtInStores } from './built-in.ts'

test('vacuumStep() makes the file small again after a namespace was dropped, and empties a long log', async (t) => {
  const database = temporaryDatabase(t)
  const stores = builtInStores(database)
  const run = await stores.open('n').open('e')
  const chunks = Array.from({ length: 2000 }, (_, n) => ({
    source: 'a',
    hash: `h${n}`,
    metadata: '{}',
    metadataHash: 'm',
    text: `${n} `.repeat(2000),
  }))
  for (let at = 0; at < chunks.length; at += 100)
    await run.stage(chunks.slice(at, at + 100), new Float32Array(100), 1)
  await run.publish({
    stagedCount: chunks.length,
    removedChunkIds: [],
    files: [],
    updatedSources: ['a'],
    invalidatedFiles: [],
  })
  await run.sweep()
  const size = () => statSync(database.file).size
  const log = () => statSync(`${database.file}-wal`).size
  assert.ok(size() > 8 * 2 ** 20, `${size()}`)

  await stores.open('n').drop()
  // It does not wait for the thread that copies the log: what is left is done the next time.
  await until(async () => {
    await database.vacuumStep()
    return log() <= 4 * 2 ** 20
  })
  await database.close()
  assert.ok(size() < 4 * 2 ** 20, `${size()}`)
})
