import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findHeader, repeatsHeader, type TableRow, titleText } from './table-header.ts'

/** Rows from lines, with cells separated by bars. */
const rowsOf = (...lines: string[]): TableRow[] =>
  lines.map((line) => ({
    cells: line
      .split('|')
      .map((text, column) => ({ column, text }))
      .filter(({ text }) => text !== ''),
  }))

const header = (titles: number) => ({ titles, hasHeader: true })

test('findHeader() takes the first row of a plain table, also if some of its columns have no name', () => {
  assert.deepEqual(findHeader(rowsOf('name|age', 'Ada|36', 'Bob|40')), header(0))
  assert.deepEqual(findHeader(rowsOf('|b|c', '1|2|3', '4|5|6')), header(0))
  assert.deepEqual(findHeader(rowsOf('Industry', 'Automotive', 'Healthcare')), header(0))
  assert.deepEqual(findHeader(rowsOf('1|2|3|4', 'a|b|c|d', 'a|b|c|d')), header(0))
  assert.deepEqual(findHeader(rowsOf('2019|2020', '1.5|2.5', '3|4')), header(0))
})

test('findHeader() finds a header below title rows', () => {
  assert.deepEqual(findHeader(rowsOf('Stanley Cups', 'Team|Location|Cups', 'Blues|STL|1')), header(1))
  assert.deepEqual(
    findHeader(rowsOf('Annual report', 'Source:|office', 'a|b|c|d', 'x|1|2|3', 'y|4|5|6')),
    header(2),
  )
  const ten = Array.from({ length: 10 }, (_, index) => `line ${index}`)
  assert.deepEqual(findHeader(rowsOf(...ten, 'Country|2019|2020', 'France|1.5|2.5', 'Spain|3|4')), header(10))
  assert.deepEqual(findHeader(rowsOf('Title', '|Year|Ducks', '|2019|120', '|2020|135')), header(1))
})

test('findHeader() keeps the first row if no row below the titles names columns', () => {
  assert.deepEqual(findHeader(rowsOf('Sales 2024', 'Jan|100', 'Feb|120', 'Mar|90')), header(0))
  assert.deepEqual(findHeader(rowsOf('Log', '2024-01-01|start', '2024-01-02|end', '2024-01-03|x')), header(0))
})

test('findHeader() finds no header in rows of numbers only, and none in a single row', () => {
  assert.deepEqual(findHeader(rowsOf('10|1.04', '25|1.41', '-5|$3')), { titles: 0, hasHeader: false })
  assert.deepEqual(findHeader(rowsOf('10|2020-12-31', '25|2020-12-30', '5|2020-12-29')).hasHeader, false)
  assert.deepEqual(findHeader(rowsOf('a|b')), { titles: 0, hasHeader: false })
  assert.deepEqual(findHeader([]), { titles: 0, hasHeader: false })
})

test('repeatsHeader() is true for the same names in the same columns, not where all names are equal', () => {
  const [names, same, other, shifted, equal] = rowsOf('a|b', 'a|b', 'a|c', '|a|b', 'x|x')
  assert.equal(repeatsHeader(same!, names!), true)
  assert.equal(repeatsHeader(other!, names!), false)
  assert.equal(repeatsHeader(shifted!, names!), false)
  assert.equal(repeatsHeader(equal!, equal!), false)
})

test('titleText() gives a line for each row and repeats none', () => {
  assert.equal(titleText(rowsOf('Title', 'Title', 'Source:|office')), 'Title\nSource: | office')
})
