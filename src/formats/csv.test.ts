import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { itemText } from '../../test/support/reader-items.ts'
import type { ParseOptions } from '../contract/file-parser.ts'
import { readCsv } from './csv.ts'
import { FILE_LIMITS } from './limits.ts'

const file = path.join(mkdtempSync(path.join(tmpdir(), 'sluice-csv-')), 'table.csv')

async function read(content: string, options: ParseOptions = {}, limits = FILE_LIMITS) {
  writeFileSync(file, content)
  return collect(readCsv({ path: file, name: 'table.csv' }, options, limits))
}
const texts = async (content: string, options?: ParseOptions) => (await read(content, options)).map(itemText)

test('readCsv() gives a document per row, its lines named by the header', async () => {
  assert.deepEqual(await read('name,age\nAnna, 41 \n"Böll, H.",67\n'), [
    { pageContent: 'name: Anna\nage: 41', metadata: { line: 1 }, last: true },
    { pageContent: 'name: Böll, H.\nage: 67', metadata: { line: 2 }, last: true },
  ])
})

test('readCsv() gives no line number if there is one row', async () => {
  assert.deepEqual(await read('name,age\nAnna,41'), [
    { pageContent: 'name: Anna\nage: 41', metadata: {}, last: true },
  ])
})

test('readCsv() finds the delimiter and the line ends', async () => {
  for (const content of ['a;b\n1;2', 'a\tb\n1\t2', 'a|b\r\n1|2\r\n', 'a,b\r1,2\r']) {
    assert.deepEqual(await texts(content), ['a: 1\nb: 2'], JSON.stringify(content))
  }
})

test('readCsv() leaves out blank cells and rows, calls a column without a name by its index', async () => {
  assert.deepEqual(await texts('a,,c\n1\n\n,,\n2,3,4,5\n'), ['a: 1', 'a: 2\n_1: 3\nc: 4\n_3: 5'])
})

test('readCsv() loses no value beyond the last named column', async () => {
  assert.deepEqual(await texts('a,b\n1,2,,4,\n5'), ['a: 1\nb: 2\n_3: 4', 'a: 5'])
})

test('readCsv() finds a header below title rows, and keeps the titles [formats:table-header]', async () => {
  assert.deepEqual(
    await read('Annual report,,\nSource: office,,\n\nTeam,City,Cups\nBlues,STL,1\nFlyers,PHI,2\n'),
    [
      { pageContent: 'Annual report\nSource: office', metadata: {}, last: true },
      {
        pageContent: 'Team: Blues\nCity: STL\nCups: 1',
        metadata: { line: 1, tableTitle: 'Annual report\nSource: office' },
        last: true,
      },
      {
        pageContent: 'Team: Flyers\nCity: PHI\nCups: 2',
        metadata: { line: 2, tableTitle: 'Annual report\nSource: office' },
        last: true,
      },
    ],
  )
})

test('readCsv() finds the delimiter below titles without delimiters', async () => {
  assert.deepEqual(await texts('Annual report\n\nmade today\nTeam;Cups\nBlues;1\nFlyers;2\n'), [
    'Annual report\nmade today',
    'Team: Blues\nCups: 1',
    'Team: Flyers\nCups: 2',
  ])
})

test('readCsv() takes the wanted column of a header below title rows', async () => {
  assert.deepEqual(await texts('Title,,\nid,body,x\n1,first,2\n', { columnName: 'body' }), ['first'])
})

test('readCsv() leaves out a header that is repeated, and calls columns of numbers without a header by their indexes', async () => {
  assert.deepEqual(await texts('a,b\n1,2\na,b\n3,4\n'), ['a: 1\nb: 2', 'a: 3\nb: 4', '1 repeatedLine'])
  assert.deepEqual(await texts('1,2.5\n3,4\n5,6\n'), ['_0: 1\n_1: 2.5', '_0: 3\n_1: 4', '_0: 5\n_1: 6'])
})

test('readCsv() keeps line breaks, quotes and delimiters inside quotes', async () => {
  assert.deepEqual(await texts('a,b\n"one\ntwo","say ""hi"", all"\n'), ['a: one\ntwo\nb: say "hi", all'])
})

test('readCsv() takes one column if one is named', async () => {
  assert.deepEqual(await read('id,body\n1,first\n2,\n3,third\n', { columnName: 'body' }), [
    { pageContent: 'first', metadata: { line: 1 }, last: true },
    { pageContent: 'third', metadata: { line: 3 }, last: true },
  ])
})

test('readCsv() names the existing columns if the wanted one is missing', async () => {
  await assert.rejects(read('id,body\n1,x\n', { columnName: 'text' }), {
    code: 'file_unreadable',
    message: 'table.csv cannot be read: it has no column text; its columns are id, body',
  })
})

test('readCsv() gives nothing for an empty file, and a note for one that is only a header', async () => {
  assert.deepEqual(await read(''), [])
  assert.deepEqual(await read('a,b\n'), [{ note: 'it has a header and no rows below it' }])
})

test('readCsv() reads rows that cross the pieces of a large file', async () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => `${index},"text ${index}\nof ""row"" ${index}"`)
  const parts = await texts(`id,text\r\n${rows.join('\r\n')}\r\n`)
  assert.equal(parts.length, 30_000)
  assert.ok(parts.every((text, index) => text === `id: ${index}\ntext: text ${index}\nof "row" ${index}`))
})

test('readCsv() refuses a quoted field without an end instead of holding the file in memory', async () => {
  const limits = { ...FILE_LIMITS, lineLength: 1000 }
  await assert.rejects(read(`a,b\n1,"${'x'.repeat(600_000)}`, {}, limits), { code: 'file_over_limit' })
})

test('readCsv() reads rows that are each as long as a row may be', async () => {
  const limits = { ...FILE_LIMITS, lineLength: 700_000 }
  const rows = Array.from({ length: 4 }, (_, index) => `${index},${'x'.repeat(699_990)}\n`)
  const parts = await read(`a,b\n${rows.join('')}`, {}, limits)
  assert.deepEqual(
    parts.map((part) => 'pageContent' in part && part.pageContent.length),
    Array(4).fill('a: 0\nb: '.length + 699_990),
  )
})
