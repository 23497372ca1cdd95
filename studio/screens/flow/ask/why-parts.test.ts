import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hit } from '../../../server/ask.ts'
import { againstHit, whyRows, whySentence } from './why-parts.ts'

const hit = (more: Partial<Hit>): Hit => ({
  id: 'one',
  pageContent: 'The code word.',
  metadata: {},
  score: 0.6895,
  scores: { vector: 0.404, keyword: 14.83 },
  confidence: null,
  ...more,
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

test('a side that was not searched has no row [query:explain]', () => {
  const found = hit({ parts: { vector: 0.4, keyword: 0 }, scores: { vector: 0.4, keyword: null } })
  const named = (mode: string) => whyRows(found, mode).rows.map(({ part }) => part)
  assert.deepEqual(named('vector'), ['Meaning'])
  assert.deepEqual(named('hybrid'), ['Meaning', 'Words'])
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
  // What is shown of each hit is subtracted: .2650 − .1385 is .1265, and what is shown .265 − .139.
  const [near, far] = [0.265, 0.1385].map((vector) => hit({ parts: { vector, keyword: 0 } }))
  assert.equal(againstHit(near!, far!), '+0.126: meaning +0.126.')
})
