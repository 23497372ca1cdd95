import assert from 'node:assert/strict'
import { test } from 'node:test'
import { earlierQuestions } from './history.ts'

test('earlierQuestions() takes the last five questions, the last one first and heaviest, without empty ones', () => {
  const history = ['one', ' two ', '', 'three', 'four', '  ', 'five', 'six']
  const { terms, texts } = earlierQuestions(history)!
  assert.deepEqual(texts, ['six', 'five', 'four', 'three', 'two'])
  assert.deepEqual(
    terms.map(({ text }) => text),
    texts,
  )
  const weights = terms.map(({ weight }) => weight)
  assert.deepEqual(
    weights,
    weights.toSorted((a, b) => b - a),
  )
  assert.ok(weights.every((weight) => weight > 0 && weight < 1))
})

test('earlierQuestions() is undefined without a question', () => {
  assert.equal(earlierQuestions(), undefined)
  assert.equal(earlierQuestions([]), undefined)
  assert.equal(earlierQuestions(['', ' ']), undefined)
})

test('blend() moves a vector towards those of earlier questions and keeps its length', () => {
  const { blend } = earlierQuestions(['earlier'])!
  const question = Float32Array.of(2, 0)
  const [x, y] = blend(question, [Float32Array.of(0, 2)]) as unknown as [number, number]
  assert.ok(x > y && y > 0, `${x} and ${y}`)
  assert.ok(Math.abs(Math.hypot(x, y) - 2) < 1e-6)
  // Opposite vectors can cancel each other out.
  assert.deepEqual([...blend(Float32Array.of(0.4, 0), [Float32Array.of(-1, 0)])], [Math.fround(0.4), 0])
})
