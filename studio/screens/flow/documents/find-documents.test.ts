import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryOf, readDocumentSearch, sortedBy } from './find-documents.ts'

test('readDocumentSearch() keeps what is valid and drops all else of an address', () => {
  assert.deepEqual(
    readDocumentSearch({ search: 2026, sort: 'size', up: false, page: 3, removed: true, more: 'x' }),
    { search: '2026', sort: 'size', up: false, page: 3, removed: true },
  )
  assert.deepEqual(
    readDocumentSearch({ search: '', sort: 'colour', up: 'yes', page: 1, removed: 'true' }),
    {},
  )
  assert.deepEqual(readDocumentSearch({ page: 0.5 }), {})
})

test('sortedBy() begins with the largest, turns round at the second click, and goes back to the first page', () => {
  const first = sortedBy({ search: 'x', page: 4 }, 'chunks')
  assert.deepEqual(first, { search: 'x', sort: 'chunks', up: false })
  assert.deepEqual(sortedBy(first, 'chunks'), { search: 'x', sort: 'chunks', up: true })
  assert.deepEqual(sortedBy({}, 'name'), { sort: 'name', up: false })
})

test('queryOf() asks for names in order unless the address says otherwise', () => {
  assert.deepEqual(queryOf({}), {
    search: undefined,
    sort: 'name',
    order: 'ASC',
    page: 1,
    limit: 100,
    removed: undefined,
  })
  assert.equal(queryOf({ sort: 'updated' }).order, 'DESC')
})
