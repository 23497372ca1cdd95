import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  odf,
  odfContent,
  odsCell as cell,
  odsRow as row,
  odsTable,
  odtParagraph as paragraph,
} from '../../../test/support/odf-files.ts'
import { readAll } from '../../../test/support/office-files.ts'
import { FILE_LIMITS } from '../limits.ts'
import { readOds } from './ods.ts'

const read = (body: string, extras = {}, limits = {}) =>
  readAll(readOds, odf('spreadsheet', body, extras), limits)
const contents = async (body: string, extras = {}) =>
  (await read(body, extras)).parts.map(({ pageContent, metadata }) => [pageContent, metadata])
const float = (shown: string, value: number) =>
  cell(shown, `office:value-type="float" office:value="${value}"`)

test('readOds gives the documents of a workbook: rows with the names of the header [formats:open-document]', async () => {
  const sheet = odsTable(
    'Stock',
    row(cell('Annual report')) +
      row(cell('Item'), cell('Count'), cell('Price'), cell('Day'), cell('Sold')) +
      row(
        cell('oar'),
        float('1,200', 1200),
        cell('8,50 €', 'office:value-type="currency" office:value="8.5"'),
        cell('31.05.24', 'office:value-type="date" office:date-value="2024-05-31T00:00:00"'),
        cell('WAHR', 'office:value-type="boolean" office:boolean-value="true"'),
      ) +
      row(cell('buoy'), float('3', 3)),
  )
  assert.deepEqual(await contents(sheet), [
    ['Annual report', { worksheet: 'Stock', rowNum: 1 }],
    [
      '- Item: oar\n- Count: 1,200\n- Price: 8,50 €\n- Day: 2024-05-31\n- Sold: TRUE',
      {
        Item: 'oar',
        Count: 1200,
        Price: 8.5,
        Day: '2024-05-31',
        Sold: true,
        tableTitle: 'Annual report',
        worksheet: 'Stock',
        rowNum: 3,
      },
    ],
    [
      '- Item: buoy\n- Count: 3',
      { Item: 'buoy', Count: 3, tableTitle: 'Annual report', worksheet: 'Stock', rowNum: 4 },
    ],
  ])
})

test('readOds leaves out hidden sheets and says so [formats:open-document]', async () => {
  const automatic =
    '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>'
  const { parts, notes, dropped } = await read(
    odsTable('Budget', row(cell('secret')), 'h') + odsTable('Shown', row(cell('shown'))),
    { automatic },
  )
  assert.deepEqual(
    parts.map(({ pageContent }) => pageContent),
    ['- A: shown'],
  )
  assert.deepEqual(notes, ['sheet Budget is hidden and was skipped'])
  assert.deepEqual(dropped, [{ kind: 'hiddenSheet', count: 1, place: { sheet: 'Budget' } }])
})

test('readOds counts repeated rows and cells, and fills merged cells downward', async () => {
  const empty = '<table:table-cell table:number-columns-repeated="2"/>'
  const sheet = odsTable(
    'S',
    row(cell('a'), cell('b'), cell('c'), cell('d')) +
      '<table:table-row table:number-rows-repeated="10"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>' +
      row(cell('x', '', 'table:number-rows-spanned="2"'), empty, cell('1')) +
      row('<table:covered-table-cell/>', cell('y', '', 'table:number-columns-repeated="2"')) +
      `<table:table-row table:number-rows-repeated="2">${cell('z')}</table:table-row>` +
      '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>',
  )
  assert.deepEqual(
    (await contents(sheet)).map(([text, metadata]) => [text, (metadata as { rowNum: number }).rowNum]),
    [
      ['- a: x\n- d: 1', 12],
      ['- a: x\n- b: y\n- c: y', 13],
      ['- a: z', 14],
      ['- a: z', 15],
    ],
  )
})

test('readOds reads comments with their row, text boxes and titles of charts after the rows [formats:open-document]', async () => {
  const comment = `<office:annotation><dc:creator>Ada</dc:creator>${paragraph('[Threaded comment]')}${paragraph('Comment:')}${paragraph('why')}</office:annotation>`
  const box = `<draw:custom-shape>${paragraph('Call 112')}</draw:custom-shape>`
  const chart = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
  const sheet = odsTable(
    'S',
    `<table:shapes>${chart}</table:shapes>` +
      row(cell('h'), cell('i')) +
      row(`<table:table-cell>${comment}${paragraph('a')}${box}</table:table-cell>`),
  )
  const object = odfContent(
    'chart',
    `<chart:chart><chart:title>${paragraph('Ducks')}</chart:title><table:table>${row(cell('7'))}</table:table></chart:chart>`,
  )
  assert.deepEqual(await contents(sheet, { parts: { 'Object 1/content.xml': object } }), [
    ['- h: a\n- Comment on A2 by Ada: why', { h: 'a', worksheet: 'S', rowNum: 2 }],
    ['Ducks', { worksheet: 'S' }],
    ['Call 112', { worksheet: 'S', rowNum: 2 }],
  ])
})

test('readOds yields rows while it reads the sheet', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) =>
    row(float(String(index), index), cell('some text')),
  )
  const damagedLater = odsTable('S', rows.join('') + '<table:deep>'.repeat(300))
  const bytes = odf('spreadsheet', damagedLater)
  const reading = readOds({ bytes, name: 'a.ods' }, {}, FILE_LIMITS) as Iterable<unknown>
  const first = reading[Symbol.iterator]().next().value as { pageContent: string }
  assert.match(first.pageContent, /some text/)
})

test('readOds refuses too many cells, other files and damaged ones', async () => {
  const wide = odsTable('S', row(cell('x', '', 'table:number-columns-repeated="16000"')).repeat(100))
  await assert.rejects(read(wide, {}, { cells: 100_000 }), { code: 'file_over_limit' })
  const tall = odsTable(
    'S',
    `<table:table-row table:number-rows-repeated="1000000">${cell('x')}</table:table-row>`,
  )
  await assert.rejects(read(tall, {}, { cells: 100_000 }), { code: 'file_over_limit' })
  await assert.rejects(readAll(readOds, odf('text', '')), { code: 'file_unreadable' })
  await assert.rejects(readAll(readOds, odf('spreadsheet', '</x>'.repeat(60))), { code: 'file_unreadable' })
})
