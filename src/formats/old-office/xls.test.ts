import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCompound } from '../../../test/support/compound-writer.ts'
import { readAll } from '../../../test/support/office-files.ts'
import {
  double,
  long,
  shorts,
  xlsFile,
  xlsLabel as label,
  xlsNumber as number,
  xlsRecord as record,
  xlsStream,
  xlsText as text,
} from '../../../test/support/xls-writer.ts'
import { readXls } from './xls.ts'

const read = (bytes: Uint8Array, limits = {}) => readAll(readXls, bytes, limits)
const contents = async (bytes: Uint8Array) =>
  (await read(bytes)).parts.map(({ pageContent, metadata }) => [pageContent, metadata])
const sheetOf = (...records: Buffer[]) => [{ name: 'S', records }]

/** Formats: the styles 0 to 2 are general, a date, a percentage of its own. */
const FORMATS = [
  record(0x41e, shorts(164, 4), text('0.0%')),
  ...[0, 14, 164].map((format) => record(0xe0, shorts(0, format), Buffer.alloc(16))),
]

test('readXls gives the documents of a workbook: rows with the names of the header [formats:old-office]', async () => {
  const records = [
    label(0, 0, 'Item'),
    label(0, 1, 'Count'),
    label(0, 2, 'Day'),
    label(0, 3, 'Share'),
    label(0, 4, 'Sold'),
    label(1, 0, 'oar'),
    record(0x27e, shorts(1, 1, 0), long((1234 << 2) | 2)),
    number(1, 2, 45_443, 1),
    number(1, 3, 0.125, 2),
    record(0x205, shorts(1, 4, 0), [1, 0]),
    label(2, 0, 'buoy'),
    // 1.5, and 250 hundredths
    record(0xbd, shorts(2, 1), shorts(0), long(0x3ff80000), shorts(0), long((250 << 2) | 3), shorts(2)),
    record(0x205, shorts(2, 4, 0), [0x2a, 1]),
  ]
  assert.deepEqual(await contents(xlsFile(sheetOf(...records), { globals: FORMATS })), [
    [
      '- Item: oar\n- Count: 1234\n- Day: 2024-05-31\n- Share: 12.5%\n- Sold: TRUE',
      { Item: 'oar', Count: 1234, Day: '2024-05-31', Share: 0.125, Sold: true, worksheet: 'S', rowNum: 2 },
    ],
    [
      '- Item: buoy\n- Count: 1.5\n- Day: 1900-01-02\n- Sold: #N/A'.replace('1900-01-02', '2.5'),
      { Item: 'buoy', Count: 1.5, Day: 2.5, Sold: '#N/A', worksheet: 'S', rowNum: 3 },
    ],
  ])
})

test('readXls reads shared texts across records, wide ones, and the results of formulas [formats:old-office]', async () => {
  const strings = Buffer.concat([
    record(0xfc, long(3), long(3), shorts(3), text('one'), shorts(4), text('ab')),
    // goes on in the middle of the second text, in wide characters
    record(0x3c, text('漢字', true), shorts(2), [8 | 1], shorts(1), Buffer.from('äö', 'utf16le'), long(0)),
  ])
  const formula = (row: number, ...result: (number[] | Buffer)[]) =>
    record(0x06, shorts(row, 0, 0), ...result, shorts(0))
  const records = [
    ...[0, 1, 2].map((index) => record(0xfd, shorts(index, 0, 0), long(index))),
    formula(3, double(7)),
    formula(4, [0, 0, 0, 0, 0, 0, 0xff, 0xff]),
    record(0x207, shorts(4), text('text')),
    formula(5, [1, 0, 1, 0, 0, 0, 0xff, 0xff]),
    formula(6, [2, 0, 7, 0, 0, 0, 0xff, 0xff]),
    formula(7, [3, 0, 0, 0, 0, 0, 0xff, 0xff]),
  ]
  const found = await contents(xlsFile(sheetOf(...records), { globals: [strings] }))
  assert.deepEqual(
    found.map(([content]) => content),
    ['ab漢字', 'äö', '7', 'text', 'TRUE', '#DIV/0!'].map((value) => `- one: ${value}`),
  )
})

