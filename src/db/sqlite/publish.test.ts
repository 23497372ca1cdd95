import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOf, temporaryDatabase } from '../../../test/support/store.ts'
import type { Receipt } from '../../contract/job.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Database } from './database.ts'
import { abandonRun, openRun } from './indexes.ts'
import { publishRun } from './publish.ts'
import { openRebuild, switchIndex } from './rebuild.ts'
import { stageChunks } from './stage.ts'

const notOpen = (error: unknown) => error instanceof SluiceError && error.code === 'run_not_open'

const nothingElse = {
  removedChunkIds: [],
  files: [],
  updatedSources: ['a'],
  invalidatedFiles: [] as string[],
}
const chunk = { source: 'a', hash: 'h', metadata: '{}', metadataHash: 'm', text: 'words' }

/** A run with one staged chunk. */
async function stagedRun(t: Parameters<typeof temporaryDatabase>[0]) {
  const database = temporaryDatabase(t)
  const { run, index } = await database.write(openRun, {
    namespace: 'n',
    embedder: 'e',
    engine: 'built-in',
    now: 1,
  })
  const vectors = new Float32Array(1)
  const staged = { indexId: index.id, run, chunks: [chunk], dimensions: 1, vectors, now: 1 }
  await database.write(stageChunks, staged)
  return { database, run, indexId: index.id }
}

