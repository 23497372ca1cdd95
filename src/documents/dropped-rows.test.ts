import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countDropped, DroppedRows, MOST_DROPPED_ROWS } from './dropped-rows.ts'
import { type Dropped, DROPPED_KINDS } from '../contract/file-parser.ts'

const rowsOf = (...all: Dropped[]): Dropped[] => {
  const rows = new DroppedRows()
  for (const one of all) rows.add(one)
  return rows.rows
}

test('DroppedRows joins neighbours of one kind: pages that follow each other, one sheet, all of the file', () => {
  const line = (page: number, lastPage?: number): Dropped => ({
    kind: 'repeatedLine',
    count: 2,
    place: lastPage === undefined ? { page } : { page, lastPage },
  })
  const number = (page: number): Dropped => ({ kind: 'pageNumber', count: 1, place: { page } })
  assert.deepEqual(rowsOf(line(1), number(1), line(2), number(2), line(3, 5), line(5), line(8), number(3)), [
    { kind: 'repeatedLine', count: 8, place: { page: 1, lastPage: 5 } },
    { kind: 'pageNumber', count: 3, place: { page: 1, lastPage: 3 } },
    { kind: 'repeatedLine', count: 2, place: { page: 8 } },
  ])
  const picture = (sheet?: string): Dropped => ({
    kind: 'picture',
    count: 1,
    ...(sheet ? { place: { sheet } } : {}),
  })
  assert.deepEqual(rowsOf(picture('A'), picture('B'), picture('A'), picture(), picture()), [
    { kind: 'picture', count: 2, place: { sheet: 'A' } },
    { kind: 'picture', count: 1, place: { sheet: 'B' } },
    { kind: 'picture', count: 2 },
  ])
})

test('DroppedRows ignores nothing and a last page before the first, and shortens names', () => {
  assert.deepEqual(
    rowsOf(
      { kind: 'cutText', count: 0 },
      { kind: 'cutText', count: Number.NaN },
      { kind: 'picture', count: 1, place: { page: 4, lastPage: 2 } },
      { kind: 'attachment', count: 1, place: { part: `${'x'.repeat(199)}🎈` } },
      { kind: 'hiddenSheet', count: 1, place: {} },
    ),
    [
      { kind: 'picture', count: 1, place: { page: 4 } },
      { kind: 'attachment', count: 1, place: { part: `${'x'.repeat(199)}\ufffd` } },
      { kind: 'hiddenSheet', count: 1 },
    ],
  )
})

test('DroppedRows holds few rows of any number of places, and says how much more there is of each kind [upsert:dropped:bounded]', () => {
  const rows = new DroppedRows()
  for (let n = 0; n < 200_000; n++) {
    rows.add({ kind: 'picture', count: 1, place: { part: `p${n}` } })
    rows.add({ kind: 'hiddenSheet', count: 1, place: { sheet: `s${n}` } })
  }
  assert.equal(rows.rows.length, MOST_DROPPED_ROWS + 2)
  assert.deepEqual(rows.rows.slice(-2), [
    { kind: 'picture', count: 199_950, more: true },
    { kind: 'hiddenSheet', count: 199_950, more: true },
  ])
  assert.deepEqual(countDropped(rows.rows), [
    { kind: 'picture', count: 200_000, text: '200,000 pictures' },
    { kind: 'hiddenSheet', count: 200_000, text: '200,000 hidden sheets' },
  ])
  // Rows that were collected before are collected again unchanged, as between two processes.
  assert.deepEqual(rowsOf(...rows.rows), rows.rows)
  const all = rowsOf(...DROPPED_KINDS.map((kind): Dropped => ({ kind, count: 1, more: true })))
  assert.equal(all.length, DROPPED_KINDS.length)
})
