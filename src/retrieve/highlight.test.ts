import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInEmbedder } from '../embed/builtin.ts'
import { highlightsOf } from './highlight.ts'

const MANUAL =
  'The machine stands in the kitchen. In winter the rinse nozzle was blocked by lime. A nozzle costs four euros. Call the service.'

async function found(text: string, question: string) {
  const [highlight] = await highlightsOf([text], question)
  if (!highlight) return null
  const { from, to, words } = highlight
  return { sentence: text.slice(from, to), words: words.map((word) => text.slice(word.from, word.to)) }
}

test('highlightsOf() finds the sentence with the rarest words of the question, and those words [query:highlight]', async () => {
  assert.deepEqual(await found(MANUAL, 'What was blocking the rinse nozzle?'), {
    sentence: 'In winter the rinse nozzle was blocked by lime.',
    words: ['rinse', 'nozzle', 'blocked'],
  })
})

test('highlightsOf() works without spaces between words [query:highlight]', async () => {
  assert.deepEqual(
    await found('奈良市は日本の都市である。東大寺は奈良市にある。大仏は有名だ。', '東大寺はどこですか'),
    {
      sentence: '東大寺は奈良市にある。',
      words: ['東大寺'],
    },
  )
  assert.equal(
    (await found('黑豹队只丢了308分。他们有24次拦截！', '他们有多少次拦截？'))!.sentence,
    '他们有24次拦截！',
  )
})

test('highlightsOf() also compares vectors where it has an embedder, so that it finds sentences with other words', async () => {
  const embedder = builtInEmbedder()
  const text = 'The office has three rooms. Salaries of workers are paid monthly. Lunch is at noon.'
  const question = 'How much money do employees earn?'
  assert.equal(await found(text, question), null)
  const vector = await embedder.embedQuery(question)
  const [highlight] = await highlightsOf([text], question, { embedder, vector, weight: 0.4 })
  assert.equal(text.slice(highlight!.from, highlight!.to), 'Salaries of workers are paid monthly.')
})

test('highlightsOf() gives null for a text in which nothing fits, and one result a text', async () => {
  assert.deepEqual(
    (await highlightsOf(['', 'A heron.', 'Nothing.'], 'heron')).map((one) => one && [one.from, one.to]),
    [null, [0, 8], null],
  )
  assert.deepEqual(await highlightsOf([], 'heron'), [])
})
