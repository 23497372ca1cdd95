import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCase, randomCase, seeded } from '../support/splitter-oracle.ts'

const CASES = 100_000
const MOST_SECONDS = 85

test('the recursive and character splitters give the chunks of the original for 100,000 random texts', async (t) => {
  // Every case has its own seed, which a failure names.
  const first = 1_000_000
  const begun = performance.now()
  let lines = 0
  let seed = first
  for (; seed < first + CASES && performance.now() - begun < MOST_SECONDS * 1000; seed++) {
    const random = seeded(seed)
    lines += await checkCase(randomCase(random), random, `seed ${seed}`)
  }
  t.diagnostic(`seeds ${first} to ${seed - 1}, ${lines} line numbers compared`)
  assert.ok(lines > 0)
})
