import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { type PdfPage, paragraphLines, writePdf } from '../../test/support/pdf-writer.ts'
import type { ParseOptions } from '../contract/file-parser.ts'
import { LIMITS } from './limits.ts'
import { readPdf } from './pdf.ts'

const read = (bytes: Uint8Array, options: ParseOptions = {}, limits = LIMITS) =>
  collect(readPdf({ bytes, name: 'x.pdf' }, options, limits))
const texts = async (pages: readonly PdfPage[], options?: ParseOptions) =>
  (await read(writePdf(pages), options)).map((part) => ('note' in part ? part.note : part.pageContent))
const page = (...lines: string[]): PdfPage => ({ lines: paragraphLines(lines) })

test('readPdf() gives a document per page with its number and what the file says of itself', async () => {
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

test('readPdf() gives one document of all pages in parts, without a place', async () => {
  const parts = await read(writePdf([page('One.'), page(), page('Two.')]), { usage: 'perFile' })
  assert.deepEqual(
    parts.map((part) => 'pageContent' in part && [part.pageContent, part.last, 'loc' in part.metadata]),
    [
      ['One.\n\n', false, false],
      ['Two.', true, false],
    ],
  )
})

test('readPdf() passes over pages without text, and says so where they are most', async () => {
  assert.deepEqual(await texts([page('Text.'), page(), page('Text.')]), ['Text.', 'Text.'])
  assert.deepEqual(await texts([page(), page(), page()]), ['no text in 3 of 3 pages: probably a scan'])
})

test('readPdf() drops running headers and footers whose numbers change, and keeps what occurs once', async () => {
  const pages = Array.from({ length: 30 }, (_, index) => ({
    lines: [
      { text: index < 15 ? 'Chapter of beginnings' : 'Chapter of ends', y: 810 },
      { text: `Body of page ${index + 1}.`, y: 500 },
      { text: `Page ${index + 1} of 30`, y: 30 },
      ...(index === 4 ? [{ text: 'A footnote', y: 45 }] : []),
    ],
  }))
  const expected = pages.map((_, index) => `Body of page ${index + 1}.${index === 4 ? '\n\nA footnote' : ''}`)
  assert.deepEqual(
    (await texts(pages)).map((text) => text.replace('A footnote\n\n', '')),
    expected,
  )
})

test('readPdf() keeps what was filled into forms and noted on pages', async () => {
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
  await assert.rejects(read(writePdf([page('x'), page('y')]), {}, { ...LIMITS, pdfPages: 1 }), {
    code: 'file_over_limit',
  })
})

test('readPdf() leaves the bytes it was given as they are', async () => {
  const bytes = writePdf([page('x')])
  const copy = Buffer.from(bytes)
  await read(bytes)
  assert.deepEqual(bytes, copy)
})
