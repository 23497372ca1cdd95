import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesFor, openPlace, withName } from './variable-text.ts'

test('openPlace() finds the variable that is being typed, and none behind closed braces', () => {
  assert.deepEqual(openPlace('a {{$fl', 7), { from: 4, typed: '$fl' })
  assert.deepEqual(openPlace('{{', 2), { from: 2, typed: '' })
  assert.equal(openPlace('{{question}} and', 16), undefined)
  assert.equal(openPlace('{ {a', 4), undefined)
})

test('namesFor() finds names by any part, those that begin with it first', () => {
  const names = [
    { name: '$flow.input', about: '' },
    { name: 'input', about: '' },
    { name: 'question', about: 'The input of the user' },
    { name: 'loop_count', about: '' },
  ]
  assert.deepEqual(
    namesFor(names, 'inp').map(({ name }) => name),
    ['input', '$flow.input', 'question'],
  )
})

test('withName() closes the braces once', () => {
  assert.deepEqual(withName('a {{qu b', 6, { from: 4, typed: 'qu' }, 'question'), {
    text: 'a {{question}} b',
    caret: 14,
  })
  assert.deepEqual(withName('{{qu}}', 4, { from: 2, typed: 'qu' }, 'question'), {
    text: '{{question}}',
    caret: 12,
  })
})
