import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FilterRow, filterOf, rowsOf } from './filter-rows.ts'

const ROWS: FilterRow[] = [
  { field: 'loc.pageNumber', test: 'at least', value: '3' },
  { field: 'team', test: 'is one of', value: 'ops, "7", true' },
  { field: 'draft', test: 'exists', value: 'no' },
]

test('filterOf() joins complete conditions, and rowsOf() reads them back', () => {
  const filter = filterOf([
    ...ROWS,
    { field: 'x', test: 'is', value: ' ' },
    { field: '', test: 'is', value: '1' },
  ])
  assert.deepEqual(filter, {
    $and: [
      { 'loc.pageNumber': { $gte: 3 } },
      { team: { $in: ['ops', '7', true] } },
      { draft: { $exists: false } },
    ],
  })
  assert.deepEqual(rowsOf(filter), ROWS)
  assert.equal(filterOf([]), undefined)
})

test('rowsOf() reads plain values, and gives nothing for what the builder cannot show', () => {
  assert.deepEqual(rowsOf({ team: 'ops', page: '3' }), [
    { field: 'team', test: 'is', value: 'ops' },
    { field: 'page', test: 'is', value: '"3"' },
  ])
  assert.deepEqual(rowsOf(undefined), [])
  for (const filter of [{ $or: [{ a: 1 }] }, { a: { $gt: 1, $lt: 2 } }, { a: { $near: 1 } }, { a: null }])
    assert.equal(rowsOf(filter), undefined)
})
