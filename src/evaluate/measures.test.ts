import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ndcg, QualityMeter, recall, reciprocalRank } from './measures.ts'

const judged = new Map([
  ['good', 1],
  ['best', 3],
  ['bad', 0],
])
const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-12, `${actual}`)

test('ndcg() is 1 for the best order, and counts a grade as 2^grade - 1 by the logarithm of its rank', () => {
  near(ndcg(['best', 'good', 'other'], judged, 10), 1)
  const ideal = 7 + 1 / Math.log2(3)
  near(ndcg(['good', 'bad', 'best'], judged, 10), (1 + 7 / 2) / ideal)
  near(ndcg(['bad', 'other'], judged, 10), 0)
})

test('ndcg() looks no deeper than asked, nor does its ideal', () => {
  near(ndcg(['good', 'best'], judged, 1), 1 / 7)
  const many = new Map(Array.from({ length: 20 }, (_, i) => [`d${i}`, 1]))
  near(ndcg([...many.keys()], many, 10), 1)
})

test('recall() is the share of what answers; a document judged 0 is none of it', () => {
  near(recall(['bad', 'good'], judged, 10), 0.5)
  near(recall(['good', 'best'], judged, 10), 1)
  near(recall(['other', 'good', 'best'], judged, 2), 0.5)
  near(recall([], judged, 10), 0)
})

test('reciprocalRank() is that of the first document that answers, within the depth', () => {
  near(reciprocalRank(['bad', 'other', 'good', 'best'], judged, 10), 1 / 3)
  near(reciprocalRank(['other', 'good'], judged, 1), 0)
})

test('QualityMeter gives the means over its queries', () => {
  const meter = new QualityMeter()
  meter.add(['only'], new Map([['only', 1]]))
  meter.add(['other'], new Map([['only', 1]]))
  meter.add([...Array.from({ length: 10 }, (_, i) => `d${i}`), 'only'], new Map([['only', 1]]))
  assert.deepEqual(meter.mean(), { ndcg10: 1 / 3, recall10: 1 / 3, recall100: 2 / 3, mrr10: 1 / 3 })
})
