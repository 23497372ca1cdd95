import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../../test/support/collect.ts'
import { type PdfOptions, type PdfPage, paragraphLines, writePdf } from '../../../test/support/pdf-writer.ts'
import { itemText } from '../../../test/support/reader-items.ts'
import type { ParseOptions } from '../../contract/file-parser.ts'
import { FILE_LIMITS } from '../limits.ts'
import { readPdf } from './pdf.ts'

const read = (bytes: Uint8Array, options: ParseOptions = {}, limits = FILE_LIMITS) =>
  collect(readPdf({ bytes, name: 'x.pdf' }, options, limits))
const texts = async (pages: readonly PdfPage[], options?: ParseOptions, file?: PdfOptions) =>
  (await read(writePdf(pages, file), options)).map(itemText)
const page = (...lines: string[]): PdfPage => ({ lines: paragraphLines(lines) })

test('readPdf() gives a document per page with its number and the info of the file', async () => {
  const bytes = writePdf([page('First page.'), page('Second page.')], {
    info: { Title: 'A title', Author: 'Anna (of Ulm)' },
  })
  const [first, second] = await read(bytes)
  assert.deepEqual(first, {
    pageContent: 'First page.',
    metadata: {
      pdf: {
        info: {
          PDFFormatVersion: '1.4',
          IsAcroFormPresent: false,
          IsCollectionPresent: false,
          IsLinearized: false,
          IsSignaturesPresent: false,
          IsXFAPresent: false,
          Title: 'A title',
          Author: 'Anna (of Ulm)',
        },
        totalPages: 2,
      },
      loc: { pageNumber: 1 },
    },
    last: true,
  })
  assert.ok(second && 'metadata' in second)
  assert.deepEqual(second.metadata.loc, { pageNumber: 2 })
})

test('readPdf() gives one document of all pages in parts, without a page number', async () => {
  const items = await read(writePdf([page('One.'), page(), page('Two.')]), { usage: 'perFile' })
  const [dropped, parts] = [
    items.filter((item) => 'dropped' in item),
    items.filter((item) => !('dropped' in item)),
  ]
  assert.deepEqual(dropped, [{ dropped: { kind: 'unreadablePage', count: 1, place: { page: 2 } } }])
  assert.deepEqual(
    parts.map((part) => 'pageContent' in part && [part.pageContent, part.last, 'loc' in part.metadata]),
    [
      ['One.\n\n', false, false],
      ['Two.', true, false],
    ],
  )
})

test('readPdf() skips pages without text, with a note if they are most', async () => {
  assert.deepEqual(await texts([page('Text.'), page(), page('Text.')]), [
    'Text.',
    'Text.',
    '1 unreadablePage',
  ])
  assert.deepEqual(await texts([page(), page(), page()]), [
    'no text in 3 of 3 pages: probably a scan',
    '3 unreadablePage',
  ])
})

test('readPdf() keeps running headers and footers once, without page numbers, and keeps lines that occur once [formats:pdf-dropped]', async () => {
  const pages = Array.from({ length: 30 }, (_, index) => ({
    lines: [
      { text: index < 15 ? 'Chapter of beginnings' : 'Chapter of ends', y: 810, size: 20 },
      { text: `Body of page ${index + 1}.`, y: 500 },
      { text: `Page ${index + 1} of 30`, y: 30 },
      ...(index === 4 ? [{ text: 'A footnote', y: 45 }] : []),
    ],
  }))
  const headers = new Map([
    [0, 'Chapter of beginnings\n\n'],
    [15, 'Chapter of ends\n\n'],
  ])
  const items = await read(writePdf(pages))
  assert.deepEqual(items.splice(30), [
    { dropped: { kind: 'pageNumber', count: 30, place: { page: 1, lastPage: 30 } } },
    { dropped: { kind: 'repeatedLine', count: 28, place: { page: 2, lastPage: 30 } } },
  ])
  assert.deepEqual(
    items.map(itemText),
    pages.map(
      (_, index) =>
        `${headers.get(index) ?? ''}Body of page ${index + 1}.${index === 4 ? '\n\nA footnote' : ''}`,
    ),
  )
})

test('readPdf() keeps the running lines of a document of two pages once', async () => {
  const pages = ['One.', 'Two.'].map((body, index) => ({
    lines: [
      { text: 'Ministry of Examples', y: 810 },
      { text: body, y: 500 },
      { text: `Form 7, page ${index + 1}`, y: 30, size: 18 },
    ],
  }))
  assert.deepEqual(await texts(pages), [
    'Ministry of Examples\n\nOne.\n\nForm 7, page 1',
    'Two.',
    '2 repeatedLine',
  ])
})

/** An XFA form of one page; `fields` are its fields in the syntax of the template, `data` their values. */
const form = (fields: string, data: string): string =>
  `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/">
<subform name="form" layout="tb"><pageSet><pageArea name="P"><contentArea x="6mm" y="6mm" w="190mm" h="270mm"/>
<medium stock="a4" short="210mm" long="297mm"/></pageArea></pageSet><subform name="s" w="190mm" h="200mm">${fields}
</subform></subform></template><xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data>
<form><s>${data}</s></form></xfa:data></xfa:datasets></xdp:xdp>`

