import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOnce } from './open-once.ts'

test('openOnce() opens once for all calls, and tries again after a failure', async () => {
  let calls = 0
  const open = openOnce(async () => {
    calls += 1
    if (calls === 1) throw new Error('not yet')
    return calls
  })
  await assert.rejects(open(), /not yet/)
  assert.deepEqual(await Promise.all([open(), open()]), [2, 2])
  assert.equal(await open(), 2)
})
