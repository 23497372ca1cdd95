import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellValue, columnsOf, emptyRow, listRows } from './list-rows.ts'

test('listRows() reads lists, lists as text and nothing', () => {
  assert.deepEqual(listRows([{ a: 1 }]), [{ a: 1 }])
  assert.deepEqual(listRows('[{"a":1}]'), [{ a: 1 }])
  assert.deepEqual(listRows(''), [])
  for (const value of ['x', [1], 5]) assert.equal(listRows(value), undefined)
})

test('columnsOf() and emptyRow() take the names of all rows', () => {
  const rows = [{ key: 'a' }, { key: 'b', value: 1 }]
  assert.deepEqual(columnsOf(rows), ['key', 'value'])
  assert.deepEqual(emptyRow(rows), { key: '', value: '' })
})

test('cellValue() keeps the kind of a value where the text allows it', () => {
  assert.equal(cellValue('5', '4'), '5')
  assert.equal(cellValue('5', 4), 5)
  assert.equal(cellValue('x', 4), 'x')
  assert.equal(cellValue('5', undefined), '5')
})
