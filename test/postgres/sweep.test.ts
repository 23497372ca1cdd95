import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sweepChanges, sweepIndex, sweepRemovedIndex } from '../../src/db/postgres/sweep.ts'
import { needs } from '../support/needs.ts'
import { ledgerRows } from '../support/ledger-rows.ts'
import { until } from '../support/until.ts'

await needs('PostgreSQL')

const made = await ledgerRows()
const { database, rows } = made
after(made.close)

const sweep = (indexId: number, limit = 100) =>
  database.transaction((sql) => sweepIndex(sql, { indexId, limit }))

/** Ids of the rows of an index in each of its tables. */
async function kept(index: number) {
  const ids = async (statement: string) =>
    (await rows<{ id: number }>(`${statement} ORDER BY id`, index)).map(({ id }) => id)
  return {
    chunks: await ids('SELECT id FROM chunks WHERE index_id = $1'),
    sources: await ids('SELECT id FROM sources WHERE index_id = $1'),
    passages: await ids('SELECT id FROM passages WHERE index_id = $1'),
    vectors: await ids(
      'SELECT passage_id AS id FROM vectors JOIN passages ON passages.id = passage_id WHERE index_id = $1',
    ),
    runs: await ids('SELECT seq AS id FROM runs WHERE index_id = $1'),
  }
}

const orphanVectors = () =>
  rows('SELECT passage_id FROM vectors WHERE passage_id NOT IN (SELECT id FROM passages)')

/** An index with a source of one passage, and its chunk. */
async function smallIndex(chunk: Parameters<typeof made.chunk>[1] = {}, state = 'live') {
  const index = await made.index(state)
  const source = await made.source(index, 'a', 1)
  const passage = await made.passage(index, 'text')
  return { index, source, passage, chunk: await made.chunk({ index, source, passage }, chunk) }
}

test('sweepIndex() deletes removed chunks with the passages, vectors and sources that are left without any', async () => {
  const { index, source, passage, chunk } = await smallIndex({ point: 'seen' })
  const gone = await made.source(index, 'gone')
  const lonely = await made.passage(index, 'lonely')
  await made.chunk({ index, source: gone, passage: lonely }, { died: 1, point: 'gone' })
  await made.chunk({ index, source, passage }, { died: 1, point: 'seen' })
  await made.chunk({ index, source, passage }, { died: 1 })
  const elsewhere = await smallIndex({ died: 1, point: 'gone' })
  const before = await kept(elsewhere.index)
  assert.deepEqual(await sweep(index), { more: false, pointIds: ['gone'] })
  assert.deepEqual(await kept(index), {
    ...{ chunks: [chunk], sources: [source], passages: [passage], vectors: [passage], runs: [] },
  })
  assert.deepEqual(await kept(elsewhere.index), before)
  assert.deepEqual(await orphanVectors(), [])
  assert.deepEqual(await sweep(index), { more: false, pointIds: [] })
})

test('sweepIndex() deletes what abandoned runs staged, and then these runs', async () => {
  const { index, source, passage, chunk } = await smallIndex()
  const elsewhere = await made.index()
  const [lost, published, foreign] = [
    await made.newRun(index, 'abandoned'),
    await made.newRun(index, 'published'),
    await made.newRun(elsewhere, 'abandoned'),
  ]
  await made.chunk({ index, source, passage: await made.passage(index, 'lost') }, { born: lost })
  const shown = await made.chunk({ index, source, passage }, { born: published })
  const strange = await made.chunk({ index, source, passage }, { born: foreign })
  await sweep(index)
  const left = await kept(index)
  assert.deepEqual(left.chunks, [chunk, shown, strange])
  assert.deepEqual(left.passages, [passage])
  assert.deepEqual(left.runs, [published])
  assert.deepEqual((await kept(elsewhere)).runs, [foreign])
})

test('sweepIndex() deletes nothing while a run of the index is open', async () => {
  const { index } = await smallIndex({ died: 1, point: 'gone' })
  const elsewhere = await made.index()
  await made.newRun(elsewhere)
  const run = await made.newRun(index)
  const before = await kept(index)
  assert.deepEqual(await sweep(index), { more: false, pointIds: [] })
  assert.deepEqual(await kept(index), before)
  await made.run(`UPDATE runs SET state = 'published' WHERE seq = $1`, run)
  assert.deepEqual(await sweep(index), { more: false, pointIds: ['gone'] })
})

