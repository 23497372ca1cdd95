import assert from 'node:assert/strict'
import { test } from 'node:test'
import { officeFile, readAll } from '../../../test/support/office-files.ts'
import { data, inline, MAIN, NAMES, number, row, textsOf, workbook } from '../../../test/support/workbook.ts'
import { FILE_LIMITS } from '../limits.ts'
import { readXlsx } from './xlsx.ts'

test('readXlsx reads all sheets, and a sheet of one row without a header', async () => {
  const bytes = workbook({
    A: data(row(inline('h')), row(inline('a'))),
    B: data(row(inline('only'), inline('row'))),
    C: '<sheetData/>',
  })
  assert.deepEqual(await textsOf(bytes), ['- h: a', '- A: only\n- B: row'])
})

test('readXlsx leaves out hidden sheets and sheets without cells, and tells it [formats:text-boxes, upsert:dropped:kinds]', async () => {
  const bytes = workbook({
    Budget: { content: data(row(inline('secret'))), state: 'hidden' },
    Deep: { content: data(row(inline('secret'))), state: 'veryHidden' },
    Chart: { type: 'chartsheet' },
    Shown: { content: data(row(inline('shown'))), state: 'visible' },
  })
  const { parts, notes, dropped } = await readAll(readXlsx, bytes)
  assert.deepEqual(
    parts.map(({ pageContent }) => pageContent),
    ['- A: shown'],
  )
  assert.deepEqual(dropped, [
    { kind: 'hiddenSheet', count: 1, place: { sheet: 'Budget' } },
    { kind: 'hiddenSheet', count: 1, place: { sheet: 'Deep' } },
    { kind: 'picture', count: 1, place: { sheet: 'Chart' } },
  ])
  assert.deepEqual(notes, [
    'sheet Budget is hidden and was skipped',
    'sheet Deep is hidden and was skipped',
    'sheet Chart holds no cells',
  ])
})

test('readXlsx reads strict workbooks and other prefixes', async () => {
  assert.deepEqual(await textsOf(workbook({ S: data(row(inline('strict'))) }, { strict: true })), [
    '- A: strict',
  ])
  const prefixed = data(row(inline('x'))).replace(/<(\/?)/g, '<$1p:')
  assert.deepEqual(await textsOf(workbook({ S: prefixed })), ['- A: x'])
})

test('readXlsx reads the intact part of a damaged sheet, and the sheets after it', async () => {
  const bytes = workbook({ A: `${data(row(inline('a')))}${'</x>'.repeat(60)}`, B: data(row(inline('b'))) })
  const { parts, notes } = await readAll(readXlsx, bytes)
  assert.deepEqual(
    parts.map(({ pageContent }) => pageContent),
    ['- A: a', '- A: b'],
  )
  assert.deepEqual(notes, ['xl/worksheets/s0.xml is damaged; some of its text is missing'])
})

test('readXlsx yields rows while it reads the sheet', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => row(number(index), inline('some text')))
  const damagedLater = `${data(row(inline('h')), ...rows)}${'<deep>'.repeat(300)}`
  const reading = readXlsx(
    { bytes: workbook({ S: damagedLater }), name: 'a.xlsx' },
    {},
    FILE_LIMITS,
  ) as Iterable<unknown>
  let read = 0
  const readOn = () => {
    for (const _ of reading) read++
  }
  assert.throws(readOn, { code: 'file_over_limit' })
  assert.ok(read > 19_000, `${read} rows came before the end of the sheet was looked at`)
})

test('readXlsx reads a sheet once that is listed many times, and none that is missing', async () => {
  const list = '<sheet name="S" r:id="s"/><sheet name="Gone" r:id="g"/><sheet name="Lost"/>'.repeat(500)
  const bytes = officeFile(
    MAIN,
    {
      [MAIN]: `<workbook ${NAMES}>${list}</workbook>`,
      'xl/s.xml': `<worksheet>${data(row(inline('a')))}</worksheet>`,
    },
    { [MAIN]: { s: ['worksheet', 's.xml'], g: ['worksheet', 'gone.xml'] } },
  )
  const { parts, notes } = await readAll(readXlsx, bytes)
  assert.deepEqual(
    parts.map(({ pageContent }) => pageContent),
    ['- A: a'],
  )
  assert.deepEqual(notes, ['sheet Gone holds no cells', 'sheet Lost holds no cells'])
})

