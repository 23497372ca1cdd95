import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineCandidate, EngineRequest } from '../../contract/vector-engine.ts'
import { exactSearch } from './exact-search.ts'

const candidate = (id: string, scores: Partial<EngineCandidate>): EngineCandidate => ({
  ...{ id, vectorScore: null, keywordScore: null, matched: null },
  ...scores,
})

/** Finds what is given, and keeps what it was asked. */
function searchOf(found: EngineCandidate[]) {
  const asked: EngineRequest[] = []
  const search = async (_: string, request: EngineRequest) => {
    asked.push(request)
    return found
  }
  return { asked, search }
}

const REQUEST: EngineRequest = { vector: Float32Array.of(1, 0), metric: 'cosine', limit: 2 }

test('the nearest by rounded vectors are ordered by their exact ones, and only as many are given as asked', async () => {
  const { asked, search } = searchOf([
    candidate('far', { vectorScore: 0.9, vector: Float32Array.of(0, 1) }),
    candidate('near', { vectorScore: 0.8, vector: Float32Array.of(1, 0) }),
    candidate('middle', { vectorScore: 0.7, vector: Float32Array.of(1, 1) }),
    candidate('worded', { keywordScore: 3, vector: Float32Array.of(1, 0) }),
  ])
  const found = await exactSearch(search, 'cosine')('c', REQUEST)
  assert.deepEqual(
    found.map(({ id, vectorScore }) => [id, vectorScore === null ? null : Math.round(vectorScore * 1000)]),
    [
      ['near', 1000],
      ['middle', 707],
      ['worded', null],
    ],
  )
  assert.ok(found.every((one) => !('vector' in one)))
  assert.deepEqual([asked[0]!.limit, asked[0]!.vectors], [100, true])
})

test('a search by words alone is passed on as it is', async () => {
  const { asked, search } = searchOf([candidate('worded', { keywordScore: 3 })])
  const request: EngineRequest = { text: 'word', metric: 'cosine', limit: 2 }
  assert.equal((await exactSearch(search, 'cosine')('c', request)).length, 1)
  assert.deepEqual(asked, [request])
})
