import assert from 'node:assert/strict'
import { test } from 'node:test'
import { variableBody } from '../../../src/api/variable.ts'
import { variableNameProblem } from './variable-name.ts'

test('variableNameProblem() accepts the names that the server accepts', () => {
  for (const name of ['city', '_a1', 'größe', '1a', 'a b', 'a-b', 'a.b', 'x'.repeat(201)])
    assert.equal(
      variableNameProblem(name) === undefined,
      variableBody.safeParse({ name, value: '' }).success,
      name,
    )
  assert.equal(variableNameProblem(''), undefined)
})
