import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgementOf, sameJudgement } from './judgements.ts'

test('a judgement has the text of the chunk, as much of it as is kept', () => {
  const chunk = { pageContent: 'Four weeks.', metadata: { source: 'a.txt' } }
  assert.deepEqual(judgementOf(chunk, 1), { source: 'a.txt', passage: { quote: 'Four weeks.' }, grade: 1 })
  const long = judgementOf({ ...chunk, pageContent: 'x'.repeat(5000) }, 0)
  assert.deepEqual([long?.passage, long?.grade], [{ quote: 'x'.repeat(4000) }, 0])
})

test('a chunk without a source or a text cannot be judged', () => {
  assert.equal(judgementOf({ pageContent: 'x', metadata: {} }, 1), undefined)
  assert.equal(judgementOf({ pageContent: ' ', metadata: { source: 'a' } }, 1), undefined)
})

test('judgements of one passage are the same, whatever their blanks and grades', () => {
  const one = { source: 'a', passage: { quote: 'Four  weeks' }, grade: 1 }
  assert.equal(sameJudgement(one, { source: 'a', passage: { quote: 'four weeks ' }, grade: 0 }), true)
  assert.equal(sameJudgement(one, { ...one, source: 'b' }), false)
  assert.equal(sameJudgement(one, { source: 'a', grade: 1 }), false)
})
