import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberField } from '../../src/cards/field.ts'
import { numberProblem } from '../../studio/forms/number-text.ts'

/** The declared field of the server: its refusals are the words of the form. */
const refusalOf = (field: ReturnType<typeof numberField>, value: unknown): string | undefined => {
  try {
    field.read(value)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

test('numberProblem() says what the server says', () => {
  const range = { min: 1, max: 10, whole: true }
  for (const value of [0, 11, 1.5, 5, '0', '11', 'abc', true])
    assert.equal(numberProblem(value, range), refusalOf(numberField('Top K', 4, range), value), String(value))
})
