import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyTextIndex, writePassages } from '../../../test/support/text-index.ts'
import { questionTerms } from '../../text/terms/question.ts'
import { dropSegments, SegmentCache, segmentCacheOf } from './text-cache.ts'
import { textIndex } from './text-index.ts'
import { searchText } from './text-search.ts'
import { segmentSizes } from './text-segments.ts'

test('segmentsToSearch() caches no segment that a merge or a sweep has deleted, whatever the number of upserts and removals', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  for (let upsert = 1; upsert <= 300; upsert++) {
    writePassages(connection, indexId, [[upsert, `heron number ${upsert}`]])
    if (upsert > 100) textIndex.remove(connection, indexId, [upsert - 100])
    while (textIndex.tend(connection, indexId));
    assert.ok([...searchText(connection, indexId, questionTerms('heron'))].length > 0)
    const live = segmentSizes(connection, indexId).length
    assert.ok(segmentCacheOf(connection).size <= live, `${segmentCacheOf(connection).size} of ${live}`)
  }
  dropSegments(connection, indexId)
  assert.deepEqual([segmentCacheOf(connection).size, segmentCacheOf(connection).bytes], [0, 0])
})

test('SegmentCache keeps what its limit has room for, with the objects of an entry, and the entries used last', async (t) => {
  const { connection, indexId } = await emptyTextIndex(t)
  for (let passage = 1; passage <= 300; passage++)
    writePassages(connection, indexId, [[passage, `heron ${passage}`]])
  const ids = segmentSizes(connection, indexId).map(({ id }) => id)
  assert.equal(ids.length, 300)
  const most = 100_000
  const cache = new SegmentCache(most)
  const read = (id: number) => {
    assert.ok(cache.get(connection, indexId, { id, goneCount: 0 }))
    cache.weigh([id])
    cache.shrink()
  }
  for (const id of ids) {
    read(id)
    assert.ok(cache.bytes <= most)
  }
  // Contents of a small segment take some hundred bytes, its objects more.
  assert.ok(cache.size >= 10 && cache.size <= most / 2500, `${cache.size} entries`)
  cache.keepOf(indexId, new Set(ids.slice(-3)))
  assert.equal(cache.size, 3)
})
