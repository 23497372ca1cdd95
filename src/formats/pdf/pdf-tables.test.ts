import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { collect } from '../../../test/support/collect.ts'
import { type PdfLine, writePdf } from '../../../test/support/pdf-writer.ts'
import { itemText } from '../../../test/support/reader-items.ts'
import { FILE_LIMITS } from '../limits.ts'
import { readPdf } from './pdf.ts'

const read = async (bytes: Uint8Array) =>
  (await collect(readPdf({ bytes, name: 'x.pdf' }, {}, FILE_LIMITS))).map(itemText)
const textOf = async (lines: readonly PdfLine[]) => (await read(writePdf([{ lines }]))).join('\n---\n')

/** Rows of cells, each with its lines, 12 points apart; rows are 6 points more apart. In the order of the file. */
function table(rows: readonly (readonly string[])[][], at: readonly number[], top: number): PdfLine[] {
  let y = top
  return rows.flatMap((row) => {
    const first = y
    y -= Math.max(...row.map((cell) => cell.length)) * 12 + 6
    return row.flatMap((cell, column) =>
      cell.map((text, line) => ({ text, x: at[column]!, y: first - line * 12, size: 10 })),
    )
  })
}

test('readPdf() keeps cells of several lines in their cells, in all columns [formats:pdf-cells]', async () => {
  const rows = [
    [['Role'], ['Duty'], ['Reached by']],
    [
      ['House', 'manager'],
      ['decides on evacuation,', 'holds the vest'],
      ['radio', 'channel 1'],
    ],
    [['Marshal'], ['sweeps the rooms and re-', 'ports to the manager'], ['radio channel 1']],
    [['Dock steward'], ['keeps the dock open'], ['radio', 'channel 4']],
  ]
  const intro = { text: 'Who does what:', y: 740, size: 10 }
  assert.equal(
    await textOf([intro, ...table(rows, [72, 200, 400], 700)]),
    'Who does what:\n\nRole\tDuty\tReached by\n' +
      'House manager\tdecides on evacuation, holds the vest\tradio channel 1\n' +
      'Marshal\tsweeps the rooms and reports to the manager\tradio channel 1\n' +
      'Dock steward\tkeeps the dock open\tradio channel 4',
  )
})

test('readPdf() keeps a name in the middle beside the lines of its cell', async () => {
  const lines = ['Stage manager', 'Fire marshal', 'Dock steward'].flatMap((name, row) => [
    { text: name, x: 72, y: 694 - row * 40 },
    { text: `does this for line ${row}`, x: 220, y: 700 - row * 40 },
    { text: 'and also that', x: 220, y: 688 - row * 40 },
  ])
  assert.equal(
    await textOf(lines),
    'Stage manager\tdoes this for line 0 and also that\nFire marshal\tdoes this for line 1 and also that\nDock steward\tdoes this for line 2 and also that',
  )
})

test('readPdf() reads the table on the first page of the safety manual row by row', async () => {
  const file = path.join(import.meta.dirname, '../../../examples/documents/safety-manual.pdf')
  const [first] = await read(await readFile(file))
  assert.ok(
    first!.includes(
      [
        'Role\tDuty\tReached by',
        'House manager\tdecides on evacuation, holds the orange vest\tradio channel 1',
        'Stage manager\tstops the show, brings up house lights\tradio channel 2',
        'Fire marshal (2 per show)\tsweeps the rooms, reports "clear"\tradio channel 1',
        'First aider\ttreats, decides on an ambulance\tradio channel 3',
        'Dock steward\tkeeps the loading dock and Gate 3 open\tradio channel 4',
      ].join('\n'),
    ),
    first,
  )
})

test('readPdf() does not take columns of text for a table, though the file has pieces of them in turn', async () => {
  const column = (name: string, x: number, piece: number): PdfLine[] =>
    [0, 1].map((line) => ({
      text: `${name} ${piece * 2 + line} goes on with some words of it`,
      x,
      y: 700 - (piece * 2 + line) * 12,
      size: 9,
    }))
  const text = await textOf(
    [0, 1, 2, 3].flatMap((piece) => [...column('left', 40, piece), ...column('right', 320, piece)]),
  )
  assert.deepEqual(
    text.match(/(?:left|right) \d/g),
    ['left', 'right'].flatMap((name) => Array.from({ length: 8 }, (_, index) => `${name} ${index}`)),
  )
})
