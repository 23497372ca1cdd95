import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOf, temporaryDatabase } from '../../test/support/store.ts'
import { SluiceError } from '../kit/errors.ts'
import { abandonRun, openRun } from './indexes.ts'
import { publishRun } from './publish.ts'
import { openRebuild, switchIndex } from './rebuild.ts'
import { stageChunks } from './stage.ts'

const notOpen = (error: unknown) => error instanceof SluiceError && error.code === 'run_not_open'

const nothingElse = { dying: [], files: [], touched: ['a'], forget: [] as string[] }
const chunk = { source: 'a', hash: 'h', metadata: '{}', metadataHash: 'm', text: 'words' }

/** A run with one staged chunk. */
async function stagedRun(t: Parameters<typeof temporaryDatabase>[0]) {
  const database = temporaryDatabase(t)
  const { run, index } = await database.write(openRun, { namespace: 'n', embedder: 'e', now: 1 })
  const vectors = new Float32Array(1)
  const staged = { indexId: index.id, run, chunks: [chunk], dimensions: 1, vectors, now: 1 }
  await database.write(stageChunks, staged)
  return { database, run, indexId: index.id }
}

test('publishRun refuses a run that was given up, and changes nothing', async (t) => {
  const { database, run, indexId } = await stagedRun(t)
  await database.write(abandonRun, run)
  const before = contentOf(database)
  await assert.rejects(
    database.write(publishRun, {
      run,
      indexId,
      born: 1,
      ...nothingElse,
      files: [{ name: 'a', fingerprint: 'f', chunks: 1 }],
      now: 2,
    }),
    notOpen,
  )
  assert.equal(contentOf(database), before)
})

test('publishRun refuses a run that was published before, and one that never was', async (t) => {
  const { database, run, indexId } = await stagedRun(t)
  const publication = { indexId, born: 1, ...nothingElse, now: 2 }
  await database.write(publishRun, { run, ...publication })
  const before = contentOf(database)
  await assert.rejects(database.write(publishRun, { run, ...publication }), notOpen)
  await assert.rejects(database.write(publishRun, { run: run + 7, ...publication }), notOpen)
  assert.equal(contentOf(database), before)
})

test('switchIndex refuses a run that was given up: readers keep the old index', async (t) => {
  const { database, run, indexId } = await stagedRun(t)
  await database.write(publishRun, { run, indexId, born: 1, ...nothingElse, now: 2 })
  const rebuild = await database.write(openRebuild, { namespace: 'n', embedder: 'other', now: 3 })
  await database.write(abandonRun, rebuild!.run)
  const before = contentOf(database)
  const request = { run: rebuild!.run, indexId: rebuild!.index.id, born: 0, now: 4 }
  await assert.rejects(database.write(switchIndex, request), notOpen)
  assert.equal(contentOf(database), before)
})
