import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SideScores } from '../contract/search.ts'
import type { Ranking } from '../contract/retrieval.ts'
import { rankCandidates } from './fusion.ts'
import { scorePartsAmong } from './score-parts.ts'

const FOUND: SideScores[] = [
  { vectorScore: 0.9, keywordScore: 3, matched: 0.2 },
  { vectorScore: 0.5, keywordScore: 12, matched: 0.9 },
  { vectorScore: 0.7, keywordScore: null, matched: null },
  { vectorScore: null, keywordScore: 6, matched: 0.4 },
  // Equal to another one on each side.
  { vectorScore: 0.9, keywordScore: 6, matched: 0.4 },
]

const RANKINGS: Ranking[] = [
  { mode: 'hybrid', fusion: 'convex', weight: 0.4 },
  { mode: 'hybrid', fusion: 'rrf', weight: 0.4 },
  { mode: 'hybrid', fusion: 'convex', weight: 0.4, minScore: 0.6 },
  { mode: 'vector', fusion: 'convex', weight: 0.4 },
  { mode: 'keyword', fusion: 'convex', weight: 0.4 },
]

for (const ranking of RANKINGS)
  test(`scorePartsAmong() gives parts that add up to the score: ${JSON.stringify(ranking)}`, () => {
    const parts = scorePartsAmong(FOUND, ranking)
    const ranked = rankCandidates(FOUND, { ...ranking, explain: true })
    assert.ok(ranked.length > 1)
    for (const one of ranked) {
      const { score } = one
      const { vector, keyword } = parts(one)
      assert.ok(Math.abs(vector + keyword - score) < 1e-12, `${vector} + ${keyword} is not ${score}`)
    }
  })
