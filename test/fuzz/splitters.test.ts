import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inThread } from '../support/in-thread.ts'

const FIRST = 1_000_000
const CASES = 100_000
const COMPARISON = new URL('../support/splitter-comparison.ts', import.meta.url).href

test('the recursive and character splitters give the chunks of the original for 100,000 random texts', async (t) => {
  const lines = await inThread<number>(COMPARISON, 'compareRandom', FIRST, CASES)
  t.diagnostic(`seeds ${FIRST} to ${FIRST + CASES - 1}, ${lines} line numbers compared`)
  assert.ok(lines > 10_000)
})
