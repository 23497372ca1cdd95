import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOneDocumentSearch } from './document-search.ts'

test('readOneDocumentSearch() keeps what is valid and drops all else of an address', () => {
  assert.deepEqual(readOneDocumentSearch({ chunk: 'c1', page: 2, find: 12 }), {
    chunk: 'c1',
    page: 2,
    find: '12',
  })
  assert.deepEqual(readOneDocumentSearch({ chunk: 7, page: 0, find: '', other: 1 }), {})
  assert.deepEqual(readOneDocumentSearch({ view: 'text', pdfPage: 3 }), { view: 'text', pdfPage: 3 })
  assert.deepEqual(readOneDocumentSearch({ at: 0, chunk: 'c' }), { at: 0, chunk: 'c' })
  assert.deepEqual(readOneDocumentSearch({ at: -1 }), {})
  const version = '2026-11-22T09:30:00.000Z'
  assert.deepEqual(readOneDocumentSearch({ version, find: 'x' }), { version, find: 'x' })
  assert.deepEqual(readOneDocumentSearch({ version: 'newest' }), {})
  assert.deepEqual(readOneDocumentSearch({ view: 'other', pdfPage: 1.5 }), {})
})