test('publishRun refuses an abandoned run, and changes nothing', async (t) => {
  const { database, run, indexId } = await stagedRun(t)
  await database.write(abandonRun, run)
  const before = contentOf(database)
  await assert.rejects(
    database.write(publishRun, {
      run,
      indexId,
      stagedCount: 1,
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
  const publication = { indexId, stagedCount: 1, ...nothingElse, now: 2 }
  await database.write(publishRun, { run, ...publication })
  const before = contentOf(database)
  await assert.rejects(database.write(publishRun, { run, ...publication }), notOpen)
  await assert.rejects(database.write(publishRun, { run: run + 7, ...publication }), notOpen)
  assert.equal(contentOf(database), before)
})

test('switchIndex refuses an abandoned run: readers keep the old index', async (t) => {
  const { database, run, indexId } = await stagedRun(t)
  await database.write(publishRun, { run, indexId, stagedCount: 1, ...nothingElse, now: 2 })
  const rebuild = await database.write(openRebuild, {
    namespace: 'n',
    embedder: 'other',
    engine: 'built-in',
    now: 3,
  })
  await database.write(abandonRun, rebuild!.run)
  const before = contentOf(database)
  const request = { run: rebuild!.run, indexId: rebuild!.index.id, stagedCount: 0, now: 4 }
  await assert.rejects(database.write(switchIndex, request), notOpen)
  assert.equal(contentOf(database), before)
})

/** Staged chunks of a new run; answers their ids. */
async function stageMore(database: Database, texts: string[], source = 'a') {
  const { run, index } = await database.write(openRun, {
    namespace: 'n',
    embedder: 'e',
    engine: 'built-in',
    now: 1,
  })
  const chunks = texts.map((text) => ({ ...chunk, source, hash: text, text }))
  const vectors = new Float32Array(texts.length)
  await database.write(stageChunks, { indexId: index.id, run, chunks, dimensions: 1, vectors, now: 1 })
  const rows = database.reader.all<{ id: number }>('SELECT id FROM chunks WHERE born = ? ORDER BY id', run)
  return { run, ids: rows.map(({ id }) => id) }
}

const visible = (database: Database, indexId: number) =>
  database.reader.get<{ chunks: number }>('SELECT chunks FROM indexes WHERE id = ?', indexId)!.chunks

test('publishRun does not count a chunk again that was removed before', async (t) => {
  const { database, run, indexId } = await stagedRun(t)
  await database.write(publishRun, { run, indexId, stagedCount: 1, ...nothingElse, now: 2 })
  const { id } = database.reader.get<{ id: number }>('SELECT id FROM chunks')!
  const more = await stageMore(database, ['b', 'c'])
  await database.write(publishRun, {
    run: more.run,
    indexId,
    stagedCount: 2,
    ...nothingElse,
    removedChunkIds: [id],
    now: 3,
  })
  assert.equal(visible(database, indexId), 2)
  const last = await stageMore(database, ['d'])
  const removedChunkIds = [id, more.ids[0]!]
  await database.write(publishRun, {
    run: last.run,
    indexId,
    stagedCount: 1,
    ...nothingElse,
    removedChunkIds,
    now: 4,
  })
  assert.equal(visible(database, indexId), 2)
  assert.deepEqual(
    database.reader
      .all<{ died: number | null }>('SELECT died FROM chunks ORDER BY id')
      .map(({ died }) => died),
    [more.run, last.run, null, null],
  )
})

test('publishRun keeps, forgets and dates the files and sources of its own index only', async (t) => {
  const { database, run, indexId } = await stagedRun(t)
  const files = ['a', 'b', 'c'].map((name) => ({ name, fingerprint: `f ${name}`, chunks: 1 }))
  await database.write(publishRun, { run, indexId, stagedCount: 1, ...nothingElse, files, now: 2 })
  const other = await database.write(openRun, {
    namespace: 'other',
    embedder: 'e',
    engine: 'built-in',
    now: 1,
  })
  const vectors = new Float32Array(1)
  const staged = { indexId: other.index.id, run: other.run, chunks: [chunk], dimensions: 1, vectors, now: 1 }
  await database.write(stageChunks, staged)
  const elsewhere = { run: other.run, indexId: other.index.id, stagedCount: 1 }
  await database.write(publishRun, { ...elsewhere, ...nothingElse, updatedSources: [], files, now: 2 })
  const names = (index: number) =>
    database.reader
      .all<{ name: string }>('SELECT name FROM files WHERE index_id = ? ORDER BY name', index)
      .map(({ name }) => name)

  const second = await stageMore(database, ['new'], 'z')
  const one = { ...nothingElse, files: [], invalidatedFiles: ['b'], updatedSources: ['a'] }
  await database.write(publishRun, { run: second.run, indexId, stagedCount: 1, ...one, now: 7 })
  assert.deepEqual(
    [names(indexId), names(other.index.id)],
    [
      ['a', 'c'],
      ['a', 'b', 'c'],
    ],
  )
  assert.deepEqual(
    database.reader
      .all('SELECT name, index_id, updated_at FROM sources ORDER BY index_id, name')
      .map((row) => ({ ...row })),
    [
      { name: 'a', index_id: indexId, updated_at: 7 },
      { name: 'z', index_id: indexId, updated_at: 1 },
      { name: 'a', index_id: other.index.id, updated_at: 1 },
    ],
  )

  const third = await stageMore(database, [])
  await database.write(publishRun, {
    run: third.run,
    indexId,
    stagedCount: 0,
    ...nothingElse,
    invalidatedFiles: 'all',
    now: 8,
  })
  assert.deepEqual([names(indexId), names(other.index.id)], [[], ['a', 'b', 'c']])
})

test('publishRun keeps the receipt of the job, and publishes no other run', async (t) => {
  const { database, run, indexId } = await stagedRun(t)
  const waiting = await stageMore(database, ['b'])
  const receipt = { job: 'job-1' } as unknown as Receipt
  await database.write(publishRun, { run, indexId, stagedCount: 1, ...nothingElse, receipt, now: 2 })
  assert.deepEqual(
    database.reader
      .all('SELECT seq, state, published_at, job, receipt FROM runs ORDER BY seq')
      .map((row) => ({ ...row })),
    [
      { seq: run, state: 'published', published_at: 2, job: 'job-1', receipt: '{"job":"job-1"}' },
      { seq: waiting.run, state: 'open', published_at: null, job: null, receipt: null },
    ],
  )
})