test('readXlsx refuses other files', async () => {
  const word = officeFile('word/document.xml', { 'word/document.xml': '<document/>' })
  await assert.rejects(readAll(readXlsx, word), { code: 'file_unreadable' })
  const locked = Buffer.concat([Buffer.from('d0cf11e0', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')])
  await assert.rejects(readAll(readXlsx, locked), { code: 'file_encrypted' })
})

test('readXlsx refuses too many cells, merged ones included', async () => {
  const wide = row(...Array.from({ length: 50 }, (_, index) => inline(`c${index}`)))
  const narrow = Array.from({ length: 100 }, () => row(inline('x', 'ZZ1')))
  const tall = Array.from(
    { length: 50 },
    (_, index) => `<mergeCell ref="${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[index % 26]}1:B200"/>`,
  )
  const bytes = workbook({ S: `${data(wide, ...narrow)}<mergeCells>${tall.join('')}</mergeCells>` })
  await assert.rejects(readAll(readXlsx, bytes, { cells: 149 }), { code: 'file_over_limit' })
  await assert.rejects(readAll(readXlsx, bytes, { cells: 1000 }), { code: 'file_over_limit' })
  assert.equal((await readAll(readXlsx, bytes, { cells: 150 + 26 * 100 })).parts.length, 100)
})

test('readXlsx refuses small files that give large texts', async () => {
  const strings = `<si><t>${'long '.repeat(2000)}</t></si>`
  const cells = row('<c t="s"><v>0</v></c>').repeat(2000)
  const bytes = workbook({ S: data(cells) }, { strings })
  await assert.rejects(readAll(readXlsx, bytes, { textLength: 1_000_000 }), { code: 'file_over_limit' })
  await assert.rejects(readAll(readXlsx, bytes, { textLength: 9_999 }), { code: 'file_over_limit' })
})

test('readXlsx finds a header below title rows, and keeps the titles [formats:table-header]', async () => {
  const sheet = data(
    row(inline('Annual report')),
    row(inline('Source'), inline('office')),
    row(),
    row(inline('Team'), inline('City'), inline('Cups'), inline('Coach')),
    row(inline('Blues'), inline('STL'), number(1)),
    row(inline('Team'), inline('City'), inline('Cups'), inline('Coach')),
    row(inline('Flyers'), inline('PHI'), number(2), inline('Ada')),
  )
  const { parts, notes } = await readAll(readXlsx, workbook({ S: sheet }))
  const tableTitle = 'Annual report\nSource | office'
  assert.deepEqual(notes, [])
  assert.deepEqual(
    parts.map(({ pageContent, metadata }) => [pageContent, metadata]),
    [
      [tableTitle, { worksheet: 'S', rowNum: 1 }],
      [
        '- Team: Blues\n- City: STL\n- Cups: 1',
        { Team: 'Blues', City: 'STL', Cups: 1, tableTitle, worksheet: 'S', rowNum: 5 },
      ],
      [
        '- Team: Flyers\n- City: PHI\n- Cups: 2\n- Coach: Ada',
        { Team: 'Flyers', City: 'PHI', Cups: 2, Coach: 'Ada', tableTitle, worksheet: 'S', rowNum: 7 },
      ],
    ],
  )
})

test('readXlsx reads text boxes, grouped ones too, and the titles of charts [formats:text-boxes]', async () => {
  const box = (...paragraphs: string[]) =>
    `<xdr:sp><xdr:txBody>${paragraphs.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</xdr:txBody></xdr:sp>`
  const anchor = (row: number, content: string) =>
    `<xdr:twoCellAnchor><xdr:from><xdr:row>${row}</xdr:row></xdr:from><xdr:to><xdr:row>99</xdr:row></xdr:to>${content}</xdr:twoCellAnchor>`
  const drawing = `<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:c="c" xmlns:r="r">
    ${anchor(4, box('Call 112', 'in an emergency'))}
    ${anchor(8, `<xdr:grpSp>${box(' ')}${box('inner')}</xdr:grpSp>`)}
    ${anchor(9, '<xdr:graphicFrame><c:chart r:id="c"/></xdr:graphicFrame>')}
    ${anchor(2, '<xdr:pic/>')}
    <xdr:absoluteAnchor>${box('anywhere')}</xdr:absoluteAnchor></xdr:wsDr>`
  const chart = `<c:chart xmlns:c="c"><c:title><c:t>Ducks</c:t></c:title><c:ser><c:tx><c:v>cell</c:v></c:tx>
    <c:val><c:pt idx="0"><c:v>7</c:v></c:pt></c:val></c:ser></c:chart>`
  const bytes = officeFile(
    MAIN,
    {
      [MAIN]: `<workbook ${NAMES}><sheet name="S" r:id="s"/></workbook>`,
      'xl/s.xml': `<worksheet>${data(row(inline('h'), inline('i')), row(inline('a'), inline('b')), row(inline('h'), inline('i')))}</worksheet>`,
      'xl/drawing.xml': drawing,
      'xl/chart.xml': chart,
    },
    {
      [MAIN]: { s: ['worksheet', 's.xml'] },
      'xl/s.xml': { d: ['drawing', 'drawing.xml'] },
      'xl/drawing.xml': { c: ['chart', 'chart.xml'] },
    },
  )
  const { parts, dropped } = await readAll(readXlsx, bytes)
  assert.deepEqual(dropped, [
    { kind: 'picture', count: 1, place: { sheet: 'S' } },
    { kind: 'repeatedLine', count: 1, place: { sheet: 'S' } },
  ])
  assert.deepEqual(
    parts.map(({ pageContent, metadata }) => [pageContent, metadata.rowNum]),
    [
      ['- h: a\n- i: b', 2],
      ['Call 112\nin an emergency', 5],
      ['inner', 9],
      ['Ducks', 10],
      ['anywhere', undefined],
    ],
  )
})

test('readXlsx keeps long cells out of the metadata, with a note [formats:row-metadata]', async () => {
  const long = 'word '.repeat(1000).trim()
  const sheet = data(
    row(inline('id'), inline('text')),
    row(number(1), inline(long)),
    row(number(2), inline('short')),
  )
  const { parts, notes, dropped } = await readAll(readXlsx, workbook({ S: sheet }))
  assert.deepEqual(dropped, [{ kind: 'cutMetadata', count: 1, place: { sheet: 'S' } }])
  assert.deepEqual(
    parts.map(({ pageContent, metadata }) => [pageContent.length, metadata]),
    [
      ['- id: 1\n- text: '.length + long.length, { id: 1, worksheet: 'S', rowNum: 2 }],
      ['- id: 2\n- text: short'.length, { id: 2, text: 'short', worksheet: 'S', rowNum: 3 }],
    ],
  )
  assert.deepEqual(notes, ['sheet S has long rows: their text is complete, their metadata lack some cells'])
})

test('readXlsx gives the rows of a sheet once if all are equal', async () => {
  const same = row(inline('a'), inline('b'))
  assert.deepEqual(await textsOf(workbook({ S: data(same, same, same) })), ['- A: a\n- B: b'])
})
