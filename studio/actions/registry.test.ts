import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, registerActions, registeredActions } from './registry.ts'

const action = (id: string): Action => ({ id, label: id, group: 'Test', run: () => undefined })

test('registerActions() makes actions known until it is ended, the innermost part of a screen first', () => {
  let label = 'a'
  const endOuter = registerActions(() => [action('outer')])
  const endInner = registerActions(() => [action(label)])
  const ids = () => registeredActions().map(({ id }) => id)
  assert.deepEqual(ids(), ['a', 'outer'])
  label = 'b'
  assert.deepEqual(ids(), ['b', 'outer'])
  endInner()
  assert.deepEqual(ids(), ['outer'])
  endOuter()
  assert.deepEqual(ids(), [])
})
