import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toRange } from './paging.ts'

test('toRange() counts pages from 1', () => {
  assert.deepEqual(toRange({ page: 1, limit: 50 }), { offset: 0, limit: 50 })
  assert.deepEqual(toRange({ page: 3, limit: 20 }), { offset: 40, limit: 20 })
})
