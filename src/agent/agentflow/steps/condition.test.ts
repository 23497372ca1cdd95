import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepComparison } from '../../../contract/step.ts'
import { comparisonHolds, runCondition } from './condition.ts'

const compared = (
  type: StepComparison['type'],
  value1: string | number | boolean,
  operation: string,
  value2: string | number | boolean = '',
) => ({ type, value1, operation, value2 }) as const

// Comparisons that hold. Their counterparts below do not.
for (const row of [
  compared('string', 'abc', 'contains', 'b'),
  compared('string', 'abc', 'notContains', 'd'),
  compared('string', 'abc', 'startsWith', 'ab'),
  compared('string', 'abc', 'endsWith', 'bc'),
  compared('string', 'abc', 'equal', 'abc'),
  compared('string', 'abc', 'notEqual', 'ab'),
  compared('string', 'abc', 'regex', '^a.c$'),
  compared('string', '', 'isEmpty'),
  compared('string', 'a', 'notEmpty'),
  compared('number', '9', 'smaller', '10'),
  compared('number', 9, 'smallerEqual', '9'),
  compared('number', '9.0', 'equal', 9),
  compared('number', 9, 'notEqual', 8),
  compared('number', '10', 'larger', '9'),
  compared('number', 9, 'largerEqual', 9),
  compared('number', '', 'isEmpty'),
  compared('number', 0, 'notEmpty'),
  compared('boolean', 'true', 'equal', true),
  compared('boolean', false, 'notEqual', 'true'),
])
  test(`comparisonHolds() is true for ${JSON.stringify(row)}`, () => assert.equal(comparisonHolds(row), true))

for (const row of [
  compared('string', 'abc', 'contains', 'd'),
  compared('string', 'abc', 'notContains', 'b'),
  compared('string', 'abc', 'startsWith', 'b'),
  compared('string', 'abc', 'endsWith', 'b'),
  compared('string', '10', 'equal', '10.0'),
  compared('string', 'abc', 'notEqual', 'abc'),
  compared('string', 'abc', 'regex', '^b'),
  compared('string', 'abc', 'regex', '('),
  compared('string', `${'a'.repeat(40)}!`, 'regex', '^(a+)+$'),
  compared('string', 'a', 'isEmpty'),
  compared('string', '', 'notEmpty'),
  compared('string', 'a', 'unheard of', 'a'),
  compared('number', '10', 'smaller', '9'),
  compared('number', 'x', 'largerEqual', 'x'),
  compared('number', 10, 'smallerEqual', 9),
  compared('number', 9, 'larger', 9),
  compared('number', 9, 'notEqual', '9'),
  compared('number', 5, 'unheard of', 5),
  compared('boolean', 'yes', 'equal', true),
  compared('boolean', 'true', 'notEqual', true),
  compared('boolean', true, 'larger', false),
])
  test(`comparisonHolds() is false for ${JSON.stringify(row)}`, () =>
    assert.equal(comparisonHolds(row), false))

test('runCondition() takes the first branch that holds, or the last if none does', () => {
  const [no, yes] = [compared('string', 'a', 'equal', 'b'), compared('string', 'a', 'equal', 'a')]
  assert.equal(runCondition({ type: 'condition', conditions: [no, yes, yes] }).branch, 1)
  assert.equal(runCondition({ type: 'condition', conditions: [no, no] }).branch, 2)
})
