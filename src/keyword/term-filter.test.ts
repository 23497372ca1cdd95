import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomBelow } from '../../test/support/random.ts'
import { encodeTermFilter, mayHaveTerm } from './term-filter.ts'

test('mayHaveTerm() is true for every term of the filter and for at most 1 % of others', () => {
  const random = randomBelow(5)
  const kinds: ((at: number) => number)[] = [
    (at) => at,
    (at) => at * 65_536,
    (at) => at * 2 ** 32 + 3,
    () => random(2 ** 24) * 2 ** 24 + random(2 ** 24),
  ]
  for (const kind of kinds)
    for (const size of [1, 100, 20_000]) {
      const terms = Float64Array.from({ length: size }, (_, at) => kind(2 * at))
      const own = new Set(terms)
      const filter = encodeTermFilter(terms)
      assert.equal(filter.length, Math.ceil(size * 1.25))
      for (const term of terms) assert.ok(mayHaveTerm(filter, term))
      const others = Array.from({ length: 20_000 }, (_, at) => kind(2 * at + 1)).filter(
        (one) => !own.has(one),
      )
      const passed = others.filter((term) => mayHaveTerm(filter, term)).length
      assert.ok(size < 20_000 || passed < 0.01 * others.length, `${passed} of ${others.length}`)
    }
})

test('mayHaveTerm() is false for every term in a filter without terms', () => {
  assert.equal(mayHaveTerm(encodeTermFilter(new Float64Array()), 7), false)
})
