import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../../test/support/random.ts'
import { emptyTextIndex, writePassages } from '../../../test/support/text-index.ts'
import { questionTerms } from '../../text/terms/question.ts'
import { Connection } from './connection.ts'
import { textIndex } from './text-index.ts'
import { SteppedMerge } from './text-merge.ts'
import { searchText } from './text-search.ts'
import { textSegmentsOf } from './text-segments.ts'

const SEGMENTS = 5
const EACH = 60

/** A few segments of passages with some of a hundred words; returns the ids of the segments. */
function filled(connection: Connection, indexId: number): number[] {
  const random = randomBelow(9)
  for (let segment = 0; segment < SEGMENTS; segment++)
    writePassages(
      connection,
      indexId,
      Array.from({ length: EACH }, (_, at): [number, string] => [
        1 + segment * EACH + at,
        Array.from({ length: 30 }, () => `word${random(100)}`).join(' '),
      ]),
    )
  return textSegmentsOf(connection, indexId).map(({ id }) => id)
}

const found = (connection: Connection, indexId: number) =>
  [...searchText(connection, indexId, questionTerms('word1 word7 word50'))].map(({ id }) => id)

const count = (connection: Connection, table: string) =>
  connection.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n

/** Runs the steps that are left, and `between` before each. */
function finish(connection: Connection, merge: SteppedMerge, between = () => {}): number {
  let steps = 1
  while (
    connection.transaction(() => {
      between()
      assert.ok(merge.isCurrent(connection))
      return merge.step(connection, 500)
    })
  )
    steps++
  return steps
}

test('SteppedMerge shows readers the sources until its last step, and then the same passages in one segment', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  const sources = filled(connection, indexId)
  const before = found(connection, indexId)
  const merge = connection.transaction(() => new SteppedMerge(connection, indexId, sources))
  const steps = finish(connection, merge, () => {
    assert.deepEqual(found(connection, indexId), before)
    assert.equal(textSegmentsOf(connection, indexId).length, SEGMENTS)
  })
  assert.ok(steps > 5)
  assert.deepEqual(found(connection, indexId), before)
  const [segment, ...others] = textSegmentsOf(connection, indexId)
  assert.deepEqual(others, [])
  assert.ok(!sources.includes(segment!.id))
  assert.equal(count(connection, 'text_leftovers'), SEGMENTS)
  while (textIndex.tend(connection, indexId));
  assert.deepEqual([count(connection, 'text_leftovers'), count(connection, 'text_segment_bodies')], [0, 1])
  const left = connection.all('SELECT DISTINCT segment_id FROM text_pages')
  assert.deepEqual(
    left.map(({ segment_id }) => segment_id),
    [segment!.id],
  )
  assert.deepEqual(found(connection, indexId), before)
})

test('SteppedMerge carries over the passages that are removed before and while it runs', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  const sources = filled(connection, indexId)
  const removed = [1, 70, 71, 300]
  const later: number[] = []
  textIndex.remove(connection, indexId, removed)
  const merge = connection.transaction(() => new SteppedMerge(connection, indexId, sources))
  finish(connection, merge, () => {
    later.push(5 + 9 * later.length)
    textIndex.remove(connection, indexId, later.slice(-1))
  })
  const [segment] = textSegmentsOf(connection, indexId)
  assert.equal(segment!.ids.size, SEGMENTS * EACH - 4)
  assert.ok(later.length > 5 && later.at(-1)! < SEGMENTS * EACH)
  assert.equal(segment!.goneCount, later.length)
  const hits = found(connection, indexId)
  assert.ok(hits.length > 50)
  for (const one of [...removed, ...later]) assert.ok(!hits.includes(one))
})

test('SteppedMerge is not continued after a step that was rolled back, or after a change of its sources', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  const sources = filled(connection, indexId)
  const before = found(connection, indexId)
  const begin = () => connection.transaction(() => new SteppedMerge(connection, indexId, sources))
  const failed = begin()
  assert.throws(() =>
    connection.transaction(() => {
      assert.ok(failed.step(connection, 5000))
      throw new Error('the disk is full')
    }),
  )
  assert.equal(failed.isCurrent(connection), false)
  const changed = begin()
  connection.transaction(() => changed.step(connection, 500))
  connection.transaction(() => textIndex.mergeSmall(connection, indexId))
  assert.equal(changed.isCurrent(connection), true)
  connection.run('DELETE FROM text_segments WHERE id = ?', sources[2]!)
  assert.equal(changed.isCurrent(connection), false)
  connection.run('UPDATE text_segments SET index_id = index_id')
  while (textIndex.tend(connection, indexId));
  assert.equal(count(connection, 'text_leftovers'), 0)
  assert.deepEqual(
    found(connection, indexId).sort(),
    before.filter((id) => id <= 2 * EACH || id > 3 * EACH).sort(),
  )
})

test('textIndex.tend() leaves one segment of many, deletes what a broken-off merge left, and ends', async (t) => {
  const { connection, indexId, file } = await emptyTextIndex(t)
  let id = 1
  for (let segment = 0; segment < 9; segment++)
    writePassages(
      connection,
      indexId,
      Array.from({ length: 4100 }, (): [number, string] => [id, `heron number${id++ % 500}`]),
    )
  assert.ok(textIndex.tend(connection, indexId))
  assert.equal(count(connection, 'text_leftovers'), 1)
  // Another connection does not have the state of the merge, as after a crash.
  const after = new Connection(file)
  t.after(() => after.close())
  for (let steps = 0; after.transaction(() => textIndex.tend(after, indexId)); steps++) assert.ok(steps < 100)
  assert.equal(count(after, 'text_leftovers'), 0)
  const [segment, ...others] = textSegmentsOf(after, indexId)
  assert.deepEqual([segment!.ids.size, others], [9 * 4100, []])
})
