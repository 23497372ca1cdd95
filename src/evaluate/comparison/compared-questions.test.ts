import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterOf, type ComparedQuestion, countedQuestions } from './compared-questions.ts'

const question = (id: string, ...judgements: [source: string, grade: number][]): ComparedQuestion => ({
  id,
  text: `What is ${id}?`,
  judgements: judgements.map(([source, grade]) => ({ source, grade })),
})

test('countedQuestions() leaves out what is gone, and tells questions without anything right [compare:uncounted]', () => {
  const { counted, uncounted } = countedQuestions(
    [
      question('whole', ['a', 1], ['b', 0]),
      question('half', ['a', 1], ['gone', 2]),
      question('gone', ['gone', 1]),
      question('wrong', ['a', 0]),
      question('none'),
    ],
    new Set(['a', 'b']),
  )
  assert.deepEqual(counted.map(({ id, judgements }) => [id, judgements.length]).toSorted(), [
    ['half', 1],
    ['whole', 2],
  ])
  assert.deepEqual(
    uncounted.map(({ id, reason }) => [id, reason]),
    [
      ['gone', 'gone'],
      ['wrong', 'unjudged'],
      ['none', 'unjudged'],
    ],
  )
})

test('countedQuestions() gives the same order whatever order the questions have', () => {
  const all = Array.from({ length: 20 }, (_, at) => question(`q${at}`, ['a', 1]))
  const ids = (questions: ComparedQuestion[]) =>
    countedQuestions(questions, new Set(['a'])).counted.map(({ id }) => id)
  assert.deepEqual(ids(all), ids(all.toReversed()))
  assert.notDeepEqual(
    ids(all),
    all.map(({ id }) => id),
  )
})

test('clusterOf() is the source that answers best', () => {
  assert.equal(clusterOf(question('q', ['a', 1], ['b', 3], ['c', 3])), 'b')
})
