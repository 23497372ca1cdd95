import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastCounts, readHistorySearch, usedNodes } from './history-text.ts'

test('readHistorySearch() keeps a page and a record, and leaves out what cannot be one', () => {
  assert.deepEqual(readHistorySearch({ page: 3, record: 'a' }), { page: 3, record: 'a' })
  assert.deepEqual(readHistorySearch({ page: 1, record: '' }), {})
  assert.deepEqual(readHistorySearch({ record: 'a', files: 'failed' }), { record: 'a', files: 'failed' })
  assert.deepEqual(readHistorySearch({ page: 'x', record: 4 }), {})
})

test('pastCounts() gives the counts in the order of the table, or the failure', () => {
  const result = {
    numAdded: 1,
    numUpdated: 2,
    numSkipped: 3,
    numDeleted: 4,
    numFailed: 5,
    numEmpty: 6,
    totalKeys: 9,
  }
  assert.deepEqual(pastCounts({ result }), { error: undefined, counts: [1, 2, 3, 4, 5, 6] })
  const error = { code: 'file_unreadable', message: 'a.pdf cannot be read' }
  assert.deepEqual(pastCounts({ result: { error } }).error, error)
})

test('usedNodes() names the inputs that were set', () => {
  const flowData = [
    { id: 's_0', label: 'Splitter', paramValues: [{ name: 'chunkSize', label: 'Chunk Size', value: 77 }] },
    { id: 'e_0', label: 'Embeddings' },
  ]
  assert.deepEqual(usedNodes({ flowData }), [
    { id: 's_0', label: 'Splitter', values: [{ name: 'chunkSize', label: 'Chunk Size', value: '77' }] },
    { id: 'e_0', label: 'Embeddings', values: [] },
  ])
})
