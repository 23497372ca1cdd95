import assert from 'node:assert/strict'
import { test } from 'node:test'
import { officeFile, readAll } from '../../../test/support/office-files.ts'
import { data, inline, MAIN, NAMES, number, row, textsOf, workbook } from '../../../test/support/workbook.ts'
import { readXlsx } from './xlsx.ts'

test('readXlsx gives a document per row, with the headers of the first row', async () => {
  const sheet = data(
    '<row r="3"/>',
    `<row r="4">${inline('Name', 'B4')}${inline('Age', 'D4')}</row>`,
    `<row r="7">${inline('Ada', 'B7')}${inline('note', 'C7')}<c r="D7"><v>36</v></c></row>`,
    row(inline('Bob', 'B8'), inline(' ', 'D8')),
  )
  const { parts, notes } = await readAll(readXlsx, workbook({ People: sheet }))
  assert.deepEqual(notes, [])
  assert.deepEqual(parts, [
    {
      pageContent: '- Name: Ada\n- C: note\n- Age: 36',
      metadata: { Name: 'Ada', C: 'note', Age: 36, worksheet: 'People', rowNum: 7 },
      last: true,
    },
    { pageContent: '- Name: Bob', metadata: { Name: 'Bob', worksheet: 'People', rowNum: 8 }, last: true },
  ])
})

test('readXlsx distinguishes columns of one name, and columns with the name of its own keys', async () => {
  const headers = ['x', 'x', 'x_1', 'rowNum', '__proto__', 'two\nlines', 'H']
  const header = row(...headers.map((text) => inline(text)))
  const numbers = row(...[1, 2, 3, 4, 5, 6, 7, 8].map((value) => number(value)))
  const { parts } = await readAll(readXlsx, workbook({ S: data(header, numbers) }))
  assert.equal(
    parts[0]?.pageContent,
    '- x: 1\n- x_1: 2\n- x_1_1: 3\n- rowNum: 4\n- __proto__: 5\n- two lines: 6\n- H: 7\n- H_1: 8',
  )
  assert.deepEqual(Object.entries(parts[0]!.metadata).sort(), [
    ['H', 7],
    ['H_1', 8],
    ['__proto__', 5],
    ['rowNum', 2],
    ['two lines', 6],
    ['worksheet', 'S'],
    ['x', 1],
    ['x_1', 2],
    ['x_1_1', 3],
  ])
})

test('readXlsx reads shared, formatted and inline strings without phonetic readings', async () => {
  const strings = `<si><t>plain</t></si><si><r><t>for</t></r><r><rPr/><t>matted</t></r></si>
    <si><t>漢字</t><rPh sb="0" eb="1"><t>kanji</t></rPh></si><si><t>a_x000D_b_x005F_</t></si><si/>`
  const cells = [0, 1, 2, 3, 4, 99].map((index) => `<c t="s"><v>${index}</v></c>`)
  const rich = '<c t="inlineStr"><is><r><t>rich</t></r><r><t> text</t></r><rPh><t>lost</t></rPh></is></c>'
  const formula = '<c t="str"><f>A1&amp;"x"</f><v>computed</v></c>'
  assert.deepEqual(await textsOf(workbook({ S: data(row(...cells, rich, formula)) }, { strings })), [
    '- A: plain\n- B: formatted\n- C: 漢字\n- D: a\rb_\n- G: rich text\n- H: computed',
  ])
})

test('readXlsx shows numbers, dates, booleans and errors as Excel does', async () => {
  const codes = [
    'General',
    '0.0%',
    '"$"#,##0.00',
    'd/m/yy',
    'm/d/yy h:mm',
    '[h]:mm',
    'h:mm AM/PM',
    '0.00E+00',
    '0[[',
    ';;;',
    '0'.repeat(300),
  ]
  const styles = `<numFmts>${codes.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts>
    <cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
    <cellXfs>${codes.map((_, index) => `<xf numFmtId="${200 + index}"/>`).join('')}<xf numFmtId="14"/><xf/></cellXfs>`
  const cells = [
    number(0.30000000000000004, 0),
    number(0.125, 1),
    number(1234.5, 2),
    number(45443, 3),
    number(45443.604166666664, 4),
    number(1.5, 5),
    number(0.5, 6),
    number(12345, 7),
    number(7, 8),
    number(8, 9),
    number(9, 10),
    number(61, 11),
    number(-5, 11),
    number(10, 12),
    number(11, 99),
    number('1e999', 0),
    '<c t="b"><v>1</v></c>',
    '<c t="b"><v>0</v></c>',
    '<c t="e"><v>#DIV/0!</v></c>',
    '<c t="d"><v>2024-05-31T14:30:00</v></c>',
  ]
  const { parts } = await readAll(readXlsx, workbook({ S: data(row(...cells)) }, { styles }))
  const lines = parts[0]!.pageContent.split('\n').map((line) => line.replace(/^- \w+: /, ''))
  const { worksheet, rowNum, ...values } = parts[0]!.metadata
  assert.deepEqual([worksheet, rowNum], ['S', 1])
  assert.deepEqual(
    lines.map((line, index) => [line, Object.values(values)[index]]),
    [
      ['0.3', 0.30000000000000004],
      ['12.5%', 0.125],
      ['$1,234.50', 1234.5],
      ['2024-05-31', '2024-05-31'],
      ['2024-05-31 14:30', '2024-05-31 14:30'],
      ['36:00', '36:00'],
      ['12:00 PM', '12:00 PM'],
      ['1.23E+04', 12345],
      ['7', 7],
      ['8', 8],
      ['9', 9],
      ['1900-03-01', '1900-03-01'],
      ['-5', -5],
      ['10', 10],
      ['11', 11],
      ['1e999', '1e999'],
      ['TRUE', true],
      ['FALSE', false],
      ['#DIV/0!', '#DIV/0!'],
      ['2024-05-31 14:30:00', '2024-05-31 14:30:00'],
    ],
  )
})

