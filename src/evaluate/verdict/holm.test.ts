import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holm } from './holm.ts'

const rejected = (values: number[], level = 0.05) => holm(values, level).map((step) => step.rejected)

test('holm() gives the smallest p the smallest share, and ends at the first that fails', () => {
  assert.deepEqual(rejected([0.04]), [true])
  assert.deepEqual(rejected([0.04, 0.012, 0.001]), [true, true, true])
  // .026 fails its half, so .03 fails although it is below 5 %.
  assert.deepEqual(rejected([0.03, 0.026, 0.001]), [false, false, true])
  assert.deepEqual(
    holm([0.03, 0.026, 0.001], 0.05).map(({ level }) => level),
    [0.025, 0.025, 0.05 / 3],
  )
  assert.deepEqual(holm([], 0.05), [])
})
