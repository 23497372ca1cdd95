import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../../test/support/collect.ts'
import { type PdfLine, writePdf } from '../../../test/support/pdf-writer.ts'
import { itemText } from '../../../test/support/reader-items.ts'
import { FILE_LIMITS } from '../limits.ts'
import { readPdf } from './pdf.ts'

async function textOf(lines: readonly PdfLine[]): Promise<string> {
  const parts = await collect(readPdf({ bytes: writePdf([{ lines }]), name: 'x.pdf' }, {}, FILE_LIMITS))
  return parts.map(itemText).join('\n---\n')
}

/** A column of lines of one width; each line has the name of the column and its number. */
const column = (name: string, x: number, top: number, count: number): PdfLine[] =>
  Array.from({ length: count }, (_, index) => ({
    text: `${name} ${index + 1} goes on with some words of it`,
    x,
    y: top - index * 12,
    size: 9,
  }))

const across = (...columns: PdfLine[][]): PdfLine[] =>
  columns[0]!.flatMap((_, index) => columns.map((lines) => lines[index]!))

/** The names and numbers of the lines of columns, in the order of a text. */
const sequence = (text: string): string[] => text.match(/(?:left|middle|right|low\w*) \d+/g) ?? []

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}`)

test('readPdf() reads two columns one after the other, though the file has them line by line', async () => {
  const text = await textOf(across(column('left', 40, 700, 8), column('right', 320, 700, 8)))
  assert.deepEqual(sequence(text), [...numbered('left', 8), ...numbered('right', 8)])
})

test('readPdf() reads three columns whose lines are at different heights, and the heading over them first', async () => {
  const [left, middle, right] = [
    column('left', 30, 700, 9),
    column('middle', 215, 697, 9),
    column('right', 400, 694, 9),
  ]
  const heading = { text: 'A heading that stands over all of the three columns', x: 60, y: 740, size: 18 }
  const text = await textOf([...across(left, middle, right), heading])
  assert.match(text, /^## A heading that stands over all of the three columns\n\n|^# A heading/)
  assert.deepEqual(
    sequence(text),
    ['left', 'middle', 'right'].flatMap((name) => numbered(name, 9)),
  )
})

test('readPdf() reads the columns above a heading before those below it', async () => {
  const text = await textOf([
    ...across(column('left', 40, 760, 6), column('right', 320, 760, 6)),
    { text: 'A heading over both of the columns that follow', x: 60, y: 660, size: 18 },
    ...across(column('lowleft', 40, 620, 6), column('lowright', 320, 620, 6)),
  ])
  assert.deepEqual(
    sequence(text),
    ['left', 'right', 'lowleft', 'lowright'].flatMap((name) => numbered(name, 6)),
  )
  assert.ok(text.indexOf('right 6') < text.indexOf('A heading'))
  assert.ok(text.indexOf('A heading') < text.indexOf('lowleft 1'))
})

test('readPdf() keeps each row of a table on a line, its cells separated by tabs, in any order in the file', async () => {
  const rows = [
    ['Date', 'Payee', 'Purpose', 'Amount'],
    ['03/04/2019', 'CITIBANK', 'STAFF TRANSPORTATION', '349.60'],
    ['03/09/2019', 'AMTRAK', 'OFFICE SUPPLIES', '12.00'],
    ['04/11/2019', 'USPS', 'POSTAGE', '7.15'],
  ]
  const at = [40, 150, 260, 480]
  const lines = rows.flatMap((row, index) =>
    row
      .map((text, cell) => ({ text, x: at[cell]!, y: 700 - index * 14, size: index === 0 ? 12 : 9 }))
      .reverse(),
  )
  assert.equal(await textOf(lines), rows.map((row) => row.join('\t')).join('\n'))
})

test('readPdf() keeps a line that is wrapped in its cell with the cell', async () => {
  const lines = [
    { text: 'SMITH', x: 40, y: 700 },
    { text: 'Assistant to the', x: 150, y: 700 },
    { text: 'director', x: 150, y: 686 },
    { text: '349.60', x: 400, y: 700 },
    { text: 'JONES', x: 40, y: 672 },
    { text: 'Driver', x: 150, y: 672 },
    { text: '12.00', x: 400, y: 672 },
  ]
  assert.equal(await textOf(lines), 'SMITH\tAssistant to the director\t349.60\nJONES\tDriver\t12.00')
})

test('readPdf() puts a space between words that only their positions separate', async () => {
  assert.equal(
    await textOf([
      { text: '349.60', x: 200, y: 700 },
      { text: 'STAFF', x: 160, y: 700 },
      { text: 'TRAVEL', x: 110, y: 700 },
    ]),
    'TRAVEL STAFF 349.60',
  )
})

test('readPdf() reads columns that are rotated by 90 degrees like upright ones', async () => {
  const upright = across(column('left', 40, 500, 8), column('right', 320, 500, 8))
  const turned = upright.map(({ text, x = 0, y, size = 9 }) => ({ text, x: 550 - y, y: x, size, angle: 90 }))
  assert.deepEqual(sequence(await textOf(turned)), [...numbered('left', 8), ...numbered('right', 8)])
})

test('readPdf() keeps the order of the file for a list beside another', async () => {
  const list = (name: string, x: number) =>
    ['one', 'two', 'three'].map((item, index) => ({ text: `- ${name} ${item}`, x, y: 700 - index * 14 }))
  assert.equal(
    (await textOf([...list('A', 72), ...list('B', 300)])).replaceAll('\n\n', '\n'),
    ['A one', 'A two', 'A three', 'B one', 'B two', 'B three'].map((item) => `- ${item}`).join('\n'),
  )
})
