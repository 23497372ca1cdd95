import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { temporaryDatabase } from '../../../test/support/store.ts'
import type { Database } from './database.ts'
import { abandonRun, openRun, removeIndex } from '../ledger/indexes.ts'
import { publishRun, stageChunks, sweepIndex, sweepRemovedIndex } from './run-writes.ts'

/** Stages chunks, a passage each, and answers their ids. */
async function stage(
  database: Database,
  { namespace = 'n', source = 's', texts }: { namespace?: string; source?: string; texts: string[] },
) {
  const { run, index } = await database.sql.write(openRun, {
    namespace,
    embedder: 'e',
    engine: 'built-in',
    now: 1,
  })
  const chunks = texts.map((text) => ({ source, hash: text, text, metadata: '{}', metadataHash: 'm' }))
  await database.write(stageChunks, {
    indexId: index.id,
    run,
    chunks,
    dimensions: 1,
    vectors: new Float32Array(texts.length),
    now: 1,
  })
  const ids = database.reader.all<{ id: number }>('SELECT id FROM chunks WHERE born = ? ORDER BY id', run)
  return { run, indexId: index.id, ids: ids.map(({ id }) => id) }
}

const publish = (
  database: Database,
  {
    run,
    indexId,
    stagedCount = 0,
    removedChunkIds = [] as number[],
  }: { run: number; indexId: number; stagedCount?: number; removedChunkIds?: number[] },
) =>
  database.write(publishRun, {
    run,
    indexId,
    stagedCount,
    removedChunkIds,
    files: [],
    updatedSources: [],
    invalidatedFiles: [],
    now: 2,
  })

/** An index with published chunks, and a run that removes some of them. */
async function withDead(t: TestContext, texts: string[], dead: number) {
  const database = temporaryDatabase(t)
  const first = await stage(database, { texts })
  await publish(database, { ...first, stagedCount: texts.length })
  const second = await stage(database, { texts: [] })
  await publish(database, { ...second, removedChunkIds: first.ids.slice(0, dead) })
  return { database, indexId: first.indexId, ids: first.ids }
}

const count = (database: Database, table: string) =>
  database.reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n

/** One call of `sweepIndex`; answers whether there is more. */
const sweepOnce = async (database: Database, request: { indexId: number; limit: number }) =>
  (await database.write(sweepIndex, request)).more

/** Calls a sweep until it says that there is no more; answers how many chunks were left after each call. */
async function untilDone(database: Database, sweep: () => Promise<boolean>): Promise<number[]> {
  const left: number[] = []
  for (let calls = 0; calls < 30; calls++) {
    const more = await sweep()
    left.push(count(database, 'chunks'))
    if (!more) return left
  }
  assert.fail('the sweep has no end')
}

test('sweepIndex removes at most so many chunks a call, and says whether there is more', async (t) => {
  const { database, indexId } = await withDead(t, ['a', 'b', 'c', 'd', 'e', 'f'], 5)
  const left = await untilDone(database, () => sweepOnce(database, { indexId, limit: 2 }))
  assert.deepEqual(left.slice(0, 3), [4, 2, 1])
})

test('sweepIndex says that there may be more after a full call, also where it removed no passage', async (t) => {
  const { database, indexId, ids } = await withDead(t, ['a', 'b', 'c'], 0)
  const other = await stage(database, { source: 'other', texts: ['a', 'b', 'c'] })
  await publish(database, { ...other, stagedCount: 3 })
  const removal = await stage(database, { texts: [] })
  await publish(database, { ...removal, removedChunkIds: ids.slice(0, 2) })
  assert.equal(await sweepOnce(database, { indexId, limit: 2 }), true)
  assert.equal(count(database, 'passages'), 3)
  assert.equal(await sweepOnce(database, { indexId, limit: 2 }), false)
})

test('sweepIndex removes passages from the text index', async (t) => {
  const { database, indexId } = await withDead(t, ['a', 'b', 'c'], 2)
  assert.equal(await sweepOnce(database, { indexId, limit: 1 }), true)
  const held = () =>
    database.reader.get<{ n: number }>('SELECT sum(passages - gone_count) AS n FROM text_segments')!.n
  assert.equal(held(), 2)
  await untilDone(database, () => sweepOnce(database, { indexId, limit: 1 }))
  assert.equal(held(), 1)
})

test('sweepIndex counts dead chunks and those of abandoned runs against one limit', async (t) => {
  const { database, indexId } = await withDead(t, ['a', 'b', 'c'], 1)
  const given = await stage(database, { texts: ['d', 'e', 'f', 'g'] })
  await database.sql.write(abandonRun, given.run)
  assert.deepEqual(await database.write(sweepIndex, { indexId, limit: 3 }), { more: true, pointIds: [] })
  assert.equal(count(database, 'chunks'), 4)
  assert.equal(count(database, `runs WHERE state = 'abandoned'`), 1)
  await untilDone(database, () => sweepOnce(database, { indexId, limit: 3 }))
  assert.equal(count(database, 'chunks'), 2)
  assert.equal(count(database, `runs WHERE state = 'abandoned'`), 0)
  assert.equal(count(database, 'runs'), 2)
})

test('sweepRemovedIndex removes a removed index, so many rows a call, and leaves those that live', async (t) => {
  const { database, indexId } = await withDead(t, ['a', 'b', 'c', 'd', 'e'], 0)
  const living = await stage(database, { namespace: 'living', texts: ['x', 'y'] })
  await publish(database, { ...living, stagedCount: 2 })
  assert.equal(await database.write(sweepRemovedIndex, { indexId, limit: 2 }), false)
  assert.equal(count(database, 'chunks'), 7)
  await database.sql.write(removeIndex, 'n')
  const passages: number[] = []
  const left = await untilDone(database, async () => {
    const more = await database.write(sweepRemovedIndex, { indexId, limit: 2 })
    passages.push(count(database, 'passages'))
    return more
  })
  assert.deepEqual(left.slice(0, 3), [5, 3, 2])
  assert.deepEqual(passages.slice(0, 5), [7, 7, 5, 3, 2])
  assert.equal(left.at(-1), 2)
  for (const table of ['passages', 'vectors', 'chunks']) assert.equal(count(database, table), 2, table)
  for (const table of ['indexes', 'text_segments', 'text_pages'])
    assert.equal(count(database, table), 1, table)
})