const formField = (name: string, caption: string, inside: string): string =>
  `<field name="${name}" w="120mm" h="9mm"><caption reserve="40mm"><value><text>${caption}</text></value></caption>${inside}</field>`

const STAND_IN = page(
  'Please wait...',
  'If this message is not eventually replaced, your viewer cannot show it.',
)

test('readPdf() reads the texts and values of an XFA form instead of its placeholder page', async () => {
  const fields = [
    '<draw name="d" w="90mm" h="9mm"><value><text>Application for a permit</text></value></draw>',
    formField('Who', 'Name', '<ui><textEdit/></ui>'),
    formField('Why', 'Reason', '<ui><textEdit multiLine="1"/></ui>'),
    formField('Land', 'Country', '<ui><choiceList/></ui><items><text>France</text><text>Peru</text></items>'),
    formField('Yes', 'Agreed', '<ui><checkButton/></ui><items><text>1</text><text>0</text></items>'),
    formField('Fax', 'Fax number', '<ui><textEdit/></ui>'),
  ]
  const data = '<Who>Anna of Ulm</Who><Why>a\nhouse</Why><Land>Peru</Land><Yes>1</Yes>'
  assert.deepEqual(await texts([STAND_IN], {}, { xfa: form(fields.join(''), data) }), [
    'Application for a permit\nName: Anna of Ulm\nReason: a house\nCountry: Peru\n[x] Agreed\nFax number',
  ])
})

test('readPdf() says that an XFA form cannot be read, and leaves out its placeholder page', async () => {
  const notes = [
    'an XFA form that cannot be read: its page only asks for another program',
    '1 unreadablePage',
  ]
  assert.deepEqual(await texts([STAND_IN], {}, { xfa: '<xdp:xdp><template' }), notes)
  assert.deepEqual(await texts([STAND_IN], {}, { xfa: 'no XML at all' }), notes)
})

test('readPdf() keeps a page that begins like a placeholder if there is no form', async () => {
  assert.deepEqual(await texts([page('Please wait here.')]), ['Please wait here.'])
})

/** Text as the numbers of its glyphs in a font without a map to Unicode, whose first letter is glyph `first`. */
const glyphs = (text: string, first: number): PdfPage => ({
  lines: [
    { text, y: 700, firstGlyph: first },
    { text: 'Plain words.', y: 600 },
  ],
})

test('readPdf() repairs text whose font has no map to Unicode but the usual order of glyphs', async () => {
  const text = 'The amount due on 12 May, after tax, is 349.60 euros.'
  assert.deepEqual(await texts([glyphs(text, 3)]), [`${text}\n\nPlain words.`])
})

test('readPdf() names the pages whose text is lost because its font has no map to Unicode', async () => {
  const pages = ['Nobody can tell what', 'these glyphs are, on', 'any of the last pages'].map((text) =>
    glyphs(text, 0xe100),
  )
  const items = await read(writePdf([page('Sound.'), ...pages]))
  assert.equal(itemText(items[0]!), 'Sound.')
  assert.deepEqual(items.slice(-2), [
    { note: 'text is lost in fonts without a map to Unicode, on pages: 2, 3, 4' },
    { dropped: { kind: 'unreadablePage', count: 3, place: { page: 2, lastPage: 4 } } },
  ])
})

test('readPdf() keeps form values and notes on pages', async () => {
  const annotations = [
    '/Subtype /Widget /FT /Tx /T (Name) /V (Anna) /Rect [0 0 9 9]',
    '/Subtype /Widget /FT /Tx /T (Empty) /V () /Rect [0 0 9 9]',
    '/Subtype /Widget /FT /Btn /T (Agreed) /V /Yes /AS /Yes /AP << /N << /Yes null >> >> /Rect [0 0 9 9]',
    '/Subtype /Text /Contents (Check this) /Rect [0 0 9 9]',
    '/Subtype /Text /Contents (not to be seen) /F 2 /Rect [0 0 9 9]',
    '/Subtype /Link /Contents (no) /Rect [0 0 9 9]',
  ]
  assert.deepEqual(await texts([{ lines: paragraphLines(['Form']), annotations }]), [
    'Form\n\nName: Anna\n[x] Agreed\n[note] Check this',
  ])
})

test('readPdf() says that a file is protected, broken, or too long', async () => {
  await assert.rejects(read(writePdf([page('x')], { encrypted: true })), { code: 'file_encrypted' })
  await assert.rejects(read(writePdf([page('x')], { encrypted: true }), { password: 'wrong' }), {
    code: 'file_encrypted',
  })
  await assert.rejects(read(Buffer.from('%PDF-1.4\nnothing')), { code: 'file_unreadable' })
  await assert.rejects(read(writePdf([page('x'), page('y')]), {}, { ...FILE_LIMITS, pdfPages: 1 }), {
    code: 'file_over_limit',
  })
})

test('readPdf() does not change the bytes it is given', async () => {
  const bytes = writePdf([page('x')])
  const copy = Buffer.from(bytes)
  await read(bytes)
  assert.deepEqual(bytes, copy)
})
