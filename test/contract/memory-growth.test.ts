import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthOf } from '../support/memory-growth.ts'
import { lacking } from '../support/needs.ts'
import { emptyPostgres } from '../support/postgres.ts'

const ROUNDS = 250
/** What is kept for each round where nothing is kept for it: caches that have a bound and are not full yet. */
const MOST_BYTES = 1000

for (const [shape, what] of [
  ['documents', 'changes of the same documents'],
  ['namespaces', 'namespaces that are made and removed'],
] as const) {
  test(`the memory of an embedded database does not grow with ${what} [search:steady-memory]`, async () => {
    const growth = await growthOf(shape, ROUNDS)
    assert.ok(growth < MOST_BYTES, `${growth} bytes are kept for each round`)
  })

  test(`the memory of a member over PostgreSQL does not grow with ${what} [search:steady-memory]`, {
    skip: lacking('PostgreSQL'),
  }, async (t) => {
    const growth = await growthOf(shape, ROUNDS, await emptyPostgres(t))
    assert.ok(growth < MOST_BYTES, `${growth} bytes are kept for each round`)
  })
}
