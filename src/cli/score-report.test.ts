import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChunkAnswer } from '../api/hit.ts'
import { paintFor } from './paint.ts'
import { scoreReport } from './score-report.ts'

const paint = paintFor({ write() {} }, {})
const HIT: ChunkAnswer = {
  pageContent: 'text',
  scores: { vector: 0.5, keyword: null },
  parts: { vector: 0.2, keyword: 0, offset: -0.05 },
  rankedScore: 0.15,
  ranks: { vector: 3, keyword: null, combined: 24, rescored: 25 },
}

test('scoreReport() prints the parts, their sum, and the places after each step [query:explain]', () => {
  assert.equal(
    scoreReport(HIT, paint),
    [
      '             score',
      'vector      0.2000  how close its meaning is; 3. of this side',
      'keyword     0.0000  words of the question, by rarity; not found by this side',
      'offset     -0.0500  below the chunks that were rescored',
      'ranked by   0.1500  24. of all, 25. after rescoring',
      '',
    ].join('\n'),
  )
})

test('scoreReport() has no row for a side that was not searched [query:explain]', () => {
  assert.match(scoreReport(HIT, paint, 'hybrid'), /^keyword +0\.0000/m)
  assert.doesNotMatch(scoreReport(HIT, paint, 'vector'), /^keyword/m)
  assert.match(scoreReport(HIT, paint, 'vector'), /^vector +0\.2000/m)
  assert.doesNotMatch(scoreReport(HIT, paint, 'keyword'), /^vector/m)
})

test('scoreReport() tells what a reranker and MMR have done, and nothing without an explanation [query:explain]', () => {
  const judged = scoreReport(
    {
      ...HIT,
      scores: { ...HIT.scores!, rerank: 0.9 },
      ranks: { ...HIT.ranks!, reranked: 2 },
      mmr: { relevance: 0.8, likeness: 0.4, closest: 'id' },
    },
    paint,
  )
  assert.match(judged, /^reranker +0\.9000 {2}2\. of what it read$/m)
  assert.match(judged, /^MMR +0\.8000 {2}of the best score; likeness to the closest chunk before it 0\.400$/m)
  assert.equal(scoreReport({ pageContent: 'text' }, paint), '')
})