test('readXlsx counts days from 1904 if the workbook does', async () => {
  const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>'
  const bytes = workbook({ S: data(row(number(1))) }, { styles, properties: 'date1904="1"' })
  assert.deepEqual(await textsOf(bytes), ['- A: 1904-01-02'])
})

test('readXlsx gives merged cells to all the rows they cover', async () => {
  const sheet = `${data(
    row(inline('Team'), inline('Name')),
    row(inline('Red'), inline('Ada')),
    row('<c/>', inline('Bob')),
    row('<c/>', '<c/>'),
    row('<c/>', inline('Cyd')),
    row('<c/>', inline('Dan')),
  )}<mergeCells count="2"><mergeCell ref="A2:A5"/><mergeCell ref="A1:B1"/></mergeCells>`
  assert.deepEqual(await textsOf(workbook({ S: sheet })), [
    '- Team: Red\n- Name: Ada',
    '- Team: Red\n- Name: Bob',
    '- Team: Red\n- Name: Cyd',
    '- Name: Dan',
  ])
})

test('readXlsx puts notes and threads below their row, or alone if it has no cells', async () => {
  const note = (ref: string, author: number, text: string) =>
    `<comment ref="${ref}" authorId="${author}"><text><r><t>${text}</t></r></text></comment>`
  const notes = `<comments ${NAMES}><authors><author>Ada</author><author/></authors><commentList>
    ${note('A1', 0, 'on the header')}${note('B2', 1, 'nobody')}${note('A2', 7, '[Threaded comment] the same')}</commentList></comments>`
  const thread = (person: string, text: string) =>
    `<threadedComment ref="A2" personId="${person}"><text>${text}</text></threadedComment>`
  const bytes = officeFile(
    MAIN,
    {
      [MAIN]: `<workbook ${NAMES}><sheet name="S" r:id="s"/></workbook>`,
      'xl/s.xml': `<worksheet>${data(row(inline('h')), row(inline('a')))}</worksheet>`,
      'xl/notes.xml': notes,
      'xl/threads.xml': `<ThreadedComments>${thread('{1}', 'why')}${thread('{2}', 'because')}</ThreadedComments>`,
      'xl/people.xml': '<personList><person id="{1}" displayName="Bob"/></personList>',
    },
    {
      [MAIN]: { s: ['worksheet', 's.xml'], p: ['person', 'people.xml'] },
      'xl/s.xml': { n: ['comments', 'notes.xml'], t: ['threadedComment', 'threads.xml'] },
    },
  )
  const { parts } = await readAll(readXlsx, bytes)
  assert.deepEqual(
    parts.map(({ pageContent, metadata }) => [pageContent, metadata]),
    [
      [
        '- h: a\n- Comment on B2: nobody\n- Comment on A2 by Bob: why\n- Comment on A2: because',
        { h: 'a', worksheet: 'S', rowNum: 2 },
      ],
      ['- Comment on A1 by Ada: on the header', { worksheet: 'S', rowNum: 1 }],
    ],
  )
})

test('readXlsx reads cells with missing or wrong references', async () => {
  const cells = [
    inline('a', 'XFE1'),
    inline('b', '1'),
    inline('c', 'ZZZZZZ1'),
    inline('d', 'XFD1'),
    inline('e'),
  ]
  const texts = await textsOf(workbook({ S: data(`<row r="-1">${cells.join('')}</row>`) }))
  assert.deepEqual(texts, ['- A: a\n- B: b\n- C: c\n- XFD: d\n- XFD: e'])
})
