import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { nthHighest } from './nth-highest.ts'

test('nthHighest() gives what sorting gives, with few and with many equal numbers', () => {
  const below = randomBelow(3)
  for (let round = 0; round < 3000; round++) {
    const kinds = 1 + below(round % 2 === 0 ? 4 : 1000)
    const numbers = Float32Array.from({ length: 1 + below(60) }, () => below(kinds) / 7 - 3)
    const sorted = numbers.toSorted()
    const nth = 1 + below(numbers.length)
    assert.equal(nthHighest(numbers.slice(), nth), sorted[sorted.length - nth])
  }
})

test('nthHighest() takes numbers in ascending, in descending and in rising and falling order', () => {
  const count = 5000
  const orders: ((at: number) => number)[] = [
    (at) => at,
    (at) => -at,
    (at) => Math.min(at, count - at),
    () => 1,
  ]
  for (const order of orders) {
    const numbers = Float32Array.from({ length: count }, (_, at) => order(at))
    for (const nth of [1, 2, 128, 2500, count])
      assert.equal(nthHighest(numbers.slice(), nth), numbers.toSorted()[count - nth])
  }
})
