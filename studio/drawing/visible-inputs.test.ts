import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visibleInputs } from './visible-inputs.ts'

const names = (values: Record<string, string | boolean>) =>
  visibleInputs(
    [
      { name: 'mode', default: 'vector' },
      { name: 'weight', show: { mode: ['hybrid'] } },
      { name: 'detail', show: { verbose: [true] } },
      { name: 'oldUrl', hidden: true },
    ],
    values,
  ).map(({ name }) => name)

test('visibleInputs() shows an input while the values of others meet its conditions', () => {
  assert.deepEqual(names({}), ['mode'])
  assert.deepEqual(names({ mode: 'hybrid' }), ['mode', 'weight'])
  // A flow file may hold a boolean as text.
  assert.deepEqual(names({ verbose: 'true' }), ['mode', 'detail'])
})

test('visibleInputs() shows an old input only where it has a value', () => {
  assert.deepEqual(names({ oldUrl: '' }), ['mode'])
  assert.deepEqual(names({ oldUrl: 'http://a' }), ['mode', 'oldUrl'])
})

test('visibleInputs() leaves out the values of a part that is selected beside them', () => {
  const inputs = [{ name: 'model', config: 'modelConfig' }, { name: 'modelConfig' }]
  assert.deepEqual(visibleInputs(inputs, { modelConfig: { a: 1 } }), [inputs[0]])
})
