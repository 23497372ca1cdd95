import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { SluiceError } from '../kit/errors.ts'
import { fieldLines } from './pdf-fields.ts'
import { UnmappedFonts } from './pdf-fonts.ts'
import { countFontSizes, pageText, bodyFontSize } from './pdf-layout.ts'
import { type PdfLine, pdfLines } from './pdf-lines.ts'
import { PAGES_AROUND, runningLineFilter } from './pdf-running.ts'
import type { Scans } from './pdf-scans.ts'
import type { Note } from './reader.ts'

/** The text of a page; pages count from 1. `confidence`: from 0 to 1, where it was read by OCR. */
export type PageText = { pageNumber: number; text: string; confidence?: number }

/** The text on the placeholder page of an XFA form, for programs that cannot show the form. */
const PLACEHOLDER = /^[#\s]*please wait\b/i

/**
 * The text of each page that has text, in order, and notes about pages without.
 *
 * @param scans has pages without text read
 * @param isForm whether the file contains an XFA form, so that a page may be its placeholder
 */
export async function* pageTexts(
  pdf: PDFDocumentProxy,
  file: string,
  isForm: boolean,
  scans: Scans,
): AsyncGenerator<PageText | Note> {
  const fields = await fieldLines(pdf)
  const pages = new Map<number, PdfLine[]>()
  const sizes = new Map<number, number>()
  const fonts = new UnmappedFonts()
  const withoutRunning = runningLineFilter()
  const damaged: number[] = []
  let placeholders = 0
  let empty = 0
  let read = 0
  for (let pageNumber = 1; pageNumber <= pdf.numPages; pageNumber++) {
    while (read < Math.min(pageNumber + PAGES_AROUND, pdf.numPages)) {
      const page = await readPage(pdf, ++read, fonts).catch(() => void damaged.push(read))
      pages.set(read, page ?? [])
      countFontSizes(page ?? [], sizes)
    }
    pages.delete(pageNumber - PAGES_AROUND - 1)
    const page = pages.get(pageNumber)!
    const whole = pageText(withoutRunning(page, [...pages.values()]), bodyFontSize(sizes))
    const isPlaceholder = isForm && PLACEHOLDER.test(whole)
    if (isPlaceholder) placeholders++
    const body = isPlaceholder ? '' : whole
    const filled = fields.get(pageNumber)?.join('\n')
    const text = [body, filled].filter(Boolean).join('\n\n')
    if (text.trim() !== '') yield { pageNumber, text }
    else {
      const scan = isPlaceholder || damaged.includes(pageNumber) ? undefined : await scans.read(pageNumber)
      if (scan) yield { pageNumber, ...scan }
      else empty++
    }
  }
  if (damaged.length === pdf.numPages) {
    throw new SluiceError('file_unreadable', { file, reason: 'none of its pages can be read' })
  }
  if (damaged.length > 0) yield { note: `pages that could not be read: ${damaged.join(', ')}` }
  if (placeholders > 0)
    yield { note: 'an XFA form that cannot be read: its page only asks for another program' }
  if (fonts.pages.length > 0)
    yield { note: `text is lost in fonts without a map to Unicode, on pages: ${fonts.pages.join(', ')}` }
  yield* scans.notes()
  const unread = empty - damaged.length - placeholders
  if (unread > pdf.numPages / 2) {
    const lacking = scans.lacking === undefined ? '' : `; ${scans.lacking}`
    yield { note: `no text in ${unread} of ${pdf.numPages} pages: probably a scan${lacking}` }
  }
}

async function readPage(pdf: PDFDocumentProxy, pageNumber: number, fonts: UnmappedFonts): Promise<PdfLine[]> {
  const page = await pdf.getPage(pageNumber)
  const content = await page.getTextContent()
  page.cleanup()
  return pdfLines(fonts.read(content, pageNumber), page.view)
}
