import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchSize } from './batch-size.ts'

test('batches become smaller while answers are slow, and larger again while they are quick', () => {
  const size = batchSize()
  const first = size.bytes
  size.answered({ bytes: first, ms: 900 })
  const slower = size.bytes
  assert.ok(slower < first && slower >= first / 2, `${slower}`)
  for (let n = 0; n < 20; n++) size.answered({ bytes: size.bytes, ms: 60_000 })
  assert.equal(size.bytes, 256 * 2 ** 10)
  for (let n = 0; n < 40; n++) size.answered({ bytes: size.bytes, ms: 1 })
  assert.equal(size.bytes, 16 * 2 ** 20)
})

test('a quick answer to a small batch changes nothing, a slow one does', () => {
  const size = batchSize()
  const { bytes } = size
  size.answered({ bytes: 1000, ms: 1 })
  assert.equal(size.bytes, bytes)
  size.answered({ bytes: 1000, ms: 5000 })
  assert.equal(size.bytes, bytes / 2)
})
