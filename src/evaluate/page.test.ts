import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluationPage } from './page.ts'
import type { Evaluation } from './run.ts'

const side = (ndcg10: number) => ({ ndcg10, recall10: 0.9, recall100: 1, mrr10: 0.5, p50Ms: 1.5, p99Ms: 9 })
const evaluation: Evaluation = {
  collection: '<small> & "fine"',
  documents: 1200,
  chunks: 3400,
  queries: 50,
  vector: side(0.61),
  keyword: side(0.7),
  hybrid: side(0.75),
  weight: 0.5,
  bestWeight: 0.4,
  weights: Array.from({ length: 21 }, (_, step) => ({ weight: step / 20, ndcg10: step === 8 ? 0.8 : 0.7 })),
}
const page = evaluationPage('my <flow>', evaluation)

test('evaluationPage() shows the ways to search side by side, the best figures marked', () => {
  assert.match(page, /1,200 documents in 3,400 chunks, 50 queries/)
  assert.match(page, /<tr class="hybrid">.*<td class="best">0\.750<\/td>/)
  assert.match(page, /<tr class="vector"><th scope="row">Vector<\/th><td>0\.610<\/td>/)
  assert.match(page, /<td>1\.5 ms<\/td>/)
})

test('evaluationPage() draws the weights and marks the best', () => {
  const points = /<polyline class="curve" points="([^"]*)"/.exec(page)![1]!.split(' ')
  assert.equal(points.length, 21)
  const heights = points.map((point) => Number(point.split(',')[1]))
  assert.equal(heights.indexOf(Math.min(...heights)), 8)
  assert.match(page, />0\.800 at 0\.4</)
  assert.match(page, /The best weight is <strong>0\.4<\/strong>; the flow has 0\.5/)
})

test('evaluationPage() stays inside its drawing where all is equal', () => {
  const flat = { ...evaluation, vector: side(0), keyword: side(0), weights: [{ weight: 0.4, ndcg10: 0 }] }
  assert.doesNotMatch(evaluationPage('flow', flat), /NaN|Infinity/)
})

test('evaluationPage() has no links to other files, and escapes names', () => {
  assert.doesNotMatch(page, /https?:|<script|<link|url\(/)
  assert.match(page, /<h1>my &lt;flow&gt; on &lt;small&gt; &amp; &quot;fine&quot;<\/h1>/)
})
