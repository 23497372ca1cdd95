import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changesText,
  differenceText,
  measureText,
  originsText,
  rightText,
  shareText,
  uncountedText,
} from './question-text.ts'
import type { QuestionResult, QuestionRunHead } from '../../../server/questions.ts'

const result = (changes: Partial<QuestionResult>): QuestionResult => ({
  ...{ question: 'q', text: 't', place: 1, ndcg10: 1, recall10: 1, ms: 1, change: 'same' },
  ...changes,
})
const before = { revision: 3 } as QuestionRunHead

test('the origins of questions are counted in words', () => {
  assert.equal(
    originsText([{ origin: 'import' }, { origin: 'hit' }, { origin: 'hit' }]),
    'from Ask 2 · imported 1',
  )
  assert.equal(originsText([]), '')
})

test('measures have a dash where there is none, and say what they were', () => {
  assert.deepEqual(
    [shareText(0.714), shareText(null), measureText(0.5), measureText(null)],
    ['71 %', '–', '0.500', '–'],
  )
  assert.equal(differenceText(0.8, 0.75), '0.750 before, +0.050')
  assert.equal(differenceText(0.7, 0.75), '0.750 before, −0.050')
  assert.equal(differenceText(0.7, 0.7), '0.700 before, ±0.000')
  assert.equal(differenceText(null, 0.7), '')
  assert.equal(differenceText(0.7, undefined), '')
})

test('a run says what changed and what was not counted', () => {
  assert.equal(changesText({ results: [], before: null }), 'The first run')
  assert.equal(changesText({ results: [result({})], before }), 'No answer differs from the run of revision 3')
  assert.equal(
    changesText({ results: [result({ change: 'worse' }), result({ change: 'better' })], before }),
    'Against the run of revision 3: 1 worse, 1 better',
  )
  assert.equal(uncountedText({ results: [result({})] }), '')
  assert.equal(
    uncountedText({ results: [result({ uncounted: 'gone' }), result({ uncounted: 'unjudged' })] }),
    'Not counted: 1 question judged by documents that are gone, 1 question without a right answer',
  )
})

test('right documents are named once', () => {
  const right = { source: 'a.txt', grade: 1 }
  assert.equal(rightText({ judgements: [right, { ...right, grade: 2 }, { source: 'b', grade: 0 }] }), 'a.txt')
  assert.equal(rightText({ judgements: [{ source: 'b', grade: 0 }] }), 'nothing is judged right')
})
