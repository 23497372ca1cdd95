import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PairedDifference, pairedTest } from './paired-test.ts'

const apart = (...differences: number[]): PairedDifference[] =>
  differences.map((difference, at) => ({ difference, cluster: String(at) }))

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)

test('pairedTest() looks at every flip of up to twelve differences', () => {
  // Only both whole flips are as far from 0: 2 of 2^5.
  assert.equal(pairedTest(apart(0.1, 0.2, 0.3, 0.4, 0.5, ...zeros(40)), 1).p, 2 / 32)
  // 0.1 + 0.1 - 0.1 and its like: all flips are as far, or further.
  assert.equal(pairedTest(apart(0.1, 0.1, -0.1), 1).p, 1)
  assert.equal(pairedTest(apart(...zeros(50)), 1).p, 1)
  assert.equal(pairedTest([], 1).p, 1)
})

test('pairedTest() draws flips of more differences, the same for the same seed', () => {
  const differences = apart(...Array.from({ length: 20 }, (_, at) => (at % 4 === 0 ? -0.2 : 0.3)))
  const { p } = pairedTest(differences, 7)
  assert.equal(pairedTest(differences, 7).p, p)
  // Of 20 signs 15 against 5: about 4 % of both tails for equal sizes.
  assert.ok(p > 0.005 && p < 0.05, String(p))
  const all = pairedTest(apart(...Array.from({ length: 40 }, () => 0.1)), 7)
  assert.equal(all.p, 1 / 10_001)
})

test('pairedTest() flips questions of one cluster together', () => {
  const differences = Array.from({ length: 30 }, () => ({ difference: 0.2, cluster: 'one.pdf' }))
  const { p, clusters, questions, difference } = pairedTest(differences, 1)
  assert.deepEqual([p, clusters, questions], [1, 1, 30])
  assert.ok(Math.abs(difference - 0.2) < 1e-9)
  const { low, high } = pairedTest(differences, 1).interval(0.05)
  assert.deepEqual([low, high], [-Infinity, Infinity])
})

test('pairedTest() gives the interval of means that it does not reject', () => {
  const values = Array.from({ length: 60 }, (_, at) => ((at * 37) % 60) / 100 - 0.2)
  const one = pairedTest(apart(...values), 3)
  const { low, high } = one.interval(0.05)
  assert.ok(low < one.difference && one.difference < high)
  // At its limits the test of the shifted differences is at the level; inside it does not reject, outside it does.
  const shifted = (by: number) => pairedTest(apart(...values.map((value) => value - by)), 3).p
  assert.ok(shifted(low - 0.005) < 0.05 && shifted(high + 0.005) < 0.05)
  assert.ok(shifted(low + 0.005) > 0.05 && shifted(high - 0.005) > 0.05)
  const narrow = one.interval(0.2)
  assert.ok(narrow.low > low && narrow.high < high)
})
