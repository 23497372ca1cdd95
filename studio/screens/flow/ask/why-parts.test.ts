import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hit } from '../../../server/ask.ts'
import { againstHit, thousandthsOf, whyRows, whySentence } from './why-parts.ts'

const hit = (more: Partial<Hit>): Hit => ({
  id: 'one',
  pageContent: 'The code word.',
  metadata: {},
  score: 0.6895,
  scores: { vector: 0.404, keyword: 14.83 },
  confidence: null,
  ...more,
})

test('shown parts add up to the shown sum, also where each is rounded [query:explain]', () => {
  assert.deepEqual(thousandthsOf([0.0004, 0.0004, 0.0004]), [1, 0, 0])
  assert.deepEqual(thousandthsOf([-0.0114, 0.0136]), [-11, 13])
  for (let round = 1; round < 200; round++) {
    const numbers = Array.from({ length: 7 }, (_, at) => Math.sin(round * 7 + at) / 3)
    const sum = thousandthsOf(numbers).reduce((all, one) => all + one, 0)
    assert.equal(sum, Math.round(numbers.reduce((all, one) => all + one, 0) * 1000) || 0)
  }
})

test('a row has what was measured, its place and its factor', () => {
  const { rows, sum } = whyRows(
    hit({ parts: { vector: 0.0889, keyword: 0.2225 }, ranks: { vector: 3, keyword: null, combined: 1 } }),
  )
  assert.equal(sum, 311)
  assert.deepEqual(
    rows.map(({ part, measured, place, thousandths }) => [part, measured, place, thousandths]),
    [
      ['Meaning', '0.404', 'place 3', 89],
      ['Words', '14.83', 'not found', 222],
    ],
  )
  assert.equal(rows[0]!.factor!.toFixed(2), '0.22')
})

test('the sentence says what is there, and no more', () => {
  const terms = [
    { word: 'code', holders: 3, texts: 412, times: 2, score: 6, share: 0.6 },
    { word: 'fire', holders: 21, texts: 412, times: 1, score: 4, share: 0.4 },
  ]
  const words = [
    { word: 'Code', holders: 3 },
    { word: 'a', holders: null },
    { word: 'fire', holders: 21 },
  ]
  const ranks = { vector: 3, keyword: 1, combined: 2, rescored: 1 }
  assert.equal(
    whySentence(hit({ terms, ranks }), words),
    'It has all 2 words of the question, the rarest “code” in 3 of 412 texts, is at place 3 by meaning and came from place 2 to 1 by rescoring.',
  )
  assert.equal(whySentence(hit({}), []), '')
})

test('two hits are compared by their parts, the largest difference first', () => {
  const one = hit({ parts: { vector: 0.2, keyword: 0.4 }, rankedScore: 0.6 })
  const other = hit({ parts: { vector: 0.25, keyword: 0.1 }, rankedScore: 0.35 })
  assert.equal(againstHit(one, other), '+0.250: words +0.300, meaning −0.050.')
  assert.equal(againstHit(one, one), '+0.000: both have the same parts.')
})
