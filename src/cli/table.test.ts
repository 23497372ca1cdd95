import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { paintFor } from './paint.ts'
import { type Column, table } from './table.ts'

type Row = { name: string; size?: number }
const columns: Column<Row>[] = [
  { title: 'name', value: (row) => row.name, style: () => 'bold' },
  { title: 'size', value: (row) => row.size, right: true },
]
const rows: Row[] = [{ name: 'a.txt', size: 7 }, { name: '東京.md', size: 12_345 }, { name: 'none' }]
const plain = paintFor({ write() {} }, {})
const coloured = paintFor({ write() {}, isTTY: true }, {})

test('table() aligns columns by their width on the screen, numbers to the right', () => {
  assert.equal(table(rows, columns, plain), 'name      size\na.txt        7\n東京.md  12345\nnone\n')
})

test('table() in colour is the same table', () => {
  const painted = table(rows, columns, coloured)
  assert.notEqual(painted, table(rows, columns, plain))
  assert.equal(stripVTControlCharacters(painted), table(rows, columns, plain))
})

test('table() keeps the last column to the width of a terminal, beside its row or below it', () => {
  const about: Column<{ name: string; about: string }>[] = [
    { title: 'name', value: (row) => row.name },
    { title: 'about', value: (row) => row.about },
  ]
  const words = Array.from({ length: 12 }, (_, at) => `word${at}`).join(' ')
  const [head, first, second, ...none] = table([{ name: 'PORT', about: words }], about, plain, 60).split('\n')
  assert.deepEqual([head, none], ['name  about', ['']])
  assert.match(first!, /^PORT {2}word0 .*word\d$/)
  assert.match(second!, /^ {6}word\d+ .*word11$/)
  assert.ok(first!.length <= 60)
  const long = 'A_NAME_THAT_LEAVES_NO_ROOM_BESIDE_IT'
  assert.equal(table([{ name: long, about: words }], about, plain, 60).split('\n')[1], long)
})

test('table() replaces control characters in cells', () => {
  assert.ok(!table([{ name: '\u001b[31mred' }], columns, plain).includes('\u001b'))
})

test('paintFor() uses no colour where NO_COLOR is set', () => {
  assert.equal(paintFor({ write() {}, isTTY: true }, { NO_COLOR: '1' })('red', 'x'), 'x')
})
