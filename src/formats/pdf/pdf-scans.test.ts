import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PdfPage, type PdfPicture, writePdf } from '../../../test/support/pdf-writer.ts'
import { scannedPage, textPage, tsv } from '../../../test/support/scans.ts'
import { FILE_LIMITS } from '../limits.ts'
import type { AskOcr, OcrOffer, PageRaster } from './ocr.ts'
import { readPdf } from './pdf.ts'

const GERMAN: OcrOffer = { languages: 'deu', pages: 500 }
const answering =
  (words: string): AskOcr =>
  async () => ({ tsv: Buffer.from(tsv(words)) })

/** What a PDF gives: its pages with their texts, and its notes; and what was asked for. */
async function read(
  pages: readonly PdfPage[],
  ask = answering('Der See'),
  offer = GERMAN,
  usage?: 'perFile',
) {
  const asked: PageRaster[] = []
  const help = {
    ocr: {
      offer,
      ask(raster: PageRaster) {
        asked.push(raster)
        return ask(raster)
      },
    },
  }
  const file = { bytes: writePdf(pages), name: 'a.pdf' }
  const texts: string[] = []
  const notes: string[] = []
  const metadata: object[] = []
  for await (const item of readPdf(file, usage ? { usage } : {}, FILE_LIMITS, help))
    if ('note' in item) notes.push(item.note)
    else if ('pageContent' in item) {
      texts.push(item.pageContent)
      metadata.push(item.metadata)
    }
  return { texts, notes, metadata, asked }
}

test('readPdf() has only the pages without text read, and says how many [upsert:ocr]', async () => {
  const { texts, notes, metadata, asked } = await read([
    textPage('First.'),
    scannedPage(),
    textPage('Third.'),
  ])
  assert.deepEqual(texts, ['First.', 'Der See', 'Third.'])
  assert.deepEqual(notes, ['1 of 3 pages read by OCR (deu), confidence 0.90'])
  assert.partialDeepStrictEqual(metadata, [
    { loc: { pageNumber: 1 } },
    { loc: { pageNumber: 2 }, ocr: { confidence: 0.9 } },
    { loc: { pageNumber: 3 } },
  ])
  assert.ok(!('ocr' in metadata[0]!))
  assert.equal(asked.length, 1)
  const { width, height, dpi, pixels } = asked[0]!
  assert.deepEqual([width, height, dpi, pixels.length], [1239, 1754, 150, 1239 * 1754])
  const dark = pixels.reduce((count, pixel) => count + Number(pixel < 128), 0)
  assert.ok(dark > 5000 && dark < 50_000, `${dark} dark pixels`)
  const whole = await read([textPage('First.'), scannedPage()], undefined, GERMAN, 'perFile')
  assert.deepEqual(whole.texts, ['First.\n\n', 'Der See'])
})

test('readPdf() says what is lacking where pages cannot be read, as before where nothing was asked for [upsert:ocr:lacking]', async () => {
  const lacking = 'the program tesseract, which reads them, is not installed'
  const { texts, notes, asked } = await read([scannedPage(), textPage('x'), scannedPage()], undefined, {
    lacking,
  })
  assert.deepEqual([texts, asked], [['x'], []])
  assert.deepEqual(notes, [`no text in 2 of 3 pages: probably a scan; ${lacking}`])
})

test('readPdf() tells pages that were not read, and why', async () => {
  const failing = await read(Array.from({ length: 6 }, scannedPage), async () => ({
    failed: 'it took too long',
  }))
  assert.equal(failing.asked.length, 3)
  assert.deepEqual(failing.notes, [
    'no text, and not read by OCR: pages 1, 2, 3 (it took too long)',
    'no text, and not read by OCR: pages 4, 5, 6 (OCR failed for the pages before)',
    'no text in 6 of 6 pages: probably a scan',
  ])
  const few = await read(Array.from({ length: 3 }, scannedPage), undefined, { languages: 'deu', pages: 2 })
  assert.deepEqual(few.notes, [
    '2 of 3 pages read by OCR (deu), confidence 0.90',
    'no text, and not read by OCR: page 3 (at most 2 pages of a file are read by OCR)',
  ])
  const noise = async () => ({ tsv: Buffer.from(tsv('a b').replaceAll('\t90\t', '\t12\t')) })
  assert.deepEqual((await read([textPage('x'), scannedPage(), textPage('y')], noise)).notes, [
    'no text, and not read by OCR: page 2 (nothing legible was found)',
  ])
})

test('readPdf() does not decode a picture that is too large, and tells the page [upsert:ocr:limits]', async () => {
  const large: PdfPicture = { width: 20_000, height: 20_000, bits: true, data: new Uint8Array(2500 * 20_000) }
  const { notes, asked, texts } = await read([textPage('x'), { lines: [], pictures: [large] }, textPage('y')])
  assert.deepEqual([texts, asked.length], [['x', 'y'], 0])
  assert.deepEqual(notes, [
    'no text, and not read by OCR: page 2 (a picture has more than 40 million pixels)',
  ])
})

test('readPdf() says nothing of a blank page, and draws stencils and turned pages', async () => {
  assert.deepEqual((await read([textPage('x'), { lines: [] }, textPage('y')])).notes, [])
  const dark = ({ pixels }: PageRaster) => pixels.filter((pixel) => pixel < 128).length
  const [picture] = scannedPage().pictures!
  const plain = (await read([{ lines: [], pictures: [picture!] }])).asked[0]!
  const stencil = (await read([{ lines: [], pictures: [{ ...picture!, stencil: true }] }])).asked[0]!
  assert.deepEqual(stencil, plain)
  const turned = (await read([{ lines: [], pictures: [picture!], rotate: 90 }])).asked[0]!
  assert.deepEqual([turned.width, turned.height], [plain.height, plain.width])
  assert.ok(Math.abs(dark(turned) - dark(plain)) < dark(plain) / 20)
})
