import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newest } from './newest.ts'

test('newest() makes a value once and forgets the text that was not asked for longest', () => {
  const made: string[] = []
  const values = newest(2, (text) => {
    made.push(text)
    return { text }
  })
  const first = values.of('a')
  values.of('b')
  assert.equal(values.of('a'), first)
  values.of('c')
  values.of('a')
  values.of('b')
  assert.deepEqual(made, ['a', 'b', 'c', 'b'])
})