test('sweepIndex() waits for a run that begins at the same time, and deletes nothing then', async () => {
  const { index } = await smallIndex({ died: 1, point: 'gone' })
  const before = (await kept(index)).chunks
  let swept: Promise<unknown> | undefined
  await database.transaction(async (sql) => {
    await sql.get('SELECT 1 FROM indexes WHERE id = $1 FOR UPDATE', index)
    swept = sweep(index)
    const isWaiting = async () =>
      (
        await rows(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).length > 0
    await Promise.race([swept, until(isWaiting, 'the sweep to wait')])
    await sql.run(`INSERT INTO runs (index_id, state, started_at) VALUES ($1, 'open', 1)`, index)
  })
  assert.deepEqual(await swept, { more: false, pointIds: [] })
  assert.deepEqual((await kept(index)).chunks, before)
})

test('sweepIndex() leaves the chunks of removals that can be restored, of its own index', async () => {
  const { index, source } = await smallIndex({ died: 7 })
  const { index: other } = await smallIndex({ died: 7 })
  await made.run('UPDATE sources SET removed_run = 7 WHERE id = $1', source)
  for (const one of [index, other]) await sweep(one)
  assert.deepEqual([(await kept(index)).chunks.length, (await kept(other)).chunks.length], [1, 0])
})

test('sweepIndex() deletes so many chunks of each kind at most, and says whether there are more', async () => {
  const { index, source, passage } = await smallIndex()
  const lost = await made.newRun(index, 'abandoned')
  for (let n = 0; n < 3; n++) {
    await made.chunk({ index, source, passage }, { died: 1 })
    await made.chunk({ index, source, passage }, { born: lost })
  }
  const steps: unknown[] = []
  for (let n = 0; n < 3; n++) {
    const { more } = await sweep(index, 2)
    const { chunks, runs } = await kept(index)
    steps.push([more, chunks.length, runs.length])
  }
  assert.deepEqual(steps, [
    [true, 3, 1],
    [true, 1, 1],
    [false, 1, 0],
  ])
})

test('sweepRemovedIndex() deletes a removed index in steps, and no other', async () => {
  const live = await smallIndex()
  const before = await kept(live.index)
  const retired = async () => {
    const { index, source } = await smallIndex({}, 'retired')
    for (const text of ['one', 'two']) {
      const passage = await made.passage(index, text)
      await made.chunk({ index, source, passage })
    }
    return index
  }
  const [index, bystander] = [await retired(), await retired()]
  const step = (of: number, limit = 2) =>
    database.transaction((sql) => sweepRemovedIndex(sql, { indexId: of, limit }))
  const counts: unknown[] = []
  for (let more = true, n = 0; more && n < 9; n++) {
    more = await step(index)
    const { chunks, passages, vectors, sources } = await kept(index)
    counts.push([more, chunks.length, passages.length, vectors.length, sources.length])
  }
  assert.deepEqual(counts, [
    [true, 1, 3, 3, 1],
    [true, 0, 1, 1, 1],
    [false, 0, 0, 0, 0],
  ])
  assert.deepEqual(await rows('SELECT id FROM indexes WHERE id = $1', index), [])
  assert.equal((await kept(bystander)).chunks.length, 3)
  assert.equal(await step(bystander, 9), false)
  assert.equal(await step(bystander, 9), false)
  for (let n = 0; n < 3; n++) assert.equal(await step(live.index, 9), false)
  assert.deepEqual(await kept(live.index), before)
  assert.deepEqual(await orphanVectors(), [])
})

test('sweepChanges() keeps the changes of the last thousand published runs', async () => {
  const [index, other] = [await made.index(), await made.index()]
  for (const one of [other, index])
    await made.run(
      `WITH made AS (INSERT INTO runs (index_id, state, started_at)
         SELECT $1, CASE WHEN n = 2 THEN 'abandoned' ELSE 'published' END, n FROM generate_series(1, 1003) AS n RETURNING seq)
       INSERT INTO run_changes SELECT seq, 0, '{}', '{}', '{}', '{}' FROM made`,
      one,
    )
  const facts = async (of: number) =>
    rows<{ forgotten: number; first: number; from: number }>(
      `SELECT count(*) FILTER (WHERE run IS NULL) AS forgotten, min(seq) AS first, max(followed_from) AS from
       FROM runs JOIN indexes ON indexes.id = index_id LEFT JOIN run_changes ON run = seq WHERE index_id = $1`,
      of,
    )
  const forget = () => database.transaction((sql) => sweepChanges(sql, index))
  await forget()
  const [{ forgotten, first, from }] = (await facts(index)) as [
    { forgotten: number; first: number; from: number },
  ]
  // Of 1,002 published runs the two oldest, and what is between.
  assert.deepEqual([forgotten, from - first], [3, 2])
  assert.deepEqual([(await facts(other))[0]!.forgotten, (await facts(other))[0]!.from], [0, 0])
  // What was forgotten stays so, whatever is deleted since.
  await made.run('UPDATE indexes SET followed_from = followed_from + 5 WHERE id = $1', index)
  await forget()
  assert.equal((await facts(index))[0]!.from - first, 7)
})

test('sweepChanges() forgets nothing of an index with a thousand runs', async () => {
  const index = await made.index()
  await made.run(
    `WITH made AS (INSERT INTO runs (index_id, state, started_at)
       SELECT $1, 'published', n FROM generate_series(1, 1000) AS n RETURNING seq)
     INSERT INTO run_changes SELECT seq, 0, '{}', '{}', '{}', '{}' FROM made`,
    index,
  )
  await database.transaction((sql) => sweepChanges(sql, index))
  assert.deepEqual(
    await rows(
      'SELECT count(*) AS kept, max(followed_from) AS from FROM run_changes JOIN runs ON seq = run JOIN indexes ON indexes.id = index_id WHERE index_id = $1',
      index,
    ),
    [{ kept: 1000, from: 0 }],
  )
})
