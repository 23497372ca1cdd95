import assert from 'node:assert/strict'
import { test } from 'node:test'
import { elasticsearch, openSearch } from './search-dialects.ts'

const asked = (limit: number) => ({ vector: [1, 0], limit, filter: undefined })

test('searches by vector look for 250 neighbours at least, and for as many as are asked', () => {
  const widths = [10, 300].map((limit) => {
    const { query } = openSearch('2.19.1').knn(asked(limit)) as {
      query: { knn: Record<string, { k: number }> }
    }
    const { knn } = elasticsearch('8.15.0').knn(asked(limit)) as { knn: Record<string, number> }
    return [...Object.values(query.knn).map(({ k }) => k), knn.k, knn.num_candidates]
  })
  assert.deepEqual(widths, [
    [250, 10, 250],
    [300, 300, 600],
  ])
})
