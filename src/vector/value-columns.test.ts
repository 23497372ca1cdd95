import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metadata } from '../contract/document.ts'
import { decodeColumn, encodeColumns } from './value-columns.ts'

/** The values of a column by row. */
function valuesOf(bytes: Uint8Array, rows: number) {
  const { values, places } = decodeColumn(bytes, rows)
  return Array.from({ length: rows }, (_, row) =>
    places === undefined ? values[0] : places[row] === 0 ? undefined : values[places[row]! - 1],
  )
}

test('encodeColumns() keeps the values of each key by row: one value for all, few, and more than a byte counts', () => {
  const metadata: Metadata[] = Array.from({ length: 700 }, (_, row) => ({
    same: 'é "x"',
    ...(row % 3 === 0 ? { some: row % 2 === 0 ? 1 : '1' } : {}),
    number: row,
    nested: { page: row % 300, of: [null, true, {}] },
    text: row === 1 ? '{}' : {},
    ...(row === 5 ? { __proto__: null, null: null } : {}),
  }))
  const { columns, complete } = encodeColumns(metadata)
  assert.equal(complete, true)
  assert.deepEqual([...columns.keys()], ['same', 'some', 'number', 'nested', 'text', 'null'])
  for (const [key, bytes] of columns)
    assert.deepEqual(
      valuesOf(bytes!, 700),
      metadata.map((one) => one[key]),
      key,
    )
  assert.ok(columns.get('same')!.length < 20)
})

test('encodeColumns() leaves out long values, and says where there are more keys than it keeps', () => {
  const long = Array.from({ length: 50 }, (_, row) => ({ long: `${row} ${'x'.repeat(100)}`, short: row }))
  const { columns, complete } = encodeColumns(long)
  assert.equal(complete, true)
  assert.equal(columns.get('long'), null)
  assert.deepEqual(
    valuesOf(columns.get('short')!, 50),
    long.map(({ short }) => short),
  )
  const many = encodeColumns(Array.from({ length: 100 }, (_, row) => ({ [`key ${row}`]: row })))
  assert.equal(many.complete, false)
  assert.ok(many.columns.size < 100)
})
