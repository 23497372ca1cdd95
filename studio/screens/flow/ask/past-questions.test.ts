import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastQuestions, rememberQuestion, settingsOf } from './past-questions.ts'

test('rememberQuestion() keeps 30 questions of a flow, each once, the newest first', () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  const ask = (q: string) => rememberQuestion('flow', { address: { q }, hits: 1, best: 'a.txt' }, storage)
  for (let n = 0; n < 40; n++) ask(`question ${n}`)
  ask('question 20')
  const all = pastQuestions('flow', storage).map(({ address }) => address.q)
  assert.deepEqual(
    [all.length, all[0], all[1], all.lastIndexOf('question 20')],
    [30, 'question 20', 'question 39', 0],
  )
  assert.deepEqual(pastQuestions('other', storage), [])
  stored.set('sluice.questions.flow', 'damaged')
  assert.deepEqual(pastQuestions('flow', storage), [])
})

test('settingsOf() names the settings of a question that are not those of the flow', () => {
  assert.deepEqual(settingsOf({ q: 'x' }), [])
  assert.deepEqual(settingsOf({ mode: 'keyword', topK: 9, rerank: false, rescore: false, filter: {} }), [
    'words',
    '9 wanted',
    'not reranked',
    'not rescored',
    'filter',
  ])
})
