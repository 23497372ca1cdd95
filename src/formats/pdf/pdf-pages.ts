import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { SluiceError } from '../../kit/errors.ts'
import { DroppedFromPages } from './pdf-dropped.ts'
import { fieldLines } from './pdf-fields.ts'
import { FixedWidthFonts } from './pdf-fixed-width.ts'
import { UnmappedFonts } from './pdf-fonts.ts'
import { LineEndHyphens } from './pdf-hyphens.ts'
import { countFontSizes, pageText, bodyFontSize } from './pdf-layout.ts'
import { type PdfLine, pdfLines } from './pdf-lines.ts'
import { PAGES_AROUND, runningLineFilter } from './pdf-running.ts'
import type { Scans } from './pdf-scans.ts'
import type { DroppedItem, Note } from '../reader.ts'

/** The text of a page; pages count from 1. `confidence`: from 0 to 1, where it was read by OCR. */
export type PageText = { pageNumber: number; text: string; confidence?: number }

/** The text on the placeholder page of an XFA form, for programs that cannot show the form. */
const PLACEHOLDER = /^[#\s]*please wait\b/i

/**
 * The text of each page that has text, in order, and notes about pages without. What is left out comes last: running
 * headers and footers, page numbers, pages without text that can be read.
 *
 * @param scans has pages without text read
 * @param isForm whether the file contains an XFA form, so that a page may be its placeholder
 */
export async function* pageTexts(
  pdf: PDFDocumentProxy,
  file: string,
  isForm: boolean,
  scans: Scans,
): AsyncGenerator<PageText | Note | DroppedItem> {
  const fields = await fieldLines(pdf)
  const pages = new Map<number, PdfLine[]>()
  const sizes = new Map<number, number>()
  const fonts = { unmapped: new UnmappedFonts(), fixed: new FixedWidthFonts() }
  const hyphens = new LineEndHyphens()
  const withoutRunning = runningLineFilter()
  const dropped = new DroppedFromPages()
  const damaged: number[] = []
  let placeholders = 0
  let empty = 0
  let read = 0
  for (let pageNumber = 1; pageNumber <= pdf.numPages; pageNumber++) {
    while (read < Math.min(pageNumber + PAGES_AROUND, pdf.numPages)) {
      const page = await readPage(pdf, ++read, fonts).catch(() => void damaged.push(read))
      pages.set(read, page ?? [])
      countFontSizes(page ?? [], sizes)
      hyphens.learn(page ?? [])
    }
    pages.delete(pageNumber - PAGES_AROUND - 1)
    const page = withoutRunning(pages.get(pageNumber)!, [...pages.values()])
    dropped.add('repeatedLine', page.repeated, pageNumber)
    dropped.add('pageNumber', page.pageNumbers, pageNumber)
    const whole = pageText(page.lines, bodyFontSize(sizes), hyphens)
    const isPlaceholder = isForm && PLACEHOLDER.test(whole)
    if (isPlaceholder) placeholders++
    const body = isPlaceholder ? '' : whole
    const filled = fields.get(pageNumber)?.join('\n')
    const text = [body, filled].filter(Boolean).join('\n\n')
    if (text.trim() !== '') yield { pageNumber, text }
    else {
      const scan = isPlaceholder || damaged.includes(pageNumber) ? undefined : await scans.read(pageNumber)
      if (scan) yield { pageNumber, ...scan }
      else {
        empty++
        if (isPlaceholder || pages.get(pageNumber)!.length === 0) dropped.addUnreadable(pageNumber)
      }
    }
  }
  if (damaged.length === pdf.numPages) {
    throw new SluiceError('file_unreadable', { file, reason: 'none of its pages can be read' })
  }
  if (damaged.length > 0) yield { note: `pages that could not be read: ${damaged.join(', ')}` }
  if (placeholders > 0)
    yield { note: 'an XFA form that cannot be read: its page only asks for another program' }
  if (fonts.unmapped.pages.length > 0)
    yield {
      note: `text is lost in fonts without a map to Unicode, on pages: ${fonts.unmapped.pages.join(', ')}`,
    }
  yield* scans.notes()
  const unread = empty - damaged.length - placeholders
  if (unread > pdf.numPages / 2) {
    const lacking = scans.lacking === undefined ? '' : `; ${scans.lacking}`
    yield { note: `no text in ${unread} of ${pdf.numPages} pages: probably a scan${lacking}` }
  }
  dropped.addUnreadable(...damaged, ...fonts.unmapped.pages)
  yield* dropped.items()
}

type Fonts = { unmapped: UnmappedFonts; fixed: FixedWidthFonts }

async function readPage(
  pdf: PDFDocumentProxy,
  pageNumber: number,
  { unmapped, fixed }: Fonts,
): Promise<PdfLine[]> {
  const page = await pdf.getPage(pageNumber)
  const content = unmapped.read(await page.getTextContent(), pageNumber)
  page.cleanup()
  fixed.measure(content)
  return pdfLines(content, page.view, (font) => fixed.widthOf(font, content))
}
