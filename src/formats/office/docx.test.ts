import assert from 'node:assert/strict'
import { test } from 'node:test'
import { officeFile, readAll } from '../../../test/support/office-files.ts'
import { readDocx } from './docx.ts'

const W = 'xmlns:w="w" xmlns:r="r" xmlns:m="m" xmlns:mc="mc" xmlns:v="v" xmlns:wp="wp"'
const part = (root: string, content: string) => `<w:${root} ${W}>${content}</w:${root}>`
const body = (content: string) => part('document', `<w:body>${content}</w:body>`)
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
const paragraph = (content: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr>${content.startsWith('<') ? content : run(content)}</w:p>`
const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
const table = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`
const item = (text: string, id: number, level = 0) =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`)

const MAIN = 'word/document.xml'

/** A document with this body, and other parts by the type of their relationship. */
function docx(content: string, others: Record<string, string> = {}, quirks = {}): Buffer {
  const names = Object.keys(others)
  return officeFile(
    MAIN,
    {
      [MAIN]: body(content),
      ...Object.fromEntries(names.map((name) => [`word/${name}.xml`, others[name]!])),
    },
    { [MAIN]: Object.fromEntries(names.map((name) => [name, [name.replace(/\d/, ''), `${name}.xml`]])) },
    quirks,
  )
}

async function textOf(bytes: Uint8Array): Promise<string> {
  const { parts } = await readAll(readDocx, bytes)
  assert.ok(parts.length <= 1)
  return parts[0]?.pageContent ?? ''
}

test('readDocx joins paragraphs by a blank line and keeps tabs and breaks inside them', async () => {
  const second = `<w:r><w:t>two</w:t><w:tab/><w:t>three</w:t><w:br/><w:t>four</w:t><w:noBreakHyphen/></w:r>`
  const tabStops = '<w:tabs><w:tab w:val="left"/></w:tabs>'
  const bytes = docx(paragraph('one') + paragraph('  ') + paragraph(second, tabStops))
  assert.equal(await textOf(bytes), 'one\n\ntwo\tthree\nfour\u2011')
})

test('readDocx reads headings from style names, inherited styles and outline levels', async () => {
  const styles = part(
    'styles',
    `<w:style w:styleId="T"><w:name w:val="Title"/></w:style>
     <w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style>
     <w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H2"/></w:style>
     <w:style w:styleId="O"><w:name w:val="O"/><w:outlineLvl w:val="3"/></w:style>
     <w:style w:styleId="A"><w:name w:val="A"/><w:basedOn w:val="B"/></w:style>
     <w:style w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style>`,
  )
  const styled = ['T', 'H2', 'Mine', 'O', 'A', 'missing'].map((style) =>
    paragraph(style, `<w:pStyle w:val="${style}"/>`),
  )
  const direct = paragraph('direct', '<w:outlineLvl w:val="0"/>')
  assert.equal(
    await textOf(docx(styled.join('') + direct, { styles })),
    '# T\n\n## H2\n\n## Mine\n\n#### O\n\nA\n\nmissing\n\n# direct',
  )
})

const level = (index: number, format: string, text: string, start = 1) =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`

test('readDocx shows list numbers as Word shows them', async () => {
  const numbering = part(
    'numbering',
    `<w:abstractNum w:abstractNumId="1">${level(0, 'decimal', 'Art. %1.', 7)}${level(1, 'lowerLetter', '%1%2)')}</w:abstractNum>
     <w:abstractNum w:abstractNumId="2">${level(0, 'bullet', '\u2022')}${level(1, 'upperRoman', '%2.', 4)}</w:abstractNum>
     <w:abstractNum w:abstractNumId="3">${level(0, 'none', '')}</w:abstractNum>
     <w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
     <w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>
     <w:num w:numId="3"><w:abstractNumId w:val="3"/></w:num>
     <w:num w:numId="4"><w:abstractNumId w:val="1"/>
       <w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`,
  )
  const items = [
    item('a', 1),
    item('b', 1, 1),
    item('c', 1, 1),
    item('d', 1),
    item('e', 1, 1),
    item('f', 2),
    item('g', 2, 1),
    item('h', 3),
    item('i', 4),
    item('j', 0),
    item('k', 99),
  ]
  const lines = (await textOf(docx(items.join(''), { numbering }))).split('\n\n')
  assert.deepEqual(lines, [
    'Art. 7. a',
    '  7a) b',
    '  7b) c',
    'Art. 8. d',
    '  8a) e',
    '- f',
    '  IV. g',
    'h',
    'Art. 1. i',
    'j',
    '- k',
  ])
})

test('readDocx numbers headings by their style', async () => {
  const styles = part(
    'styles',
    `<w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`,
  )
  const numbering = part(
    'numbering',
    `<w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}</w:abstractNum>
     <w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`,
  )
  const heading = (text: string) => paragraph(text, '<w:pStyle w:val="H1"/>')
  const bytes = docx(heading('First') + heading('Second'), { styles, numbering })
  assert.equal(await textOf(bytes), '# 1. First\n\n# 2. Second')
})

test('readDocx writes tables as markdown, merged cells and tables in cells included', async () => {
  const inner = table(row(cell(paragraph('x')), cell(paragraph('y'))))
  const bytes = docx(
    table(
      row(
        cell(paragraph('wide'), '<w:gridSpan w:val="2"/>'),
        cell(paragraph('tall'), '<w:vMerge w:val="restart"/>'),
      ),
      `<w:tr><w:trPr><w:gridBefore w:val="2"/></w:trPr>${cell(paragraph('late'))}</w:tr>`,
      row(cell(paragraph('a|b') + paragraph('c')), cell(inner), cell(paragraph('lost'), '<w:vMerge/>')),
    ),
  )
  assert.equal(
    await textOf(bytes),
    '| wide |  | tall |\n| --- | --- | --- |\n|  |  | late |\n| a\\|b c | x y |  |',
  )
})

test('readDocx reads a table of one cell as the text in it', async () => {
  const bytes = docx(table(row(cell(paragraph('one') + paragraph('two')))))
  assert.equal(await textOf(bytes), 'one\n\ntwo')
})

test('readDocx reads tables inside a paragraph after it', async () => {
  const inside = table(row(cell(paragraph('x')), cell(paragraph('y'))))
  const bytes = docx(`<w:p><w:r><w:t>before</w:t>${inside}<w:t> after</w:t></w:r></w:p>`)
  assert.equal(await textOf(bytes), 'before after\n\n| x | y |\n| --- | --- |')
})

test('readDocx reads tracked changes as if accepted', async () => {
  const changed = `${run('kept ')}<w:ins>${run('inserted ')}</w:ins><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>
    <w:moveFrom>${run('moved away')}</w:moveFrom><w:moveTo>${run('moved here')}</w:moveTo>`
  const was = '<w:pPrChange><w:pPr><w:numPr><w:numId w:val="5"/></w:numPr></w:pPr></w:pPrChange>'
  const gone = `<w:tr><w:trPr><w:del/></w:trPr>${cell(paragraph('deleted'))}${cell(paragraph('row'))}</w:tr>`
  const rows = table(row(cell(paragraph('a')), cell(paragraph('b'))), gone)
  const text = await textOf(docx(paragraph(changed, was) + rows))
  assert.equal(text, 'kept inserted moved here\n\n| a | b |\n| --- | --- |')
})

test('readDocx reads a text box once, after its paragraph', async () => {
  const box = `<w:txbxContent>${paragraph('boxed')}${paragraph('twice')}</w:txbxContent>`
  const alternate = `<mc:AlternateContent><mc:Choice><wp:inline>${box}</wp:inline></mc:Choice>
    <mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent>`
  const old = `<w:pict><v:textbox><w:txbxContent>${paragraph('old')}</w:txbxContent></v:textbox></w:pict>`
  const bytes = docx(`<w:p><w:r>${alternate}</w:r>${run('text')}<w:r>${old}</w:r></w:p>`)
  assert.equal(await textOf(bytes), 'text\n\nboxed\n\ntwice\n\nold')
})

test('readDocx reads footnotes, endnotes and comments with their marks', async () => {
  const note = (kind: string, text: string) =>
    part(
      `${kind}s`,
      `<w:${kind} w:id="0" w:type="separator">${paragraph('line')}</w:${kind}>
       <w:${kind} w:id="1" w:author="Ada">${paragraph(text)}</w:${kind}>`,
    )
  const marks = `${run('text')}<w:r><w:footnoteReference w:id="1"/><w:endnoteReference w:id="1"/><w:commentReference w:id="1"/></w:r>`
  const bytes = docx(paragraph(marks), {
    footnotes: note('footnote', 'foot').replace('w:author="Ada"', ''),
    endnotes: note('endnote', 'end').replace('w:author="Ada"', ''),
    comments: note('comment', 'why'),
  })
  assert.equal(await textOf(bytes), 'text[^1][^e1][^c1]\n\n[^1]: foot\n\n[^e1]: end\n\n[^c1]: Ada: why')
})

test('readDocx reads each different header and footer once, page numbers alone not at all', async () => {
  const header = (text: string) => part('hdr', paragraph(text))
  const bytes = docx(paragraph('text'), {
    header1: header('Company'),
    header2: header('Company'),
    header3: header('12'),
    footer1: part('ftr', paragraph('Confidential')),
  })
  assert.equal(await textOf(bytes), 'Company\n\ntext\n\nConfidential')
})

test('readDocx reads equations, links, fields, symbols, content controls and ruby text', async () => {
  const equation = `<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>`
  const link = `<w:hyperlink r:id="x">${run(' link')}</w:hyperlink>`
  const field = `<w:r><w:instrText> PAGE </w:instrText></w:r><w:fldSimple>${run(' 12')}</w:fldSimple>`
  const symbols = '<w:r><w:sym w:char="F0B7"/><w:sym w:char="00A7"/><w:sym w:char="D800"/></w:r>'
  const control = `<w:sdt><w:sdtContent>${run('control')}</w:sdtContent></w:sdt>`
  const ruby = `<w:ruby><w:rt>${run('kanji')}</w:rt><w:rubyBase>${run('漢字')}</w:rubyBase></w:ruby>`
  const bytes = docx(paragraph(equation + link + field + symbols + control + ruby))
  assert.equal(await textOf(bytes), 'a/b link 12\u2022\u00a7control漢字')
})

test('readDocx reads charts and SmartArt after the paragraph that shows them', async () => {
  const chart = '<c:chart xmlns:c="c"><c:title><c:t>Ducks</c:t></c:title></c:chart>'
  const art = '<d:pt xmlns:d="d"><d:p><d:t>plan</d:t></d:p></d:pt>'
  const shown =
    '<w:r><w:drawing><c:chart xmlns:c="c" r:id="chart1"/><d:relIds xmlns:d="d" r:dm="art1"/></w:drawing></w:r>'
  const bytes = docx(paragraph(shown + run('text')), { chart1: chart, art1: art })
  assert.equal(await textOf(bytes), 'text\n\nDucks\n\nplan')
})

test('readDocx gives title, author and times where the document has them', async () => {
  const core =
    '<c:p xmlns:c="c" xmlns:d="d"><d:title>Plan</d:title><d:creator> Ada </d:creator><c:created>2024-05-01</c:created><d:modified/></c:p>'
  const bytes = officeFile(
    MAIN,
    { [MAIN]: body(paragraph('text')), 'meta/core.xml': core },
    { '': { c: ['metadata/core-properties', '/meta/core.xml'] } },
  )
  const { parts } = await readAll(readDocx, bytes)
  assert.deepEqual(parts[0]?.metadata, { title: 'Plan', author: 'Ada', created: '2024-05-01' })
  assert.equal(parts[0]?.last, true)
})

test('readDocx reads strict files, other prefixes, UTF-16 parts and main parts of any name', async () => {
  assert.equal(await textOf(docx(paragraph('strict'), {}, { strict: true })), 'strict')
  const prefixed = '<document xmlns="w"><x:body xmlns:x="w"><p><r><t>Grüße</t></r></p></x:body></document>'
  assert.equal(await textOf(officeFile('doc/main.xml', { 'doc/main.xml': prefixed })), 'Grüße')
  const declared = `<?xml version="1.0" encoding="UTF-16"?>${prefixed}`
  for (const mark of ['', '\ufeff']) {
    const wide = Buffer.from(mark + declared, 'utf16le')
    assert.equal(await textOf(officeFile(MAIN, { [MAIN]: wide })), 'Grüße')
    assert.equal(await textOf(officeFile(MAIN, { [MAIN]: Buffer.from(wide).swap16() })), 'Grüße')
  }
  const western = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${prefixed}`, 'latin1')
  assert.equal(await textOf(officeFile(MAIN, { [MAIN]: western })), 'Grüße')
})

test('readDocx keeps a character whole that is divided between two steps of reading', async () => {
  const text = 'aé漢😀'.repeat(20_000)
  assert.equal(await textOf(docx(paragraph(text))), text)
})

test('readDocx gives no part for a document without text', async () => {
  assert.deepEqual((await readAll(readDocx, docx(paragraph('')))).parts, [])
})

test('readDocx tells pictures, embedded files, deletions, and headers that it leaves out [upsert:dropped:kinds]', async () => {
  const mark = '<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>'
  const deleted = '<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>'
  const picture = '<w:r><w:drawing><a:graphic><pic:pic/></a:graphic></w:drawing></w:r>'
  const bytes = docx(
    `<w:p>${mark}${run('text')}${deleted}</w:p>${paragraph(`${picture}${picture}<w:object><o:OLEObject/></w:object>`)}`,
    {
      header1: part('hdr', paragraph('Company')),
      header2: part('hdr', paragraph('Company')),
      header3: part('hdr', paragraph('')),
      footer1: part('ftr', paragraph('12')),
    },
  )
  const { parts, dropped } = await readAll(readDocx, bytes)
  assert.equal(parts[0]?.pageContent, 'Company\n\ntext')
  assert.deepEqual(dropped, [
    { kind: 'repeatedLine', count: 1, place: { part: 'header' } },
    { kind: 'deletedText', count: 1 },
    { kind: 'picture', count: 2 },
    { kind: 'attachment', count: 1 },
    { kind: 'pageNumber', count: 1, place: { part: 'footer' } },
  ])
})

test('readDocx says what is damaged or left out and reads the rest', async () => {
  const bytes = docx(`${paragraph('text')}${'<w:altChunk r:id="x"/>'.repeat(200)}`, {
    comments: '<'.repeat(100),
    styles: `${part('styles', '')}&nbsp;`,
  })
  const { parts, notes, dropped } = await readAll(readDocx, bytes)
  assert.equal(parts[0]?.pageContent, 'text')
  assert.deepEqual(dropped, [
    { kind: 'damagedPart', count: 1, place: { part: 'word/styles.xml' } },
    { kind: 'attachment', count: 200 },
    { kind: 'damagedPart', count: 1, place: { part: 'word/comments.xml' } },
  ])
  assert.deepEqual(notes, [
    'word/styles.xml is not well-formed XML; some of its text may be missing',
    'a document inside the document was not read',
    'word/comments.xml is damaged; some of its text is missing',
  ])
})

test('readDocx reads the complete part of a document that is cut off', async () => {
  const cut = body(paragraph('whole') + paragraph('half')).replace(/<\/w:t><\/w:r><\/w:p><\/w:body>.*/, '')
  const { parts, notes } = await readAll(readDocx, officeFile(MAIN, { [MAIN]: cut }))
  assert.equal(parts[0]?.pageContent, 'whole\n\nhalf')
  assert.equal(notes.length, 1)
})

test('readDocx distinguishes encrypted files, old files and files of other formats', async () => {
  const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  const locked = Buffer.concat([compound, Buffer.alloc(100), Buffer.from('EncryptedPackage', 'utf16le')])
  await assert.rejects(readAll(readDocx, locked), { code: 'file_encrypted' })
  await assert.rejects(readAll(readDocx, compound), { code: 'file_unreadable' })
  await assert.rejects(readAll(readDocx, docx('', {}, { encrypted: true })), { code: 'file_encrypted' })
  await assert.rejects(readAll(readDocx, Buffer.from('hello')), { code: 'file_unreadable' })
  const workbook = officeFile('xl/workbook.xml', { 'xl/workbook.xml': '<workbook/>' })
  await assert.rejects(readAll(readDocx, workbook), { code: 'file_unreadable' })
  await assert.rejects(readAll(readDocx, officeFile(MAIN, {})), { code: 'file_unreadable' })
  const malformed = officeFile(MAIN, { [MAIN]: '<w:document>'.repeat(2) + '</a>'.repeat(60) })
  await assert.rejects(readAll(readDocx, malformed), { code: 'file_unreadable' })
})

test('readDocx expands no entities', async () => {
  const laughs = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/hostname">]>
    ${body(paragraph('&b; &c;'))}`
  assert.equal(await textOf(officeFile(MAIN, { [MAIN]: laughs })), '&b; &c;')
})

test('readDocx refuses too deep nesting, and does not overflow the stack below the limit', async () => {
  const nested = (depth: number) => {
    const before = '<w:tbl><w:tr><w:tc><w:p/></w:tc><w:tc>'.repeat(depth)
    return docx(`${before}${paragraph('deep')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`)
  }
  assert.match(await textOf(nested(80)), /deep/)
  await assert.rejects(readAll(readDocx, nested(90)), { code: 'file_over_limit' })
  await assert.rejects(readAll(readDocx, nested(50_000)), { code: 'file_over_limit' })
})

test('readDocx refuses small files that give large texts', async () => {
  const numbering = part(
    'numbering',
    `<w:abstractNum w:abstractNumId="1">${level(0, 'upperLetter', '%1'.repeat(5000), 780)}</w:abstractNum>
     <w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`,
  )
  const lists = docx(item('x', 1).repeat(100), { numbering })
  await assert.rejects(readAll(readDocx, lists, { textLength: 10_000 }), { code: 'file_over_limit' })
  const spans = docx(table(row(cell(paragraph('x'), '<w:gridSpan w:val="1000000000"/>').repeat(1000))))
  await assert.rejects(readAll(readDocx, spans, { textLength: 100_000 }), { code: 'file_over_limit' })
  const long = docx(paragraph('x'.repeat(300_000)))
  await assert.rejects(readAll(readDocx, long, { textLength: 200_000 }), { code: 'file_over_limit' })
})
