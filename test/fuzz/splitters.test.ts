import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCase, randomCase, seeded } from '../support/splitter-oracle.ts'

const FIRST = 1_000_000
/** SPLITTER_CASES=100000 for a longer run. */
const CASES = Number(process.env.SPLITTER_CASES ?? 20_000)

test(`the recursive and character splitters give the chunks of the original for ${CASES} random texts`, async (t) => {
  let lines = 0
  for (let seed = FIRST; seed < FIRST + CASES; seed++) {
    const random = seeded(seed)
    lines += await checkCase(randomCase(random), random, `seed ${seed}`)
  }
  t.diagnostic(`seeds ${FIRST} to ${FIRST + CASES - 1}, ${lines} line numbers compared`)
  assert.ok(lines > CASES / 10)
})