test('readXls leaves out hidden sheets, and reads comments, text boxes and merged cells [formats:old-office]', async () => {
  const object = (id: number, kind: number) => record(0x5d, shorts(0x15, 18, kind, id), Buffer.alloc(14))
  const boxed = (content: string) =>
    Buffer.concat([
      record(0x1b6, shorts(0, 0, 0, 0, 0, content.length, 0), long(0)),
      record(0x3c, text(content)),
    ])
  const records = [
    label(0, 0, 'h'),
    label(0, 1, 'i'),
    label(1, 0, 'tall'),
    label(1, 1, 'a'),
    label(2, 1, 'b'),
    object(5, 0x19),
    boxed('why'),
    object(6, 6),
    boxed('Call 112'),
    record(0x1c, shorts(2, 1, 0, 5, 3), text('Ada')),
    record(0xe5, shorts(1, 1, 2, 0, 0)),
    // a chart inside the sheet
    record(0x809, shorts(0x600, 0x20, 0, 0)),
    label(9, 0, 'not a cell'),
    record(0x0a),
    label(3, 1, 'last'),
  ]
  const { parts, notes, dropped } = await read(
    xlsFile([
      { name: 'Budget', records: [label(0, 0, 'secret')], state: 1 },
      { name: 'Chart', records: [], kind: 2 },
      { name: 'S', records },
    ]),
  )
  assert.deepEqual(
    parts.map(({ pageContent }) => pageContent),
    ['- h: tall\n- i: a', '- h: tall\n- i: b\n- Comment on B3 by Ada: why', '- i: last', 'Call 112'],
  )
  assert.deepEqual(notes, ['sheet Budget is hidden and was skipped', 'sheet Chart holds no cells'])
  assert.deepEqual(dropped, [{ kind: 'hiddenSheet', count: 1, place: { sheet: 'Budget' } }])
})

test('readXls reads workbooks of Excel 95 in their code page [formats:old-office]', async () => {
  const cell = (row: number, bytes: string) =>
    record(0x204, shorts(row, 0, 0, bytes.length), Buffer.from(bytes, 'latin1'))
  const extras = { version: 0x500, stream: 'Book', globals: [record(0x42, shorts(1251))] }
  const bytes = xlsFile(sheetOf(cell(0, 'h'), cell(1, '\xcf\xf0')), extras)
  assert.deepEqual(
    (await contents(bytes)).map(([content]) => content),
    ['- h: Пр'],
  )
})

test('readXls refuses encrypted, other and damaged files, and says what they are [formats:old-office]', async () => {
  const locked = xlsFile(sheetOf(), { globals: [record(0x2f, shorts(1))] })
  await assert.rejects(read(locked), { code: 'file_encrypted' })
  await assert.rejects(read(writeCompound({ EncryptedPackage: Buffer.from('x') })), {
    code: 'file_encrypted',
  })
  await assert.rejects(read(writeCompound({ 'PowerPoint Document': Buffer.from('x') })), {
    code: 'file_unreadable',
    message: /its content is a PowerPoint 97-2003 deck; save it as \.pptx/,
  })
  await assert.rejects(read(writeCompound({ Workbook: Buffer.from('none') })), {
    code: 'file_unreadable',
  })
  await assert.rejects(read(Buffer.from('hello')), { code: 'file_unreadable' })
  // cut in a record: what was read before it is given
  const cut = xlsStream(sheetOf(label(0, 0, 'h'), label(1, 0, 'a'), label(2, 0, 'lost'))).subarray(0, -12)
  assert.equal((await read(writeCompound({ Workbook: cut }))).parts[0]?.pageContent, '- h: a')
})

test('readXls bounds cells and texts', async () => {
  const records = Array.from({ length: 200 }, (_, row) => label(row, 0, `cell ${row}`))
  await assert.rejects(read(xlsFile(sheetOf(...records)), { cells: 100 }), { code: 'file_over_limit' })
  await assert.rejects(read(xlsFile(sheetOf(...records)), { textLength: 1000 }), { code: 'file_over_limit' })
  const tall = [...Array.from({ length: 50 }, (_, column) => label(1, column, 'x')), label(0, 0, 'h')]
  const areas = Array.from({ length: 50 }, (_, column) => record(0xe5, shorts(1, 1, 500, column, column)))
  const rows = Array.from({ length: 499 }, (_, row) => label(row + 2, 99, 'y'))
  await assert.rejects(read(xlsFile(sheetOf(...tall, ...rows, ...areas)), { cells: 2000 }), {
    code: 'file_over_limit',
  })
})
