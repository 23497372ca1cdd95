import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputLabels } from './output-labels.ts'

test('outputLabels() names a way out for each row, by its column or its number', () => {
  const conditions = [{ label: 'Condition', each: 'conditions' }, { label: 'Else' }]
  assert.deepEqual(outputLabels(conditions, { conditions: [{}, {}] }), ['Condition 1', 'Condition 2', 'Else'])
  assert.deepEqual(outputLabels(conditions, { conditions: '[{}]' }), ['Condition 1', 'Else'])
  assert.deepEqual(outputLabels(conditions, { conditions: 'no JSON' }), ['Else'])
  const scenarios = [{ label: 'Scenario', each: 'scenarios', column: 'scenario' }]
  assert.deepEqual(outputLabels(scenarios, { scenarios: [{ scenario: 'a question' }, {}] }), [
    'a question',
    'Scenario 2',
  ])
  assert.deepEqual(outputLabels([], {}), [])
})
